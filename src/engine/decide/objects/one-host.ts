/**
 * @module Reports two hosts of a circuit that are the same host: each step is then done twice there, and a handler
 * runs once for each name.
 */
import { type Diagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { endpointOf, endpointText, jumpPathOf } from "../../../login/index.ts";
import { at } from "../../../values/path.ts";
import { getPath } from "../../../values/walk.ts";
import type { PlannedInstance } from "../planned-instance.ts";

/** One warning for each address that a circuit has under several names. What is done for one host on another is none. */
export function namesOfOneHost(instances: readonly PlannedInstance[]): readonly Diagnostic[] {
  const endpoints = new Map<
    string,
    { readonly endpoint: string; readonly circuit: string; readonly names: Set<string> }
  >();
  for (const { planned, subject, loaded } of instances) {
    if (loaded?.resource.origin?.runOn !== undefined) continue;
    const { circuit, host } = subject;
    const ssh = getPath(planned, at("ssh"));
    const endpoint = endpointOf(ssh);
    if (circuit === undefined || host === undefined || endpoint === undefined) continue;
    const key = JSON.stringify([circuit, endpoint, jumpPathOf(ssh)]);
    const found = endpoints.get(key) ?? { endpoint: endpoint, circuit, names: new Set() };
    found.names.add(host);
    endpoints.set(key, found);
  }
  return [...endpoints.values()].filter(({ names }) => names.size > 1).map(twice);
}

function twice({
  endpoint,
  circuit,
  names,
}: {
  endpoint: string;
  circuit: string;
  names: ReadonlySet<string>;
}): Diagnostic {
  const [host] = names;
  return warningDiagnostic(
    "Two hosts are one machine",
    `${[...names].join(" and ")} of circuit ${circuit} are all at ${endpointText(endpoint)}. Each step is done once for each name there, and handlers run once for each. Give it one name.`,
    { host: host! },
  );
}
