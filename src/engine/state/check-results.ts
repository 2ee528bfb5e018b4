/**
 * @module What checks came to, as states keep it: `check_results`.
 *
 * Source: OpenTofu's state format version 4.
 */

import { withoutModuleKeys } from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";

/** Of a `check` block or of a variable's conditions, in one instance of a module. */
export interface CheckResult {
  readonly kind: "check" | "var";
  /** `check.a`, `module.b["x"].var.c` */
  readonly address: string;
  readonly status: "pass" | "fail" | "error" | "unknown";
  /** What those conditions say that do not hold. */
  readonly messages: readonly string[];
}

/** What one check or condition of the configuration came to, in all instances of its module. */
export interface ConfiguredCheck extends Pick<CheckResult, "kind" | "address" | "status"> {
  readonly instances: readonly CheckResult[];
}

/** By their addresses in the configuration, sorted. */
export function configuredChecks(results: readonly CheckResult[]): readonly ConfiguredCheck[] {
  const byConfiguration = new Map<string, CheckResult[]>();
  for (const result of results) {
    const address = withoutModuleKeys(result.address);
    const others = byConfiguration.get(address);
    if (others === undefined) byConfiguration.set(address, [result]);
    else others.push(result);
  }
  return [...byConfiguration]
    .sort(([a], [b]) => compareText(a, b))
    .map(([address, instances]) => ({
      kind: instances[0]!.kind,
      address,
      status: worst(instances),
      instances,
    }));
}

/** JSON text; `null` for none. */
export function checkResultsText(results: readonly CheckResult[]): string {
  if (results.length === 0) return "null";
  return JSON.stringify(
    configuredChecks(results).map(({ kind, address, status, instances }) => ({
      object_kind: kind,
      config_addr: address,
      status,
      objects: instances.map((object) => ({
        object_addr: object.address,
        status: object.status,
        ...(object.messages.length === 0 ? {} : { failure_messages: object.messages }),
      })),
    })),
  );
}

const worst = (results: readonly CheckResult[]): CheckResult["status"] =>
  (["error", "fail", "unknown"] as const).find((status) => results.some((one) => one.status === status)) ??
  "pass";
