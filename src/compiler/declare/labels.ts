/**
 * @module Labels of blocks: the names of circuits, steps, handlers, variables, outputs.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Block, Label } from "../../hcl/tree.ts";
import { isIdentifier } from "../../values/identifier.ts";
import { nameProblem } from "../names.ts";

/** The label of a circuit, step or handler, if it is a valid name; anything else is reported. */
export function nameLabel(
  block: Block,
  role: "circuit" | "step" | "handler",
  report: Report,
): Label | undefined {
  const [label, extra] = block.labels;
  if (label === undefined || extra !== undefined) {
    const summary = label === undefined ? `This ${role} has no name` : `This ${role} has more than one name`;
    report(
      errorDiagnostic(summary, `Write one name in quotes: ${role} ${quoted(label?.value ?? "name")} { … }.`, {
        range: extra ?? block.header,
      }),
    );
    return undefined;
  }
  const problem = nameProblem(role, label.value, label);
  if (problem === undefined) return label;
  report(problem);
  return undefined;
}

/** The name of a block with one label, when it is an identifier; anything else is reported. */
export function singleName(block: Block, report: Report): string | undefined {
  const [label, extra] = block.labels;
  if (label !== undefined && extra === undefined && isIdentifier(label.value)) return label.value;
  report(
    errorDiagnostic(
      `This ${block.type} is not named right`,
      `Write ${block.type} "name" { … }. A name has letters, digits, underscores and dashes, and does not start with a digit.`,
      { range: extra ?? label ?? block.header },
    ),
  );
  return undefined;
}

/** Reports a label on a block that takes none. */
export function checkNoLabels(block: Block, report: Report): void {
  const [label] = block.labels;
  if (label === undefined) return;
  report(errorDiagnostic(`"${block.type}" takes no name`, `Write ${block.type} { … }.`, { range: label }));
}

/** Reports and drops every member with the name of an earlier one. */
export function withoutRepeats<D extends { readonly name: string; readonly nameRange: SourceRange }>(
  members: readonly D[],
  role: "circuit" | "step" | "handler",
  report: Report,
): readonly D[] {
  const seen = new Map<string, D>();
  for (const member of members) {
    const first = seen.get(member.name);
    if (first === undefined) seen.set(member.name, member);
    else {
      report(
        errorDiagnostic(
          `Second ${role} "${member.name}"`,
          `The first is at ${placeOf(first.nameRange)}. Give this one a name of its own.`,
          { range: member.nameRange },
        ),
      );
    }
  }
  return [...seen.values()];
}

/** `main.circuit.hcl:12` */
export const placeOf = (range: SourceRange): string => `${range.file.name}:${range.file.lineOf(range.start)}`;
