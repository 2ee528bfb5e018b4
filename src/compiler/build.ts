/**
 * @module Makes syntax tree nodes. Everything that one builder makes has the range of what it was made from, so that a
 * diagnostic about it points to what the user wrote.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import { brokenAt } from "../hcl/broken.ts";
import type {
  Attribute,
  Block,
  Body,
  Expression,
  For,
  ObjectExpression,
  Template,
  TemplatePart,
} from "../hcl/tree.ts";

const noStrip = { left: false, right: false };

/** Makers of nodes that all have the range of `origin`. */
export interface Builder {
  /** `each.value.address`: a root name and attributes of it. */
  path(root: string, ...attributes: readonly string[]): Expression;
  attributeOf(object: Expression, name: string): Expression;
  index(collection: Expression, key: Expression): Expression;
  string(text: string): Template;
  /** A quoted template: strings are its literal parts, expressions its interpolations. */
  template(...parts: readonly (string | Expression)[]): Template;
  number(value: number): Expression;
  nothing(): Expression;
  /** In place of what is wrong, which was reported: a value of which nothing is known. */
  broken(): Expression;
  not(operand: Expression): Expression;
  equal(left: Expression, right: Expression): Expression;
  tuple(items: readonly Expression[]): Expression;
  /** An object expression whose keys are bare names. */
  object(items: Readonly<Record<string, Expression>>): ObjectExpression;
  call(name: string, ...args: readonly Expression[]): Expression;
  /** `name(list...)` */
  spread(name: string, list: Expression): Expression;
  parentheses(inner: Expression): Expression;
  forObject(parts: ForParts & { readonly key: Expression }): Expression;
  forTuple(parts: ForParts): Expression;
  attribute(name: string, expression: Expression): Attribute;
  block(type: string, items: readonly (Attribute | Block)[]): Block;
  body(items: readonly (Attribute | Block)[]): Body;
}

export interface ForParts {
  readonly keyName?: string;
  readonly valueName: string;
  readonly collection: Expression;
  readonly value: Expression;
  readonly condition?: Expression;
}

export function buildAt(origin: SourceRange): Builder {
  const at: SourceRange = { file: origin.file, start: origin.start, end: origin.end };
  const attributeOf = (object: Expression, name: string): Expression => ({
    kind: "attributeAccess",
    object,
    name,
    nameRange: at,
    ...at,
  });
  const template = (...parts: readonly (string | Expression)[]): Template => ({
    kind: "template",
    form: "quoted",
    parts: parts.map(
      (part): TemplatePart =>
        typeof part === "string"
          ? { kind: "literal", value: part, ...at }
          : { kind: "interpolation", expression: part, strip: noStrip, ...at },
    ),
    ...at,
  });
  const string = (text: string): Template => (text === "" ? template() : template(text));
  const call = (name: string, args: readonly Expression[], expandFinal: boolean): Expression => ({
    kind: "call",
    name,
    nameRange: at,
    args,
    expandFinal,
    ...at,
  });
  const forExpression = (parts: ForParts, key: Expression | undefined): For => ({
    kind: "for",
    keyName: parts.keyName,
    valueName: parts.valueName,
    collection: parts.collection,
    key,
    value: parts.value,
    condition: parts.condition,
    grouped: false,
    ...at,
  });
  const body = (items: readonly (Attribute | Block)[]): Body => ({ items, ...at });
  return {
    path: (root, ...attributes) =>
      attributes.reduce<Expression>(attributeOf, { kind: "variable", name: root, ...at }),
    attributeOf,
    index: (collection, key) => ({ kind: "index", collection, key, legacy: false, ...at }),
    string,
    template,
    number: (value) => ({ kind: "number", text: String(value), ...at }),
    not: (operand) => ({ kind: "unary", operator: "!", operand, ...at }),
    equal: (left, right) => ({ kind: "binary", operator: "==", left, right, ...at }),
    broken: () => brokenAt(at),
    nothing: () => ({ kind: "keyword", value: null, ...at }),
    tuple: (items) => ({ kind: "tuple", items, ...at }),
    object: (items) => ({
      kind: "object",
      items: Object.entries(items).map(([name, value]) => ({
        key: { kind: "variable", name, ...at },
        value,
      })),
      ...at,
    }),
    call: (name, ...args) => call(name, args, false),
    spread: (name, list) => call(name, [list], true),
    parentheses: (inner) => ({ kind: "parentheses", inner, ...at }),
    forObject: (parts) => forExpression(parts, parts.key),
    forTuple: (parts) => forExpression(parts, undefined),
    attribute: (name, expression) => ({ kind: "attribute", name, nameRange: at, expression, ...at }),
    block: (type, items) => ({
      kind: "block",
      type,
      typeRange: at,
      labels: [],
      header: at,
      body: body(items),
      ...at,
    }),
    body,
  };
}
