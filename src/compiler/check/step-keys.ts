/**
 * @module Checks keys in references to steps, `step.sites["blog"]`, if the text shows which keys there are.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { AttributeAccess, IndexAccess } from "../../hcl/tree.ts";
import type { StepDeclaration } from "../declare/declaration.ts";
import { literalKey } from "../hosts/literal.ts";
import { literalKeys } from "../hosts/literal-keys.ts";

/** @param node `step.NAME.x` or `step.NAME[x]` */
export function wrongKey(step: StepDeclaration, node: AttributeAccess | IndexAccess): Diagnostic | undefined {
  const isName = node.kind === "attributeAccess";
  const key = isName ? node.name : node.key.kind === "variable" ? undefined : literalKey(node.key);
  if (key === undefined) return undefined;
  const range = isName ? node.nameRange : node.key;
  const isAttribute = Object.keys(step.kind!.schema.attributes).includes(key);
  if (step.forEach === undefined) {
    // An attribute may be in brackets; without brackets it is checked with the resource's attributes.
    if (isName || isAttribute) return undefined;
    const detail = `It has no for_each, and so one instance on each host: write step.${step.name}.NAME.`;
    return errorDiagnostic(`Step "${step.name}" has no keys`, detail, { range });
  }
  const keys = literalKeys(step.forEach);
  if (keys === undefined || keys.includes(key)) return undefined;
  return errorDiagnostic(
    `Step "${step.name}" has no key ${quoted(key)}`,
    isName && isAttribute
      ? `It has a for_each, and so an instance for each of its keys: write step.${step.name}[${quoted(keys[0] ?? "KEY")}].${key}.`
      : `Its for_each has no such key. ${suggestion(key, keys)}`,
    { range },
  );
}
