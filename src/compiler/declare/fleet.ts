/**
 * @module How a circuit goes through its hosts: `rollout`, `order`, `on_failure`, `on_host_gone`.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block } from "../../hcl/tree.ts";
import { checkAmount, checkDuration } from "../check/literal-values.ts";
import { literalString } from "../hosts/literal.ts";
import type { Rollout } from "../model.ts";
import { type BodyContent, onlyOne, readBody } from "./body-reader.ts";
import type { FleetSettings } from "./declaration.ts";

const rolloutSettings = ["batch", "max_failures", "pause"];

export const fleetAttributes: readonly string[] = ["order", "on_failure", "on_host_gone"];

export function declareFleet({ attributes, blocks }: BodyContent, report: Report): FleetSettings {
  const rollout = onlyOne(
    blocks.filter((block) => block.type === "rollout"),
    "a circuit",
    report,
  );
  return {
    rollout: rollout === undefined ? undefined : declareRollout(rollout, report),
    order: oneWord(attributes.get("order"), ["step", "host"], report) ?? "step",
    onFailure: oneWord(attributes.get("on_failure"), ["host", "stop"], report) ?? "host",
    onHostGone: oneWord(attributes.get("on_host_gone"), ["fail", "forget"], report) ?? "fail",
  };
}

function declareRollout(block: Block, report: Report): Rollout {
  const { attributes } = readBody(
    block.body,
    { where: "rollout", attributes: rolloutSettings, nullable: rolloutSettings, blocks: [] },
    report,
  );
  const [batch, maxFailures, pause] = rolloutSettings.map((name) => attributes.get(name)?.expression);
  // An empty list is checked as a missing size.
  const sizes = batch?.kind === "tuple" && batch.items.length > 0 ? batch.items : [batch];
  for (const size of sizes) checkAmount(size, 1, report);
  checkAmount(maxFailures, 0, report);
  checkDuration(pause, report);
  return { batch, maxFailures, pause };
}

/** A setting with a few possible words, which must be a literal: the order of everything depends on it. */
function oneWord<W extends string>(
  attribute: Attribute | undefined,
  words: readonly W[],
  report: Report,
): W | undefined {
  if (attribute === undefined) return undefined;
  const text = literalString(attribute.expression);
  const word = words.find((one) => one === text);
  if (word === undefined) {
    report(
      errorDiagnostic(
        `"${attribute.name}" must be one of a few words`,
        `Write ${words.map((one) => `"${one}"`).join(" or ")}.`,
        { range: attribute.expression },
      ),
    );
  }
  return word;
}
