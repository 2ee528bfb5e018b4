/**
 * @module Type expressions: `list(object({ name = string, port = optional(number, 22) }))`.
 *
 * They look like expressions but are read by their form: `string` is no variable, `list(…)` no call.
 * Source: OpenTofu's language documentation, "Type Constraints".
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Expression, FunctionCall, ObjectExpression, Tuple } from "../hcl/tree.ts";
import { convert, isConversionError } from "../values/convert.ts";
import {
  boolType,
  dynamicType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  setOf,
  stringType,
  type Type,
  tupleOf,
} from "../values/type.ts";
import type { Value } from "../values/value.ts";
import type { Defaults } from "./defaults.ts";
import { evaluate } from "./evaluate.ts";
import { scopeOf } from "./scope.ts";

export interface TypeConstraint {
  readonly type: Type;
  /** Of `optional(type, default)`, at any depth; undefined when there is none. See `applyDefaults`. */
  readonly defaults: Defaults | undefined;
}

/** The type that a type expression describes. With errors it is dynamic where it could not be understood. */
export function typeConstraint(expression: Expression): TypeConstraint & {
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (summary, detail, { file, start, end }) => {
    diagnostics.push(errorDiagnostic(summary, detail, { range: { file, start, end } }));
  };
  const constraint = readQuoted(expression, report) ?? read(expression, report);
  return { ...constraint, diagnostics };
}

type Report = (summary: string, detail: string, range: SourceRange) => void;

const primitives: Readonly<Record<string, Type>> = {
  string: stringType,
  number: numberType,
  bool: boolType,
  any: dynamicType,
};
const constructors = ["list", "set", "map", "object", "tuple"];
const anyType: TypeConstraint = { type: dynamicType, defaults: undefined };
const invalid = "Invalid type specification";

function read(expression: Expression, report: Report): TypeConstraint {
  switch (expression.kind) {
    case "variable":
      return readName(expression.name, expression, report);
    case "call":
      return readConstructor(expression, report);
  }
  report(
    invalid,
    "A type specification is either a primitive type keyword (bool, number, string), the keyword any, or a complex type constructor call, like list(string).",
    expression,
  );
  return anyType;
}

function readName(name: string, range: SourceRange, report: Report): TypeConstraint {
  if (Object.hasOwn(primitives, name)) return { type: primitives[name]!, defaults: undefined };
  if (constructors.includes(name)) {
    const example =
      name === "object"
        ? "object({ name = string })"
        : name === "tuple"
          ? "tuple([string, number])"
          : `${name}(string)`;
    report(
      invalid,
      `The ${name} type constructor requires one argument: write for example ${example}.`,
      range,
    );
  } else {
    const hint = didYouMean(name, [...Object.keys(primitives), ...constructors]);
    report(invalid, `The keyword ${JSON.stringify(name)} is not a valid type specification.${hint}`, range);
  }
  return anyType;
}

/** An old form that is still accepted, for a whole type only: "string", "list" and "map" in quotes. */
function readQuoted(expression: Expression, report: Report): TypeConstraint | undefined {
  const [part] = expression.kind === "template" ? expression.parts : [];
  if (expression.kind !== "template" || part?.kind !== "literal" || expression.parts.length !== 1)
    return undefined;
  if (part.value === "string") return { type: stringType, defaults: undefined };
  if (part.value === "list") return { type: listOf(dynamicType), defaults: undefined };
  if (part.value === "map") return { type: mapOf(dynamicType), defaults: undefined };
  report(invalid, "A type is written without quotes.", expression);
  return anyType;
}

function readConstructor(call: FunctionCall, report: Report): TypeConstraint {
  const { name } = call;
  if (name === "optional") {
    report(invalid, "optional() is possible only for an attribute of object().", call);
    return anyType;
  }
  if (!constructors.includes(name)) {
    const hint = didYouMean(name, constructors);
    report(
      invalid,
      `The keyword ${JSON.stringify(name)} is not a valid type constructor.${hint}`,
      call.nameRange,
    );
    return anyType;
  }
  const [argument, extra] = call.args;
  if (argument === undefined || extra !== undefined) {
    report(invalid, `The ${name} type constructor requires one argument.`, extra ?? call);
    return anyType;
  }
  if (name === "object") return readObject(argument, report);
  if (name === "tuple") return readTuple(argument, report);
  const element = read(argument, report);
  const type =
    name === "list" ? listOf(element.type) : name === "set" ? setOf(element.type) : mapOf(element.type);
  return { type, defaults: element.defaults && { element: element.defaults } };
}

