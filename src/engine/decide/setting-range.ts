/**
 * @module Where the text of a configuration has the value that a path leads to.
 */
import { literalKey } from "../../compiler/literal.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Block, Body, Expression } from "../../hcl/tree.ts";
import type { Path } from "../../values/path.ts";

/** Where the configuration sets what a path names: the value itself, or as near as the text leads. */
export function settingRange(body: Body, path: Path | undefined): SourceRange | undefined {
  const [step, ...rest] = path ?? [];
  if (step === undefined || !("attribute" in step)) return undefined;
  const name = step.attribute;
  for (const item of body.items) {
    if (item.kind !== "attribute" || item.name !== name) continue;
    return partOf(item.expression, rest) ?? item.expression;
  }
  const { block, inside } = blockAt(body, name, rest);
  if (block !== undefined) return settingRange(block.body, inside) ?? block.header;
  const list = dynamicList(body, name);
  return list && (partOf(list, rest) ?? list);
}

/** The block of a type that a path leads into, where there may be several: these are a list. */
function blockAt(
  body: Body,
  type: string,
  path: Path,
): { readonly block: Block | undefined; readonly inside: Path } {
  const blocks = body.items.filter((item): item is Block => item.kind === "block" && item.type === type);
  const [step, ...rest] = path;
  return step !== undefined && "index" in step
    ? { block: blocks[step.index], inside: rest }
    : { block: blocks[0], inside: path };
}

/** What `dynamic "TYPE"` makes its blocks of. */
function dynamicList(body: Body, type: string): Expression | undefined {
  const block = body.items.find(
    (item): item is Block =>
      item.kind === "block" && item.type === "dynamic" && item.labels[0]?.value === type,
  );
  const forEach = block?.body.items.find((item) => item.kind === "attribute" && item.name === "for_each");
  return forEach?.kind === "attribute" ? forEach.expression : undefined;
}

/** The part of a written value that a path leads to; undefined where the text does not tell. */
function partOf(value: Expression, path: Path): Expression | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (value.kind === "parentheses") return partOf(value.inner, path);
  // The first that has a value counts: where only one has this part in the text, that is the one to look at.
  if (value.kind === "call" && (value.name === "try" || value.name === "coalesce")) {
    const found = value.args.flatMap((arg) => partOf(arg, path) ?? []);
    return found.length === 1 ? found[0] : undefined;
  }
  if (value.kind === "tuple" && "index" in step) {
    const element = value.items[step.index];
    return element && (partOf(element, rest) ?? element);
  }
  if (value.kind !== "object" || "index" in step) return undefined;
  const key = "attribute" in step ? step.attribute : step.key;
  const item = value.items.findLast((one) => literalKey(one.key) === key);
  return item && (partOf(item.value, rest) ?? item.value);
}
