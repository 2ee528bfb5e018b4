/**
 * @module The changes of other instances behind a decision (X4), alike for every engine that plans.
 */
import { compareText } from "../values/set-order.ts";
import type { Decision, Reason } from "./decision.ts";

/** An instance that others may refer to. */
export interface Cause {
  readonly address: string;
  readonly decision: Decision;
}

/** What the configuration of an instance refers to, directly or through local values and module inputs. */
export interface Referred {
  /** The referenced instances that are updated or replaced. */
  changing(): readonly Cause[];
  all(): readonly Cause[];
}

/** Reasons that come from the instances that it refers to. */
const causedByOthers: ReadonlySet<Reason["kind"]> = new Set([
  "triggers",
  "unknown_input",
  "dependency_updated",
  "dependency_replaced",
]);

/** Whether instances that refer to it may change because of it. */
export const isChanging = ({ decision: { action } }: Pick<Cause, "decision">): boolean =>
  action === "update" || action === "replace";

/** The decision with the addresses of the changes behind it; the same object when there are none. */
export function withCauses(decision: Decision, isHandler: boolean, referred: Referred): Decision {
  if (isHandler && isNew({ decision })) return withHandlerReason(decision, referred.all());
  if (!decision.reasons.some(({ kind }) => causedByOthers.has(kind))) return decision;
  const dependencies = addresses([...referred.changing(), ...referred.all().filter(isMadeAgain)]);
  if (dependencies.length === 0) return decision;
  const reasons = decision.reasons.map((reason) =>
    causedByOthers.has(reason.kind) && reason.dependencies === undefined
      ? { ...reason, dependencies }
      : reason,
  );
  return { ...decision, reasons };
}

/**
 * For a handler without an instance: everything that notifies it is new as well, or changes, or nothing does and an earlier
 * run did not reach the handler.
 */
function withHandlerReason(decision: Decision, notifying: readonly Cause[]): Decision {
  if (notifying.every(isNew)) return decision;
  const dependencies = addresses(notifying.filter((cause) => cause.decision.action !== "none"));
  const reason: Reason = dependencies.length === 0 ? { kind: "pending" } : { kind: "triggers", dependencies };
  return { ...decision, reasons: [reason] };
}

const isNew = ({ decision: { action, reasons } }: Pick<Cause, "decision">): boolean =>
  action === "create" && reasons.some(({ kind }) => kind === "create");

/** Whether it was gone from its host, or the host is another machine: it then gets a new revision. */
const isMadeAgain = ({ decision: { action, reasons } }: Cause): boolean =>
  action === "create" && reasons.some(({ kind }) => kind === "gone");

const addresses = (causes: readonly Cause[]): readonly string[] =>
  causes.map(({ address }) => address).sort(compareText);
