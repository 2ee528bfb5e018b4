/**
 * @module Which parts of which resources contribute to a plan's changes, directly or through locals, variables and outputs
 * of modules.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation (`relevant_attributes`)
 */
import { type Configuration, expressionsOf, type ModuleCall } from "../../compiler/index.ts";
import type { Plan } from "../../engine/index.ts";
import { type Reference, references } from "../../eval/references.ts";
import type { Expression } from "../../hcl/tree.ts";
import { formatAddress, inModule, type ModuleStep, parseAddress, withKey } from "../../values/address.ts";
import type { PathStep } from "../../values/path.ts";
import { compareText } from "../../values/set-order.ts";

export interface RelevantAttribute {
  /** Address of a resource, or of an instance where the expression names one. */
  readonly resource: string;
  /** Path in its object; empty for all of it. */
  readonly attribute: readonly (string | number)[];
}

/** The root module, or an instance of one that is called. */
interface Origin {
  /** `module.a["x"]`; empty for the root module. */
  readonly address: string;
  readonly configuration: Configuration;
  readonly caller: { readonly origin: Origin; readonly call: ModuleCall } | undefined;
}

/** Sorted; each once. */
export function relevantAttributes(plan: Plan, configuration: Configuration): readonly RelevantAttribute[] {
  const origins = originsOf(plan, { address: "", configuration, caller: undefined });
  const found = new Map<string, RelevantAttribute>();
  const seen = new Set<string>();
  const follow = ({ name, expression, origin }: Named): void => {
    if (seen.has(name)) return;
    seen.add(name);
    visit(expression, origin);
  };
  const visit = (expression: Expression, origin: Origin): void => {
    for (const reference of references(expression)) {
      const one = attributeOf(reference, origin);
      if (one !== undefined) found.set(JSON.stringify([one.resource, one.attribute]), one);
      else for (const named of namedBy(reference, origin, origins)) follow(named);
    }
  };
  for (const { expression, origin } of changing(plan, origins)) visit(expression, origin);
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
}

/** By address: the modules that have instances in the plan, and those that these are in. */
function originsOf({ changes }: Plan, root: Origin): ReadonlyMap<string, Origin> {
  const origins = new Map([[root.address, root]]);
  const enter = (caller: Origin, { name, key }: ModuleStep): Origin | undefined => {
    const call = caller.configuration.modules.get(name);
    if (call?.configuration === undefined) return undefined;
    const address = inModule(caller.address, withKey(`module.${name}`, key));
    const origin = origins.get(address) ?? {
      address,
      configuration: call.configuration,
      caller: { origin: caller, call },
    };
    origins.set(address, origin);
    return origin;
  };
  for (const { address } of changes) {
    let origin: Origin | undefined = root;
    for (const step of parseAddress(address)?.modules ?? []) origin = origin && enter(origin, step);
  }
  return origins;
}

/** Everything that is evaluated of what changes. */
function* changing(plan: Plan, origins: ReadonlyMap<string, Origin>) {
  const changed = new Set(
    plan.changes.flatMap(({ decision, address }) => {
      const parsed = decision.action === "none" ? undefined : parseAddress(address);
      return parsed === undefined ? [] : [formatAddress({ ...parsed, key: undefined })];
    }),
  );
  for (const origin of origins.values())
    for (const resource of origin.configuration.resources)
      if (changed.has(inModule(origin.address, resource.address)))
        for (const expression of expressionsOf(resource)) yield { expression, origin };
  const root = origins.get("")!;
  for (const { name, before, after } of plan.outputs) {
    const output = root.configuration.outputs.get(name);
    if (before !== after && output !== undefined) yield { expression: output.expression, origin: root };
  }
}

/** What has a name and stands for an expression: a local value, a variable of a module, an output of one. */
interface Named {
  readonly name: string;
  readonly expression: Expression;
  /** Whose names the expression uses. */
  readonly origin: Origin;
}

function namedBy(
  reference: Reference,
  origin: Origin,
  origins: ReadonlyMap<string, Origin>,
): readonly Named[] {
  const { root, steps } = reference;
  const [first] = steps;
  if (first === undefined || !("attribute" in first)) return [];
  const name = inModule(origin.address, `${root}.${first.attribute}`);
  switch (root) {
    case "local": {
      const local = origin.configuration.locals.get(first.attribute);
      return local === undefined ? [] : [{ name, expression: local.expression, origin: origin }];
    }
    case "var": {
      const { caller } = origin;
      const expression = caller?.call.inputs.get(first.attribute);
      return caller === undefined || expression === undefined
        ? []
        : [{ name, expression, origin: caller.origin }];
    }
    case "module":
      return outputsMeant(first.attribute, reference, origin, origins);
    default:
      return [];
  }
}

/** Of all instances of the module, or of the one that is named; all outputs where none is named. */
function outputsMeant(
  name: string,
  { steps, beyond = [] }: Reference,
  origin: Origin,
  origins: ReadonlyMap<string, Origin>,
): readonly Named[] {
  const call = origin.configuration.modules.get(name);
  const [, ...after]: readonly (PathStep | undefined)[] = [...steps, ...beyond];
  const isSingle = call?.forEach === undefined && call?.count === undefined;
  const [instance, output] = isSingle ? [undefined, after[0]] : after;
  const address = inModule(origin.address, withKey(`module.${name}`, instance && keyOf(instance)));
  const named = origins.get(address);
  const instances = named
    ? [named]
    : [...origins.values()].filter(({ caller }) => caller?.origin === origin && caller.call === call);
  return instances.flatMap((one) =>
    [...one.configuration.outputs.values()]
      .filter((each) => output === undefined || keyOf(output) === each.name)
      .map((each) => ({
        name: inModule(one.address, `output.${each.name}`),
        expression: each.expression,
        origin: one,
      })),
  );
}

function attributeOf(
  { root, steps: [name, ...after] }: Reference,
  { address: module, configuration: { resources } }: Origin,
): RelevantAttribute | undefined {
  if (name === undefined || !("attribute" in name)) return undefined;
  const local = `${root}.${name.attribute}`;
  if (!resources.some((resource) => resource.address === local)) return undefined;
  const [first, ...rest] = after;
  const key = first === undefined || "attribute" in first ? undefined : keyOf(first);
  return {
    resource: inModule(module, withKey(local, key)),
    attribute: (key === undefined ? after : rest).map(keyOf),
  };
}

const keyOf = (step: PathStep): string | number =>
  "attribute" in step ? step.attribute : "index" in step ? step.index : step.key;
