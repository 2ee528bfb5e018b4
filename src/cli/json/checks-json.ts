/**
 * @module What checks and conditions come to, as `tofu show -json` has it, of plans and states.
 * Source: https://opentofu.org/docs/internals/json-format/#checks-representation
 */
import type { CheckResult, ConfiguredCheck } from "../../engine/index.ts";
import { moduleText, parseAddress } from "../../values/address.ts";

/** Data for JSON; undefined where there are none. */
export function checksData(checks: readonly ConfiguredCheck[] | undefined): readonly object[] | undefined {
  if (checks === undefined || checks.length === 0) return undefined;
  return checks.map((check) => ({
    address: { kind: check.kind, ...nameIn(check) },
    status: check.status,
    ...(check.instances.length === 0 ? {} : { instances: check.instances.map(instanceData) }),
  }));
}

const instanceData = (one: CheckResult): object => ({
  address: instanceIn(one),
  status: one.status,
  ...(one.messages.length === 0 ? {} : { problems: one.messages.map((message) => ({ message })) }),
});

/** How a checkable location is named; keys may have anything in them, names no dots. */
function nameIn({ kind, address }: Pick<ConfiguredCheck, "kind" | "address">): object {
  const resource = kind === "resource" ? parseAddress(address) : undefined;
  if (resource !== undefined)
    return {
      ...moduleMember(moduleText(resource)),
      mode: "managed",
      type: resource.type,
      name: resource.name,
      to_display: address,
    };
  const name = address.slice(address.lastIndexOf(".") + 1);
  return { ...moduleMember(moduleBefore(address)), name, to_display: address };
}

function instanceIn({ kind, address }: CheckResult): object {
  const resource = kind === "resource" ? parseAddress(address) : undefined;
  if (resource === undefined) return { ...moduleMember(moduleBefore(address)), to_display: address };
  return {
    ...moduleMember(moduleText(resource)),
    ...(resource.key === undefined ? {} : { instance_key: resource.key }),
    to_display: address,
  };
}

const moduleMember = (module: string) => (module === "" ? {} : { module });

/** The module part of `module.a["x"].check.b`. */
const moduleBefore = (address: string): string =>
  address.startsWith("module.")
    ? address.slice(0, address.lastIndexOf(".", address.lastIndexOf(".") - 1))
    : "";
