/**
 * @module `conn3x_link`: a symbolic or hard link.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { makeParents } from "../../script/parents.ts";
import { lines, raw, type Script, script } from "../../script/script.ts";
import { temporaryName } from "../../script/temporary-files.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, StepKind } from "../kind.ts";
import { type Operation, sayKept } from "../operation.ts";
import { importPath, pathId } from "../paths/settings.ts";
import { isHard, type LinkFacts, linkFacts } from "./facts.ts";
import { linkSchema } from "./schema.ts";

export const linkKind: StepKind<LinkFacts, readonly [string, string]> = {
  role: "step",
  name: "link",
  type: "conn3x_link",
  schema: linkSchema,
  id: pathId,
  imported: importPath,
  check: checkLink,
  facts: linkFacts,
  // A file that Conn3x made a hard link of, and that is another one than the target by now, is drift.
  isOurs: ({ kind }, object, made) =>
    kind === "link" || kind === "same" || (kind === "file" && isHard(object) && made === true),
  observe: observeLink,
  asFound: ["target", "kind"],
  exclusive: pathId.of,
  operate: operateLink,
  remove: removeLink,
};

function checkLink(object: PlainObject): readonly Diagnostic[] {
  const { target } = object;
  if (!isHard(object) || typeof target !== "string" || target.startsWith("/")) return [];
  const detail = "A hard link is to a file that is named by its absolute path.";
  return [errorDiagnostic("Target is not absolute", detail, { attribute: at("target") })];
}

/** What stands for a target that has no name. */
const anotherFile = "(another file)";

function observeLink(facts: LinkFacts, object: PlainObject): PlainObject {
  const found = facts.kind === "link" ? "symbolic" : "hard";
  const kind = isHard(object) === (found === "hard") ? object.kind! : found;
  if (facts.kind === "link") return { ...object, kind, target: facts.target };
  return { ...object, kind, ...(facts.kind === "same" ? {} : { target: anotherFile }) };
}

function operateLink(want: PlainObject, found: Found<LinkFacts>, prior?: PlainObject): readonly Operation[] {
  const path = String(want.path);
  if (found.state === "unreadable") return [refuse("make", `${path} ${found.why}`)];
  const link = linkTo(want);
  if (found.state === "absent") return [make(path, lines([makeParents(path), script`${link} ${path}`]))];
  const { facts } = found;
  if (isAsWanted(facts, want)) return [];
  const isOurFile = facts.kind === "file" && prior !== undefined && (isHard(want) || isHard(prior));
  if (facts.kind === "link" || facts.kind === "same" || isOurFile) return [make(path, replace(path, link))];
  if (want.force !== true || facts.kind === "other")
    return [refuse("make", `${path} is ${what(facts.kind)}`)];
  if (facts.kind === "file") return [make(path, replace(path, link))];
  return [make(path, script`rmdir -- ${path} && ${link} ${path}`)];
}

const isAsWanted = (facts: LinkFacts, want: PlainObject): boolean =>
  isHard(want) ? facts.kind === "same" : facts.kind === "link" && facts.target === want.target;

/** The command but for the path. A hard link is to the file itself, not to a link that leads there. */
function linkTo(want: PlainObject): Script {
  const target = String(want.target);
  return isHard(want) ? script`ln -- "$(readlink -f -- ${target})"` : script`ln -s -- ${target}`;
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
const replace = (path: string, link: Script): Script => script`p=${path}
t=\${p%/*}/${temporaryName(path)}
trap 'rm -f -- "$t"' EXIT
${link} "$t"
mv -fT -- "$t" "$p" 2>/dev/null || mv -fh "$t" "$p"`;

function removeLink(prior: PlainObject, found: Found<LinkFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") return [refuse("remove", `${path} ${found.why}`)];
  const purpose = `remove the link ${path}`;
  const { kind } = found.facts;
  // What has taken the link's place since is not ours to remove.
  if (kind === "file" && isHard(prior)) return [{ do: "script", script: sayKept, purpose, own: false }];
  if (kind !== "link" && kind !== "same") return [];
  return [{ do: "script", script: script`rm -f -- ${path}`, purpose, own: false }];
}

const refuse = (verb: "make" | "remove", problem: string): Operation => ({
  do: "refuse",
  summary: `Cannot ${verb} the link`,
  detail: `On the host, ${problem}. Remove it, or choose another path.`,
});
