/**
 * @module Local values of modules.
 */
import type { Resolution } from "../../../eval/scope.ts";
import type { Value } from "../../../values/value.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import type { Access } from "../resources/resource-values.ts";
import { evaluated, type Finding } from "./named-values.ts";
import { referencesOf, valueName } from "./reference-index.ts";
import { missing } from "./unresolved.ts";

export function resolveLocal(
  finding: Finding,
  name: string,
  module: ModuleInstance,
  accesses: Access[] | undefined,
): Resolution {
  const { locals } = module.configuration;
  if (!locals.has(name)) return missing("local value", name, locals.keys());
  if (!isFound(finding, name, module))
    for (const needed of localsBefore(finding, name, module)) localValue(finding, needed, module);
  return { value: localValue(finding, name, module, accesses), consumed: 1 };
}

const localValue = (finding: Finding, name: string, module: ModuleInstance, accesses?: Access[]): Value =>
  finding.named(valueName(module, "local", name), accesses, (own) =>
    evaluated(finding, module.configuration.locals.get(name)!.expression, module, {}, own),
  );

const isFound = (finding: Finding, name: string, module: ModuleInstance): boolean =>
  finding.isFound(valueName(module, "local", name));

/** Local values that one needs and that are not found yet, in an order in which a chain of any length needs no stack. */
function localsBefore(finding: Finding, name: string, module: ModuleInstance): readonly string[] {
  const { locals } = module.configuration;
  const seen = new Set([name]);
  const order: string[] = [];
  const open = [{ name, needed: neededBy(name, locals) }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.needed.pop();
    if (next === undefined) {
      open.pop();
      if (last.name !== name) order.push(last.name);
    } else if (!seen.has(next) && !isFound(finding, next, module)) {
      seen.add(next);
      open.push({ name: next, needed: neededBy(next, locals) });
    }
  }
  return order;
}

/** Names of the local values that one refers to itself. */
const neededBy = (name: string, locals: ModuleInstance["configuration"]["locals"]): string[] =>
  referencesOf(locals.get(name)!.expression).flatMap(({ root, steps: [step] }) =>
    root === "local" && step !== undefined && "attribute" in step && locals.has(step.attribute)
      ? [step.attribute]
      : [],
  );
