/**
 * @module Adds the login secrets of all circuits to the provider's configuration.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import { buildAt } from "./build.ts";

/** @param maps expressions that each give a map of entries */
export function circuitLogins(maps: readonly Expression[]): Expression | undefined {
  const [first, second] = maps;
  return first === undefined || second === undefined ? first : buildAt(first).call("merge", ...maps);
}

/** The provider's blocks, with the secrets in the one that is not an alias. */
export function withCircuitLogins(
  providers: readonly Block[],
  logins: Expression | undefined,
  report: Report,
): readonly Block[] {
  if (logins === undefined) return providers;
  const attribute = buildAt(logins).attribute("circuit_logins", logins);
  const main = providers.find((block) => !has(block, "alias"));
  if (main === undefined) return [...providers, providerBlock(attribute)];
  const own = has(main, "circuit_logins");
  if (own !== undefined) {
    report(
      errorDiagnostic(
        '"circuit_logins" would be replaced',
        "The compiler writes it for circuits that have login secrets. Put these into the circuit's ssh block, or its hosts, and remove it here.",
        { range: own.nameRange },
      ),
    );
  }
  const whole = { ...main, body: { ...main.body, items: [...main.body.items, attribute] } };
  return providers.map((block) => (block === main ? whole : block));
}

/** `provider "conn3x" { … }` */
export function providerBlock(...items: readonly Attribute[]): Block {
  const build = buildAt(items[0]!);
  const block = build.block("provider", items);
  const { file, start, end } = block;
  return { ...block, labels: [{ value: "conn3x", quoted: true, file, start, end }] };
}

const has = ({ body }: Block, name: string): Attribute | undefined =>
  body.items.find((item): item is Attribute => item.kind === "attribute" && item.name === name);
