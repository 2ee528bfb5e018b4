/**
 * @module Prepares a configuration for evaluation: its variables have values, its resources decoders and an order, and
 * everything that is wrong without evaluating any instance has been said.
 */
import type { Circuit, Configuration, Resource } from "../../compiler/index.ts";
import type { ProviderSchema } from "../../core/index.ts";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import type { FunctionDefinition } from "../../eval/function-definition.ts";
import { type ResourceSchema, schemaType } from "../../schema/schema.ts";
import { schemaMarks } from "../../schema/sensitive-parts.ts";
import { inModule, withoutModuleKeys } from "../../values/address.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { compareText } from "../../values/set-order.ts";
import type { Type } from "../../values/type.ts";
import type { Value } from "../../values/value.ts";
import { dependencyOrder, transitive } from "../graph/order.ts";
import { foreignProblems } from "./foreign-blocks.ts";
import { checkCircuitHosts } from "./hosts/circuit-hosts.ts";
import { withMeanings } from "./hosts/host-instances.ts";
import { expandCall } from "./modules/expand-call.ts";
import { type ModuleInstance, moduleInstances, rootModule } from "./modules/module-instance.ts";
import { configurationsOf } from "./modules/module-tree.ts";
import { callsDependsOn, type ReferenceIndex, referenceIndex } from "./names/reference-index.ts";
import type { Surroundings } from "./names/surroundings.ts";
import { Problems } from "./problems.ts";
import { type BodyDecoder, bodyDecoder } from "./resources/body-decoder.ts";
import { type Lifecycle, readLifecycle } from "./resources/lifecycle.ts";
import { inAllModules } from "./resources/subject.ts";
import { checkFixedInputs, checkRootVariables } from "./variables/given-values.ts";
import type { VariableInput } from "./variables/variable-input.ts";
import { constraintOf, loadVariables } from "./variables/variables.ts";

/** A resource of one instance of a module that can be evaluated. */
export interface LoadedResource {
  /** As configured; its address, and the name of its circuit, are those that they have in all modules. */
  readonly resource: Resource;
  readonly module: ModuleInstance;
  readonly type: LoadedType;
  readonly decoder: BodyDecoder;
  readonly lifecycle: Lifecycle;
  /**
   * Whether a replacement is made before the old object is deleted: because its `lifecycle` says so, or that of a
   * resource which comes after it, directly or not (or else neither could be the first).
   */
  readonly createBeforeDestroy: boolean;
  /** Addresses of the resources that its expressions refer to, directly or through locals. */
  readonly references: readonly string[];
  /** What it comes after: references and `depends_on`. */
  readonly after: readonly string[];
  /** The same with all that those come after; sorted. */
  readonly allAfter: readonly string[];
  /** The same without the keys of modules: what the state keeps as `dependencies`. */
  readonly dependencies: readonly string[];
}

/** What is worked out once for a resource type. */
export interface LoadedType {
  readonly name: string;
  readonly schema: ResourceSchema;
  /** The type of its objects. */
  readonly objectType: Type;
  /** Paths that the schema says are sensitive, those in repeated blocks apart (`sensitiveIn`). */
  readonly sensitive: readonly MarkedPath[];
}

export interface Loaded {
  readonly configuration: Configuration;
  readonly planTime: Date;
  readonly surroundings: Surroundings;
  readonly types: ReadonlyMap<string, LoadedType>;
  /** By address, dependencies first. */
  readonly resources: ReadonlyMap<string, LoadedResource>;
  /** The root module first. */
  readonly modules: readonly ModuleInstance[];
  /** By the name that they have in all modules: `web`, `module.a["x"].web`. */
  readonly circuits: ReadonlyMap<string, LoadedCircuit>;
}

export interface LoadedCircuit {
  /** The circuit as configured, with the name that it has in all modules. */
  readonly circuit: Circuit;
  readonly module: ModuleInstance;
}

