/**
 * @module Prepares a configuration for evaluation: its variables have values, its resources decoders and an order, and
 * everything that is wrong without evaluating any instance has been said.
 */
import type { Configuration, Resource } from "../../compiler/model.ts";
import type { ProviderSchema } from "../../core/provider.ts";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import type { FunctionDefinition } from "../../eval/function-definition.ts";
import { type ResourceSchema, schemaType } from "../../schema/schema.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { compareText } from "../../values/set-order.ts";
import type { Type } from "../../values/type.ts";
import { dependencyOrder, transitive } from "../graph/order.ts";
import { type BodyDecoder, bodyDecoder } from "./body-decoder.ts";
import { withHostParts } from "./host-part.ts";
import { type Lifecycle, readLifecycle } from "./lifecycle.ts";
import type { Problems } from "./problems.ts";
import { type ReferenceIndex, referenceIndex } from "./reference-index.ts";
import { schemaMarks } from "./sensitive-places.ts";
import type { VariableInput } from "./variable-input.ts";
import { loadVariables } from "./variables.ts";
import type { Surroundings } from "./world.ts";

/** A resource that can be evaluated. */
export interface LoadedResource {
  readonly resource: Resource;
  readonly type: LoadedType;
  readonly decoder: BodyDecoder;
  readonly lifecycle: Lifecycle;
  /** Addresses of the resources that its expressions refer to, directly or through locals. */
  readonly references: readonly string[];
  /** What it comes after: references and `depends_on`. */
  readonly after: readonly string[];
  /** The same with all that those come after; sorted. What the state keeps as `dependencies`. */
  readonly allAfter: readonly string[];
}

/** What is worked out once for a resource type. */
export interface LoadedType {
  readonly name: string;
  readonly schema: ResourceSchema;
  /** Of its objects. */
  readonly objectType: Type;
  /** Places that the schema says are sensitive. */
  readonly sensitive: readonly MarkedPath[];
}

export interface Loaded {
  readonly configuration: Configuration;
  readonly planTime: Date;
  readonly surroundings: Surroundings;
  readonly types: ReadonlyMap<string, LoadedType>;
  /** By address, dependencies first. */
  readonly resources: ReadonlyMap<string, LoadedResource>;
}

export interface LoadOptions {
  readonly configuration: Configuration;
  readonly schema: ProviderSchema;
  readonly variables: readonly VariableInput[];
  /** As they are while planning. */
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly planTime: Date;
  /** What a variable without a value and without a default is. An error, unless told otherwise. */
  readonly unset?: "error" | "unknown";
}

/** @returns what could be loaded: not to be worked with when there were errors */
export function load(options: LoadOptions, problems: Problems): Loaded {
  const { configuration, schema, functions } = options;
  // Its warnings are the compiler's to give; with its errors there is nothing to work with.
  problems.reportAll(configuration.diagnostics.filter(({ severity }) => severity === "error"));
  for (const { block, why } of configuration.foreign) {
    problems.report(
      errorDiagnostic("Not for the embedded engine", `${why} Use -engine=tofu.`, { range: block.header }),
    );
  }
  const types = new Map([...schema.resources].map(([name, declared]) => [name, loadType(name, declared)]));
  const index = referenceIndex(configuration, problems);
  const unset = options.unset ?? "error";
  const variables = loadVariables(configuration.variables, options.variables, { functions, unset }, problems);
  return {
    configuration,
    planTime: options.planTime,
    types,
    resources: loadResources(configuration, types, index, problems),
    surroundings: {
      variables,
      locals: configuration.locals,
      fixedLocals: index.fixedLocals,
      resources: new Set(configuration.resources.map(({ address }) => address)),
      resourceTypes: new Set([...types.keys(), ...configuration.resources.map(({ type }) => type)]),
      functions,
      workspace: "default",
      fixed: new Map(),
    },
  };
}

const loadType = (name: string, schema: ResourceSchema): LoadedType => ({
  name,
  schema,
  objectType: schemaType(schema),
  sensitive: schemaMarks(schema),
});

function loadResources(
  { resources }: Configuration,
  types: ReadonlyMap<string, LoadedType>,
  index: ReferenceIndex,
  problems: Problems,
): ReadonlyMap<string, LoadedResource> {
  const addresses = new Set(resources.map(({ address }) => address));
  const begun = new Map<string, Omit<LoadedResource, "allAfter">>();
  for (const resource of resources) {
    const type = types.get(resource.type);
    if (type === undefined) {
      problems.report(unknownType(resource, types.keys()));
      continue;
    }
    const decoder = bodyDecoder(withHostParts(resource.body, addresses), type.schema, resource.range);
    problems.reportAll(decoder.problems);
    const meta = [resource.forEach, resource.count].filter((expression) => expression !== undefined);
    const references = index.resourcesOf([...meta, ...decoder.expressions]);
    const after = [...new Set([...resource.dependsOn, ...references])];
    const lifecycle = readLifecycle(resource.lifecycle, (problem) => problems.report(problem));
    begun.set(resource.address, { resource, type, decoder, lifecycle, references, after });
  }
  const dependencies = new Map([...begun].map(([address, { after }]) => [address, after]));
  const { names, cycle } = dependencyOrder(dependencies);
  if (cycle !== undefined) problems.report(inCycle(cycle, begun));
  const all = transitive(dependencies);
  return new Map(
    names.map((address) => [
      address,
      { ...begun.get(address)!, allAfter: [...all.get(address)!].sort(compareText) },
    ]),
  );
}

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
