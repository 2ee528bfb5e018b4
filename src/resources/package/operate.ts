/**
 * @module The operations that install and remove packages.
 */
import type { Script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, Going } from "../kind.ts";
import type { Operation } from "../operation.ts";
import { mayGo } from "./besides.ts";
import type { PackageFacts } from "./facts.ts";
import type { Change, Patience } from "./manager.ts";
import { namesOf } from "./names.ts";
import { heldByOthers, heldText, isRemoval, neededChange, toKeep } from "./needed-change.ts";
import { carryOut, withTool } from "./transaction.ts";

/** Seconds: how old lists of packages may be, and how long another process is waited for. */
const standard = { age: 3600, lockTimeout: 300 };

/** Seconds for one operation. A maintainer script that waits for somebody must not hang a run for ever. */
const longest = 3600;

const nothingNamed: Going = { named: new Set() };

/** @param prior with `hold` only where the configuration had set it */
export function operatePackages(
  want: PlainObject,
  found: Found<PackageFacts>,
  prior?: PlainObject,
  going: Going = nothingNamed,
): readonly Operation[] {
  if (found.state !== "present") {
    const why = found.state === "absent" ? "cannot be seen" : found.why;
    return [refusal("Cannot manage packages", `On the host, ${namesOf(want).join(", ")} ${why}.`)];
  }
  const { facts } = found;
  const { manager } = facts;
  const patience: Patience = { lockTimeout: seconds(want.lock_timeout, standard.lockTimeout) };
  const tool = (purpose: string, body: Script) => operation(purpose, withTool(manager, patience, body));
  const change = neededChange(want, facts);
  const held = change === undefined ? [] : heldByOthers(want, change, facts, prior);
  if (held.length > 0) return [refusal("Package is held", heldText(held, want))];
  const { release, hold } = holding(want, facts, change, prior);
  const keep = toKeep(want, facts, change);
  const operations = [
    ...(release.length > 0 ? [tool(`release ${release.join(", ")}`, manager.unhold(release))] : []),
    ...(change === undefined ? [] : [changing(want, facts, change, going, patience)]),
    ...(keep.length > 0 ? [tool(`mark ${keep.join(", ")} as wanted`, manager.keep(keep))] : []),
    ...(hold.length > 0 ? [tool(`hold ${hold.join(", ")}`, manager.hold(hold))] : []),
  ];
  if (operations.length === 0 || !facts.interrupted || manager.repair === undefined) return operations;
  return [tool("finish an interrupted installation", manager.repair), ...operations];
}

const seconds = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);

const refusal = (summary: string, detail: string): Operation => ({ do: "refuse", summary, detail });

function changing(
  want: PlainObject,
  { manager }: PackageFacts,
  change: Change,
  going: Going,
  patience: Patience,
): Operation {
  const names = change.packages.map(({ name }) => name).join(", ");
  const listsAge = want.update_cache === false ? undefined : seconds(want.cache_valid_time, standard.age);
  const script = carryOut(manager, change, { removable: mayGo(want, going), listsAge }, patience);
  return {
    ...operation(`${change.verb === "install" ? "install" : "remove"} ${names}`, script),
    ...(change.verb === "install" ? { warns: "Package lists were not fetched without complaints" } : {}),
  };
}

/**
 * What is to be released before the change, and held after it: a change may take a hold away, and a hold of ours must not
 * keep a package that is to go.
 */
function holding(
  want: PlainObject,
  { packages }: PackageFacts,
  change: Change | undefined,
  prior: PlainObject | undefined,
): { readonly release: readonly string[]; readonly hold: readonly string[] } {
  const held = namesOf(want).filter((name) => packages.get(name)!.held);
  const changed = new Set(change?.packages.map(({ name }) => name));
  if (isRemoval(want)) {
    const isOurs = want.hold === false || prior?.hold === true;
    return { release: isOurs ? held : [], hold: [] };
  }
  if (want.hold === false) return { release: held, hold: [] };
  const wanted = want.hold === true ? namesOf(want) : held;
  return {
    release: [],
    hold: wanted.filter((name) => changed.has(name) || !packages.get(name)!.held),
  };
}

const operation = (purpose: string, script: Script) => ({
  do: "script" as const,
  script,
  purpose,
  own: true,
  timeout: longest,
  work: "packages",
});

/** The packages of an object, gone; only when asked to with `on_remove`. */
export const withoutPackages = (prior: PlainObject): PlainObject =>
  isRemoval(prior) ? prior : { ...prior, state: "absent", version: null, hold: null, automatic: null };

export function removePackages(
  prior: PlainObject,
  found: Found<PackageFacts>,
  _holderMade?: boolean,
  going?: Going,
): readonly Operation[] {
  if (isRemoval(prior)) return [];
  return operatePackages(withoutPackages(prior), found, prior, going);
}