export interface LoadOptions {
  readonly configuration: Configuration;
  readonly schema: ProviderSchema;
  readonly variables: readonly VariableInput[];
  /** The functions as they are while planning. */
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly planTime: Date;
  /** What becomes of a variable without a value and without a default. Default: an error. */
  readonly unset?: "error" | "unknown";
  /** Whether blocks that this engine does not accept are passed over. Default false: they are errors. */
  readonly passesForeign?: boolean;
}

/** @returns what could be loaded: not to be worked with when there were errors */
export function load(options: LoadOptions, problems: Problems): Loaded {
  const { configuration, schema, functions } = options;
  // Its warnings are the compiler's to give; with its errors there is nothing to work with.
  const errors = configuration.diagnostics.filter(({ severity }) => severity === "error");
  problems.reportAll(errors);
  // What shows in the text has been said then, better.
  const ofText = errors.length > 0 ? new Problems() : problems;
  const configurations = new Set([...configurationsOf(configuration)].map((called) => called.configuration));
  if (!options.passesForeign)
    for (const one of configurations) problems.reportAll(foreignProblems(one, one !== configuration));
  const types = new Map([...schema.resources].map(([name, declared]) => [name, loadType(name, declared)]));
  const constraints = new Map(
    [...configurations].flatMap(({ variables }) =>
      [...variables.values()].map((variable) => [variable, constraintOf(variable, problems)] as const),
    ),
  );
  const unset = options.unset ?? "error";
  const given = new Map<string, Value>();
  const settings = { functions, constraints, unset, given };
  const variables = loadVariables(configuration.variables, options.variables, settings, problems);
  const root: ModuleInstance = rootModule(
    configuration,
    (module, call) => expandCall(module, call, surroundings, unset, problems),
    problems,
  );
  const surroundings = {
    root,
    variables,
    given: new Map([...variables, ...given]),
    constraints,
    resourceTypes: new Set([
      ...types.keys(),
      ...[...configurations].flatMap(({ resources }) => resources.map(({ type }) => type)),
    ]),
    functions,
    workspace: "default",
  };
  const modules = [...moduleInstances(root)];
  const index = referenceIndex(root, ofText);
  const complete: Surroundings = { ...surroundings, isFixed: index.isFixed, fixed: new Map() };
  if (!problems.failed) checkFixedInputs(modules, complete, problems);
  if (!options.passesForeign) checkRootVariables(complete, options.variables, problems);
  if (unset === "error" && errors.length === 0) checkCircuitHosts(modules, complete, schema, problems);
  return {
    configuration,
    planTime: options.planTime,
    types,
    modules,
    circuits: new Map(modules.flatMap(circuitsOf)),
    resources: loadResources(modules, prepared(configurations, types, { ofText, problems }), index, ofText),
    surroundings: complete,
  };
}

const circuitsOf = (module: ModuleInstance): readonly (readonly [string, LoadedCircuit])[] =>
  module.configuration.circuits.map((circuit) => {
    const name = inModule(module.address, circuit.name);
    return [name, { circuit: { ...circuit, name }, module }];
  });

const loadType = (name: string, schema: ResourceSchema): LoadedType => ({
  name,
  schema,
  objectType: schemaType(schema),
  sensitive: schemaMarks(schema),
});

/** What all instances of a module share of a resource. */
type PreparedResource = Pick<LoadedResource, "type" | "decoder" | "lifecycle">;

function prepared(
  configurations: Iterable<Configuration>,
  types: ReadonlyMap<string, LoadedType>,
  { ofText, problems }: { readonly ofText: Problems; readonly problems: Problems },
): ReadonlyMap<Resource, PreparedResource> {
  const found = new Map<Resource, PreparedResource>();
  for (const { resources } of configurations) {
    const addresses = new Set(resources.map(({ address }) => address));
    for (const resource of resources) {
      const type = types.get(resource.type);
      if (type === undefined) {
        ofText.report(unknownType(resource, types.keys()));
        continue;
      }
      const decoder = bodyDecoder(withMeanings(resource.body), type.schema, resource.range);
      ofText.reportAll(decoder.problems);
      const lifecycle = readLifecycle(
        resource.lifecycle && withMeanings(resource.lifecycle),
        type.schema,
        addresses,
        (problem) => problems.report(problem),
      );
      found.set(resource, { type, decoder, lifecycle });
    }
  }
  return found;
}

