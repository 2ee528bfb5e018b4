/**
 * @module What the text of a circuit shows of its hosts: names, addresses and settings.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression, ObjectExpression } from "../../hcl/tree.ts";
import { badHostName, checkHost, isHostName, namelessHost, sharedSshSettings } from "../../login/index.ts";
import { buildAt } from "../lower/build.ts";
import { givenText } from "./given-text.ts";
import { isNullLiteral, literalKey } from "./literal.ts";

/** What the text shows of one host. */
export interface HostText {
  readonly address: Expression;
  readonly settings: ReadonlyMap<string, Expression>;
  readonly vars: Expression | undefined;
  readonly groups: Expression | undefined;
}

/** Adds the host's name to what is reported. @param key its name, if that is written out */
export function aboutHost(key: Expression, report: Report): Report {
  const host = literalKey(key);
  return host === undefined ? report : (diagnostic) => report({ ...diagnostic, host });
}

export function readHost(value: Expression, report: Report): HostText {
  if (value.kind === "parentheses") return readHost(value.inner, report);
  if (value.kind === "object") return readHostObject(value, report);
  checkHost(givenText(value), report);
  return { address: value, settings: new Map(), vars: undefined, groups: undefined };
}

/** @param value an object whose names are all written out */
export function readHostObject(value: ObjectExpression, report: Report): HostText {
  checkHost(givenText(value), report);
  const written = new Map(value.items.map((item) => [literalKey(item.key)!, item.value]));
  const settings = new Map([...written].filter(([name]) => sharedSshSettings.includes(name)));
  return {
    address: written.get("address") ?? buildAt(value).broken(),
    settings,
    vars: written.get("vars"),
    groups: written.get("groups"),
  };
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
