/**
 * @module Reads a `handler` block.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import { readBody } from "./body-reader.ts";
import type { HandlerDeclaration, KindRegistry } from "./declaration.ts";
import { declareKind } from "./kind.ts";
import { nameLabel } from "./labels.ts";
import { declareSsh } from "./ssh.ts";

/** @returns undefined when the block has no usable name */
export function declareHandler(
  block: Block,
  kinds: KindRegistry,
  report: Report,
): HandlerDeclaration | undefined {
  const name = nameLabel(block, "handler", report);
  if (name === undefined) return undefined;
  const { attributes, blocks } = readBody(
    block.body,
    {
      where: "a handler",
      attributes: ["ssh"],
      nullable: ["ssh"],
      blocks: ["ssh"],
      otherBlocks: true,
      advice,
    },
    report,
  );
  const logins = blocks.filter((item) => item.type === "ssh");
  for (const item of blocks) if (ofSteps.includes(item.type)) reportOfSteps(item, report);
  const others = blocks.filter((item) => item.type !== "ssh" && !ofSteps.includes(item.type));
  return {
    name: name.value,
    nameRange: name,
    block,
    ...declareKind(block, "handler", others, kinds, report),
    ssh: declareSsh(attributes.get("ssh"), logins, "a handler", report),
  };
}

const ofSteps: readonly string[] = ["drift", "retries", "lifecycle"];

const reportOfSteps = ({ type, typeRange }: Block, report: Report): void =>
  report(
    errorDiagnostic(
      `"${type}" does not go here`,
      "It is for steps only: a handler is nothing but an action.",
      {
        range: typeRange,
      },
    ),
  );

function advice(name: string): string | undefined {
  switch (name) {
    case "for_each":
      return "A handler has one instance per host.";
    case "notify":
      return "Only a step notifies. What must follow a handler goes into a second circuit that depends on this one.";
    case "when":
      return "A handler applies where a step applies that notifies it. Put the condition into these steps.";
    case "run_once":
    case "run_on":
      return "A handler runs on each host where a step that notifies it changed something.";
    case "ignore_errors":
    case "on_remove":
      return "It is for steps only.";
    case "depends_on":
      return "A handler runs after all steps of its circuit and the handlers before it.";
    default:
      return undefined;
  }
}
