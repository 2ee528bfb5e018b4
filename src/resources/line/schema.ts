/**
 * @module Settings of `conn3x_line`.
 */
import {
  bool,
  hideValues,
  type Occupant,
  type Occupies,
  oneOf,
  type ResourceSchema,
  string,
} from "../../schema/schema.ts";
import type { Plain } from "../../values/plain.ts";
import { absolutePath } from "../paths/settings.ts";
import { backup, follow, unsafeWrite, validate } from "../paths/writing.ts";
import { badRegexp } from "../regexp.ts";
import { hostResource, onRemove } from "../settings.ts";
import { changes } from "./edit.ts";
import { withDigest } from "./id.ts";

const place = (word: "EOF" | "BOF", describe: string) =>
  string({
    optional: true,
    hostEffect: false,
    oneOf: "place",
    describe,
    check: (regexp, show) => (regexp === word ? undefined : badRegexp(regexp, show)),
  });

/** A line that must not be there needs no file. */
const fileOfLine: Occupies = (setting) => {
  const edits = editOf(setting);
  const what = setting("state") === "absent" ? "nothing" : "file";
  return { what, followsLinks: setting("follow") === true, ...(edits && { edits }) };
};

/** Undefined where it is not known what the edit is. */
function editOf(setting: (name: string) => Plain | undefined): Occupant["edits"] {
  const [line, regexp, state, backrefs] = ["line", "regexp", "state", "backrefs"].map(setting);
  const isKnown = line !== undefined && regexp !== undefined && state !== undefined && backrefs !== undefined;
  if (!isKnown || (typeof regexp === "string" && badRegexp(regexp, hideValues) !== undefined))
    return undefined;
  return (content) => changes(Buffer.from(content), { line, regexp, state, backrefs });
}

const settings = hostResource(
  "One line of a text file. All other lines keep their bytes. Regular expressions have RE2's syntax, as in the language's `regex`: `(?i)` at the start ignores case, there is no look-around, and no pattern takes long. They are matched against each line without its end.",
  {
    path: absolutePath(fileOfLine),
    line: string({
      optional: true,
      observed: true,
      describe: "The line, without its end. Needed unless `state` is `absent` and `regexp` is set.",
      check: (line) =>
        /[\r\n]/.test(line)
          ? "must be one line: use one step for each, or a file for all of them"
          : undefined,
    }),
    regexp: string({
      optional: true,
      describe:
        'Which line it is: the last one that matches is replaced by `line`; with `state = "absent"` all that match are removed, and the plan shows them. It must match `line` too (a warning says where not), and must not match whatever a line has. Without a match, or unset, `line` itself is looked for, and inserted where it is missing.',
      check: badRegexp,
    }),
    backrefs: bool({
      standard: false,
      optional: true,
      describe:
        "Whether `line` refers to groups of `regexp`: `\\1` to `\\9`, `\\g<10>`, `\\g<name>`; `\\\\` is a backslash. Without a match nothing is inserted. Default false.",
    }),
    insert_after: place(
      "EOF",
      "A regular expression: a new line is inserted after the last matching line, or, with a warning, at the end of the file if none matches. `EOF` (default): at the end.",
    ),
    insert_before: place(
      "BOF",
      "A regular expression: a new line is inserted before the first matching line, or, with a warning, at the end of the file if none matches. `BOF`: at the beginning.",
    ),
    state: oneOf(["present", "absent"], {
      standard: "present",
      optional: true,
      observed: true,
      describe: "`present` (default) or `absent`.",
    }),
    create: bool({
      optional: true,
      hostEffect: false,
      describe:
        "Whether a missing file is created, with mode `0644`; it is removed with the line if nothing else is in it. Default false: that is an error.",
    }),
    follow: follow("its target is then read and edited, and the link stays. False: a link is an error."),
    validate,
    backup,
    unsafe_write: unsafeWrite,
    on_remove: onRemove,
  },
);

export const lineSchema: ResourceSchema = { ...settings, version: 1, upgrade: withDigest };
