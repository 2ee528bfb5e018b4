/**
 * @module Jump hosts as written: `bastion` blocks in an `ssh` block, or a list of objects with the same
 * settings wherever a login is an object.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block, Expression, ObjectExpression } from "../../hcl/tree.ts";
import { sshBlock } from "../../resources/settings.ts";
import { literalKind } from "../check/literal-values.ts";
import { isNullLiteral, literalKey } from "../hosts/literal.ts";
import { buildAt } from "../lower/build.ts";
import { readBody, suggestion } from "./body-reader.ts";
import { readDynamic } from "./dynamic-block.ts";

const schema = sshBlock.blocks.bastion!;

/** The settings of a hop in the schema's order, the address first. */
export const hopSettings: readonly string[] = Object.keys(schema.attributes);

/** The settings of a hop that must not be stored with a resource. */
export const hopSecrets: readonly string[] = hopSettings.filter((name) => schema.attributes[name]!.sensitive);

/** Settings that say how the host is reached: all of them are taken from one place. */
export const wayNames = ["proxy_jump", "proxy_command", "bastion"] as const;

export type WayName = (typeof wayNames)[number];

/** `bastion { … }` and `dynamic "bastion" { … }` blocks as the list of objects that they mean. */
export function hopsOfBlocks(blocks: readonly Block[], report: Report): Expression {
  const build = buildAt(blocks[0]!.header);
  // Neighbours that are written out are one list.
  const parts: Expression[] = [];
  let written: Expression[] = [];
  const flush = (): void => {
    if (written.length > 0) parts.push(build.tuple(written));
    written = [];
  };
  for (const block of blocks) {
    if (block.type === "dynamic") {
      flush();
      parts.push(hopsOfDynamic(block, report));
    } else {
      if (block.labels.length > 0) {
        const detail = "A hop is told by its address. Write bastion { … }.";
        report(errorDiagnostic('"bastion" takes no name', detail, { range: block.header }));
      }
      written.push(hopOfBody(block, report));
    }
  }
  flush();
  const [only, second] = parts;
  return second === undefined ? only! : build.call("concat", ...parts);
}

/** `[for hop in [for key, value in … : { key = key, value = value }] : { address = hop.value }]` */
function hopsOfDynamic(block: Block, report: Report): Expression {
  const dynamic = readDynamic(block, report);
  if (dynamic === undefined) return buildAt(block.header).broken();
  const { forEach, iterator, content } = dynamic;
  const build = buildAt(forEach);
  const elements = build.forTuple({
    keyName: "key",
    valueName: "value",
    collection: forEach,
    value: build.object({ key: build.path("key"), value: build.path("value") }),
  });
  return build.forTuple({ valueName: iterator, collection: elements, value: hopOfBody(content, report) });
}

function hopOfBody({ body, header }: Block, report: Report): ObjectExpression {
  const rules = { where: "bastion", attributes: hopSettings, blocks: [] };
  const { attributes } = readBody(body, rules, report);
  const build = buildAt(header);
  const settings = [...attributes].map(([name, { expression }]) => [name, expression] as const);
  if (attributes.has("address")) return build.object(Object.fromEntries(settings));
  report(noAddress(header));
  return build.object(Object.fromEntries([["address", build.broken()] as const, ...settings]));
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
  const hops = hopSources(value);
  if (hops === undefined) return new Set(hopSettings);
  return new Set(hops.flatMap(({ hop }) => hop.items.map(({ key }) => literalKey(key)!)));
}

/** The secrets of hops that are written out, and what makes several of them that have any. */
export const hopSecretsIn = (value: Expression | undefined): readonly Expression[] =>
  (value === undefined ? [] : (hopSources(value) ?? [])).flatMap(({ hop, made }) => {
    const secrets = hop.items.filter(
      ({ key, value: set }) => hopSecrets.includes(literalKey(key)!) && !isNullLiteral(set),
    );
    return made !== undefined && secrets.length > 0 ? [made] : secrets.map(({ value: set }) => set);
  });

/** A hop's settings in the text. */
interface HopSource {
  readonly hop: ObjectExpression;
  /** The `for` that makes hops of it, where it is not one hop. */
  readonly made?: Expression;
}

/** Undefined where the text does not tell what hops have. */
function hopSources(value: Expression): readonly HopSource[] | undefined {
  if (value.kind === "parentheses") return hopSources(value.inner);
  if (value.kind === "for") {
    const [hop] =
      value.key === undefined ? (literalHops({ ...value, kind: "tuple", items: [value.value] }) ?? []) : [];
    return hop && [{ hop, made: value }];
  }
  if (value.kind === "call" && value.name === "concat" && !value.expandFinal) {
    const parts = value.args.map(hopSources);
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part!);
  }
  return literalHops(value)?.map((hop) => ({ hop }));
}
