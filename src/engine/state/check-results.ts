/**
 * @module What checks came to, as states keep it: `check_results`.
 *
 * Source: OpenTofu's state format version 4.
 */

import { formatAddress, parseAddress, withoutModuleKeys } from "../../values/address.ts";
import { groupBy } from "../../values/group-by.ts";
import { parseJson } from "../../values/json.ts";
import { isJsonArray, isJsonObject } from "../../values/json-text.ts";
import { compareText } from "../../values/set-order.ts";

/** Of a `check` block, or of the conditions of a variable, an output or a resource's instance, in one instance of a module. */
export interface CheckResult {
  readonly kind: (typeof checkKinds)[number];
  /** `check.a`, `module.b["x"].var.c`, `conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly status: (typeof checkStatuses)[number];
  /** What those conditions say that do not hold. */
  readonly messages: readonly string[];
}

/** What one check or condition of the configuration came to, in all instances of its module. */
export interface ConfiguredCheck extends Pick<CheckResult, "kind" | "address" | "status"> {
  readonly instances: readonly CheckResult[];
}

/** By their addresses in the configuration, sorted. */
export function configuredChecks(results: readonly CheckResult[]): readonly ConfiguredCheck[] {
  return [...groupBy(results, configurationAddress)]
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

/** That of a resource has keys of its own. */
function configurationAddress({ kind, address }: CheckResult): string {
  const parsed = kind === "resource" ? parseAddress(address) : undefined;
  return withoutModuleKeys(parsed === undefined ? address : formatAddress({ ...parsed, key: undefined }));
}

/** Reads what {@link checkResultsText}, or another engine, has written. What this version does not know is left out. */
export function readCheckResults(text: string): readonly CheckResult[] {
  const stored = parseJson(text);
  return (isJsonArray(stored) ? stored : []).flatMap((configured) => {
    const { object_kind, objects } = isJsonObject(configured) ? configured : {};
    const kind = checkKinds.find((one) => one === object_kind);
    if (kind === undefined || !isJsonArray(objects)) return [];
    return objects.filter(isJsonObject).map((object) => ({
      kind,
      address: String(object.object_addr),
      status: checkStatuses.find((status) => status === object.status) ?? "unknown",
      messages: isJsonArray(object.failure_messages) ? object.failure_messages.map(String) : [],
    }));
  });
}

/** All that there are. */
export const checkKinds = ["check", "var", "output_value", "resource"] as const;

export const checkStatuses = ["pass", "fail", "error", "unknown"] as const;

/** What several come to together. */
export const worst = (results: readonly Pick<CheckResult, "status">[]): CheckResult["status"] =>
  (["error", "fail", "unknown"] as const).find((status) => results.some((one) => one.status === status)) ??
  "pass";
