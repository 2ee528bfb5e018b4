/**
 * @module Builds syntax tree nodes. All nodes of one builder have the range that it was made for, so that a diagnostic
 * about a generated node points to what the user wrote.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import { brokenAt } from "../../hcl/parse/broken.ts";
import type {
  Attribute,
  Block,
  Body,
  Expression,
  For,
  ObjectExpression,
  Template,
  TemplatePart,
} from "../../hcl/tree.ts";

const noStrip = { left: false, right: false };

/** Functions that build nodes of one range. */
export interface Builder {
  /** `each.value.address`: a root name and attributes of it. */
  path(root: string, ...attributes: readonly string[]): Expression;
  attributeOf(object: Expression, name: string): Expression;
  index(collection: Expression, key: Expression): Expression;
  string(text: string): Template;
  /** A quoted template: strings are its literal parts, expressions its interpolations. */
  template(...parts: readonly (string | Expression)[]): Template;
  number(value: number): Expression;
  keyword(value: boolean): Expression;
  /** `null` */
  nothing(): Expression;
  /** Replaces something wrong that was reported: nothing is known of its value. */
  broken(): Expression;
  not(operand: Expression): Expression;
  equal(left: Expression, right: Expression): Expression;
  conditional(condition: Expression, then: Expression, otherwise: Expression): Expression;
  tuple(items: readonly Expression[]): Expression;
  /** An object with bare names as keys. */
  object(items: Readonly<Record<string, Expression>>): ObjectExpression;
  call(name: string, ...args: readonly Expression[]): Expression;
  /** `name(list...)` */
  spread(name: string, list: Expression): Expression;
  parentheses(inner: Expression): Expression;
  forObject(parts: ForParts & { readonly key: Expression }): Expression;
  forTuple(parts: ForParts): Expression;
  meant(meaning: Expression, written: Expression): Expression;
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

/** @param origin what the nodes are made for: they all have its range */
export function buildAt(origin: SourceRange): Builder {
  const at: SourceRange = { file: origin.file, start: origin.start, end: origin.end };
  const attributeOf = (object: Expression, name: string): Expression => attributeAccess(at, object, name);
  const template = (...parts: readonly (string | Expression)[]): Template => quotedTemplate(at, parts);
  const body = (items: readonly (Attribute | Block)[]): Body => ({ items, ...at });
  return {
    path: (root, ...attributes) =>
      attributes.reduce<Expression>(attributeOf, { kind: "variable", name: root, ...at }),
    attributeOf,
    index: (collection, key) => ({ kind: "index", collection, key, legacy: false, ...at }),
    string: (text) => (text === "" ? template() : template(text)),
    template,
    number: (value) => ({ kind: "number", text: String(value), ...at }),
    not: (operand) => ({ kind: "unary", operator: "!", operand, ...at }),
    equal: (left, right) => ({ kind: "binary", operator: "==", left, right, ...at }),
    broken: () => brokenAt(at),
    keyword: (value) => ({ kind: "keyword", value, ...at }),
    nothing: () => ({ kind: "keyword", value: null, ...at }),
    conditional: (condition, then, otherwise) => ({
      kind: "conditional",
      condition,
      then,
      otherwise,
      ...at,
    }),
    tuple: (items) => ({ kind: "tuple", items, ...at }),
    object: (items) => objectOf(at, items),
    call: (name, ...args) => call(at, name, args, false),
    spread: (name, list) => call(at, name, [list], true),
    parentheses: (inner) => ({ kind: "parentheses", inner, ...at }),
    forObject: (parts) => forExpression(at, parts, parts.key),
    forTuple: (parts) => forExpression(at, parts, undefined),
    meant: (meaning, written) => ({ kind: "meant", meaning, written, ...at }),
    attribute: (name, expression) => ({ kind: "attribute", name, nameRange: at, expression, ...at }),
    block: (type, items) => blockOf(at, type, body(items)),
    body,
  };
}

const attributeAccess = (at: SourceRange, object: Expression, name: string): Expression => ({
  kind: "attributeAccess",
  object,
  name,
  nameRange: at,
  ...at,
});

const quotedTemplate = (at: SourceRange, parts: readonly (string | Expression)[]): Template => ({
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

const objectOf = (at: SourceRange, items: Readonly<Record<string, Expression>>): ObjectExpression => ({
  kind: "object",
  items: Object.entries(items).map(([name, value]) => ({ key: { kind: "variable", name, ...at }, value })),
  ...at,
});

const call = (
  at: SourceRange,
  name: string,
  args: readonly Expression[],
  expandFinal: boolean,
): Expression => ({ kind: "call", name, nameRange: at, args, expandFinal, ...at });

const forExpression = (at: SourceRange, parts: ForParts, key: Expression | undefined): For => ({
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

const blockOf = (at: SourceRange, type: string, body: Body): Block => ({
  kind: "block",
  type,
  typeRange: at,
  labels: [],
  header: at,
  body,
  ...at,
});
