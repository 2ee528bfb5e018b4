/**
 * @module Which parts of which resources contribute to a plan's changes, directly or through locals.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation (`relevant_attributes`)
 */
import { expressionsOf } from "../../compiler/expressions.ts";
import type { Configuration } from "../../compiler/model.ts";
import type { Plan } from "../../engine/plan.ts";
import { type Reference, references } from "../../eval/references.ts";
import type { Expression } from "../../hcl/tree.ts";
import { withKey } from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";

export interface RelevantAttribute {
  /** Address of a resource, or of an instance where the expression names one. */
  readonly resource: string;
  /** Path in its object; empty for all of it. */
  readonly attribute: readonly (string | number)[];
}

/** Sorted; each once. Of the root module. */
export function relevantAttributes(plan: Plan, configuration: Configuration): readonly RelevantAttribute[] {
  const found = new Map<string, RelevantAttribute>();
  const seen = new Set<string>();
  const visit = (expression: Expression): void => {
    for (const reference of references(expression)) {
      const local = localOf(reference);
      if (local === undefined) {
        const one = attributeOf(reference, configuration);
        if (one !== undefined) found.set(JSON.stringify([one.resource, one.attribute]), one);
      } else if (!seen.has(local)) {
        seen.add(local);
        const inner = configuration.locals.get(local);
        if (inner !== undefined) visit(inner.expression);
      }
    }
  };
  for (const expression of changing(plan, configuration)) visit(expression);
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
}

/** Everything that is evaluated of what changes. */
function changing(plan: Plan, { resources, outputs }: Configuration): readonly Expression[] {
  const changed = new Set(
    plan.changes.flatMap(({ decision, type, name }) =>
      decision.action === "none" ? [] : [`${type}.${name}`],
    ),
  );
  const names = new Set(plan.outputs.flatMap(({ name, before, after }) => (before === after ? [] : [name])));
  return [
    ...resources.filter(({ address }) => changed.has(address)).flatMap(expressionsOf),
    ...[...outputs.values()].flatMap(({ name, expression }) => (names.has(name) ? [expression] : [])),
  ];
}

function localOf({ root, steps: [name] }: Reference): string | undefined {
  return root === "local" && name !== undefined && "attribute" in name ? name.attribute : undefined;
}

function attributeOf(
  { root, steps: [name, ...after] }: Reference,
  { resources }: Configuration,
): RelevantAttribute | undefined {
  if (name === undefined || !("attribute" in name)) return undefined;
  const address = `${root}.${name.attribute}`;
  if (!resources.some((resource) => resource.address === address)) return undefined;
  const [first, ...rest] = after;
  const key =
    first === undefined || "attribute" in first ? undefined : "index" in first ? first.index : first.key;
  const path = (key === undefined ? after : rest).map((step) =>
    "attribute" in step ? step.attribute : "index" in step ? step.index : step.key,
  );
  return { resource: withKey(address, key), attribute: path };
}
