/**
 * @module Blocks in OpenTofu's JSON syntax: labels are nested objects, repeated blocks are arrays.
 *
 * Source: HCL JSON Syntax Specification, "Structural Elements"; OpenTofu's "JSON Configuration Syntax".
 */
import type { Attribute, Block, Body } from "../../hcl/tree.ts";
import { attributeForm } from "../json/forms.ts";
import { expressionJson, type Json, sourceJson, staticJson } from "./json-expression.ts";

/** Collects blocks under their types and labels. */
export class BlockTree {
  readonly #members = new Map<string, Json[] | BlockTree>();

  /** @param path type and labels */
  add(path: readonly string[], content: Json): void {
    const [name = "", ...rest] = path;
    const present = this.#members.get(name);
    if (rest.length === 0) {
      if (Array.isArray(present)) present.push(content);
      else this.#members.set(name, [content]);
      return;
    }
    const below = present instanceof BlockTree ? present : new BlockTree();
    this.#members.set(name, below);
    below.add(rest, content);
  }

  toJson(): { readonly [name: string]: Json } {
    return Object.fromEntries(
      [...this.#members].map(([name, member]) => [
        name,
        member instanceof BlockTree ? member.toJson() : member.length === 1 ? member[0]! : member,
      ]),
    );
  }
}

/** A block's content. @param origin `main.circuit.hcl:12`, for a block that the compiler made */
export function blockJson(block: Block, origin?: string): Json {
  const comment = origin === undefined ? {} : { "//": origin };
  return { ...comment, ...bodyJson(block.body, block.type) };
}

function bodyJson(body: Body, type: string): { readonly [name: string]: Json } {
  const members: Record<string, Json> = {};
  const blocks = new BlockTree();
  for (const item of body.items) {
    if (item.kind === "attribute") members[item.name] = attributeJson(item, type);
    else blocks.add([item.type, ...item.labels.map((label) => label.value)], blockJson(item));
  }
  return { ...members, ...blocks.toJson() };
}

function attributeJson({ name, expression }: Attribute, type: string): Json {
  switch (attributeForm(type, name)) {
    case "reference":
      return sourceJson(expression);
    case "static":
      return staticJson(expression);
    case "evaluated":
      return expressionJson(expression);
  }
}
