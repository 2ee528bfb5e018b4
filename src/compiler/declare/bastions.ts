/**
 * @module Jump hosts as written: `bastion` blocks in an `ssh` block, or a list of objects with the same
 * settings wherever a login is an object.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block, Expression, ObjectExpression } from "../../hcl/tree.ts";
import { hopSecrets, hopSettings, hopWithoutAddress } from "../../login/index.ts";
import { isNullLiteral, literalKey } from "../hosts/literal.ts";
import { buildAt } from "../lower/build.ts";
import { readBody } from "./body-reader.ts";
import { readDynamic } from "./dynamic-block.ts";

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
  report(hopWithoutAddress(header));
  return build.object(Object.fromEntries([["address", build.broken()] as const, ...settings]));
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

/** Names of the settings that hops may have; every name where the text does not show them. */
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

/** Undefined where the text does not show what hops have. */
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
