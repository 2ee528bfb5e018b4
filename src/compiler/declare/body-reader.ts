/**
 * @module Sorts the content of a block by what the language allows there, and says what is wrong with the rest.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { notYet } from "../../diagnostics/not-yet.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Attribute, Block, Body } from "../../hcl/tree.ts";
import { isNullLiteral } from "../hosts/literal.ts";
import { checkNoLabels } from "./labels.ts";

export interface BodyRules {
  /** For messages: `a step`. */
  readonly where: string;
  readonly attributes: readonly string[];
  readonly blocks: readonly string[];
  /** Attributes for which a literal `null` means the same as no attribute, as in OpenTofu. */
  readonly nullable?: readonly string[];
  /** Names of the language that this version does not support: an error where they are written. */
  readonly later?: readonly string[];
  /** Whether blocks of other types are left to the caller. */
  readonly otherBlocks?: boolean;
  /** A sentence about a name that is not allowed here; undefined when there is nothing special to say. */
  readonly advice?: (name: string) => string | undefined;
}

export interface BodyContent {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: readonly Block[];
}

/** @returns the allowed items, the first of each attribute; everything else was reported once */
export function readBody(body: Body, rules: BodyRules, report: Report): BodyContent {
  const attributes = new Map<string, Attribute>();
  const blocks: Block[] = [];
  for (const item of body.items) {
    if (item.kind === "block") {
      if (rules.blocks.includes(item.type) || rules.otherBlocks) blocks.push(item);
      else report(strayBlock(item, rules));
    } else if (!rules.attributes.includes(item.name)) report(strayAttribute(item, rules));
    // The parser reports a second one of the same name.
    else if (!attributes.has(item.name) && !isLeftOut(item, rules)) attributes.set(item.name, item);
  }
  for (const { name, nameRange } of attributes.values()) reportLater(name, rules, nameRange, report);
  for (const { type, typeRange } of blocks) reportLater(type, rules, typeRange, report);
  return { attributes, blocks };
}

const isLeftOut = ({ name, expression }: Attribute, { nullable }: BodyRules): boolean =>
  nullable?.includes(name) === true && isNullLiteral(expression);

function reportLater(name: string, rules: BodyRules, range: SourceRange, report: Report): void {
  if (rules.later?.includes(name)) report(notYet(name, rules.where, range));
}

function strayAttribute(attribute: Attribute, rules: BodyRules): Diagnostic {
  const { name, nameRange: range } = attribute;
  if (rules.blocks.includes(name)) {
    return errorDiagnostic(
      `${quoted(name)} is a block`,
      `In ${rules.where} it is written without an equals sign: ${name} { … }.`,
      { range },
    );
  }
  return errorDiagnostic(
    `Unknown argument ${quoted(name)}`,
    unknownDetail(name, rules, `There is no argument of that name in ${rules.where}.`),
    { range },
  );
}

function strayBlock(block: Block, rules: BodyRules): Diagnostic {
  const { type, typeRange: range } = block;
  if (rules.attributes.includes(type)) {
    return errorDiagnostic(
      `${quoted(type)} is an argument`,
      `In ${rules.where} it is written with an equals sign: ${type} = ….`,
      { range },
    );
  }
  return errorDiagnostic(
    `Unknown block ${quoted(type)}`,
    unknownDetail(type, rules, `There is no block of that type in ${rules.where}.`),
    { range },
  );
}

function unknownDetail(name: string, rules: BodyRules, what: string): string {
  const advice = rules.advice?.(name);
  if (advice !== undefined) return `${what} ${advice}`;
  const names = [...rules.attributes, ...rules.blocks].filter((one) => !rules.later?.includes(one));
  const allowed = [...new Set(names)].sort();
  return `${what} ${suggestion(name, allowed)}`;
}

/** Reports every block after the first, and labels on any of them; returns the first. */
export function onlyOne(blocks: readonly Block[], where: string, report: Report): Block | undefined {
  for (const block of blocks) checkNoLabels(block, report);
  for (const extra of blocks.slice(1)) {
    report(
      errorDiagnostic(`Second "${extra.type}" block`, `There can be only one in ${where}. Merge them.`, {
        range: extra.header,
      }),
    );
  }
  return blocks[0];
}
