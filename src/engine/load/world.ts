/**
 * @module What expressions can refer to: variables, locals, outputs of modules, paths, the instance's own `each` and
 * `count`, and resources as far as they are known in the present phase.
 */
import type { NamedExpression, Output, Variable } from "../../compiler/model.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { evaluate } from "../../eval/evaluate.ts";
import type { FunctionDefinition } from "../../eval/function-definition.ts";
import type { Resolution, Scope } from "../../eval/scope.ts";
import { inModule } from "../../values/address.ts";
import { withMark } from "../../values/marks.ts";
import type { Path, PathStep } from "../../values/path.ts";
import { dynamicType } from "../../values/type.ts";
import { objectValue, tupleValue, unknownValue, type Value } from "../../values/value.ts";
import type { Constraint } from "./constraint.ts";
import { hasKey } from "./expansion.ts";
import { hostPartRoot } from "./host-part.ts";
import { partAt } from "./input-value.ts";
import { instanceKey } from "./instance-key.ts";
import type { ModuleInstance } from "./module-instance.ts";
import { knownRoots, ofCircuits, onlyInCircuits, resolveOwn, rootNames } from "./own-names.ts";
import { Problems } from "./problems.ts";
import { referencesOf, valueName } from "./reference-index.ts";
import { resolveHostPart, resolveResource } from "./resolve-resource.ts";
import type { Access, ResourceValues } from "./resource-values.ts";
import type { Self } from "./self.ts";
import { incomplete, missing, noSuchInstance } from "./unresolved.ts";
import { checkVariable, inputFor } from "./variables.ts";

/** What stays the same in all phases. */
export interface Surroundings {
  readonly root: ModuleInstance;
  /** Of the root module. */
  readonly variables: ReadonlyMap<string, Value>;
  /** The same as they were given, before their types were applied. */
  readonly given: ReadonlyMap<string, Value>;
  /** Of every variable of every module. */
  readonly constraints: ReadonlyMap<Variable, Constraint>;
  /** Whether a local value, a variable or an output refers to no resource, directly or not. By its name in all modules. */
  readonly isFixed: (name: string) => boolean;
  /** First parts of addresses of resources, and of all that the provider has. */
  readonly resourceTypes: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly workspace: string;
  /** Asked first, for values that are not to be found out here. */
  readonly elsewhere?: (
    root: string,
    steps: readonly PathStep[],
    module: ModuleInstance,
  ) => Resolution | undefined;
  /** Values that are fixed, found once. */
  readonly fixed: Map<string, NamedValue>;
}

interface NamedValue {
  readonly value: Value;
  readonly accesses: readonly Access[];
}

export interface World {
  /**
   * @param accesses is told what is looked at
   * @param module whose names they are; default the root module
   */
  scope(self: Self, accesses?: Access[], module?: ModuleInstance): Scope;
}

/**
 * @param report is told what is wrong in locals, in variables and outputs of modules, once for each
 */
