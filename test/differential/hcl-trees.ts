/**
 * @module Arbitrary syntax trees, for property tests of printing and parsing.
 *
 * Only trees that text can have: a parser never gives a literal beside another one, or a template's lone
 * interpolation as an attribute's whole value.
 */
import fc from "fast-check";
import { SourceFile } from "../../src/diagnostics/source.ts";
import type {
  Attribute,
  BinaryOperator,
  Block,
  Body,
  Expression,
  Splat,
  TemplatePart,
} from "../../src/hcl/tree.ts";

const place = { file: new SourceFile("", ""), start: 0, end: 0 } as const;

export const identifiers = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom("a", "bc", "each", "var", "long_name", "x-y", "in", "if", "größe"),
    },
    fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/),
  )
  .filter((name) => !["true", "false", "null", "for"].includes(name));

/** Whole texts, with what needs escaping more often than it happens. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "$",
        "%",
        "{",
        "}",
        "${",
        "%{",
        "$${",
        "\\",
        '"',
        "\n",
        "\r\n",
        "\t",
        " ",
        "~",
        "EOT",
        "é",
        "😀",
        "\u0000",
        "\u00a0",
      ),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) =>
    pieces
      .join("")
      .replace(/\p{Surrogate}/gu, "")
      .normalize("NFC"),
  )
  .filter((text) => text !== "");

const strip = fc.constant({ left: false, right: false });

const operators: BinaryOperator[] = ["||", "&&", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%"];

const parenthesized = new Set<Expression["kind"]>(["binary", "conditional", "unary", "for"]);

/** What the grammar wants in parentheses, in parentheses: so that parsing what is printed gives the same tree. */
const operand = (expression: Expression): Expression =>
  parenthesized.has(expression.kind) || expression.kind === "splat" || expression.kind === "number"
    ? { kind: "parentheses", inner: expression, ...place }
    : expression;

const literal = (value: string): TemplatePart => ({ kind: "literal", value, ...place });

/** No two literals side by side, and no `$` or `%` before a sequence where only an escape could tell them apart. */
function separated(parts: readonly TemplatePart[]): TemplatePart[] {
  return parts.filter((part, index) => part.kind !== "literal" || parts[index - 1]?.kind !== "literal");
}

