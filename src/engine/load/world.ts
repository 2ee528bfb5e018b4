/**
 * @module What expressions can refer to: variables, locals, paths, the instance's own `each` and `count`, and resources
 * as far as they are known in the present phase.
 */
import type { NamedExpression } from "../../compiler/model.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { evaluate } from "../../eval/evaluate.ts";
import type { FunctionDefinition } from "../../eval/function-definition.ts";
import type { Resolution, Scope } from "../../eval/scope.ts";
import type { PathStep } from "../../values/path.ts";
import { dynamicType } from "../../values/type.ts";
import { numberValue, stringValue, unknownValue, type Value } from "../../values/value.ts";
import type { InstanceKey } from "../plan.ts";
import { hostPartRoot } from "./host-part.ts";

/** Something that an evaluation looked at. */
export interface Access {
  /** Address of the resource. */
  readonly resource: string;
  /** All of its instances, or the one with a key. */
  readonly of: "all" | "one";
  readonly key: InstanceKey;
  /** Of `all`: only those whose keys start so. */
  readonly prefix?: string;
}

/** Values of resources in one phase. */
export interface ResourceValues {
  /** How its instances are told apart; `unknown` when nothing is known of it yet. */
  shape(address: string): "single" | "count" | "each" | "unknown";
  /** Undefined when there is no such instance. */
  instance(address: string, key: InstanceKey): Value | undefined;
  /** The object, tuple or single object of all instances. */
  whole(address: string): Value;
  /** The object of those instances whose keys start with `HOST/`; or more, where the prefix has another form. */
  hostPart(address: string, prefix: string): Value;
}

/** What stays the same in all phases. */
export interface Surroundings {
  readonly variables: ReadonlyMap<string, Value>;
  readonly locals: ReadonlyMap<string, NamedExpression>;
  /** Names of locals that refer to no resource, directly or not. */
  readonly fixedLocals: ReadonlySet<string>;
  /** Addresses of the configuration's resources. */
  readonly resources: ReadonlySet<string>;
  /** First parts of those addresses, and of all that the provider has. */
  readonly resourceTypes: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly workspace: string;
  /** Values of fixed locals, found once. */
  readonly fixed: Map<string, LocalValue>;
}

interface LocalValue {
  readonly value: Value;
  readonly accesses: readonly Access[];
}

/** The instance that is evaluated. */
export interface Self {
  readonly each?: { readonly key: Value; readonly value: Value };
  readonly count?: number;
}

export interface World {
  /** @param accesses is told what is looked at */
  scope(self: Self, accesses?: Access[]): Scope;
}

/**
 * @param report is told what is wrong in locals, once for each
 */
export function createWorld(
  surroundings: Surroundings,
  resources: ResourceValues,
  report: (diagnostic: Diagnostic) => void,
): World {
  const { functions } = surroundings;
  const phaseLocals = new Map<string, LocalValue>();

  const localValue = (name: string): LocalValue => {
    const memory = surroundings.fixedLocals.has(name) ? surroundings.fixed : phaseLocals;
    const known = memory.get(name);
    if (known !== undefined) return known;
    const accesses: Access[] = [];
    const { value, diagnostics } = evaluate(surroundings.locals.get(name)!.expression, scope({}, accesses));
    for (const diagnostic of diagnostics) report(diagnostic);
    const found = { value, accesses };
    memory.set(name, found);
    return found;
  };

  const resolveLocal = (name: string, accesses: Access[] | undefined): Resolution => {
    if (!surroundings.locals.has(name)) return missing("local value", name, surroundings.locals.keys());
    const found = localValue(name);
    for (const access of found.accesses) accesses?.push(access);
    return { value: found.value, consumed: 1 };
  };

  const resolveVariable = (name: string): Resolution => {
    const value = surroundings.variables.get(name);
    if (value === undefined) return missing("variable", name, surroundings.variables.keys());
    return { value, consumed: 1 };
  };

  const resolveResource = (
    address: string,
    steps: readonly PathStep[],
    accesses: Access[] | undefined,
  ): Resolution => {
    if (!surroundings.resources.has(address)) return missing("resource", address, surroundings.resources);
    const shape = resources.shape(address);
    const key = shape === "single" || shape === "unknown" ? undefined : instanceKey(shape, steps[1]);
    if (shape === "single" || key === undefined) {
      accesses?.push({ resource: address, of: shape === "single" ? "one" : "all", key: undefined });
      return { value: resources.whole(address), consumed: 1 };
    }
    const value = resources.instance(address, key);
    if (value === undefined) return noSuchInstance(address, key);
    accesses?.push({ resource: address, of: "one", key });
    return { value, consumed: 2 };
  };

  const resolveHostPart = (steps: readonly PathStep[], accesses: Access[] | undefined): Resolution => {
    const [address, prefix] = steps.map((step) => ("key" in step ? step.key : undefined));
    accesses?.push({
      resource: address!,
      of: "all",
      key: undefined,
      ...(prefix === undefined ? {} : { prefix }),
    });
    const value = prefix === undefined ? resources.whole(address!) : resources.hostPart(address!, prefix);
    return { value, consumed: 2 };
  };

  function scope(self: Self, accesses?: Access[]): Scope {
    return {
      functions,
      names: () => [...rootNames(self), ...surroundings.resourceTypes],
      lookup: () => undefined,
      resolve(root, steps) {
        const [first] = steps;
        if (root === hostPartRoot) return resolveHostPart(steps, accesses);
        const isResource = surroundings.resourceTypes.has(root);
        if (!isResource && !knownRoots.has(root)) return undefined;
        if (first === undefined || "index" in first) return incomplete(root);
        const name = "attribute" in first ? first.attribute : first.key;
        if (isResource) return resolveResource(`${root}.${name}`, steps, accesses);
        if (root === "var") return resolveVariable(name);
        if (root === "local") return resolveLocal(name, accesses);
        return resolveOwn(root, name, self, surroundings);
      },
    };
  }

  return { scope };
}

