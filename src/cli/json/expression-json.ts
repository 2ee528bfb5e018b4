/**
 * @module Expressions as OpenTofu's JSON has them: the value of a constant, or what the expression refers to.
 * Source: https://opentofu.org/docs/internals/json-format/#expression-representation, and what `tofu show -json` prints.
 */
import { evaluate } from "../../eval/evaluate.ts";
import { type Reference, references } from "../../eval/references.ts";
import { scopeOf } from "../../eval/scope.ts";
import type { Body, Expression } from "../../hcl/tree.ts";
import type { BlockSchema } from "../../schema/schema.ts";
import { withKey } from "../../values/address.ts";
import type { PathStep } from "../../values/path.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { exactJson } from "./exact-json.ts";
import { listText, objectText, plainText } from "./json-object.ts";

/** JSON text. A call is not a constant. */
export function expressionJson(expression: Expression): string {
  const named = references(expression).flatMap(referenceTexts);
  return objectText({
    constant_value: constantJson(expression),
    references: named.length === 0 ? undefined : plainText(named),
  });
}

function constantJson(expression: Expression): string | undefined {
  const { value, diagnostics } = evaluate(expression, scopeOf({}));
  return diagnostics.length > 0 || !isWhollyKnown(value) ? undefined : exactJson(value);
}

/** The arguments of a body and its blocks, by name. What the schema does not have is left out, as `dynamic` is. */
export function bodyJson(body: Body, schema: BlockSchema): string {
  const members: Record<string, string> = {};
  const repeated = new Map<string, string[]>();
  for (const item of body.items) {
    if (item.kind === "attribute") {
      if (schema.attributes[item.name] !== undefined) members[item.name] = expressionJson(item.expression);
      continue;
    }
    const block = schema.blocks[item.type];
    if (block === undefined) continue;
    const text = bodyJson(item.body, block);
    if (!isRepeated(block)) members[item.type] = text;
    else repeated.set(item.type, [...(repeated.get(item.type) ?? []), text]);
  }
  for (const [type, texts] of repeated) members[type] = listText(texts);
  return objectText(members);
}

const isRepeated = ({ repeated }: BlockSchema & { readonly repeated?: boolean }): boolean =>
  repeated === true;

/** `a.b["c"].d` → itself and what it is a part of: `a.b["c"].d`, `a.b["c"]`, `a.b`. */
function referenceTexts({ root, steps }: Reference): readonly string[] {
  const { subject, rest, around } = partsOf(root, steps);
  const inside = rest.map((_, i) => rest.slice(0, rest.length - i).reduce(stepText, subject));
  return [...inside, subject, ...around];
}

interface Parts {
  /** The smallest thing with an address. */
  readonly subject: string;
  /** What is read of it. */
  readonly rest: readonly PathStep[];
  /** What it is one of. */
  readonly around: readonly string[];
}

function partsOf(root: string, steps: readonly PathStep[]): Parts {
  const [name, ...after] = steps;
  if (name === undefined) return { subject: root, rest: [], around: [] };
  if (root === "data") return partsOf(stepText(root, name), after);
  const first = stepText(root, name);
  if (fixedRoots.has(root)) return { subject: first, rest: after, around: [] };
  const key = keyOf(after[0]);
  const one = withKey(first, key);
  const behind = key === undefined ? after : after.slice(1);
  const [output, ...read] = behind;
  if (root === "module" && output !== undefined)
    return { subject: stepText(one, output), rest: read, around: [one] };
  return { subject: one, rest: behind, around: key === undefined ? [] : [first] };
}

/** Names whose parts have no instances. */
const fixedRoots = new Set(["var", "local", "each", "count", "path", "terraform", "tofu", "self"]);

const keyOf = (step: PathStep | undefined): string | number | undefined =>
  step === undefined || "attribute" in step ? undefined : "index" in step ? step.index : step.key;

const stepText = (before: string, step: PathStep): string =>
  "attribute" in step ? `${before}.${step.attribute}` : withKey(before, keyOf(step));
