/**
 * @module Decides about stored instances that are no longer configured, or that are to be destroyed.
 */
import { type Diagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { KeptBecause, Reason } from "../../../revision/decision.ts";
import { isNull } from "../../../values/value.ts";
import type { Loaded } from "../../evaluate/load.ts";
import type { Problems } from "../../evaluate/problems.ts";
import type { Subject } from "../../evaluate/resources/subject.ts";
import type { PlannedChange } from "../../plan.ts";
import type { PlannedInstance } from "../planned-instance.ts";
import type { Planning } from "../planning.ts";
import { type DeclaredRemoval, isRemoved, removalsOf } from "./declared-removals.ts";
import { destroyOrder } from "./destroy-order.ts";
import { planDelete } from "./plan-delete.ts";
import type { Refreshed } from "./refresh.ts";

export async function planDeletes(
  planning: Planning,
  problems: Problems,
): Promise<readonly PlannedInstance[]> {
  const { loaded, mode, refreshed, provider } = planning;
  const ending: Refreshed[] = [];
  // What was only begun is ours to delete like what was made.
  for (const [address, instances] of [...refreshed, ...planning.begun]) {
    const kept = new Set(planning.planned.get(address)?.map(({ key }) => key));
    for (const [key, instance] of instances) {
      const { subject } = instance;
      const isOver = !kept.has(key) && !isNull(instance.object);
      if (isOver && planning.selection.includes(address, subject)) ending.push(instance);
    }
  }
  for (const instance of planning.deposed) {
    const isThere = !isNull(instance.object);
    if (isThere && planning.selection.includes(instance.resource, instance.subject)) ending.push(instance);
  }
  const removed = removalsOf(loaded.configuration);
  const deletes = await Promise.all(
    ending.map((instance) =>
      planDelete(
        instance,
        loaded.resources.get(instance.resource),
        reasonOf(planning, instance, mode),
        provider,
        problems,
        removed.some((block) => !block.destroy && isRemoved(block, instance)),
      ),
    ),
  );
  const planned = deletes.filter((instance) => instance !== undefined);
  return destroyOrder(
    planned.map((instance) => withLeftBehind(planning, removed, instance, problems)),
    loaded,
  );
}

function reasonOf(planning: Planning, instance: Refreshed, mode: Planning["mode"]): Reason {
  if (instance.stored.deposed !== undefined) return { kind: "deposed" };
  return mode === "destroy" ? { kind: "destroy" } : removalReason(planning, instance);
}

/** A step's instance goes because its host left the circuit, or because the step or its key did. */
function removalReason({ loaded, planned }: Planning, { resource, subject }: Refreshed): Reason {
  const stays = loaded.resources.has(resource);
  const hostStays = planned.get(resource)?.some((other) => other.subject.host === subject.host) ?? false;
  return { kind: stays && subject.host !== undefined && !hostStays ? "host_removed" : "removed" };
}

/** What is only forgotten: because a `removed` block says so, or because its host is gone and that may be. */
function withLeftBehind(
  planning: Planning,
  removed: readonly DeclaredRemoval[],
  instance: PlannedInstance,
  problems: Problems,
): PlannedInstance {
  const { loaded } = planning;
  const block = removed.find((one) => isRemoved(one, instance));
  if (block !== undefined) return block.destroy ? instance : kept(instance, "forgotten");
  if (!planning.refresh || !isOnGoneHost(instance)) return instance;
  const forgets = forgetsGoneHosts(loaded, instance.subject);
  problems.report(aboutGoneHost(instance.subject, forgets));
  return forgets ? kept(instance, "host_gone") : instance;
}

const kept = (instance: PlannedInstance, keeps: KeptBecause): PlannedInstance => ({
  ...instance,
  decision: { ...instance.decision, keeps },
});

/** Whether an instance's host was taken out of the configuration and did not answer. */
export const isOnGoneHost = ({ subject, existing, decision }: PlannedInstance): boolean =>
  goesWithItsHost({ host: subject.host, unread: existing?.unread, decision });

/** {@link isOnGoneHost}, of what a plan says of an instance. */
export const goesWithItsHost = ({
  host,
  unread,
  decision: { action, reasons },
}: Pick<PlannedChange, "host" | "decision"> & { readonly unread: boolean | undefined }): boolean =>
  host !== undefined &&
  unread === true &&
  action === "delete" &&
  reasons.some(({ kind }) => kind === "host_removed" || kind === "removed");

/** What the circuit of an instance says in `on_host_gone`. */
export const forgetsGoneHosts = ({ circuits }: Pick<Loaded, "circuits">, { circuit }: Subject): boolean =>
  circuit !== undefined && circuits.get(circuit)?.circuit.onHostGone === "forget";

/** @param forgets as {@link forgetsGoneHosts} returns */
export const aboutGoneHost = (subject: Subject, forgets: boolean): Diagnostic =>
  forgets ? hostForgotten(subject) : hostGone(subject);

/** What can be done about a host that is not there any more. */
export const waysOut = ({ host, circuit }: Subject): string =>
  `Bring ${host} back for one apply; or forget what was made there, with conn3x state rm, with a removed block that has destroy = false, or with on_host_gone = "forget" in circuit ${circuit}.`;

const hostGone = (subject: Subject): Diagnostic =>
  warningDiagnostic(
    "Host is gone",
    `${subject.host} is not configured any more and does not answer, so that what was made there cannot be removed: apply will fail. ${waysOut(subject)}`,
    { host: subject.host! },
  );

const hostForgotten = (subject: Subject): Diagnostic =>
  warningDiagnostic(
    "Host is forgotten",
    `${subject.host} is not configured any more and does not answer. What was made there is forgotten, as on_host_gone = "forget" asks.`,
    { host: subject.host! },
  );