function loadResources(
  modules: readonly ModuleInstance[],
  known: ReadonlyMap<Resource, PreparedResource>,
  index: ReferenceIndex,
  problems: Problems,
): ReadonlyMap<string, LoadedResource> {
  const begun = new Map<string, Omit<LoadedResource, "allAfter" | "dependencies" | "createBeforeDestroy">>();
  for (const module of modules) {
    const callWaits = callsDependsOn(module).flatMap(({ caller, dependsOn }) =>
      index.waitedFor(caller, dependsOn),
    );
    for (const resource of module.configuration.resources) {
      const shared = known.get(resource);
      if (shared === undefined) continue;
      const meta = [resource.forEach, resource.count].filter((expression) => expression !== undefined);
      const { preconditions, postconditions } = shared.lifecycle;
      const conditions = [...preconditions, ...postconditions].flatMap(({ condition, message }) => [
        condition,
        message,
      ]);
      const used = index.resourcesOf(module, [...meta, ...shared.decoder.expressions, ...conditions]);
      const triggers = shared.lifecycle.replaceTriggeredBy.map((trigger) =>
        inModule(module.address, trigger.resource),
      );
      const references = triggers.length === 0 ? used : [...new Set([...used, ...triggers])];
      const waits = [...index.waitedFor(module, resource.dependsOn), ...callWaits];
      const after = [...new Set([...waits, ...references])];
      const named = inAllModules(resource, module.address);
      begun.set(named.address, { ...shared, resource: named, module, references, after });
    }
  }
  const dependencies = new Map([...begun].map(([address, { after }]) => [address, after]));
  const { names, cycle } = dependencyOrder(dependencies);
  if (cycle !== undefined) problems.report(inCycle(cycle, begun));
  const all = transitive(dependencies);
  const created = createdFirst(begun, all);
  return new Map(
    names.map((address) => {
      const allAfter = [...all.get(address)!].sort(compareText);
      const order = { allAfter, dependencies: asStored(allAfter), createBeforeDestroy: created.has(address) };
      return [address, { ...begun.get(address)!, ...order }];
    }),
  );
}

/** Addresses of resources whose replacements are made before the old objects are deleted. */
function createdFirst(
  resources: ReadonlyMap<string, Pick<LoadedResource, "lifecycle">>,
  allAfter: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [address, { lifecycle }] of resources) {
    if (!lifecycle.createBeforeDestroy) continue;
    found.add(address);
    for (const before of allAfter.get(address) ?? []) found.add(before);
  }
  return found;
}

/** The same list where no module is in it: thousands of instances keep it. */
const asStored = (addresses: readonly string[]): readonly string[] =>
  addresses.some((address) => address.startsWith("module."))
    ? [...new Set(addresses.map(withoutModuleKeys))].sort(compareText)
    : addresses;

function unknownType({ type, range }: Resource, types: Iterable<string>) {
  const near = nearest(type, types);
  const hint =
    near === undefined ? "Other providers' resources need -engine=tofu." : `Did you mean "${near}"?`;
  return errorDiagnostic(`There is no resource type "${type}"`, hint, { range });
}

function inCycle(cycle: readonly string[], resources: ReadonlyMap<string, { readonly resource: Resource }>) {
  const { range } = resources.get(cycle[0]!)!.resource;
  if (cycle.length === 1) {
    return errorDiagnostic(`${cycle[0]} refers to itself`, "An instance cannot depend on its own resource.", {
      range,
    });
  }
  return errorDiagnostic(
    "Resources depend on each other in a cycle",
    `${[...cycle, cycle[0]].join(" → ")}: each needs the next one first.`,
    { range },
  );
}
