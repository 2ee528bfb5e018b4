/**
 * @module Warns about a login with the same jump host twice.
 */

import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Expression } from "../../hcl/tree.ts";
import { literalHops } from "../declare/bastions.ts";
import { literalKey, literalString } from "../hosts/literal.ts";

/** A warning, not an error: it may be intended. @param settings of one login */
export function warnOfRepeatedHops(settings: ReadonlyMap<string, Expression>, report: Report): void {
  for (const hops of [jumpsIn(settings.get("proxy_jump")), bastionsIn(settings.get("bastion"))]) {
    const seen = new Set<string>();
    for (const { name, range } of hops) {
      if (seen.has(name)) report(repeated(name, range));
      seen.add(name);
    }
  }
}

const repeated = (name: string, range: SourceRange): Diagnostic =>
  warningDiagnostic(
    `The way leads through ${quoted(name)} twice`,
    "Each hop is passed in the order in which it is written. Remove one of them.",
    { range },
  );

interface Hop {
  /** Address and port. */
  readonly name: string;
  readonly range: SourceRange;
}

function jumpsIn(jump: Expression | undefined): readonly Hop[] {
  const words = (jump && literalString(jump))?.split(",") ?? [];
  return words.map((word) => ({ name: word.trim().replace(/^(ssh:\/\/)?(.+@)?/, ""), range: jump! }));
}

/** Those that stand in the text. */
function bastionsIn(list: Expression | undefined): readonly Hop[] {
  return (list === undefined ? [] : (literalHops(list) ?? [])).flatMap((hop) => {
    const set = new Map(hop.items.map(({ key, value }) => [literalKey(key), value]));
    const [address, port] = [set.get("address"), set.get("port")];
    const name = address && literalString(address);
    if (name === undefined || address === undefined) return [];
    if (port === undefined) return [{ name, range: address }];
    return port.kind === "number" ? [{ name: `${name}:${port.text}`, range: address }] : [];
  });
}
