/**
 * @module The syntax tree of the HCL native syntax.
 *
 * Every node is a {@link SourceRange}. A node that the compiler makes has the range of what it was made from,
 * so that a diagnostic about it points to what the user wrote.
 * Source: HCL Native Syntax Specification.
 */
import type { SourceRange } from "../diagnostics/source.ts";

/** A file's or a block's content, in source order. */
export interface Body extends SourceRange {
  readonly items: readonly (Attribute | Block)[];
  /** After syntax errors: the text between items that was not understood, and may contain further items. */
  readonly gaps?: readonly SourceRange[];
}

/** `name = expression` */
export interface Attribute extends SourceRange {
  readonly kind: "attribute";
  readonly name: string;
  readonly nameRange: SourceRange;
  readonly expression: Expression;
}

/** `type "label" { … }` */
export interface Block extends SourceRange {
  readonly kind: "block";
  readonly type: string;
  readonly typeRange: SourceRange;
  readonly labels: readonly Label[];
  /** Range of `type "label"`, without the body: what a diagnostic about the whole block underlines. */
  readonly header: SourceRange;
  readonly body: Body;
}

export interface Label extends SourceRange {
  readonly value: string;
  /** False for a bare identifier. */
  readonly quoted: boolean;
}

export type Expression =
  | NumberLiteral
  | KeywordLiteral
  | Template
  | Variable
  | AttributeAccess
  | IndexAccess
  | Splat
  | FunctionCall
  | Unary
  | Binary
  | Conditional
  | Parentheses
  | Tuple
  | ObjectExpression
  | For
  | Meant;

/**
 * What a compiler means and the syntax has no word for, with how it can be written all the same. No text is
 * parsed to it. Whoever reads or prints a tree takes `written`; an evaluator that knows the meaning takes that.
 */
export interface Meant extends SourceRange {
  readonly kind: "meant";
  /** An expression whose root name is no identifier, so that nothing in a text can be taken for it. */
  readonly meaning: Expression;
  readonly written: Expression;
}

export interface NumberLiteral extends SourceRange {
  readonly kind: "number";
  /** The number as written: `0755`, `1E-3`. */
  readonly text: string;
}

export interface KeywordLiteral extends SourceRange {
  readonly kind: "keyword";
  readonly value: true | false | null;
}

/** A quoted template (a plain string is one with a single literal part, the empty string one without parts) or a heredoc. */
export interface Template extends SourceRange {
  readonly kind: "template";
  readonly form: "quoted" | "heredoc";
  /** Heredoc only: its marker, and whether it is the indented form `<<-`. */
  readonly heredoc?: { readonly marker: string; readonly indented: boolean };
  readonly parts: readonly TemplatePart[];
}

export type TemplatePart = TemplateLiteral | TemplateInterpolation | TemplateIf | TemplateFor;

/**
 * Text after unescaping, after a heredoc's indentation and after what neighbouring `~` markers strip.
 * Never empty, except beside a lone interpolation: `" ${~ x}"` is always a string, while `"${x}"` is what `x` is.
 */
export interface TemplateLiteral extends SourceRange {
  readonly kind: "literal";
  readonly value: string;
}

/** `${ expression }` */
export interface TemplateInterpolation extends SourceRange {
  readonly kind: "interpolation";
  readonly expression: Expression;
  readonly strip: Strip;
}

/** `%{ if … } … %{ else } … %{ endif }` */
export interface TemplateIf extends SourceRange {
  readonly kind: "if";
  readonly condition: Expression;
  readonly then: readonly TemplatePart[];
  /** Undefined without an `else`. */
  readonly otherwise: readonly TemplatePart[] | undefined;
  /** The strip markers of the `if`, `else` and `endif` sequences. */
  readonly strips: { readonly if: Strip; readonly else?: Strip; readonly endif: Strip };
}

/** `%{ for k, v in … } … %{ endfor }` */
export interface TemplateFor extends SourceRange {
  readonly kind: "for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
  readonly body: readonly TemplatePart[];
  readonly strips: { readonly for: Strip; readonly endfor: Strip };
}

/** Which sides of a template sequence have the `~` marker. */
export interface Strip {
  readonly left: boolean;
  readonly right: boolean;
}

/** A root name: `var`, `each`, `conn3x_file`, a `for` variable. */
export interface Variable extends SourceRange {
  readonly kind: "variable";
  readonly name: string;
}

/** `object.name` */
export interface AttributeAccess extends SourceRange {
  readonly kind: "attributeAccess";
  readonly object: Expression;
  readonly name: string;
  readonly nameRange: SourceRange;
}

/** `collection[key]`, or the legacy `collection.0`. */
export interface IndexAccess extends SourceRange {
  readonly kind: "index";
  readonly collection: Expression;
  readonly key: Expression;
  readonly legacy: boolean;
}

/** `source.*.a.b` (attribute form, attribute steps only) or `source[*].a[0]` (full form). */
export interface Splat extends SourceRange {
  readonly kind: "splat";
  readonly form: "attribute" | "full";
  readonly source: Expression;
  readonly steps: readonly SplatStep[];
}

/** A nested splat, `[*]` or `.*` after a full splat, applies the steps it holds to each element of what it is applied to. */
export type SplatStep =
  | (SourceRange & { readonly kind: "attribute"; readonly name: string })
  | (SourceRange & { readonly kind: "index"; readonly key: Expression; readonly legacy: boolean })
  | (SourceRange & {
      readonly kind: "splat";
      readonly form: Splat["form"];
      readonly steps: readonly SplatStep[];
    });

export interface FunctionCall extends SourceRange {
  readonly kind: "call";
  /** With its namespaces: `provider::conn3x::name`. */
  readonly name: string;
  readonly nameRange: SourceRange;
  readonly args: readonly Expression[];
  /** Whether the last argument is followed by `...`. */
  readonly expandFinal: boolean;
}

export interface Unary extends SourceRange {
  readonly kind: "unary";
  readonly operator: "!" | "-";
  readonly operand: Expression;
}

export type BinaryOperator =
  | "||"
  | "&&"
  | "=="
  | "!="
  | "<"
  | ">"
  | "<="
  | ">="
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export interface Binary extends SourceRange {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Conditional extends SourceRange {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface Parentheses extends SourceRange {
  readonly kind: "parentheses";
  readonly inner: Expression;
}

export interface Tuple extends SourceRange {
  readonly kind: "tuple";
  readonly items: readonly Expression[];
}

export interface ObjectExpression extends SourceRange {
  readonly kind: "object";
  readonly items: readonly ObjectItem[];
}

export interface ObjectItem {
  /** A bare identifier as key is a {@link Variable} here; it means the string of its name. `(name)` means the variable. */
  readonly key: Expression;
  readonly value: Expression;
}

/** `[for k, v in c : value if cond]`, `{for k, v in c : key => value... if cond}` */
export interface For extends SourceRange {
  readonly kind: "for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
  /** Only in the object form. */
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  /** `...` after the value: values with equal keys are grouped. */
  readonly grouped: boolean;
}
