/**
 * @module One line of OpenTofu's machine-readable UI: the frame that all have, and how an instance is named in it.
 */
import type { EventSubject } from "../../engine/index.ts";
import { formatAddress, moduleText, parseAddress, withoutDeposedKey } from "../../values/address.ts";
import type { UrnOf } from "../state/instance-name.ts";
import { objectText, plainText } from "./json-object.ts";

type Level = "info" | "warn" | "error";

/** @param rest texts of JSON by name @returns the line with its end */
export type Line = (
  level: Level,
  message: string,
  type: string,
  rest: Readonly<Record<string, string>>,
) => string;

export const lineAt =
  (now: () => Date): Line =>
  (level, message, type, rest) =>
    `${objectText({
      "@level": plainText(level),
      "@message": plainText(message),
      "@module": plainText("conn3x.ui"),
      "@timestamp": plainText(now().toISOString()),
      ...rest,
      type: plainText(type),
    })}\n`;

export function resourceData({ address, host, circuit, member }: EventSubject, urnOf: UrnOf) {
  // Behind the address of what is only kept aside stands which one it is.
  const parsed = parseAddress(withoutDeposedKey(address));
  const resource = parsed === undefined ? address : formatAddress({ ...parsed, modules: [] });
  return {
    addr: address,
    module: parsed === undefined ? "" : moduleText(parsed),
    resource,
    implied_provider: "conn3x",
    resource_type: parsed?.type ?? "",
    resource_name: parsed?.name ?? "",
    resource_key: parsed?.key ?? null,
    ...(host === undefined ? {} : { host, circuit, step: member }),
    urn: urnOf(address),
  };
}
