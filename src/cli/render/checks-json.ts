/**
 * @module What checks and conditions of variables come to, as `tofu show -json PLANFILE` has it.
 * Source: https://opentofu.org/docs/internals/json-format/#checks-representation
 */
import { type CheckResult, configuredChecks } from "../../engine/state/check-results.ts";

/** Data for JSON; undefined where there are none. */
export function checksData(results: readonly CheckResult[] | undefined): readonly object[] | undefined {
  if (results === undefined || results.length === 0) return undefined;
  return configuredChecks(results).map(({ kind, address, status, instances }) => ({
    address: { kind, ...placeIn(address), name: address.slice(address.lastIndexOf(".") + 1) },
    status,
    instances: instances.map((one) => ({
      address: placeIn(one.address),
      status: one.status,
      ...(one.messages.length === 0 ? {} : { problems: one.messages.map((message) => ({ message })) }),
    })),
  }));
}

/** Of `module.a["x"].check.b`. Keys may have anything in them, names no dots. */
function placeIn(address: string): { readonly module?: string; readonly to_display: string } {
  const module = address.slice(0, address.lastIndexOf(".", address.lastIndexOf(".") - 1));
  const isInModule = address.startsWith("module.");
  return { ...(isInModule ? { module } : {}), to_display: address };
}
