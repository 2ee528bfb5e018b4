/**
 * @module `conn3x_link`: a symbolic or hard link.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import type { Besides, Found, StepKind } from "../kind.ts";
import { type Operation, sayKept } from "../operation.ts";
import { inTheWay, refusedFor } from "../paths/in-the-way.ts";
import { importPath, pathId } from "../paths/settings.ts";
import { leftRunningBy } from "../service/leftover.ts";
import { isHard, type LinkFacts, linkFacts } from "./facts.ts";
import { makeLink, removeLinkAt } from "./make.ts";
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
  planCheck: checkLinkPlan,
  besides: besidesLink,
  asFound: ["target", "kind"],
  exclusive: pathId.of,
  leftover: ({ path }) => leftRunningBy(String(path)),
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
  if (found.state === "absent") return [makeLink(want, "new")];
  const { facts } = found;
  if (isAsWanted(facts, want)) return [];
  const replaced = replaces(want, facts, prior);
  if (replaced === "nothing") return [refuse("make", `${path} is ${what(facts)}`)];
  return [makeLink(want, replaced)];
}

/** What is taken away for the link: one that is ours, or what `force` is for. */
function replaces(
  want: PlainObject,
  { kind }: LinkFacts,
  prior?: PlainObject,
): "link" | "file" | "directory" | "nothing" {
  if (kind === "link" || kind === "same") return "link";
  const isOurs = kind === "file" && prior !== undefined && (isHard(want) || isHard(prior));
  if (isOurs || (kind === "file" && want.force === true)) return "file";
  return kind === "empty" && want.force === true ? "directory" : "nothing";
}

const isAsWanted = (facts: LinkFacts, want: PlainObject): boolean =>
  isHard(want) ? facts.kind === "same" : facts.kind === "link" && facts.target === want.target;

function what(facts: LinkFacts): string {
  switch (facts.kind) {
    case "link":
      return `a symbolic link to ${quoted(facts.target)}`;
    case "same":
      return "a hard link to the target";
    case "file":
      return "a file";
    case "empty":
      return "an empty directory";
    case "directory":
      return "a directory that is not empty";
    case "other":
      return "neither a file nor a directory";
  }
}

const isKnown = (object: PlainObject): boolean =>
  ["path", "target", "kind", "force"].every((name) => !(object[name] instanceof Unknown));

function checkLinkPlan(object: PlainObject, found: Found<LinkFacts>): readonly Diagnostic[] {
  if (found.state !== "present" || !isKnown(object) || isAsWanted(found.facts, object)) return [];
  return replaces(object, found.facts) === "nothing"
    ? [inTheWay(`${String(object.path)} is ${what(found.facts)}`)]
    : [];
}

/** What goes for the link: with `force` a file, and what is in it. */
function besidesLink(facts: LinkFacts, object: PlainObject): Besides | undefined {
  if (!isKnown(object) || isAsWanted(facts, object) || replaces(object, facts) === "nothing")
    return undefined;
  return { text: [`removes ${what(facts)} that is in its place`], removes: [] };
}

function removeLink(prior: PlainObject, found: Found<LinkFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") return [refuse("remove", `${path} ${found.why}`)];
  const purpose = `remove the link ${path}`;
  const { kind } = found.facts;
  // What has replaced the link since is not ours to remove.
  if (kind === "file" && isHard(prior)) return [{ do: "script", script: sayKept, purpose, own: false }];
  if (kind !== "link" && kind !== "same") return [];
  return [{ do: "script", script: removeLinkAt(path, isHard(prior)), purpose, own: false }];
}

const refuse = (verb: "make" | "remove", problem: string): Operation => ({
  do: "refuse",
  summary: `Cannot ${verb} the link`,
  detail: refusedFor(problem),
});
