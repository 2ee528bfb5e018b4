/**
 * @module Reads hosts again before the first write (P5): a plan promises what it shows, so a host that changed since it was
 * made is left alone.
 */

import { hostChanged, type Provider } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { changedSincePlan } from "../../revision/since-plan.ts";
import { valuesEqual } from "../../values/equal.ts";
import { isNull, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { withoutSecrets } from "../evaluate/without-secrets.ts";

export interface Surprise {
  readonly instance: PlannedInstance;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Looks at everything that is to change, in the same tick: one round trip per host.
 *
 * @param instances of the plan, unchanged ones too
 * @returns those that are neither as the plan saw them nor already as wanted
 */
export async function preflight(
  instances: readonly PlannedInstance[],
  provider: Provider,
): Promise<readonly Surprise[]> {
  const changing = instances.filter(({ decision }) => decision.action !== "none");
  const surprises = await Promise.all(
    changing.map((instance) =>
      instance.existing === undefined
        ? isWhollyKnown(instance.config) && lookForOthers(instance, provider)
        : lookAgain(instance, provider),
    ),
  );
  return surprises.filter((surprise) => surprise !== undefined && surprise !== false);
}

async function lookAgain(instance: PlannedInstance, provider: Provider): Promise<Surprise | undefined> {
  const { existing, type, config, subject, decision, planned } = instance;
  const login = isNull(config) ? existing!.login : (config.data as ReadonlyMap<string, Value>).get("ssh");
  const { state, diagnostics } = await provider.readResource({
    type: type.name,
    current: existing!.object,
    private: existing!.private,
    ...(login === undefined || isNull(login) || !isWhollyKnown(login) ? {} : { login }),
    sensitivePaths: existing!.marks.map(({ path }) => path),
  });
  if (hasErrors(diagnostics))
    return { instance, diagnostics: withoutSecrets(diagnostics, existing!.object, existing!.marks) };
  // A host that does not answer gives a warning and the stored object: what is to be done there will fail by itself.
  if (valuesEqual(state, existing!.object)) return undefined;
  const differing = changedSincePlan(type.schema, {
    prior: fieldsOf(existing!.object)!,
    planned: decision.action === "update" ? fieldsOf(planned) : undefined,
    now: fieldsOf(state),
  });
  return differing && { instance, diagnostics: [hostChanged(subject.address, differing)] };
}

/** Whether something that the plan did not show is where the object is to be made. */
async function lookForOthers(instance: PlannedInstance, provider: Provider): Promise<Surprise | undefined> {
  const { type, config, decision, subject, planned } = instance;
  const wasThere = decision.found === "different";
  if (wasThere && decision.removing === undefined) return undefined;
  const { found, removing } = await provider.lookForExisting({ type: type.name, config, planned });
  if (found !== "different" || (wasThere && removing === decision.removing)) return undefined;
  return { instance, diagnostics: [somethingThere(subject.address)] };
}

const somethingThere = (address: string): Diagnostic =>
  errorDiagnostic(
    "Host has changed since the plan",
    `${address}: there is something else in its place now. Nothing was done on this host, so that nothing happens which the plan did not show. Plan again.`,
  );
