/**
 * @module Why something happens, in a few words: `content edited`, `changed on the host, is put back`, `because config
 * changes`.
 */
import type { PlannedChange } from "../../../engine/index.ts";
import { kinds } from "../../../resources/index.ts";
import type { Reason } from "../../../revision/decision.ts";
import { parseAddress } from "../../../values/address.ts";
import { formatPath, type Path } from "../../../values/path.ts";
import { keeping, listed } from "../reason.ts";
import type { Effect } from "./effect.ts";
import { shownObject } from "./subject.ts";

/** What a reason refers to. */
export interface Others {
  /** Of another instance, as its circuit has it: `config`. */
  readonly name: (address: string) => string;
  /** Names of removed steps whose revisions were among the triggers. */
  readonly removed: readonly string[];
}

export function whyOf(change: PlannedChange, effect: Effect, others: Others): string {
  const { decision, movedFrom, importing, unread } = change;
  const clauses = [
    ...(decision.action === "none" ? [] : [happening(change, effect, others)]),
    ...(movedFrom === undefined ? [] : [before(change, movedFrom)]),
    ...(importing === undefined ? [] : [`imported by ${JSON.stringify(importing)}`]),
    ...(unread && decision.action !== "none" ? ["the host was not read"] : []),
  ];
  return clauses.join("; ");
}

/** What an instance was called: `was on host a`, `was step old`. */
function before({ address, member, role, host }: PlannedChange, movedFrom: string): string {
  const old = parseAddress(movedFrom);
  const now = parseAddress(address);
  if (old === undefined || now === undefined) return `moved from ${movedFrom}`;
  const oldHost = typeof old.key === "string" ? old.key.split("/")[0] : undefined;
  const oldMember = old.name.slice(old.name.indexOf("__") + 2);
  const onOther = oldHost !== undefined && oldHost !== host ? [`on host ${oldHost}`] : [];
  const asOther =
    role !== undefined && old.name !== now.name && oldMember !== member ? [`${role} ${oldMember}`] : [];
  const others = [...asOther, ...onOther];
  return others.length === 0 ? `moved from ${movedFrom}` : `was ${others.join(" ")}`;
}

function happening(change: PlannedChange, effect: Effect, others: Others): string {
  const { decision, role } = change;
  const why = clauses(writtenOnly(change), others);
  const kept = decision.keeps !== undefined && decision.keeps !== "no_object" ? keeping[decision.keeps] : "";
  switch (effect) {
    case "new":
      return why === "" ? "new" : `new: ${why}`;
    case "taken_over":
      return "is there already, differs, is taken over";
    case "adopted":
      return "is there already as wanted, is taken over";
    case "updated":
      return onlyDrift(decision.reasons) ? "changed on the host, is put back" : why;
    case "replaced":
      return kept === "" ? `is replaced: ${why}` : `is replaced: ${why}; the old one stays (${kept})`;
    case "removed":
      return decision.action === "delete"
        ? withWhy(removal(change), why)
        : `${removal(change)}: its when is false`;
    case "kept":
      return `leaves the state, stays on the host (${kept})`;
    case "forgotten":
      return withWhy("leaves the state", why);
    case "recorded":
      return `${why}; nothing is done on the host`;
    case "left_out":
      return role === "handler" ? "no step notifies it" : "its when is false";
    case "runs":
      return running(change, why, others);
    case "none":
      return "";
  }
}

function running(change: PlannedChange, why: string, { removed }: Others): string {
  const { decision, role, type, after } = change;
  if (decision.runs)
    return removed.length === 0
      ? "because what notified it is removed"
      : `because ${listed(removed)} ${removed.length === 1 ? "is" : "are"} removed`;
  if (role === "handler") return why === "" ? "for the first time" : `because ${why}`;
  const condition = kinds.get(type)?.shown?.condition?.(shownObject(after)) ?? "";
  return `${why === "" ? "for the first time" : `again: ${why}`}${condition === "" ? "" : `, ${condition}`}`;
}

const removal = ({ type, before }: PlannedChange): string =>
  kinds.get(type)?.shown?.removal?.(shownObject(before)) ?? "is removed";

const withWhy = (happens: string, why: string): string => (why === "" ? happens : `${happens}: ${why}`);

/**
 * The reasons without what follows from others, such as the hash of a content that was edited, and without settings that
 * nobody writes.
 */
function writtenOnly({ type, decision: { reasons } }: PlannedChange): readonly Reason[] {
  const kind = kinds.get(type);
  if (kind === undefined) return reasons;
  const { attributes } = kind.schema;
  const isWritten = ([first]: Path): boolean => {
    if (first === undefined || !("attribute" in first)) return true;
    const attribute = attributes[first.attribute];
    return attribute === undefined || attribute.required === true || attribute.optional === true;
  };
  const isHidden = ([first]: Path): boolean =>
    first !== undefined && "attribute" in first && kind.shown?.hidden?.includes(first.attribute) === true;
  return reasons.flatMap((reason) => {
    const { paths = [] } = reason;
    // A setting that nobody writes is no reason beside others, and no words for one where it is the only.
    if (paths.length > 0 && paths.every(isHidden))
      return reasons.length > 1 ? [] : [{ ...reason, paths: [] }];
    const written = paths.filter((path) => isWritten(path) && !isHidden(path));
    return [written.length === 0 ? reason : { ...reason, paths: written }];
  });
}

const onlyDrift = (reasons: readonly Reason[]): boolean => reasons.every(({ kind }) => kind === "drift");

const clauses = (reasons: readonly Reason[], others: Others): string => {
  const all = [...new Set(reasons.map((reason) => clause(reason, others)))].filter((text) => text !== "");
  return all.join("; ");
};

function clause(
  { kind, paths = [], dependencies = [], rebuilt, imported }: Reason,
  { name, removed }: Others,
): string {
  const settings = paths.length === 0 ? "configuration" : listed(paths.map(formatPath));
  switch (kind) {
    case "create":
    case "destroy":
      return "";
    case "config":
    case "identity":
      return imported ? `${settings} not as imported` : `${settings} edited`;
    case "drift":
      return `${paths.length === 0 ? "" : `${settings} `}changed on the host, is put back`;
    case "gone":
      return rebuilt ? "the host is another machine now" : "is gone from the host";
    case "dependency_updated":
    case "dependency_replaced":
    case "triggers": {
      const names = [...new Set(dependencies.map(name))];
      if (names.length > 0) return `${listed(names)} change${names.length === 1 ? "s" : ""}`;
      return removed.length === 0
        ? "its triggers change"
        : `${listed(removed)} ${removed.length === 1 ? "is" : "are"} removed`;
    }
    case "pending":
      return "it has not run since its steps changed";
    case "cannot_update":
      return `${settings} cannot be changed in place`;
    case "last_apply_failed":
      return "its last apply failed";
    case "requested":
      return "as asked for";
    case "deposed":
      return "its replacement is there";
    case "removed":
      return "not in the configuration any more";
    case "host_removed":
      return "its host is not in the configuration any more";
    case "unknown_input":
      return `${paths.length === 0 ? "an input" : settings} is known only after apply`;
  }
}
