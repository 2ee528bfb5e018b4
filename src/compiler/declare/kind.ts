/**
 * @module Finds the one kind block of a step or handler.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import { factsType } from "../names.ts";
import type { KindDeclaration, KindRegistry } from "./declaration.ts";

export interface DeclaredKind {
  readonly kind: KindDeclaration | undefined;
  readonly settings: Block | undefined;
}

/**
 * @param member the whole step or handler
 * @param blocks its blocks that have no other meaning
 */
export function declareKind(
  member: Block,
  role: "step" | "handler",
  blocks: readonly Block[],
  kinds: KindRegistry,
  report: Report,
): DeclaredKind {
  const wanted = role === "step" ? "step" : "action";
  const known = new Map<string, KindDeclaration>();
  for (const kind of kinds.values()) {
    if (kind.role === wanted && kind.type !== factsType) known.set(kind.name, kind);
  }
  const found = blocks.filter((block) => known.has(block.type));
  for (const block of blocks) {
    if (!known.has(block.type)) reportUnknown(block, role, [...known.keys()].sort(), report);
    else if (block.labels.length > 0) reportLabel(block, report);
  }
  const [first, second] = found;
  if (second !== undefined) {
    report(
      errorDiagnostic(
        `This ${role} has two kinds`,
        `"${first!.type}" comes first. ${role === "step" ? "Give each a step of its own: they run in the order they are written." : "Give each a handler of its own."}`,
        { range: second.header },
      ),
    );
    return { kind: undefined, settings: undefined };
  }
  if (first === undefined) {
    // An unknown block that was meant as the kind, or a kind written as an argument, has been reported.
    const isArgument = member.body.items.some((item) => item.kind === "attribute" && known.has(item.name));
    if (blocks.length === 0 && !isArgument) reportNone(member, role, [...known.keys()].sort(), report);
    return { kind: undefined, settings: undefined };
  }
  return { kind: known.get(first.type), settings: first };
}

function reportUnknown(block: Block, role: string, known: readonly string[], report: Report): void {
  report(
    errorDiagnostic(
      `Unknown kind of ${role} ${quoted(block.type)}`,
      `There is no kind of ${role} of that name. ${block.type === "facts" ? "What is found on a host is host.facts, without a step." : suggestion(block.type, known)}`,
      { range: block.typeRange },
    ),
  );
}

function reportLabel(block: Block, report: Report): void {
  report(
    errorDiagnostic(
      `${quoted(block.type)} takes no name`,
      "The step or handler around it has the name. Remove what stands between the word and the brace.",
      { range: block.labels[0]! },
    ),
  );
}

function reportNone(member: Block, role: string, known: readonly string[], report: Report): void {
  report(
    errorDiagnostic(
      `This ${role} has no kind`,
      `Say what it does with one block: ${known.map((name) => `${name} { … }`).join(", ")}.`,
      { range: member.header },
    ),
  );
}