const knownRoots = new Set([
  "var",
  "local",
  "each",
  "count",
  "path",
  "terraform",
  "tofu",
  "data",
  "module",
  "self",
]);

function* rootNames(self: Self): Iterable<string> {
  yield* ["var", "local", "path", "terraform", "tofu"];
  if (self.each !== undefined) yield "each";
  if (self.count !== undefined) yield "count";
}

/** The key that a step after a resource's name names, where it is one that its instances can have. */
function instanceKey(shape: "count" | "each", step: PathStep | undefined): InstanceKey {
  if (step === undefined) return undefined;
  if (shape === "count") return "index" in step ? step.index : undefined;
  if ("index" in step) return String(step.index);
  return "key" in step ? step.key : step.attribute;
}

function resolveOwn(root: string, name: string, self: Self, surroundings: Surroundings): Resolution {
  switch (root) {
    case "each":
      if (self.each === undefined) return outside("each", "for_each");
      if (name === "key") return { value: self.each.key, consumed: 1 };
      if (name === "value") return { value: self.each.value, consumed: 1 };
      return missing("attribute of each", name, ["key", "value"]);
    case "count":
      if (self.count === undefined) return outside("count", "count");
      if (name === "index") return { value: numberValue(self.count), consumed: 1 };
      return missing("attribute of count", name, ["index"]);
    case "path":
      // As in OpenTofu: relative file names start in the configuration's directory, from wherever it was called.
      if (name === "module" || name === "root") return { value: stringValue("."), consumed: 1 };
      if (name === "cwd") return { value: stringValue(process.cwd()), consumed: 1 };
      return missing("attribute of path", name, ["module", "root", "cwd"]);
    case "terraform":
    case "tofu":
      if (name === "workspace") return { value: stringValue(surroundings.workspace), consumed: 1 };
      return missing(`attribute of ${root}`, name, ["workspace"]);
    default:
      return {
        summary: `"${root}" is not supported by this version`,
        detail: `The embedded engine has no "${root}" references yet. Use -engine=tofu.`,
      };
  }
}

const outside = (root: string, argument: string): Resolution => ({
  summary: `"${root}" has no meaning here`,
  detail: `"${root}" is there only in a resource that has ${argument}.`,
});

const incomplete = (root: string): Resolution => ({
  summary: `"${root}" is not a value`,
  detail: `Name what is meant: ${root}.NAME.`,
});

function missing(what: string, name: string, names: Iterable<string>): Resolution {
  const near = nearest(name, names);
  return {
    summary: `There is no ${what} "${name}"`,
    detail: near === undefined ? "Declare it, or remove the reference." : `Did you mean "${near}"?`,
  };
}

const noSuchInstance = (address: string, key: InstanceKey): Resolution => ({
  summary: `${address} has no such instance`,
  detail: `There is no instance with the key ${JSON.stringify(key)}.`,
});

/** While nothing is known of any resource. */
export const nothingKnown: ResourceValues = {
  shape: () => "unknown",
  instance: () => undefined,
  whole: () => unknownValue(dynamicType),
  hostPart: () => unknownValue(dynamicType),
};
