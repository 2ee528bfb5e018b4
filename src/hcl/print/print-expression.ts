/**
 * @module Expression tree → text that means the same. White space is made canonical afterwards, by the formatter.
 */
import { isIdentifier } from "../../values/identifier.ts";
import type {
  BinaryOperator,
  Expression,
  For,
  FunctionCall,
  ObjectExpression,
  ObjectItem,
  Splat,
  SplatStep,
} from "../tree.ts";
import { concatenate, enclose, type Fragment, fragment, isMultiline, separate } from "./print-fragment.ts";
import { printTemplate } from "./print-template.ts";
import { quote } from "./quote.ts";

/** Lists and objects that would be wider are printed over several lines. */
const maximumWidth = 100;

/** How tight an expression's outermost operator binds: what has less than its context needs is put into parentheses. */
const tightness = { conditional: 0, unary: 7, postfix: 8 } as const;

const binaryTightness: Readonly<Record<BinaryOperator, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};

function tightnessOf(expression: Expression): number {
  switch (expression.kind) {
    case "conditional":
      return tightness.conditional;
    case "binary":
      return binaryTightness[expression.operator];
    case "unary":
      return tightness.unary;
    default:
      return tightness.postfix;
  }
}

export function print(expression: Expression): Fragment {
  switch (expression.kind) {
    case "number":
      return fragment(expression.text);
    case "keyword":
      return fragment(String(expression.value));
    case "variable":
      return fragment(expression.name);
    case "template":
      return printTemplate(expression, print);
    case "attributeAccess":
      return printAttribute(expression.object, expression.name);
    case "index":
      return printIndex(expression.collection, expression.key, expression.legacy);
    case "splat":
      return printSplat(expression);
    case "call":
      return printCall(expression);
    case "unary":
      return concatenate(expression.operator, printTight(expression.operand, tightness.unary));
    case "binary": {
      const own = binaryTightness[expression.operator];
      const right = printTight(expression.right, own + 1);
      return concatenate(printTight(expression.left, own), ` ${expression.operator} `, right);
    }
    case "conditional": {
      const condition = printTight(expression.condition, 1);
      return concatenate(condition, " ? ", print(expression.then), " : ", print(expression.otherwise));
    }
    case "parentheses":
      return parenthesize(print(expression.inner));
    case "tuple":
      return printList("[", expression.items.map(print), "]");
    case "object":
      return printObject(expression, false);
    case "for":
      return printFor(expression);
    case "meant":
      return print(expression.written);
  }
}

/** An expression where line ends count: as an attribute's value, or an object's. An object there has a line per item. */
export function printValue(expression: Expression): Fragment {
  const printed = expression.kind === "object" ? printObject(expression, true) : print(expression);
  return printed.broken ? parenthesize(printed) : printed;
}

const parenthesize = (inner: Fragment): Fragment => enclose("(", [inner], ")");

const printTight = (expression: Expression, least: number): Fragment =>
  tightnessOf(expression) < least ? parenthesize(print(expression)) : print(expression);

/**
 * What an access is applied to.
 *
 * @param byDot whether a dot follows. One would become part of a number, and, as any access does to a full splat,
 *   part of an attribute splat.
 */
function printSource(source: Expression, byDot: boolean): Fragment {
  const absorbs = source.kind === "splat" && (source.form === "full" || byDot);
  const isNumber = source.kind === "number";
  const isHeredoc = source.kind === "template" && source.form === "heredoc";
  return absorbs || isNumber || isHeredoc
    ? parenthesize(print(source))
    : printTight(source, tightness.postfix);
}

/** A name that is no identifier, which only trees made by us have, is an index. */
const printAttribute = (object: Expression, name: string): Fragment =>
  isIdentifier(name)
    ? concatenate(printSource(object, true), ".", name)
    : concatenate(printSource(object, false), `[${quote(name)}]`);

