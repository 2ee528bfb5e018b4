/**
 * @module Trees as short texts, for tests to compare with.
 *
 * Calls and operators come in prefix form: `(+ 1 (* 2 a))`. Texts are JSON strings, parentheses of the source are
 * `(paren …)`.
 */
import type { Body, Expression, SplatStep, Strip, TemplatePart } from "./tree.ts";

export function outlineBody(body: Body): string {
  return body.items
    .map((item) => {
      if (item.kind === "attribute") return `${item.name}=${outline(item.expression)}`;
      const labels = item.labels.map(
        (label) => ` ${label.quoted ? JSON.stringify(label.value) : label.value}`,
      );
      return `${item.type}${labels.join("")}{${outlineBody(item.body)}}`;
    })
    .join("; ");
}

export function outline(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return expression.text;
    case "keyword":
      return String(expression.value);
    case "variable":
      return expression.name;
    case "template": {
      const parts = outlineParts(expression.parts);
      const { heredoc } = expression;
      return heredoc === undefined
        ? `\`${parts}\``
        : `<<${heredoc.indented ? "-" : ""}${heredoc.marker} ${parts}>>`;
    }
    case "attributeAccess":
      return `(. ${outline(expression.object)} ${expression.name})`;
    case "index":
      return `(${expression.legacy ? "legacy" : "[]"} ${outline(expression.collection)} ${outline(expression.key)})`;
    case "splat":
      return `(${expression.form === "full" ? "[*]" : ".*"} ${[outline(expression.source), ...expression.steps.map(outlineStep)].join(" ")})`;
    case "call":
      return `${expression.name}(${expression.args.map(outline).join(" ")}${expression.expandFinal ? " ..." : ""})`;
    case "unary":
      return `(${expression.operator} ${outline(expression.operand)})`;
    case "binary":
      return `(${expression.operator} ${outline(expression.left)} ${outline(expression.right)})`;
    case "conditional":
      return `(? ${outline(expression.condition)} ${outline(expression.then)} ${outline(expression.otherwise)})`;
    case "parentheses":
      return `(paren ${outline(expression.inner)})`;
    case "tuple":
      return `[${expression.items.map(outline).join(" ")}]`;
    case "object":
      return `{${expression.items.map((item) => `${outline(item.key)}=${outline(item.value)}`).join(" ")}}`;
    case "meant":
      return outline(expression.written);
    case "for": {
      const { keyName, valueName, collection, key, value, condition, grouped } = expression;
      const names = keyName === undefined ? valueName : `${keyName},${valueName}`;
      const result = `${key === undefined ? "" : `${outline(key)}=>`}${outline(value)}${grouped ? "..." : ""}`;
      const end = condition === undefined ? "" : ` if ${outline(condition)}`;
      return `(for ${names} in ${outline(collection)}: ${result}${end})`;
    }
  }
}

function outlineStep(step: SplatStep): string {
  switch (step.kind) {
    case "attribute":
      return `.${step.name}`;
    case "index":
      return step.legacy ? `.${outline(step.key)}` : `[${outline(step.key)}]`;
    case "splat":
      return `(${step.form === "full" ? "[*]" : ".*"}${step.steps.map((inner) => ` ${outlineStep(inner)}`).join("")})`;
  }
}

const strips = ({ left, right }: Strip): string => `${left ? "~" : ""}${right ? "^" : ""}`;

/** Literals as JSON strings; sequences with `~` for a marker at their beginning and `^` for one at their end. */
export const outlineParts = (parts: readonly TemplatePart[]): string => parts.map(outlinePart).join(" ");

function outlinePart(part: TemplatePart): string {
  switch (part.kind) {
    case "literal":
      return JSON.stringify(part.value);
    case "interpolation":
      return `\${${strips(part.strip)}${outline(part.expression)}}`;
    case "if": {
      const otherwise =
        part.otherwise === undefined
          ? ""
          : ` else${part.strips.else ? strips(part.strips.else) : ""} ${outlineParts(part.otherwise)}`;
      return `(if${strips(part.strips.if)} ${outline(part.condition)} ${outlineParts(part.then)}${otherwise} end${strips(part.strips.endif)})`;
    }
    case "for": {
      const names = part.keyName === undefined ? part.valueName : `${part.keyName},${part.valueName}`;
      return `(for${strips(part.strips.for)} ${names} in ${outline(part.collection)} ${outlineParts(part.body)} end${strips(part.strips.endfor)})`;
    }
  }
}
