/**
 * @module Reads a `circuit` block.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import { type BodyRules, readBody } from "./body-reader.ts";
import { declareCircuitMove } from "./circuit-moves.ts";
import type { CircuitDeclaration, KindRegistry } from "./declaration.ts";
import { declareFleet, fleetAttributes } from "./fleet.ts";
import { declareHandler } from "./handler.ts";
import { nameLabel, withoutRepeats } from "./labels.ts";
import { referenceList } from "./reference-list.ts";
import { declareSsh } from "./ssh.ts";
import { declareStep } from "./step.ts";

const rules: BodyRules = {
  where: "a circuit",
  attributes: ["hosts", "ssh", "depends_on", ...fleetAttributes],
  nullable: ["ssh", "depends_on", ...fleetAttributes],
  blocks: ["ssh", "step", "handler", "rollout", "moved"],
};

/** @returns undefined when the block has no usable name */
export function declareCircuit(
  block: Block,
  kinds: KindRegistry,
  report: Report,
): CircuitDeclaration | undefined {
  const name = nameLabel(block, "circuit", report);
  if (name === undefined) return undefined;
  const content = readBody(block.body, rules, report);
  const { attributes, blocks } = content;
  const ofType = (type: string) => blocks.filter((candidate) => candidate.type === type);
  const hosts = attributes.get("hosts")?.expression;
  const isBlock = block.body.items.some((item) => item.kind === "block" && item.type === "hosts");
  if (hosts === undefined && !isBlock) {
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
    fleet: declareFleet(content, report),
    moves: ofType("moved").flatMap((moved) => declareCircuitMove(moved, report) ?? []),
    steps: withoutRepeats(steps, "step", report),
    handlers: withoutRepeats(handlers, "handler", report),
  };
}
