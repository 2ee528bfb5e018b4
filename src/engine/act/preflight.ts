/**
 * @module Looks again before the first write (P5): a plan promises what it shows, so a host that changed since it was
 * made is left alone.
 */
import type { Provider } from "../../core/provider.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { ResourceSchema } from "../../schema/schema.ts";
import { valuesEqual } from "../../values/equal.ts";
import { isNull, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { contradiction } from "./agreement.ts";

export interface Surprise {
  readonly instance: PlannedInstance;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads everything that exists and is to change, in the same tick: one round trip per host.
 *
 * @param instances of the plan, unchanged ones too
 * @returns those that are neither as the plan saw them nor already as wanted
 */
export async function preflight(
  instances: readonly PlannedInstance[],
  provider: Provider,
): Promise<readonly Surprise[]> {
  const changing = instances.filter(
    ({ existing, decision }) => existing !== undefined && decision.action !== "none",
  );
  const surprises = await Promise.all(changing.map((instance) => lookAgain(instance, provider)));
  return surprises.filter((surprise) => surprise !== undefined);
}

async function lookAgain(instance: PlannedInstance, provider: Provider): Promise<Surprise | undefined> {
  const { existing, type, config, subject } = instance;
  const login = isNull(config) ? existing!.login : (config.data as ReadonlyMap<string, Value>).get("ssh");
  const { state, diagnostics } = await provider.readResource({
    type: type.name,
    current: existing!.object,
    private: existing!.private,
    ...(login === undefined || isNull(login) || !isWhollyKnown(login) ? {} : { login }),
  });
  if (hasErrors(diagnostics)) return { instance, diagnostics };
  // A host that does not answer gives a warning and the stored object: what is to be done there will fail by itself.
  if (valuesEqual(state, existing!.object)) return undefined;
  const differing = differingNames(instance, state, type.schema);
  return differing === undefined
    ? undefined
    : { instance, diagnostics: [changed(subject.address, differing)] };
}

/** Names of what is not as planned; undefined when all of it is so already. `[]` when it is gone. */
function differingNames(
  { existing, planned, decision }: PlannedInstance,
  state: Value,
  schema: ResourceSchema,
): readonly string[] | undefined {
  if (isNull(state)) return decision.action === "update" ? [] : undefined;
  const before = existing!.object.data as ReadonlyMap<string, Value>;
  const now = state.data as ReadonlyMap<string, Value>;
  const moved = [...now]
    .filter(([name, value]) => !valuesEqual(value, before.get(name)!))
    .map(([name]) => name);
  const wanted = decision.action === "update" ? (planned.data as ReadonlyMap<string, Value>) : undefined;
  const asWanted = moved.every(
    (name) =>
      wanted !== undefined &&
      schema.attributes[name]?.observed === true &&
      contradiction(wanted.get(name)!, now.get(name)!) === undefined,
  );
  return asWanted ? undefined : moved;
}

function changed(address: string, names: readonly string[]): Diagnostic {
  const what = names.length === 0 ? "it is gone" : `${names.join(", ")} changed`;
  return errorDiagnostic(
    "Host has changed since the plan",
    `${address}: ${what}. Nothing was done on this host, so that nothing happens which the plan did not show. Plan again, with a refresh.`,
  );
}