function readTuple(argument: Expression, report: Report): TypeConstraint {
  if (argument.kind !== "tuple") {
    report(
      invalid,
      "The tuple type constructor requires a list of element types: tuple([string, number]).",
      argument,
    );
    return anyType;
  }
  const elements = (argument satisfies Tuple).items.map((item) => read(item, report));
  const defaults = new Map<number, Defaults>();
  for (const [i, element] of elements.entries())
    if (element.defaults !== undefined) defaults.set(i, element.defaults);
  return {
    type: tupleOf(elements.map(({ type }) => type)),
    defaults: defaults.size === 0 ? undefined : { elements: defaults },
  };
}

function readObject(argument: Expression, report: Report): TypeConstraint {
  if (argument.kind !== "object") {
    report(
      invalid,
      "The object type constructor requires a map of attribute types: object({ name = string }).",
      argument,
    );
    return anyType;
  }
  const types: [string, Type][] = [];
  const optional = new Set<string>();
  const values = new Map<string, Value>();
  const inner = new Map<string, Defaults>();
  for (const { key, value } of (argument satisfies ObjectExpression).items) {
    const name = attributeName(key, report);
    if (name === undefined) continue;
    const attribute = readAttribute(value, report);
    if (types.some(([other]) => other === name))
      report(invalid, `The attribute ${JSON.stringify(name)} is there before: the names must differ.`, key);
    types.push([name, attribute.type]);
    if (attribute.optional) optional.add(name);
    if (attribute.value !== undefined) values.set(name, attribute.value);
    if (attribute.defaults !== undefined) inner.set(name, attribute.defaults);
  }
  const type = objectOf(Object.fromEntries(types), optional.size === 0 ? undefined : optional);
  if (values.size === 0 && inner.size === 0) return { type, defaults: undefined };
  return { type, defaults: { values, attributes: inner } };
}

function attributeName(key: Expression, report: Report): string | undefined {
  if (key.kind === "variable") return key.name;
  if (key.kind === "keyword") return String(key.value);
  report(invalid, "Object constructor map keys must be attribute names, written without quotes.", key);
  return undefined;
}

interface AttributeConstraint extends TypeConstraint {
  readonly optional: boolean;
  /** The default, of the attribute's type. */
  readonly value?: Value;
}

function readAttribute(expression: Expression, report: Report): AttributeConstraint {
  if (expression.kind !== "call" || expression.name !== "optional")
    return { ...read(expression, report), optional: false };
  const [typeExpression, defaultExpression, extra] = expression.args;
  if (typeExpression === undefined || extra !== undefined) {
    report(
      invalid,
      "optional() takes the attribute's type and, if there is one, its default value.",
      extra ?? expression,
    );
    return { ...anyType, optional: true };
  }
  const constraint = { ...read(typeExpression, report), optional: true };
  if (defaultExpression === undefined) return constraint;
  const value = readDefault(defaultExpression, constraint.type, report);
  return value === undefined ? constraint : { ...constraint, value };
}

/** A default is a constant expression. */
function readDefault(expression: Expression, type: Type, report: Report): Value | undefined {
  const { value, diagnostics } = evaluate(expression, scopeOf({}));
  if (hasErrors(diagnostics)) {
    const reason = diagnostics.map(({ detail }) => detail).join(" ");
    report(
      "Invalid default value for optional attribute",
      `The default must be a constant. ${reason}`,
      expression,
    );
    return undefined;
  }
  const converted = convert(value, type);
  if (!isConversionError(converted)) return converted.value;
  const detail = `This default value is not compatible with the attribute's type constraint: ${converted.error}.`;
  report("Invalid default value for optional attribute", detail, expression);
  return undefined;
}
