/**
 * @module One line about an instance: what will happen to it, and why.
 */
import type { PlannedChange } from "../../engine/index.ts";
import type { KeptBecause, Reason } from "../../revision/decision.ts";
import { at, formatPath, type Path } from "../../values/path.ts";
import type { Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";

/** How instances that a reason refers to are named, and what happens to them. */
export interface ReasonNames {
  readonly name: (address: string) => string;
  /** `updated`, `replaced`, `created` */
  readonly becomes: (address: string) => string;
}

interface Wording extends ReasonNames {
  /** Whether the run imports it. */
  readonly isImport?: boolean;
}

/** More names than this are counted. */
const mostNames = 3;

/** `will be updated because its content was edited`, to follow the instance's address. */
export function describeChange(change: PlannedChange, names: ReasonNames): string {
  const { action, reasons } = change.decision;
  const has = (kind: Reason["kind"]): boolean => reasons.some((reason) => reason.kind === kind);
  const skipping = change.decision.runs ? undefined : describeSkipping(change, names);
  if (skipping !== undefined) return skipping;
  if (change.role === "handler") return describeHandler(change, names);
  if (action === "update" && has("drift") && !edited(reasons))
    return "changed on the host and will be put back";
  if (action !== "delete" && has("gone"))
    return reasons.some(({ rebuilt }) => rebuilt)
      ? "will be created again because its host is another machine now"
      : "is gone from the host and will be created again";
  const outcome =
    action === "delete" ? removal(change) : action === "create" ? creation(change) : outcomes[action];
  const text = because(outcome, reasons, { ...names, isImport: change.importing !== undefined });
  return action === "replace" ? `${text}${keptOld(change)}` : text;
}

/** What a `when` leaves out, or has left out until now; undefined for everything else. */
function describeSkipping(
  { before, after, decision, role }: PlannedChange,
  names: ReasonNames,
): string | undefined {
  if (decision.action !== "create" && decision.action !== "update") return undefined;
  const [was, is] = [isSkipped(before), isSkipped(after)];
  if (is && was) return because("stays left out, and its host as it is,", decision.reasons, names);
  if (is && decision.action === "create")
    return role === "handler"
      ? "is left out because no step notifies it there"
      : "is left out because its when is false";
  if (is) return "will be left out from now on, as if it were removed, because its when is false";
  return was ? "will not be left out any more because its when is true" : undefined;
}

const isSkipped = (object: Value): boolean => getPath(object, at("skipped"))?.data === true;

const outcomes = {
  none: "does not change",
  create: "will be created",
  update: "will be updated",
  replace: "must be replaced",
} as const;

const edited = (reasons: readonly Reason[]): boolean => reasons.some(({ kind }) => kind !== "drift");

function creation({ decision }: PlannedChange): string {
  switch (decision.found) {
    case "as_wanted":
      return "is on the host already and will be taken over as it is";
    case "different":
      return "is on the host already, differs, and will be changed";
    default:
      return outcomes.create;
  }
}

/** Why something stays on its host, in brackets. */
export const keeping: Record<Exclude<KeptBecause, "no_object">, string> = {
  on_remove: 'on_remove = "keep"',
  default: 'on_remove = "delete" would remove it',
  there_before: "Conn3x did not make it",
  shared: "another address holds it too",
  same_object: "the new one is the same object",
  host_gone: 'the host does not answer, and on_host_gone = "forget"',
  forgotten: "a removed block says so",
};

const keptOld = ({ decision: { keeps } }: PlannedChange): string =>
  keeps === undefined || keeps === "no_object" ? "" : `; the old one is kept on the host (${keeping[keeps]})`;

function removal({ decision }: PlannedChange): string {
  if (decision.keeps === "no_object") return "will be forgotten (removing it does nothing on the host)";
  if (decision.keeps !== undefined)
    return `will be forgotten and kept on the host (${keeping[decision.keeps]})`;
  return decision.reasons.some(({ kind }) => kind === "destroy") ? "will be destroyed" : "will be deleted";
}

/** A handler's action runs when its instance is made; anything else runs nothing (C9). */
function describeHandler({ decision }: PlannedChange, names: ReasonNames): string {
  const { action, reasons, runs } = decision;
  if (runs) return "will run because what notified it is removed";
  switch (action) {
    case "create":
      return because(isFirst(reasons) ? "will run for the first time" : "will run", reasons, names);
    case "replace":
      return because("will run", reasons, names);
    case "update":
      return because("will be updated, and not run,", reasons, names).replace(/,$/, "");
    case "delete":
      return because("will be forgotten, and not run,", reasons, names).replace(/,$/, "");
    case "none":
      return outcomes.none;
  }
}

const isFirst = (reasons: readonly Reason[]): boolean => reasons.every(({ kind }) => kind === "create");

function because(outcome: string, reasons: readonly Reason[], names: Wording): string {
  const clauses = new Set(
    reasons.map((reason) => clause(reason, names)).filter((text) => text !== undefined),
  );
  return clauses.size === 0 ? outcome : `${outcome} because ${listed([...clauses])}`;
}

/** Undefined where what happens says why. */
function clause(
  { kind, paths = [], dependencies = [], rebuilt, imported }: Reason,
  names: Wording,
): string | undefined {
  switch (kind) {
    case "create":
    case "destroy":
      return undefined;
    case "config":
    case "identity":
      return names.isImport || imported
        ? `${settings(paths, "differs", "differ")} from what ${names.isImport ? "is" : "was"} imported`
        : `${settings(paths, "was", "were")} edited`;
    case "drift":
      return paths.length === 0 ? "it changed on the host" : `${pathList(paths)} changed on the host`;
    case "gone":
      return rebuilt ? "its host is another machine now" : "it is gone from the host";
    case "dependency_updated":
    case "dependency_replaced":
    case "triggers":
      return dependencies.length === 0 ? "its triggers changed" : dependencyClause(dependencies, names);
    case "pending":
      return "it has not run since its steps last changed";
    case "cannot_update":
      return paths.length === 0
        ? "it cannot be changed in place"
        : `${pathList(paths)} cannot be changed in place`;
    case "last_apply_failed":
      return "its last apply failed";
    case "requested":
      return "that was asked for";
    case "deposed":
      return "its replacement was made and it is still there";
    case "removed":
      return "it is not in the configuration any more";
    case "host_removed":
      return "its host is not in the configuration any more";
    case "unknown_input":
      return `${paths.length === 0 ? "an input" : pathList(paths)} is known only after apply`;
  }
}

function dependencyClause(addresses: readonly string[], { name, becomes }: ReasonNames): string {
  const outcomes = new Map<string, Set<string>>();
  for (const address of addresses) {
    const outcome = becomes(address);
    outcomes.set(outcome, (outcomes.get(outcome) ?? new Set()).add(name(address)));
  }
  const clauses = [...outcomes].map(
    ([outcome, named]) => `${listed([...named])} ${named.size === 1 ? "is" : "are"} ${outcome}`,
  );
  return listed(clauses);
}

function settings(paths: readonly Path[], one: string, several: string): string {
  if (paths.length === 0) return `its configuration ${one}`;
  return `${pathList(paths)} ${paths.length === 1 ? one : several}`;
}

const pathList = (paths: readonly Path[]): string => `its ${listed(paths.map(formatPath))}`;

/** `a`, `a and b`, `a, b and c`, `a, b, c and 4 more` */
export function listed(names: readonly string[]): string {
  if (names.length > mostNames + 1) {
    return `${names.slice(0, mostNames).join(", ")} and ${names.length - mostNames} more`;
  }
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