export const { expression: expressions } = fc.letrec<{ expression: Expression; parts: TemplatePart[] }>(
  (tie) => {
    const inner = tie("expression");
    const list = fc.array(inner, { maxLength: 3 });
    const parts = tie("parts");
    const optional = fc.option(inner, { nil: undefined });
    const keyName = fc.option(identifiers, { nil: undefined });
    const node = <T extends object>(
      model: { [K in keyof T]: fc.Arbitrary<T[K]> },
    ): fc.Arbitrary<T & typeof place> => fc.record(model).map((record) => ({ ...(record as T), ...place }));
    const steps = (form: Splat["form"]): fc.Arbitrary<Splat["steps"]> =>
      fc.array(
        fc.oneof(
          identifiers.map((name) => ({ kind: "attribute", name, ...place }) as const),
          ...(form === "full"
            ? [inner.map((key) => ({ kind: "index", key, legacy: false, ...place }) as const)]
            : []),
        ),
        { maxLength: 3 },
      );
    const splat = (form: Splat["form"]): fc.Arbitrary<Expression> =>
      node<Omit<Splat, "file" | "start" | "end">>({
        kind: fc.constant("splat"),
        form: fc.constant(form),
        source: inner.map(operand),
        steps: steps(form),
      });
    const forms: fc.Arbitrary<Expression>[] = [
      node({
        kind: fc.constant("attributeAccess"),
        object: inner.map(operand),
        name: identifiers,
        nameRange: fc.constant(place),
      }),
      node({
        kind: fc.constant("index"),
        collection: inner.map(operand),
        key: inner,
        legacy: fc.constant(false),
      }),
      splat("full"),
      splat("attribute"),
      node({
        kind: fc.constant("call"),
        name: fc.oneof(identifiers, fc.constant("provider::a::b")),
        nameRange: fc.constant(place),
        args: list,
        expandFinal: fc.boolean(),
      }).map((call) => ({ ...call, expandFinal: call.expandFinal && call.args.length > 0 })),
      node({ kind: fc.constant("unary"), operator: fc.constantFrom("!", "-"), operand: inner.map(operand) }),
      node({
        kind: fc.constant("binary"),
        operator: fc.constantFrom(...operators),
        left: inner.map(operand),
        right: inner.map(operand),
      }),
      node({
        kind: fc.constant("conditional"),
        condition: inner.map(operand),
        then: inner,
        otherwise: inner,
      }),
      node({ kind: fc.constant("parentheses"), inner }),
      node({ kind: fc.constant("tuple"), items: list }),
      node({
        kind: fc.constant("object"),
        items: fc.array(
          fc.record({
            key: fc.oneof(
              identifiers.map((name) => ({ kind: "variable", name, ...place }) as const),
              inner.map(operand),
            ),
            value: inner,
          }),
          {
            maxLength: 3,
          },
        ),
      }),
      node({
        kind: fc.constant("for"),
        keyName,
        valueName: identifiers,
        collection: inner,
        key: fc.constant(undefined),
        value: inner,
        condition: optional,
        grouped: fc.constant(false),
      }),
      node({
        kind: fc.constant("for"),
        keyName,
        valueName: identifiers,
        collection: inner,
        key: inner,
        value: inner,
        condition: optional,
        grouped: fc.boolean(),
      }),
      node({ kind: fc.constant("template"), form: fc.constant("quoted"), parts }),
    ];
    return {
      expression: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.oneof(
          fc
            .constantFrom("0", "1.5", "1e3", "007", "12345678901234567890")
            .map((text) => ({ kind: "number", text, ...place }) as const),
          fc.constantFrom(true, false, null).map((value) => ({ kind: "keyword", value, ...place }) as const),
          identifiers.map((name) => ({ kind: "variable", name, ...place }) as const),
          texts.map(
            (text) => ({ kind: "template", form: "quoted", parts: [literal(text)], ...place }) as const,
          ),
          texts.map(
            (text) =>
              ({
                kind: "template",
                form: "heredoc",
                heredoc: { marker: "EOT", indented: text.length % 2 === 0 },
                parts: [literal(`${text}\n`)],
                ...place,
              }) as const,
          ),
        ),
        ...forms,
      ),
      parts: fc
        .array(
          fc.oneof(
            { maxDepth: 3 },
            texts.map(literal),
            node<Omit<TemplatePart & { kind: "interpolation" }, keyof typeof place>>({
              kind: fc.constant("interpolation"),
              expression: inner,
              strip,
            }),
            node<Omit<TemplatePart & { kind: "if" }, keyof typeof place>>({
              kind: fc.constant("if"),
              condition: inner,
              then: parts,
              otherwise: fc.option(parts, { nil: undefined }),
              strips: strip.map((one) => ({ if: one, else: one, endif: one })),
            }).map((part) =>
              part.otherwise === undefined
                ? { ...part, strips: { if: part.strips.if, endif: part.strips.endif } }
                : part,
            ),
            node<Omit<TemplatePart & { kind: "for" }, keyof typeof place>>({
              kind: fc.constant("for"),
              keyName,
              valueName: identifiers,
              collection: inner,
              body: parts,
              strips: strip.map((one) => ({ for: one, endfor: one })),
            }),
          ),
          { maxLength: 3 },
        )
        .map(separated),
    };
  },
);

/** `tofu fmt` would unwrap a lone interpolation, so that the tree would not come back. */
const isWrapped = (expression: Expression): boolean =>
  expression.kind === "template" &&
  expression.form === "quoted" &&
  expression.parts.length === 1 &&
  expression.parts[0]?.kind === "interpolation";

const attributes: fc.Arbitrary<Attribute> = fc.record({
  kind: fc.constant("attribute"),
  name: fc.oneof(identifiers, fc.constant("for")),
  nameRange: fc.constant(place),
  expression: expressions.filter((expression) => !isWrapped(expression)),
  file: fc.constant(place.file),
  start: fc.constant(0),
  end: fc.constant(0),
});

export const { body: bodies } = fc.letrec<{ body: Body; block: Block }>((tie) => ({
  block: fc.record({
    kind: fc.constant("block" as const),
    // A variable's type is rewritten by `tofu fmt`.
    type: identifiers.filter((name) => name !== "variable"),
    typeRange: fc.constant(place),
    labels: fc.array(
      fc.oneof(identifiers, texts).map((value) => ({ value, quoted: true, ...place })),
      { maxLength: 3 },
    ),
    header: fc.constant(place),
    body: tie("body"),
    file: fc.constant(place.file),
    start: fc.constant(0),
    end: fc.constant(0),
  }),
  body: fc.oneof(
    { maxDepth: 3 },
    fc
      .uniqueArray(attributes, { maxLength: 4, selector: (attribute) => attribute.name })
      .map((items) => ({ items, ...place })),
    fc
      .tuple(
        fc.uniqueArray(attributes, { maxLength: 3, selector: (attribute) => attribute.name }),
        fc.array(tie("block"), { maxLength: 3 }),
      )
      .map(([set, blocks]) => ({ items: [...set, ...blocks], ...place })),
  ),
}));
