/**
 * @module The range in the configuration of the value at a path.
 */
import type { SourceRange } from "../../../diagnostics/source.ts";
import type { Block, Body, Expression } from "../../../hcl/tree.ts";
import type { Path } from "../../../values/path.ts";
import { partAt } from "../variables/input-value.ts";

/** Where the configuration sets what a path names: the value itself, or as near as the text leads. */
export function settingRange(body: Body, path: Path | undefined): SourceRange | undefined {
  const [step, ...rest] = path ?? [];
  if (step === undefined || !("attribute" in step)) return undefined;
  const name = step.attribute;
  for (const item of body.items) {
    if (item.kind !== "attribute" || item.name !== name) continue;
    return partAt(item.expression, rest);
  }
  const { block, inside } = blockAt(body, name, rest);
  if (block !== undefined) return settingRange(block.body, inside) ?? block.header;
  const list = dynamicList(body, name);
  return list && partOfFirst(list, rest);
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

/** What counts is the first of them that has a value: where only one has this part in the text, that is looked at. */
function partOfFirst(list: Expression, path: Path): Expression {
  if (list.kind !== "call" || list.name !== "try") return partAt(list, path);
  const found = list.args.map((arg) => partAt(arg, path)).filter((part, index) => part !== list.args[index]);
  return found.length === 1 ? found[0]! : list;
}
