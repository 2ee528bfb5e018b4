/**
 * @module Results of checks in states: `check_results`.
 *
 * Source: OpenTofu's state format version 4.
 */

import { formatAddress, parseAddress, withoutModuleKeys } from "../../values/address.ts";
import { groupBy } from "../../values/group-by.ts";
import { parseJson } from "../../values/json/json.ts";
import { isJsonArray, isJsonObject } from "../../values/json/json-text.ts";
import { compareText } from "../../values/set-order.ts";

/** Of a `check` block, or of the conditions of a variable, an output or a resource's instance, in one instance of a module. */
export interface CheckResult {
  readonly kind: (typeof checkKinds)[number];
  /** `check.a`, `module.b["x"].var.c`, `conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly status: (typeof checkStatuses)[number];
  /** Messages of the failed conditions. */
  readonly messages: readonly string[];
}

/** What is configured to be looked at, whatever instances there are of it. */
export type Checkable = Pick<CheckResult, "kind" | "address">;

/** What one check or condition of the configuration came to, in all instances of its module. */
export interface ConfiguredCheck extends Checkable, Pick<CheckResult, "status"> {
  /** Empty where there are none, and where it was not looked at: it is `unknown` then. */
  readonly instances: readonly CheckResult[];
}

/**
 * By their addresses in the configuration, sorted.
 *
 * @param others what is configured besides, or has results, too
 * @param status of those others that have none
 */
export function configuredChecks(
  results: readonly CheckResult[],
  others: readonly Checkable[] = [],
  status: CheckResult["status"] = "unknown",
): readonly ConfiguredCheck[] {
  const grouped = groupBy(results, configurationAddress);
  const rest = new Map(others.map((one) => [configurationAddress(one), one.kind]));
  return [...new Set([...grouped.keys(), ...rest.keys()])].sort(compareText).map((address) => {
    const instances = grouped.get(address);
    return instances === undefined
      ? { kind: rest.get(address)!, address, status, instances: [] }
      : { kind: instances[0]!.kind, address, status: worst(instances), instances };
  });
}

/** JSON text; `null` for none. */
export function checkResultsText(checks: readonly ConfiguredCheck[]): string {
  if (checks.length === 0) return "null";
  return JSON.stringify(
    checks.map(({ kind, address, status, instances }) => ({
      object_kind: kind,
      config_addr: address,
      status,
      objects: instances.length === 0 ? null : instances.map(objectOf),
    })),
  );
}

const objectOf = ({ address, status, messages }: CheckResult): object => ({
  object_addr: address,
  status,
  ...(messages.length === 0 ? {} : { failure_messages: messages }),
});

/** The address without keys: only that of a resource has keys of its own. */
function configurationAddress({ kind, address }: Checkable): string {
  const parsed = kind === "resource" ? parseAddress(address) : undefined;
  return withoutModuleKeys(parsed === undefined ? address : formatAddress({ ...parsed, key: undefined }));
}

/** Reads what {@link checkResultsText}, or another engine, has written. What this version does not know is left out. */
export function readCheckResults(text: string): readonly ConfiguredCheck[] {
  const stored = parseJson(text);
  const checks = (isJsonArray(stored) ? stored : []).filter(isJsonObject);
  return checks.flatMap(({ object_kind, config_addr, status, objects }) => {
    const kind = checkKinds.find((one) => one === object_kind);
    if (kind === undefined) return [];
    const instances = (isJsonArray(objects) ? objects : []).filter(isJsonObject).map((object) => ({
      kind,
      address: String(object.object_addr),
      status: knownStatus(object.status),
      messages: isJsonArray(object.failure_messages) ? object.failure_messages.map(String) : [],
    }));
    return [{ kind, address: String(config_addr), status: knownStatus(status), instances }];
  });
}

const knownStatus = (text: unknown): CheckResult["status"] =>
  checkStatuses.find((status) => status === text) ?? "unknown";

/** All that there are. */
export const checkKinds = ["check", "var", "output_value", "resource"] as const;

export const checkStatuses = ["pass", "fail", "error", "unknown"] as const;

/** The combined status of several results. */
export const worst = (results: readonly Pick<CheckResult, "status">[]): CheckResult["status"] =>
  (["error", "fail", "unknown"] as const).find((status) => results.some((one) => one.status === status)) ??
  "pass";
