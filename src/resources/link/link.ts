/**
 * @module `conn3x_link`: a symbolic link.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { temporaryName } from "../../script/temporary-files.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, StepKind } from "../kind.ts";
import type { Operation } from "../operation.ts";
import { importPath, makeParents, pathId } from "../paths/settings.ts";
import { type LinkFacts, linkFacts } from "./facts.ts";
import { linkSchema } from "./schema.ts";

export const linkKind: StepKind<LinkFacts> = {
  role: "step",
  name: "link",
  type: "conn3x_link",
  schema: linkSchema,
  id: pathId,
  imported: importPath,
  facts: linkFacts,
  isOurs: ({ kind }) => kind === "link",
  observe: (facts, object) => (facts.kind === "link" ? { ...object, target: facts.target } : object),
  asFound: ["target"],
  exclusive: pathId.of,
  operate: operateLink,
  remove: removeLink,
};

function operateLink(want: PlainObject, found: Found<LinkFacts>): readonly Operation[] {
  const path = String(want.path);
  const target = String(want.target);
  if (found.state === "unreadable") return [refuse("make", `${path} ${found.why}`)];
  if (found.state === "absent")
    return [make(path, lines([makeParents(path), script`ln -s -- ${target} ${path}`]))];
  const { facts } = found;
  if (facts.kind === "link") return facts.target === target ? [] : [make(path, replace(path, target))];
  if (want.force !== true || facts.kind === "other")
    return [refuse("make", `${path} is ${what(facts.kind)}`)];
  if (facts.kind === "file") return [make(path, replace(path, target))];
  return [make(path, script`rmdir -- ${path} && ln -s -- ${target} ${path}`)];
}

const what = (kind: "file" | "directory" | "other"): string =>
  kind === "other" ? "neither a file nor a directory" : `a ${kind}`;

const make = (path: string, body: Script): Operation => ({
  do: "script",
  script: lines([raw("set -e"), body]),
  purpose: `make the link ${path}`,
  own: false,
});

/**
 * Under another name first, so that there is no moment without it. (A link to a directory would swallow what is moved to
 * it: options of GNU and busybox, then of BSD, keep it from that.)
 */
const replace = (path: string, target: string): Script => script`p=${path}
t=\${p%/*}/${temporaryName(path)}
trap 'rm -f -- "$t"' EXIT
ln -s -- ${target} "$t"
mv -fT -- "$t" "$p" 2>/dev/null || mv -fh "$t" "$p"`;

function removeLink(prior: PlainObject, found: Found<LinkFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") return [refuse("remove", `${path} ${found.why}`)];
  // What has taken the link's place since is not ours to remove.
  if (found.facts.kind !== "link") return [];
  return [{ do: "script", script: script`rm -f -- ${path}`, purpose: `remove the link ${path}`, own: false }];
}

const refuse = (verb: "make" | "remove", problem: string): Operation => ({
  do: "refuse",
  summary: `Cannot ${verb} the link`,
  detail: `On the host, ${problem}. Remove it, or choose another path.`,
});
