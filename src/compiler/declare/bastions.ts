/**
 * @module Jump hosts as written: `bastion` blocks in an `ssh` block, or a list of objects with the same
 * settings wherever a login is an object.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block, Expression, ObjectExpression, Tuple } from "../../hcl/tree.ts";
import { sshBlock } from "../../resources/settings.ts";
import { literalKind } from "../check/literal-values.ts";
import { isNullLiteral, literalKey } from "../hosts/literal.ts";
import { buildAt } from "../lower/build.ts";
import { readBody, suggestion } from "./body-reader.ts";

const schema = sshBlock.blocks.bastion!;

/** The settings of a hop in the schema's order, the address first. */
export const hopSettings: readonly string[] = Object.keys(schema.attributes);

/** The settings of a hop that must not be stored with a resource. */
export const hopSecrets: readonly string[] = hopSettings.filter((name) => schema.attributes[name]!.sensitive);

/** Settings that say how the host is reached: all of them are taken from one place. */
export const wayNames = ["proxy_jump", "proxy_command", "bastion"] as const;

export type WayName = (typeof wayNames)[number];

/** `bastion { … }` blocks as the list of objects that they mean. */
export function hopsOfBlocks(blocks: readonly Block[], report: Report): Tuple {
  const [first] = blocks;
  const items = blocks.map((block) => {
    if (block.labels.length > 0) {
      const detail = "A hop is told by its address. Write bastion { … }.";
      report(errorDiagnostic('"bastion" takes no name', detail, { range: block.header }));
    }
    const rules = { where: "bastion", attributes: hopSettings, blocks: [] };
    const { attributes } = readBody(block.body, rules, report);
    const build = buildAt(block.header);
    const settings = [...attributes].map(([name, { expression }]) => [name, expression] as const);
    if (attributes.has("address")) return build.object(Object.fromEntries(settings));
    report(noAddress(block.header));
    return build.object(Object.fromEntries([["address", build.broken()] as const, ...settings]));
  });
  return buildAt(first!.header).tuple(items) as Tuple;
}

/** Checks what is written as the value of `bastion`. */
export function checkHops(written: Expression, report: Report): void {
  const value = withoutParentheses(written);
  const kind = literalKind(value);
  if (isNullLiteral(value) || kind === undefined) return;
  if (value.kind !== "tuple") {
    report(
      errorDiagnostic(
        `"bastion" is ${kind}`,
        'It is a list with one object for each hop, in order: bastion = [{ address = "10.0.1.9" }].',
        { range: value },
      ),
    );
    return;
  }
  for (const hop of value.items) checkHop(hop, report);
}

function checkHop(written: Expression, report: Report): void {
  const hop = withoutParentheses(written);
  const kind = literalKind(hop);
  if (kind !== undefined && hop.kind !== "object") {
    report(
      errorDiagnostic("This is not a bastion", `It is ${kind}. Write { address = "10.0.1.9" }.`, {
        range: hop,
      }),
    );
  }
  if (hop.kind !== "object") return;
  const names = hop.items.map(({ key }) => ({ name: literalKey(key), key }));
  for (const { name, key } of names) {
    if (name === undefined || hopSettings.includes(name)) continue;
    report(
      errorDiagnostic(
        `Unknown setting "${name}"`,
        `There is no setting of that name in a bastion. ${suggestion(name, hopSettings)}`,
        { range: key },
      ),
    );
  }
  if (names.every(({ name }) => name !== undefined && name !== "address")) report(noAddress(hop));
}

const withoutParentheses = (value: Expression): Expression =>
  value.kind === "parentheses" ? withoutParentheses(value.inner) : value;

const noAddress = (range: Expression | Block["header"]) =>
  errorDiagnostic("This bastion has no address", 'Give it one: address = "10.0.1.9".', { range });

/** Reports settings that say how the host is reached when there is more than one. */
export function checkOneWay(settings: ReadonlyMap<string, Expression>, report: Report): void {
  const [first, second] = wayNames.filter((name) => {
    const value = settings.get(name);
    return value !== undefined && !isNullLiteral(value);
  });
  if (second === undefined) return;
  report(
    errorDiagnostic(
      `"${second}" and "${first}" exclude each other`,
      "Each says how the host is reached. Set only one of them.",
      { range: settings.get(second)! },
    ),
  );
}

/** The hops that are written as objects with plain names. */
export function literalHops(value: Expression): readonly ObjectExpression[] | undefined {
  if (value.kind === "parentheses") return literalHops(value.inner);
  if (value.kind !== "tuple") return undefined;
  const hops = value.items.filter(
    (item): item is ObjectExpression =>
      item.kind === "object" && item.items.every(({ key }) => literalKey(key) !== undefined),
  );
  return hops.length === value.items.length ? hops : undefined;
}

/** Names of the settings that hops may have; every name where the text does not tell. */
export function hopNamesIn(value: Expression | undefined): ReadonlySet<string> {
  if (value === undefined || isNullLiteral(value)) return new Set();
  const hops = literalHops(value);
  if (hops === undefined) return new Set(hopSettings);
  return new Set(hops.flatMap((hop) => hop.items.map(({ key }) => literalKey(key)!)));
}

/** The secrets of hops that are written out. */
export const hopSecretsIn = (value: Expression | undefined): readonly Expression[] =>
  (value === undefined ? [] : (literalHops(value) ?? []))
    .flatMap((hop) =>
      hop.items.filter(({ key, value: set }) => hopSecrets.includes(literalKey(key)!) && !isNullLiteral(set)),
    )
    .map(({ value: set }) => set);
