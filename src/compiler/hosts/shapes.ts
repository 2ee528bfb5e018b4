/**
 * @module What the text shows of the values of hosts and logins: whether they are addresses or objects, and
 * which attributes such objects may have. This keeps the compiled form short, and free of secrets that cannot
 * be there.
 */
import type { Expression, For } from "../../hcl/tree.ts";
import type { LocalValues } from "../check/ours.ts";
import type { Variable } from "../model.ts";
import { isCertainString, literalKey } from "./literal.ts";
import { answersOfLocals } from "./local-answers.ts";
import { mapTypeShape, type Shape, typeShape, union } from "./type-shapes.ts";

export interface NamedValues {
  readonly variables: ReadonlyMap<
    string,
    Pick<Variable, "sensitive" | "type"> & Partial<Pick<Variable, "default">>
  >;
  readonly locals: LocalValues;
}

interface Context extends Pick<NamedValues, "variables"> {
  readonly shapeOfLocal: (name: string) => Shape | undefined;
  /** The shape of the elements of a map. */
  readonly elementsOfLocal: (name: string) => Shape | undefined;
  /** Shapes of the variables of `for` expressions. */
  readonly bound: ReadonlyMap<string, Bound>;
}

/** An element of a collection whose shape is known, or an instance of another provider's resource. */
type Bound = Shape | "instance" | undefined;

function start({ variables, locals }: NamedValues): Context {
  const context: Context = {
    variables,
    shapeOfLocal: answersOfLocals(locals, (local) => valueShape(local, context), undefined),
    elementsOfLocal: answersOfLocals(locals, (local) => mapShape(local, context), undefined),
    bound: new Map(),
  };
  return context;
}

/** The shape of a value; undefined when it could be anything. */
export const shapeOf = (expression: Expression, values: NamedValues): Shape | undefined =>
  valueShape(expression, start(values));

/** The common shape of the elements of a map. */
export const elementShape = (expression: Expression, values: NamedValues): Shape | undefined =>
  mapShape(expression, start(values));

/** The shape of the values of a `for`. */
export const forValueShape = (expression: For, values: NamedValues): Shape | undefined =>
  valueShape(expression.value, withBound(expression, start(values)));

const text: Shape = { mayBeText: true, attributes: new Set() };

/** Functions whose result is always a string. */
const textFunctions: readonly string[] = [
  "chomp",
  "cidrhost",
  "format",
  "join",
  "lower",
  "replace",
  "substr",
  "tostring",
  "trim",
  "trimprefix",
  "trimspace",
  "trimsuffix",
  "upper",
];

function valueShape(expression: Expression, context: Context): Shape | undefined {
  if (isCertainString(expression) || isOthersAttribute(expression, context)) return text;
  switch (expression.kind) {
    case "parentheses":
      return valueShape(expression.inner, context);
    case "template": {
      const [only] = expression.parts;
      return only?.kind === "interpolation" ? valueShape(only.expression, context) : undefined;
    }
    case "variable": {
      const bound = context.bound.get(expression.name);
      return bound === "instance" ? undefined : bound;
    }
    case "object": {
      const names = expression.items.map((item) => literalKey(item.key));
      return names.every((name) => name !== undefined)
        ? { mayBeText: false, attributes: new Set(names) }
        : undefined;
    }
    case "attributeAccess":
      return named(expression, context, typeShape, context.shapeOfLocal);
    case "conditional":
      return union([valueShape(expression.then, context), valueShape(expression.otherwise, context)]);
    case "call":
      return textFunctions.includes(expression.name) ? text : undefined;
    default:
      return undefined;
  }
}

function mapShape(expression: Expression, context: Context): Shape | undefined {
  switch (expression.kind) {
    case "parentheses":
      return mapShape(expression.inner, context);
    case "object":
      return union(expression.items.map((item) => valueShape(item.value, context)));
    case "for":
      return expression.grouped ? undefined : valueShape(expression.value, withBound(expression, context));
    case "attributeAccess":
      return named(expression, context, mapTypeShape, context.elementsOfLocal);
    case "conditional":
      return union([mapShape(expression.then, context), mapShape(expression.otherwise, context)]);
    case "call":
      return callShape(expression, context);
    default:
      return undefined;
  }
}

function callShape(call: Expression & { readonly kind: "call" }, context: Context): Shape | undefined {
  const [first, second] = call.args;
  if (call.name === "merge" && !call.expandFinal)
    return union(call.args.map((arg) => mapShape(arg, context)));
  if (call.name === "tomap" && first !== undefined) return mapShape(first, context);
  const splat = call.name === "zipmap" && second?.kind === "splat" ? second : undefined;
  return splat !== undefined && isOthersResource(splat.source) && splat.steps.length === 1 ? text : undefined;
}

/** `var.NAME` by its type, `local.NAME` by its value. */
function named(
  { object, name }: Expression & { readonly kind: "attributeAccess" },
  context: Context,
  ofType: (type: Expression) => Shape | undefined,
  ofLocal: (name: string) => Shape | undefined,
): Shape | undefined {
  if (object.kind !== "variable" || context.bound.has(object.name)) return undefined;
  if (object.name === "var") {
    const type = context.variables.get(name)?.type;
    return type && ofType(type);
  }
  return object.name === "local" ? ofLocal(name) : undefined;
}

function withBound({ collection, keyName, valueName }: For, context: Context): Context {
  const element: Bound = isOthersResource(collection) ? "instance" : mapShape(collection, context);
  const bound = new Map(context.bound).set(valueName, element);
  return { ...context, bound: keyName === undefined ? bound : bound.set(keyName, text) };
}

/**
 * `aws_instance.web.public_ip`, `aws_instance.web[0].public_ip`, `i.public_ip` for an instance: an attribute of a
 * machine is its address. An object is written out: `{ address = … }`.
 */
function isOthersAttribute(expression: Expression, { bound }: Context): boolean {
  if (expression.kind !== "attributeAccess") return false;
  const { object } = expression;
  if (object.kind === "variable") return bound.get(object.name) === "instance";
  return isOthersResource(object.kind === "index" ? object.collection : object);
}

/** `aws_instance.web`, `data.aws_instance.web`: neither a Conn3x resource nor one that can hold any value. */
function isOthersResource(expression: Expression): boolean {
  if (expression.kind !== "attributeAccess") return false;
  const { object } = expression;
  if (object.kind === "attributeAccess") {
    return object.object.kind === "variable" && object.object.name === "data";
  }
  return object.kind === "variable" && object.name.includes("_") && !/^(conn3x|terraform)_/.test(object.name);
}
