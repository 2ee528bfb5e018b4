/**
 * @module `conn3x_directory`: a directory with given owner and mode.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { makeParentsForNow } from "../../script/parents.ts";
import { type Script, script } from "../../script/script.ts";
import { sweepIn } from "../../script/temporary-files.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, StepKind } from "../kind.ts";
import { keptAnswer, type Operation, sayKept } from "../operation.ts";
import { inTheWay } from "../paths/in-the-way.ts";
import { askPaths, type DanglingLink, type PathFacts, parsePaths } from "../paths/path-facts.ts";
import {
  adjustMetadata,
  changeMode,
  changeOwner,
  importPath,
  namedOwners,
  observeMetadata,
  pathId,
  setting,
} from "../paths/settings.ts";
import type { PathSubject } from "../paths/subject.ts";
import { askContents, type Contents, parseContents, planExtra, willBeRemoved } from "./contents.ts";
import { removeExtra } from "./purge.ts";
import { setAll } from "./recurse.ts";
import { removeWithContents } from "./remove-tree.ts";
import { directorySchema } from "./schema.ts";

type DirectoryFacts = (PathFacts & Contents) | DanglingLink;

export const directoryKind: StepKind<DirectoryFacts> = {
  role: "step",
  name: "directory",
  type: "conn3x_directory",
  schema: directorySchema,
  id: pathId,
  imported: importPath,
  facts: {
    subject: pathId.of,
    ask: (paths) => askPaths(paths.map(through), false),
    parse: (stdout, paths) => parsePaths(stdout, paths.map(through), false),
  },
  closer: {
    ask: (facts, object, look) => (facts.kind === "directory" ? askContents(facts, object, look) : undefined),
    parse: (answer, facts) => (facts.kind === "dangling" ? facts : parseContents(answer, facts)),
  },
  plan: planExtra,
  check: checkDirectory,
  // What Conn3x made was no link: one in its place is somebody else's.
  isOurs: ({ kind, link }, _, made) => kind === "directory" && !(made && link),
  observe: (facts, object) => ({
    ...object,
    ...(facts.kind === "dangling" ? {} : observeMetadata(facts, object)),
    ...(facts.kind !== "dangling" && facts.isUniform === false ? { recurse: false } : {}),
    extra: object.purge === true && facts.kind !== "dangling" ? (facts.extra ?? object.extra ?? null) : null,
  }),
  foresee: foreseeDirectory,
  removes: ({ purge }, facts) => (purge === true && facts.kind !== "dangling" ? (facts.extra ?? []) : []),
  needs: namedOwners,
  operate: operateDirectory,
  remove: removeDirectory,
};

const through = (path: string): PathSubject => [path, true];

function checkDirectory(object: PlainObject): readonly Diagnostic[] {
  const { recurse, owner, group, mode, purge, keep } = object;
  const nothingSet = recurse === true && owner === null && group === null && mode === null;
  // What is not known yet may turn out to be null.
  const keepsNothing = Array.isArray(keep) && (purge === null || purge === false);
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
            "keep is about what purge removes. Set purge = true.",
            { attribute: at("keep") },
          ),
        ]
      : []),
  ];
}

function foreseeDirectory(object: PlainObject, found: Found<DirectoryFacts>): readonly Diagnostic[] {
  if (found.state !== "present") return [];
  const { facts } = found;
  if (facts.kind !== "directory") return [inTheWay(`${String(object.path)} is not a directory`)];
  return willBeRemoved(object, facts.extra ?? []);
}

function operateDirectory(want: PlainObject, found: Found<DirectoryFacts>): readonly Operation[] {
  const path = String(want.path);
  if (found.state === "unreadable") return [refuse("make", `${path} ${found.why}`)];
  if (found.state === "absent") return [makeDirectory(path, want)];
  if (found.facts.kind !== "directory") return [refuse("make", `${path} is not a directory`)];
  const { isUniform, extra = [] } = found.facts;
  return [
    ...(want.purge === true && extra.length > 0 ? [purgeContents(path, want)] : []),
    ...adjustMetadata(path, want, found.facts),
    ...(want.recurse === true && isUniform === false ? [setContents(path, want)] : []),
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

/** One script, so that a directory is never there with the wrong owner and mode for longer than it takes to set them. */
function makeDirectory(path: string, want: PlainObject): Operation {
  const owner = setting(want, "owner");
  const group = setting(want, "group");
  const mode = changeMode(path, setting(want, "mode") ?? "0755");
  const settle =
    owner === undefined && group === undefined ? mode : script`${changeOwner(path, owner, group)} && ${mode}`;
  return {
    do: "script",
    script: makeOrNothing(path, settle),
    purpose: `make the directory ${path}`,
    own: false,
  };
}

/** Where the new directory cannot be settled (there is no such owner), it and the parents made for it go again. */
const makeOrNothing = (path: string, settle: Script): Script => script`set -e
${makeParentsForNow(path)}
(umask 077 && mkdir -- ${path})
{ ${settle}; } || { rmdir -- ${path}; exit 1; }
trap - EXIT`;

function removeDirectory(prior: PlainObject, found: Found<DirectoryFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") return [refuse("remove", `${path} ${found.why}`)];
  const purpose = `remove the directory ${path}`;
  // What has taken the directory's place since is not ours to remove.
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
  script`${sweepIn(path)}
rmdir -- ${path} 2>/dev/null || { [ -d ${path} ] && [ -n "$(ls -A -- ${path})" ] && printf ${keptAnswer}; } || rmdir -- ${path}`;

const refuse = (what: "make" | "remove", problem: string): Operation => ({
  do: "refuse",
  summary: `Cannot ${what} the directory`,
  detail: `On the host, ${problem}. Remove it or choose another path.`,
});
