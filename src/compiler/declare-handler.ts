/**
 * @module Reads a `handler` block.
 */
import type { Block } from "../hcl/tree.ts";
import { readBody } from "./body-reader.ts";
import type { HandlerDeclaration, KindRegistry } from "./declaration.ts";
import { declareKind } from "./declare-kind.ts";
import { declareSsh } from "./declare-ssh.ts";
import { nameLabel } from "./labels.ts";
import { laterInHandler } from "./later.ts";
import type { Report } from "./report.ts";

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
      blocks: ["ssh"],
      later: laterInHandler,
      otherBlocks: true,
      advice,
    },
    report,
  );
  const [logins, others] = [true, false].map((ssh) => blocks.filter((item) => (item.type === "ssh") === ssh));
  return {
    name: name.value,
    nameRange: name,
    block,
    ...declareKind(block, "handler", others!, kinds, report),
    ssh: declareSsh(attributes.get("ssh"), logins!, "a handler", report),
  };
}

function advice(name: string): string | undefined {
  switch (name) {
    case "for_each":
      return "A handler has one instance per host.";
    case "notify":
      return "Only a step notifies. What must follow a handler goes into a second circuit that depends on this one.";
    case "depends_on":
      return "A handler runs after all steps of its circuit and the handlers before it.";
    default:
      return undefined;
  }
}
