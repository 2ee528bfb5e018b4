/**
 * @module `conn3x_directory`: a directory with given owner and mode.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { lines, raw, type Script } from "../../script/script.ts";
import { sweepIn } from "../../script/temporary-files.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, StepKind } from "../kind.ts";
import { keptAnswer, type Operation, sayKept } from "../operation.ts";
import { inTheWay, refusedFor } from "../paths/in-the-way.ts";
import { askPaths, type DanglingLink, type PathFacts, parsePaths } from "../paths/path-facts.ts";
import {
  exactPrincipals,
  importPath,
  metadataChange,
  namedOwners,
  observeMetadata,
  pathId,
} from "../paths/settings.ts";
import { type PathSubject, pathSubject } from "../paths/subject.ts";
import {
  askContents,
  type Contents,
  going,
  onOneLine,
  parseContents,
  planContents,
  willBeRemoved,
  willBeSet,
} from "./contents.ts";
import { goToHolder } from "./enter.ts";
import { makeDirectory, setDirectory } from "./make.ts";
import { removeExtra } from "./purge.ts";
import { setAll } from "./recurse.ts";
import { removeWithContents } from "./remove-tree.ts";
import { directorySchema } from "./schema.ts";

type DirectoryFacts = (PathFacts & Contents) | DanglingLink;

export const directoryKind: StepKind<DirectoryFacts, PathSubject> = {
  role: "step",
  name: "directory",
  type: "conn3x_directory",
  schema: directorySchema,
  id: pathId,
  imported: importPath,
  exact: (facts, observed) => (facts.kind === "dangling" ? {} : exactPrincipals(facts, observed)),
  facts: {
    subject: pathSubject,
    ask: (paths) => askPaths(paths, false),
    parse: (stdout, paths) => parsePaths(stdout, paths, false),
  },
  closer: {
    ask: (facts, object) => (facts.kind === "directory" ? askContents(facts, object) : undefined),
    parse: (answer, facts) => (facts.kind === "dangling" ? facts : parseContents(answer, facts)),
  },
  plan: planContents,
  shown: {
    hidden: ["managed"],
    names: { recurse: "differing" },
    removal: ({ on_remove }) => (on_remove === "delete" ? undefined : "is removed if it is empty"),
  },
  check: checkDirectory,
  // What Conn3x made was no link: one that is there now is somebody else's.
  isOurs: ({ kind, link }, _, made) => kind === "directory" && !(made && link),
  observe: observeDirectory,
  planCheck: checkDirectoryPlan,
  gone: going,
  besides: (facts, object) =>
    object.goes === true && facts.kind !== "dangling" && facts.extra !== undefined
      ? { text: facts.extra.map((name) => `removes ${onOneLine(name)}`), removes: [] }
      : undefined,
  removes: ({ purge }, facts) => (purge === true && facts.kind !== "dangling" ? (facts.extra ?? []) : []),
  needs: namedOwners,
  exclusive: pathId.of,
  operate: operateDirectory,
  remove: removeDirectory,
};

function observeDirectory(facts: DirectoryFacts, object: PlainObject): PlainObject {
  if (facts.kind === "dangling") return { ...object, differing: null, extra: null };
  const { differing = object.differing ?? null, extra = object.extra ?? null } = facts;
  return {
    ...object,
    ...observeMetadata(facts, object),
    ...(facts.differing !== undefined && facts.differing.length > 0 ? { recurse: false } : {}),
    differing: object.recurse === true ? (differing as readonly string[] | null) : null,
    extra: object.purge === true ? (extra as readonly string[] | null) : null,
  };
}

function checkDirectory(object: PlainObject): readonly Diagnostic[] {
  const { recurse, owner, group, mode, purge, keep } = object;
  const isFalse = (value: unknown) => value === null || value === false;
  const nothingSet = recurse === true && owner === null && group === null && mode === null;
  // What is not known yet may turn out to be null.
  const keepsNothing = Array.isArray(keep) && isFalse(purge) && isFalse(recurse);
  return [
    ...(nothingSet
      ? [
          errorDiagnostic(
            "Nothing to set in the directory",
            "recurse is about owner, group and mode, and none of them is set.",
            { attribute: at("recurse") },
          ),
        ]
      : []),
    ...(keepsNothing
      ? [
          errorDiagnostic(
            "Nothing is removed that could be kept",
            "keep is about what purge removes and recurse sets. Set one of them to true.",
            { attribute: at("keep") },
          ),
        ]
      : []),
  ];
}

function checkDirectoryPlan(object: PlainObject, found: Found<DirectoryFacts>): readonly Diagnostic[] {
  if (found.state !== "present") return [];
  const { facts } = found;
  // Of a removal: what has replaced it stays.
  if (object.goes !== undefined) return [];
  if (facts.kind !== "directory") return [inTheWay(`${String(object.path)} is ${otherThan(facts)}`)];
  return [
    ...willBeRemoved(object, facts.extra ?? []),
    ...(facts.differing === undefined ? [] : willBeSet(object, facts.differing)),
  ];
}

/** What is there that is no directory: for messages. */
function otherThan(facts: DirectoryFacts): string {
  if (facts.kind !== "dangling") return "not a directory";
  return facts.followed
    ? "a symbolic link that leads nowhere"
    : "a symbolic link, which is not followed without follow = true";
}

