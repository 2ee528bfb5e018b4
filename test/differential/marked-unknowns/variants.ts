/**
 * @module Calls of every function with arguments that are secret, unknown, or both, made of calls with plain arguments.
 */
import { hasErrors } from "../../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../../src/diagnostics/source.ts";
import { parseExpression } from "../../../src/hcl/parse/parse.ts";
import type { Expression, FunctionCall } from "../../../src/hcl/tree.ts";

/** An unknown value of the type that the expression has. Collections must not have a known length either. */
function unknown(text: string): string {
  const other = text.startsWith("tolist(")
    ? `slice(${text}, 0, 0)`
    : text.startsWith("toset(")
      ? `setunion(${text}, [9])`
      : text.startsWith("tomap(")
        ? `merge(${text}, tomap({ zz = ${text}["a"] }))`
        : text;
  return `(local.bool ? ${text} : ${other})`;
}
const secret = (text: string): string => `sensitive(${text})`;

/** The call that the text is, when all its arguments are literals. */
export function literalCall(text: string): FunctionCall | undefined {
  const { expression, diagnostics } = parseExpression(new SourceFile("expression", text));
  return !hasErrors(diagnostics) &&
    expression.kind === "call" &&
    !expression.expandFinal &&
    expression.args.length > 0 &&
    expression.args.every(isLiteral)
    ? expression
    : undefined;
}

function isLiteral(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "keyword":
      return true;
    case "template":
      return !textOf(expression).includes("${");
    case "unary":
      return isLiteral(expression.operand);
    case "tuple":
      return expression.items.every(isLiteral);
    case "object":
      return expression.items.every(({ value }) => isLiteral(value));
    case "call":
      return /^to(list|set|map)$/.test(expression.name) && expression.args.every(isLiteral);
    default:
      return false;
  }
}

const textOf = ({ file, start, end }: Expression): string => file.text.slice(start, end);

/** The elements of a collection that is written out, one level down. */
function elementsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "tuple":
      return expression.items;
    case "object":
      return expression.items.map(({ value }) => value);
    case "call":
      return expression.args.flatMap(elementsOf);
    default:
      return [];
  }
}

/** Each argument is secret and unknown, alone, beside others, inside; or one is secret and another one unknown. */
export function variantsOf(call: FunctionCall): readonly string[] {
  const { text } = call.file;
  const replaced = (edits: readonly (readonly [Expression, (text: string) => string])[]): string =>
    [...edits]
      .sort(([a], [b]) => b.start - a.start)
      .reduce(
        (all, [part, edit]) => all.slice(0, part.start) + edit(textOf(part)) + all.slice(part.end),
        text,
      );
  const both = (part: string): string => secret(unknown(part));
  const { args } = call;
  const variants = args.flatMap((argument, i) => {
    const others = args.filter((_, j) => j !== i);
    const elements = elementsOf(argument);
    const inner = elements.flatMap(elementsOf);
    const [first, second] = elements;
    return [
      replaced([[argument, secret]]),
      replaced([[argument, unknown]]),
      replaced([[argument, both]]),
      ...others.map((other) =>
        replaced([
          [argument, secret],
          [other, unknown],
        ]),
      ),
      ...others.map((other) =>
        replaced([
          [argument, both],
          [other, secret],
        ]),
      ),
      ...(first === undefined
        ? []
        : [
            replaced([[first, secret]]),
            replaced([[first, unknown]]),
            replaced([[first, both]]),
            ...others.map((other) =>
              replaced([
                [first, secret],
                [other, unknown],
              ]),
            ),
          ]),
      ...(first === undefined || second === undefined
        ? []
        : [
            replaced([
              [first, secret],
              [second, unknown],
            ]),
            replaced([
              [first, unknown],
              [second, secret],
            ]),
            replaced([[second, both]]),
          ]),
      ...(inner[0] === undefined ? [] : [replaced([[inner[0], both]]), replaced([[inner[0], secret]])]),
    ];
  });
  return [...new Set(variants)];
}
