/**
 * @module Decides about the deletion of one instance.
 */
import type { Provider } from "../../../core/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Reason } from "../../../revision/decision.ts";
import { nullValue } from "../../../values/value.ts";
import type { LoadedResource } from "../../evaluate/load.ts";
import type { Problems } from "../../evaluate/problems.ts";
import type { Subject } from "../../evaluate/resources/subject.ts";
import { withoutSecrets } from "../../evaluate/without-secrets.ts";
import { reporter } from "../instance-reporter.ts";
import type { PlannedInstance } from "../planned-instance.ts";
import type { Refreshed } from "./refresh.ts";

/**
 * Plans the end of an instance, or of an old object of one.
 *
 * @param forgets whether what is on the host stays, whatever the instance says itself
 */
export async function planDelete(
  refreshed: Refreshed,
  loaded: LoadedResource | undefined,
  reason: Reason,
  provider: Provider,
  problems: Problems,
  forgets = false,
): Promise<PlannedInstance | undefined> {
  const { subject, resource, key, type, object } = refreshed;
  const nothing = nullValue(object.type);
  const body = loaded?.resource.body;
  const report = reporter(problems, subject, body, loaded?.resource.range);
  // An old object's end was decided when it was replaced.
  if (loaded?.lifecycle.preventDestroy && refreshed.stored.deposed === undefined) {
    report([destroyPrevented(subject, "destroyed")]);
    return undefined;
  }
  const response = await provider.planResource({
    type: type.name,
    prior: object,
    config: nothing,
    priorPrivate: refreshed.private,
    ...(refreshed.login === undefined ? {} : { login: refreshed.login }),
    forgets,
  });
  if (!report(withoutSecrets(response.diagnostics, object, refreshed.marks))) return undefined;
  return {
    subject,
    resource,
    key,
    ...(refreshed.stored.deposed === undefined ? {} : { deposed: refreshed.stored.deposed }),
    type,
    loaded,
    existing: refreshed,
    priorPrivate: refreshed.private,
    unsettled: false,
    self: {},
    config: nothing,
    planned: nothing,
    plannedPrivate: response.private,
    marks: [],
    decision: { ...response.decision, action: "delete", reasons: [reason] },
    accesses: [],
  };
}

/** @param what would become of it */
export const destroyPrevented = ({ address }: Subject, what: string): Diagnostic =>
  errorDiagnostic(
    "Instance must not be destroyed",
    `${address} would be ${what}, and its lifecycle has prevent_destroy set. Nothing was done.`,
  );