export function createWorld(
  surroundings: Surroundings,
  resources: ResourceValues,
  report: (diagnostic: Diagnostic) => void,
): World {
  const { functions } = surroundings;
  const ofPhase = new Map<string, NamedValue>();

  /** Finds a named value once in this phase, or once for all phases. */
  const named = (
    name: string,
    accesses: Access[] | undefined,
    find: (accesses: Access[], memory: Map<string, NamedValue>) => Value,
  ): Value => {
    const memory = surroundings.isFixed(name) ? surroundings.fixed : ofPhase;
    let found = memory.get(name);
    if (found === undefined) {
      const own: Access[] = [];
      const value = find(own, memory);
      found = { value, accesses: eachOnce(own) };
      memory.set(name, found);
    }
    for (const access of found.accesses) accesses?.push(access);
    return found.value;
  };

  const evaluated = (
    { expression }: Pick<NamedExpression, "expression">,
    module: ModuleInstance,
    self: Self,
    accesses: Access[],
  ): Value => {
    const { value, diagnostics } = evaluate(expression, scope(self, accesses, module));
    for (const diagnostic of diagnostics) report(diagnostic);
    return value;
  };

  const resolveLocal = (name: string, module: ModuleInstance, accesses: Access[] | undefined): Resolution => {
    const { locals } = module.configuration;
    if (!locals.has(name)) return missing("local value", name, locals.keys());
    for (const needed of isFound(name, module) ? [] : localsBefore(name, module)) localValue(needed, module);
    return { value: localValue(name, module, accesses), consumed: 1 };
  };

  const localValue = (name: string, module: ModuleInstance, accesses?: Access[]): Value =>
    named(valueName(module, "local", name), accesses, (own) =>
      evaluated(module.configuration.locals.get(name)!, module, {}, own),
    );

  const isFound = (local: string, module: ModuleInstance): boolean => {
    const name = valueName(module, "local", local);
    return ofPhase.has(name) || surroundings.fixed.has(name);
  };

  /** Local values that one needs and that are not found yet, in an order in which a chain of any length needs no stack. */
  const localsBefore = (name: string, module: ModuleInstance): readonly string[] => {
    const { locals } = module.configuration;
    const seen = new Set([name]);
    const order: string[] = [];
    const open = [{ name, needed: neededBy(name, locals) }];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const next = last.needed.pop();
      if (next === undefined) {
        open.pop();
        if (last.name !== name) order.push(last.name);
      } else if (!seen.has(next) && !isFound(next, module)) {
        seen.add(next);
        open.push({ name: next, needed: neededBy(next, locals) });
      }
    }
    return order;
  };

  const resolveVariable = (
    name: string,
    module: ModuleInstance,
    accesses: Access[] | undefined,
  ): Resolution => {
    const { variables } = module.configuration;
    const variable = variables.get(name);
    if (variable === undefined) return missing("variable", name, variables.keys());
    const value =
      module.caller === undefined
        ? surroundings.variables.get(name)!
        : named(valueName(module, "var", name), accesses, (own, memory) =>
            moduleVariable(variable, module, own, (value) =>
              // A copy: what its own conditions look at is added to the list of what it looks at.
              memory.set(valueName(module, "var", name), { value, accesses: [...own] }),
            ),
          );
    return { value, consumed: 1 };
  };

  /** @param keep is given the value before it is checked: conditions refer to it */
  const moduleVariable = (
    variable: Variable,
    module: ModuleInstance,
    accesses: Access[],
    keep: (value: Value) => void,
  ): Value => {
    const { module: from, call, self } = module.caller!;
    const expression = call.inputs.get(variable.name);
    const given = expression && evaluated({ expression }, from, self, accesses);
    const problems = new Problems();
    const constraint = surroundings.constraints.get(variable)!;
    const rangeOf = (path: Path) => partAt(expression!, path);
    const input = given && { value: given, source: `module "${call.name}"`, rangeOf };
    const value = inputFor(variable, input, { constraint, functions }, problems);
    keep(value);
    checkVariable(variable, scope({}, accesses, module), problems);
    for (const problem of problems.all)
      report({ ...problem, detail: `${problem.detail}\nIn ${module.address}.` });
    return problems.failed ? unknownValue(constraint.type) : value;
  };

  const outputValue = (output: Output, module: ModuleInstance, accesses: Access[] | undefined): Value =>
    named(valueName(module, "output", output.name), accesses, (own) => {
      const value = evaluated(output, module, {}, own);
      return output.sensitive ? withMark(value, "sensitive") : value;
    });

  const allOutputs = (module: ModuleInstance, accesses: Access[] | undefined): Value =>
    objectValue(
      new Map(
        [...module.configuration.outputs.values()].map((output) => [
          output.name,
          outputValue(output, module, accesses),
        ]),
      ),
    );

  const resolveModule = (
    steps: readonly PathStep[],
    name: string,
    from: ModuleInstance,
    accesses: Access[] | undefined,
  ): Resolution => {
    const calls = from.configuration.modules;
    if (!calls.has(name)) return missing("module", name, calls.keys());
    const { expansion, instances } = from.called(name) ?? { expansion: "unknown" };
    if (expansion === "unknown") return { value: unknownValue(dynamicType), consumed: 1 };
    const whole = (module: ModuleInstance): Value => allOutputs(module, accesses);
    const key = expansion.kind === "single" ? undefined : instanceKey(expansion.kind, steps[1]);
    if (expansion.kind !== "single" && key === undefined) {
      const all = [...instances!].map(([one, module]) => [String(one), whole(module)] as const);
      const value =
        expansion.kind === "count" ? tupleValue(all.map(([, one]) => one)) : objectValue(new Map(all));
      return { value, consumed: 1 };
    }
    if (!hasKey(expansion, key)) return noSuchInstance(inModule(from.address, `module.${name}`), key);
    const module = instances!.get(key)!;
    const consumed = expansion.kind === "single" ? 1 : 2;
    const step = steps[consumed];
    if (step === undefined || "index" in step) return { value: whole(module), consumed };
    const wanted = "attribute" in step ? step.attribute : step.key;
    const { outputs } = module.configuration;
    const output = outputs.get(wanted);
    if (output === undefined) return missing(`output of module "${name}"`, wanted, outputs.keys());
    return { value: outputValue(output, module, accesses), consumed: consumed + 1 };
  };

  function scope(self: Self, accesses?: Access[], module: ModuleInstance = surroundings.root): Scope {
    return {
      functions,
      names: () => [...rootNames(self), ...surroundings.resourceTypes],
      lookup: () => undefined,
      resolve(root, steps) {
        const [first] = steps;
        const elsewhere = surroundings.elsewhere?.(root, steps, module);
        if (elsewhere !== undefined) return elsewhere;
        if (root === hostPartRoot) return resolveHostPart(resources, steps, module, accesses);
        const isResource = surroundings.resourceTypes.has(root);
        if (ofCircuits.has(root)) return onlyInCircuits(root);
        if (!isResource && !knownRoots.has(root)) return undefined;
        if (root === "self" && self.object !== undefined) return { value: self.object, consumed: 0 };
        if (first === undefined || "index" in first) return incomplete(root);
        const name = "attribute" in first ? first.attribute : first.key;
        if (isResource) return resolveResource(resources, `${root}.${name}`, steps, module, accesses);
        if (root === "var") return resolveVariable(name, module, accesses);
        if (root === "local") return resolveLocal(name, module, accesses);
        if (root === "module") return resolveModule(steps, name, module, accesses);
        return resolveOwn(root, name, self, module, surroundings.workspace);
      },
    };
  }

  return { scope };
}

/** Names of the local values that one refers to itself. */
const neededBy = (name: string, locals: ModuleInstance["configuration"]["locals"]): string[] =>
  referencesOf(locals.get(name)!.expression).flatMap(({ root, steps: [step] }) =>
    root === "local" && step !== undefined && "attribute" in step && locals.has(step.attribute)
      ? [step.attribute]
      : [],
  );

/** What is looked at through many other values counts once: else it would be doubled with each that refers to it twice. */
function eachOnce(accesses: readonly Access[]): readonly Access[] {
  if (accesses.length < 2) return accesses;
  const byText = new Map(accesses.map((access) => [JSON.stringify(access), access]));
  return byText.size === accesses.length ? accesses : [...byText.values()];
}
