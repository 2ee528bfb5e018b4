/**
 * @module Why something happens, in a few words: `content edited`, `changed on the host, is put back`, `because config
 * changes`.
 */
import type { PlannedChange } from "../../../engine/index.ts";
import { kinds } from "../../../resources/index.ts";
import type { Reason } from "../../../revision/decision.ts";
import { formatPath, type Path } from "../../../values/path.ts";
import { keeping, listed } from "../reason.ts";
import type { Effect } from "./effect.ts";

/** @param name of another instance, as its circuit has it: `config` */
export function whyOf(change: PlannedChange, effect: Effect, name: (address: string) => string): string {
  const { decision, movedFrom, importing } = change;
  const origins = [
    ...(movedFrom === undefined ? [] : [`moved from ${movedFrom}`]),
    ...(importing === undefined ? [] : [`imported by ${JSON.stringify(importing)}`]),
  ];
  return [...(decision.action === "none" ? [] : [happening(change, effect, name)]), ...origins].join("; ");
}

function happening(change: PlannedChange, effect: Effect, name: (address: string) => string): string {
  const { decision, role } = change;
  const why = clauses(writtenOnly(change), name);
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
      return decision.action === "delete" ? withWhy("is removed", why) : "is removed: its when is false";
    case "kept":
      return `leaves the state, stays on the host (${kept})`;
    case "forgotten":
      return withWhy("leaves the state", why);
    case "recorded":
      return `${why}; nothing is done on the host`;
    case "left_out":
      return role === "handler" ? "no step notifies it" : "its when is false";
    case "runs":
      return running(change, why);
    case "none":
      return "";
  }
}

function running({ decision, role }: PlannedChange, why: string): string {
  if (decision.runs) return "because what notified it is removed";
  if (role === "handler") return why === "" ? "for the first time" : `because ${why}`;
  return why === "" ? "for the first time" : `again: ${why}`;
}

const withWhy = (happens: string, why: string): string => (why === "" ? happens : `${happens}: ${why}`);

/** The reasons without what follows from others: the hash of a content that was edited. */
function writtenOnly({ type, decision: { reasons } }: PlannedChange): readonly Reason[] {
  const attributes = kinds.get(type)?.schema.attributes;
  if (attributes === undefined) return reasons;
  const isWritten = ([first]: Path): boolean => {
    const attribute = first !== undefined && "attribute" in first ? attributes[first.attribute] : undefined;
    return attribute === undefined || attribute.required === true || attribute.optional === true;
  };
  return reasons.map((reason) => {
    const written = reason.paths?.filter(isWritten) ?? [];
    return written.length === 0 ? reason : { ...reason, paths: written };
  });
}

const onlyDrift = (reasons: readonly Reason[]): boolean => reasons.every(({ kind }) => kind === "drift");

const clauses = (reasons: readonly Reason[], name: (address: string) => string): string => {
  const all = [...new Set(reasons.map((reason) => clause(reason, name)))].filter((text) => text !== "");
  return all.join("; ");
};

function clause(
  { kind, paths = [], dependencies = [], rebuilt, imported }: Reason,
  name: (address: string) => string,
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
      return names.length === 0
        ? "its triggers change"
        : `${listed(names)} change${names.length === 1 ? "s" : ""}`;
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
