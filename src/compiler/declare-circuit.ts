/**
 * @module Reads a `circuit` block.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Block, Label } from "../hcl/tree.ts";
import { type BodyRules, readBody } from "./body-reader.ts";
import type { CircuitDeclaration, KindRegistry } from "./declaration.ts";
import { declareHandler } from "./declare-handler.ts";
import { declareSsh } from "./declare-ssh.ts";
import { declareStep } from "./declare-step.ts";
import { laterInCircuit } from "./later.ts";
import { nameProblem } from "./names.ts";
import { referenceList } from "./reference-list.ts";
import type { Report } from "./report.ts";

const rules: BodyRules = {
  where: "a circuit",
  attributes: ["hosts", "ssh", "depends_on"],
  blocks: ["ssh", "step", "handler"],
  later: laterInCircuit,
};

/** @returns undefined when the block has no usable name */
export function declareCircuit(
  block: Block,
  kinds: KindRegistry,
  report: Report,
): CircuitDeclaration | undefined {
  const name = nameLabel(block, "circuit", report);
  if (name === undefined) return undefined;
  const { attributes, blocks } = readBody(block.body, rules, report);
  const ofType = (type: string) => blocks.filter((candidate) => candidate.type === type);
  const hosts = attributes.get("hosts")?.expression;
  if (hosts === undefined) {
    report(
      errorDiagnostic(
        `Circuit "${name.value}" has no hosts`,
        'Name the machines it configures: hosts = { web1 = "10.0.1.5" }.',
        { range: block.header },
      ),
    );
  }
  const steps = ofType("step").flatMap((step) => declareStep(step, kinds, report) ?? []);
  const handlers = ofType("handler").flatMap((handler) => declareHandler(handler, kinds, report) ?? []);
  const dependsOn = attributes.get("depends_on");
  return {
    name: name.value,
    nameRange: name,
    block,
    hosts,
    ssh: declareSsh(attributes.get("ssh"), ofType("ssh"), "a circuit", report),
    dependsOn: dependsOn === undefined ? [] : referenceList(dependsOn, report),
    steps: withoutRepeats(steps, "step", report),
    handlers: withoutRepeats(handlers, "handler", report),
  };
}

/** The one label of a circuit, step or handler, when it may be a name. */
export function nameLabel(
  block: Block,
  role: "circuit" | "step" | "handler",
  report: Report,
): Label | undefined {
  const [label, extra] = block.labels;
  if (label === undefined || extra !== undefined) {
    const summary = label === undefined ? `This ${role} has no name` : `This ${role} has more than one name`;
    report(
      errorDiagnostic(summary, `Write one name in quotes: ${role} "${label?.value ?? "name"}" { … }.`, {
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

/** Reports every member whose name an earlier one has, and leaves it out. */
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
