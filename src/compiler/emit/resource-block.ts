/**
 * @module A compiled resource or local value as the block that is written for it.
 */
import type { Attribute, Block, Body, Expression, Label } from "../../hcl/tree.ts";
import { buildAt } from "../lower/build.ts";
import type { Address, Moved, NamedExpression, Resource } from "../model.ts";

/** `resource "TYPE" "NAME" { … }`: `for_each` and `count` first, `depends_on` last. */
export function resourceBlock(resource: Resource): Block {
  const { type, name, forEach, count, body, lifecycle, dependsOn, range } = resource;
  const build = buildAt(range);
  const items: (Attribute | Block)[] = [];
  if (forEach !== undefined) items.push(build.attribute("for_each", forEach));
  if (count !== undefined) items.push(build.attribute("count", count));
  items.push(...body.items);
  if (lifecycle !== undefined) items.push(build.block("lifecycle", lifecycle.items));
  if (dependsOn.length > 0) items.push(build.attribute("depends_on", build.tuple(dependsOn.map(reference))));
  return labelled(build.block("resource", items), [type, name]);

  function reference(address: string): Expression {
    const [root = "", ...rest] = address.split(".");
    return build.path(root, ...rest);
  }
}

/** `locals { NAME = … }` */
export const localsBlock = (local: NamedExpression): Block => {
  const build = buildAt(local.range);
  return build.block("locals", [build.attribute(local.name, local.expression)]);
};

/** `moved { … }` within one module. */
export function movedBlock({ from, to, range }: Moved): Block {
  const build = buildAt(range);
  const reference = ({ resource }: Address) => {
    const { type, name, key } = resource!;
    const whole = build.path(type, name);
    return key === undefined ? whole : build.index(whole, build.string(String(key)));
  };
  return build.block("moved", [
    build.attribute("from", reference(from)),
    build.attribute("to", reference(to)),
  ]);
}

function labelled(block: Block, labels: readonly string[]): Block {
  const { file, start, end } = block;
  return { ...block, labels: labels.map((value): Label => ({ value, quoted: true, file, start, end })) };
}

/** A body with the block alone. */
export const bodyWith = (block: Block): Body => ({
  items: [block],
  file: block.file,
  start: block.start,
  end: block.end,
});
