/**
 * @module Which resources expressions refer to, directly or through local values, variables and outputs of modules (X4).
 */

import { errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import { type Reference, references } from "../../../eval/references.ts";
import type { Expression } from "../../../hcl/tree.ts";
import { inModule } from "../../../values/address.ts";
import type { PathStep } from "../../../values/path.ts";
import { dependencyOrder } from "../../graph/order.ts";
import { isMeaningRoot } from "../hosts/host-instances.ts";
import { type CalledModule, type ModuleInstance, moduleInstances } from "../modules/module-instance.ts";
import type { Problems } from "../problems.ts";
import { hasKey } from "../resources/expansion.ts";
import { instanceKey } from "../resources/instance-key.ts";

export interface ReferenceIndex {
  /** Whether a named value refers to no resource, directly or not. */
  isFixed(name: string): boolean;
  /** Addresses of the resources that expressions of a module refer to. */
  resourcesOf(module: ModuleInstance, expressions: readonly Expression[]): readonly string[];
  /** Addresses of the resources that a `depends_on` of a module means. */
  waitedFor(module: ModuleInstance, dependsOn: readonly string[]): readonly string[];
}

/** What a named value is called in all modules: `local.a`, `module.b["x"].var.c`, `module.b["x"].output.d`. */
export const valueName = (module: ModuleInstance, kind: "local" | "var" | "output", name: string): string =>
  inModule(module.address, `${kind}.${name}`);

/** Reports named values that depend on each other in a cycle. */
export function referenceIndex(root: ModuleInstance, problems: Problems): ReferenceIndex {
  const direct = new Map<string, readonly string[]>();
  const own = new Map<string, readonly string[]>();
  const ranges = new Map<string, SourceRange>();
  const waitedFor: ReferenceIndex["waitedFor"] = (module, dependsOn) =>
    dependsOn.flatMap((address) => {
      const [kind, name = ""] = address.split(".");
      if (kind !== "module") return module.resources.has(address) ? [inModule(module.address, address)] : [];
      return [...(module.called(name)?.instances.values() ?? [])].flatMap(allResources);
    });
  for (const module of moduleInstances(root)) {
    const callWaits = callsDependsOn(module).flatMap(({ caller, dependsOn }) => waitedFor(caller, dependsOn));
    for (const { name, range, expressions, seenFrom, dependsOn } of namedValues(module)) {
      const found = expressions.map((expression) => split(expression, seenFrom));
      direct.set(
        name,
        found.flatMap(({ values }) => values),
      );
      const resources = found.flatMap((one) => one.resources);
      own.set(name, [...resources, ...waitedFor(seenFrom, dependsOn), ...callWaits]);
      ranges.set(name, range);
    }
  }
  const { names, cycle } = dependencyOrder(direct);
  if (cycle !== undefined) reportCycle(cycle, ranges, problems);
  const all = new Map<string, ReadonlySet<string>>();
  for (const name of names) {
    const found = new Set(own.get(name));
    for (const other of direct.get(name) ?? []) for (const one of all.get(other) ?? []) found.add(one);
    all.set(name, found);
  }
  const isEmpty = (name: string) => (all.get(name)?.size ?? 0) === 0;
  return {
    isFixed: (name) => isEmpty(name) && isEmpty(conditionsName(name)),
    waitedFor,
    resourcesOf(module, expressions) {
      const found = new Set<string>();
      for (const expression of expressions) {
        const { values, resources } = split(expression, module);
        for (const resource of resources) found.add(resource);
        for (const value of values) for (const resource of all.get(value) ?? []) found.add(resource);
      }
      return [...found];
    },
  };
}

/** The `depends_on` of the calls that lead to a module: everything in it waits for what they name. */
export const callsDependsOn = ({
  caller,
}: ModuleInstance): readonly { readonly caller: ModuleInstance; readonly dependsOn: readonly string[] }[] =>
  caller === undefined
    ? []
    : [{ caller: caller.module, dependsOn: caller.call.dependsOn }, ...callsDependsOn(caller.module)];

/** What the conditions of a variable are called: they may refer to the variable itself. */
const conditionsName = (variable: string): string => `conditions of ${variable}`;

interface NamedValue {
  readonly name: string;
  readonly expressions: readonly Expression[];
  /** The module whose names the expressions use. */
  readonly seenFrom: ModuleInstance;
  readonly dependsOn: readonly string[];
  readonly range: SourceRange;
}

function* namedValues(module: ModuleInstance): Iterable<NamedValue> {
  const { configuration, caller } = module;
  for (const { name, expression, range } of configuration.locals.values())
    yield {
      name: valueName(module, "local", name),
      expressions: [expression],
      seenFrom: module,
      dependsOn: [],
      range,
    };
  for (const { name, expression, range, dependsOn } of configuration.outputs.values())
    yield {
      name: valueName(module, "output", name),
      expressions: [expression],
      seenFrom: module,
      dependsOn: dependsOn ?? [],
      range,
    };
  if (caller === undefined) return;
  for (const [name, expression] of caller.call.inputs)
    yield {
      name: valueName(module, "var", name),
      expressions: [expression],
      seenFrom: caller.module,
      dependsOn: [],
      range: expression,
    };
  for (const { name, range, validations } of configuration.variables.values())
    yield {
      name: conditionsName(valueName(module, "var", name)),
      expressions: validations.flatMap(({ condition, message }) => [condition, message]),
      seenFrom: module,
      dependsOn: [],
      range,
    };
}

/** Addresses of a module's resources and of those of the modules that it calls. */
const allResources = (module: ModuleInstance): readonly string[] =>
  [...moduleInstances(module)].flatMap(({ address, resources }) =>
    [...resources].map((resource) => inModule(address, resource)),
  );

/** By expression: a module that is called many times has the same ones in all of its instances. */
const known = new WeakMap<Expression, readonly Reference[]>();

/** What an expression refers to, found out once. */
export function referencesOf(expression: Expression): readonly Reference[] {
  const found = known.get(expression) ?? references(expression);
  known.set(expression, found);
  return found;
}

function split(expression: Expression, module: ModuleInstance) {
  const values: string[] = [];
  const resources: string[] = [];
  for (const { root, steps, beyond = [] } of referencesOf(expression)) {
    const [step, ...rest] = [...steps, ...beyond];
    if (step === undefined || "index" in step) continue;
    const name = "attribute" in step ? step.attribute : step.key;
    if (isMeaningRoot(root)) resources.push(inModule(module.address, name));
    else if (root === "local" || root === "var") values.push(valueName(module, root, name));
    else if (root === "module") values.push(...outputsMeant(module.called(name), rest));
    else if (module.resources.has(`${root}.${name}`))
      resources.push(inModule(module.address, `${root}.${name}`));
  }
  return { values, resources };
}

/** Names of the outputs that `module.NAME` and the steps after it mean: all of all instances where they do not say. */
function outputsMeant(
  called: CalledModule | undefined,
  steps: readonly (PathStep | undefined)[],
): readonly string[] {
  if (called === undefined) return [];
  const { expansion, instances } = called;
  const kind = expansion === "unknown" ? "unknown" : expansion.kind;
  const key = kind === "each" || kind === "count" ? instanceKey(kind, steps[0]) : undefined;
  const one = expansion !== "unknown" && hasKey(expansion, key) ? instances.get(key) : undefined;
  const output = steps[kind === "single" ? 0 : 1];
  return (one === undefined ? [...instances.values()] : [one]).flatMap((module) => {
    const names = [...module.configuration.outputs.keys()];
    const meant =
      output !== undefined && "attribute" in output
        ? names.filter((name) => name === output.attribute)
        : names;
    return meant.map((name) => valueName(module, "output", name));
  });
}

function reportCycle(
  cycle: readonly string[],
  ranges: ReadonlyMap<string, SourceRange>,
  problems: Problems,
): void {
  const range = ranges.get(cycle[0]!)!;
  const isLocal = cycle.every((name) => name.startsWith("local."));
  problems.report(
    errorDiagnostic(
      isLocal ? "Locals refer to each other in a cycle" : "Values refer to each other in a cycle",
      `${[...cycle, cycle[0]!].join(" → ")}: each needs the next one first.`,
      { range },
    ),
  );
}