function printIndex(collection: Expression, key: Expression, legacy: boolean): Fragment {
  // Two legacy indexes in a row would look like a number with a decimal point.
  const byDot = legacy && key.kind === "number" && !(collection.kind === "index" && collection.legacy);
  const source = printSource(collection, byDot);
  return byDot ? concatenate(source, ".", print(key)) : concatenate(source, enclose("[", [print(key)], "]"));
}

function printSplat({ form, source, steps }: Splat): Fragment {
  const chained = steps.some((step, index) => isLegacyIndex(step) && isLegacyIndex(steps[index - 1]));
  if (form === "attribute" && chained) {
    return parenthesize(
      concatenate(printSource(source, false), "[*]", ...steps.map((step) => printStep(step, false))),
    );
  }
  const byDot = form === "attribute";
  return concatenate(printSource(source, byDot), byDot ? ".*" : "[*]", ...printSteps(steps));
}

const isLegacyIndex = (step: SplatStep | undefined): boolean => step?.kind === "index" && step.legacy;

const printSteps = (steps: readonly SplatStep[]): Fragment[] =>
  steps.map((step, index) => printStep(step, !isLegacyIndex(steps[index - 1])));

function printStep(step: SplatStep, mayBeLegacy: boolean): Fragment {
  switch (step.kind) {
    case "attribute":
      return fragment(`.${step.name}`);
    case "index":
      return step.legacy && mayBeLegacy
        ? concatenate(".", print(step.key))
        : enclose("[", [print(step.key)], "]");
    case "splat":
      return concatenate(step.form === "full" ? "[*]" : ".*", ...printSteps(step.steps));
  }
}

function printCall({ name, args, expandFinal }: FunctionCall): Fragment {
  const printed = args.map(print);
  const end = expandFinal ? "...)" : ")";
  const width = printed.reduce((sum, arg) => sum + arg.text.length + 2, name.length);
  const several = printed.filter(isMultiline).length > 1 || (width > maximumWidth && printed.length > 1);
  if (!several || expandFinal) return enclose(`${name}(`, separate(printed, ", "), end);
  return enclose(`${name}(\n`, separate(printed, ",\n"), `\n${end}`);
}

function printList(open: string, items: readonly Fragment[], close: string): Fragment {
  const width = items.reduce((sum, item) => sum + item.text.length + 2, 0);
  const several = width > maximumWidth || (items.length > 1 && items.some(isMultiline));
  if (!several) return enclose(open, separate(items, ", "), close);
  return enclose(`${open}\n`, [...separate(items, ",\n"), ","], `\n${close}`);
}

/** @param several whether each item has a line of its own in any case */
function printObject({ items }: ObjectExpression, several: boolean): Fragment {
  if (items.length === 0) return fragment("{}");
  const printed = items.map((item, index) =>
    concatenate(printKey(item, index), " = ", printValue(item.value)),
  );
  const width = printed.reduce((sum, item) => sum + item.text.length + 2, 0);
  if (several || width > maximumWidth || printed.some(isMultiline)) {
    return enclose("{\n", separate(printed, "\n"), "\n}");
  }
  return enclose("{ ", separate(printed, ", "), " }");
}

/** A bare key is an identifier, not `null`, and at an object's beginning not `for`; any other name is quoted. */
function printKey({ key }: ObjectItem, index: number): Fragment {
  if (key.kind === "variable") {
    const isBare = isIdentifier(key.name) && key.name !== "null" && !(key.name === "for" && index === 0);
    return fragment(isBare ? key.name : quote(key.name));
  }
  const printed = print(key);
  return printed.broken || printed.endsInHeredoc ? parenthesize(printed) : printed;
}

function printFor(expression: For): Fragment {
  const { keyName, valueName, collection, key, value, condition, grouped } = expression;
  const names = keyName === undefined ? valueName : `${keyName}, ${valueName}`;
  const [open, close] = key === undefined ? ["[", "]"] : ["{ ", " }"];
  return enclose(
    `${open}for ${names} in `,
    [
      print(collection),
      " : ",
      ...(key === undefined ? [] : [print(key), " => "]),
      print(value),
      grouped ? "..." : "",
      ...(condition === undefined ? [] : [" if ", print(condition)]),
    ],
    close,
  );
}
