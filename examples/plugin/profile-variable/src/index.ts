/**
 * A step kind: an environment variable of every login shell, in a file of its own in /etc/profile.d.
 *
 *     profile_variable {
 *       name  = "EDITOR"
 *       value = "vim"
 *     }
 */
import {
  AnswerError,
  type Found,
  hostResource,
  onRemove,
  type PlainObject,
  quote,
  script,
  stepKind,
  string,
} from "conn3x/kind";

interface VariableFile {
  /** All that is in it. */
  readonly text: string;
}

const pathOf = ({ directory, name }: PlainObject): string =>
  `${directory ?? "/etc/profile.d"}/conn3x-${name}.sh`;
const textOf = (object: PlainObject): string => `export ${object.name}=${quote(String(object.value))}\n`;

/** For each path a line with the number of bytes in it, or "-" where there is none, and then these bytes. */
const ask = (paths: readonly string[]) => script`for p in ${paths}; do
  if [ -f "$p" ]; then wc -c <"$p"; cat <"$p"; else echo -; fi
done`;

function parse(answer: Buffer, paths: readonly string[]): readonly Found<VariableFile>[] {
  let rest = answer;
  const found = paths.map((): Found<VariableFile> => {
    const end = rest.indexOf("\n");
    const line = rest.toString("utf8", 0, Math.max(end, 0)).trim();
    rest = rest.subarray(end + 1);
    if (line === "-") return { state: "absent" };
    if (!/^\d+$/.test(line)) throw new AnswerError("the answer does not say how long a file is");
    const text = rest.toString("utf8", 0, Number(line));
    rest = rest.subarray(Number(line));
    return { state: "present", facts: { text } };
  });
  if (rest.length > 0) throw new AnswerError("the answer has something left over");
  return found;
}

const profileVariable = stepKind<VariableFile>({
  name: "profile_variable",
  schema: hostResource("An environment variable of every login shell.", {
    name: string({
      required: true,
      identity: true,
      describe: "Name of the variable.",
      check: (name) => (/^[A-Za-z_]\w*$/.test(name) ? undefined : "must be letters, digits and underscores"),
    }),
    value: string({
      required: true,
      observed: true,
      describe: "Its value, as it is: nothing in it is expanded.",
    }),
    directory: string({
      optional: true,
      identity: true,
      describe: "Where its file is. Default `/etc/profile.d`.",
      check: (path) => (path.startsWith("/") ? undefined : "must be an absolute path"),
    }),
    on_remove: onRemove,
  }),
  id: { from: ["directory", "name"], of: pathOf },
  facts: { subject: pathOf, ask, parse },
  observe: ({ text }, object) => ({ ...object, value: text === textOf(object) ? object.value! : text }),
  // A file of the same name that somebody else wrote is not taken for ours.
  isOurs: ({ text }, { name }) => text.startsWith(`export ${name}=`),
  operate: (want, found) =>
    found.state === "present" && found.facts.text === textOf(want)
      ? []
      : [{ do: "put", path: pathOf(want), content: Buffer.from(textOf(want)), follow: false }],
  remove: (prior, found) =>
    found.state === "absent"
      ? []
      : [
          {
            do: "script",
            script: script`rm -f -- ${pathOf(prior)}`,
            purpose: `remove ${pathOf(prior)}`,
            own: false,
          },
        ],
});

export const kinds = [profileVariable];
