/**
 * @module The operations that install and remove packages.
 */
import type { Script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found } from "../kind.ts";
import type { Operation } from "../operation.ts";
import type { PackageFacts } from "./facts.ts";
import type { Patience } from "./manager.ts";
import { namesOf } from "./names.ts";
import { isAsWanted, toInstall } from "./observe.ts";

/** Seconds: how old lists of packages may be, and how long another process is waited for. */
const standard = { age: 3600, lockTimeout: 300 };

/** Seconds for one operation. A maintainer script that waits for somebody must not hang a run for ever. */
const longest = 3600;

export function operatePackages(want: PlainObject, found: Found<PackageFacts>): readonly Operation[] {
  const names = namesOf(want);
  if (found.state !== "present") {
    const why = found.state === "absent" ? "cannot be seen" : found.why;
    return [
      { do: "refuse", summary: "Cannot manage packages", detail: `On the host, ${names.join(", ")} ${why}.` },
    ];
  }
  const { facts } = found;
  const patience: Patience = { lockTimeout: seconds(want.lock_timeout, standard.lockTimeout) };
  const change =
    want.state === "absent" || want.state === "purged"
      ? removal(want, facts, patience)
      : installation(want, facts, patience);
  const operations = [...change, ...holding(want, facts, change.length > 0, patience)];
  if (operations.length === 0 || !facts.interrupted) return operations;
  return [operation("finish an interrupted installation", facts.manager.repair(patience)), ...operations];
}

const seconds = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);

function installation(want: PlainObject, facts: PackageFacts, patience: Patience): readonly Operation[] {
  const { manager } = facts;
  const names = toInstall(want, facts);
  if (names.length === 0) return [];
  const version = typeof want.version === "string" ? { version: want.version } : {};
  const install = manager.install(
    names.map((name) => ({ name, ...version })),
    patience,
  );
  const refresh = manager.update(seconds(want.cache_valid_time, standard.age), patience);
  return [
    ...(want.update_cache === false ? [] : [operation("fetch the lists of packages", refresh)]),
    operation(`install ${names.join(", ")}`, install),
  ];
}

/** Only what is there by its own name: a name that others provide must not take them away. */
function removal(want: PlainObject, facts: PackageFacts, patience: Patience): readonly Operation[] {
  const names = [...facts.packages].filter(([, one]) => !isAsWanted(want.state, one)).map(([name]) => name);
  if (names.length === 0) return [];
  const { manager } = facts;
  const script = want.state === "purged" ? manager.purge(names, patience) : manager.remove(names, patience);
  return [operation(`remove ${names.join(", ")}`, script)];
}

/** @param renewed whether the packages are changed anyway: what was held may not be so after it */
function holding(
  want: PlainObject,
  { manager, packages }: PackageFacts,
  renewed: boolean,
  patience: Patience,
): readonly Operation[] {
  if (typeof want.hold !== "boolean") return [];
  const names = namesOf(want);
  const { hold } = want;
  const differ = names.filter((name) => (renewed ? hold : packages.get(name)!.held !== hold));
  if (differ.length === 0) return [];
  return hold
    ? [operation(`hold ${differ.join(", ")}`, manager.hold(differ, patience))]
    : [operation(`release ${differ.join(", ")}`, manager.unhold(differ, patience))];
}

const operation = (purpose: string, script: Script): Operation => ({
  do: "script",
  script,
  purpose,
  own: true,
  timeout: longest,
  work: "packages",
});

/** Only when asked to with `on_remove`. */
export function removePackages(prior: PlainObject, found: Found<PackageFacts>): readonly Operation[] {
  if (prior.state === "absent" || prior.state === "purged") return [];
  return operatePackages({ ...prior, state: "absent", version: null, hold: null }, found);
}
