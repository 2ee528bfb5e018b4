/**
 * @module What the text of a circuit tells about its hosts: names, addresses and settings.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression, ObjectExpression } from "../../hcl/tree.ts";
import { literalKind } from "../check/literal-values.ts";
import { warnOfRepeatedHops } from "../check/repeated-hops.ts";
import { checkHops, checkOneWay } from "../declare/bastions.ts";
import { checkSshSetting, sharedSshSettings } from "../declare/ssh.ts";
import { buildAt } from "../lower/build.ts";
import {
  badHostName,
  emptyAddress,
  isHostName,
  nameAsSetting,
  namelessHost,
  noAddress,
  notAHost,
  notAnAddress,
} from "./host-problems.ts";
import { isNullLiteral, literalKey, literalString } from "./literal.ts";

/** What the text tells about one host. */
export interface HostText {
  readonly address: Expression;
  readonly settings: ReadonlyMap<string, Expression>;
  readonly vars: Expression | undefined;
}

/** Names that the object of a host may have. */
export const hostSettings: readonly string[] = ["address", "vars", ...sharedSshSettings];

/** Adds the host's name to what is reported. @param key its name, if that is written out */
export function aboutHost(key: Expression, report: Report): Report {
  const host = literalKey(key);
  return host === undefined ? report : (diagnostic) => report({ ...diagnostic, host });
}

export function readHost(value: Expression, report: Report): HostText {
  if (value.kind === "parentheses") return readHost(value.inner, report);
  if (value.kind === "object") return readHostObject(value, report);
  if (value.kind === "number" || value.kind === "keyword" || value.kind === "tuple") {
    report(notAHost(literalKind(value)!, { range: value }));
  }
  checkAddress(value, report);
  return { address: value, settings: new Map(), vars: undefined };
}

/** An address that is written out. */
function checkAddress(address: Expression, report: Report): void {
  if (literalString(address)?.trim() === "") report(emptyAddress({ range: address }));
}

export function readHostObject(value: ObjectExpression, report: Report): HostText {
  const settings = new Map<string, Expression>();
  let address: Expression | undefined;
  let vars: Expression | undefined;
  let misspelt = false;
  for (const item of value.items) {
    const name = literalKey(item.key)!;
    if (name === "address") address = item.value;
    else if (name === "vars") vars = item.value;
    else if (name === "name") report(nameAsSetting({ range: item.key }));
    else if (checkSshSetting(name, item.key, hostSettings, "a host", report)) settings.set(name, item.value);
    else misspelt ||= nearest(name, hostSettings) === "address";
    if (name === "bastion") checkHops(item.value, report);
  }
  checkOneWay(settings, report);
  warnOfRepeatedHops(settings, report);
  if (address === undefined && !misspelt) report(noAddress({ range: value }));
  const kind = address && literalKind(address);
  if (address !== undefined && kind !== undefined && kind !== "a string") {
    report(notAnAddress(kind, { range: address }));
  }
  if (address !== undefined) checkAddress(address, report);
  return { address: address ?? buildAt(value).broken(), settings, vars };
}

/** Names that are written out. */
export function checkNames(hosts: ObjectExpression, report: Report): void {
  const seen = new Set<string>();
  for (const { key } of hosts.items) {
    const name = literalKey(key);
    // Without parentheses it is a name like any other.
    if (key.kind === "parentheses" && isNullLiteral(key.inner)) report(namelessHost({ range: key.inner }));
    if (name === undefined) continue;
    if (!isHostName(name)) report(badHostName(name, { range: key }));
    else if (seen.has(name)) {
      report(
        errorDiagnostic(`Second host ${quoted(name)}`, "A host can be listed only once in a circuit.", {
          range: key,
        }),
      );
    }
    seen.add(name);
  }
}