function operateDirectory(want: PlainObject, found: Found<DirectoryFacts>): readonly Operation[] {
  const path = String(want.path);
  if (found.state === "unreadable") return [refuse("make", `${path} ${found.why}`)];
  if (found.state === "absent") return [makeDirectory(want)];
  const { facts } = found;
  if (facts.kind !== "directory") return [refuse("make", `${path} is ${otherThan(facts)}`)];
  const { differing = [], extra = [] } = facts;
  const change = metadataChange(want, facts);
  return [
    ...(want.purge === true && extra.length > 0 ? [purgeContents(path, want)] : []),
    // While nobody else has the directory, what is in it can only be what root or the acting user put there.
    ...(want.recurse === true && differing.length > 0 ? [setContents(path, want)] : []),
    ...(change === undefined ? [] : [setDirectory(want, change)]),
  ];
}

const purgeContents = (path: string, want: PlainObject): Operation => ({
  do: "script",
  script: removeExtra(want),
  purpose: `remove what no step put into ${path}`,
  own: true,
});

const setContents = (path: string, want: PlainObject): Operation => ({
  do: "script",
  script: setAll(want),
  purpose: `set owner and mode of what is in ${path}`,
  own: true,
});

function removeDirectory(prior: PlainObject, found: Found<DirectoryFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") return [refuse("remove", `${path} ${found.why}`)];
  const purpose = `remove the directory ${path}`;
  // What has replaced the directory since is not ours to remove.
  if (found.facts.kind !== "directory" || found.facts.link) {
    return [{ do: "script", script: sayKept, purpose, own: false }];
  }
  if (prior.on_remove === "delete") {
    return [{ do: "script", script: removeWithContents(path), purpose, own: true }];
  }
  return [{ do: "script", script: onlyWhenEmpty(path), purpose, own: false }];
}

/** Leaves a directory that somebody else put something into, without failing, and says so. */
const onlyWhenEmpty = (path: string): Script =>
  lines([
    sweepIn(path),
    goToHolder(path, false),
    raw(
      `rmdir -- "./$c3x_name" 2>/dev/null || { [ -d "./$c3x_name" ] && [ -n "$(ls -A -- "./$c3x_name")" ] && printf ${keptAnswer}; } || rmdir -- "./$c3x_name"`,
    ),
  ]);

const refuse = (what: "make" | "remove", problem: string): Operation => ({
  do: "refuse",
  summary: `Cannot ${what} the directory`,
  detail: refusedFor(problem),
});
