/**
 * @module The `drift` block of a step, which becomes a block of its resource.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import { ownableSettings, whyNotOwnable } from "../../schema/ownable.ts";
import type { BlockSchema } from "../../schema/schema.ts";
import { checkSettings } from "../check/settings.ts";
import { literalString } from "../hosts/literal.ts";
import type { KindDeclaration } from "./declaration.ts";

/**
 * Reports the block for a kind that reads nothing, and every name in `ignore` that cannot be left to somebody else.
 *
 * @returns the block without what was reported; undefined when nothing is left
 */
export function checkDrift(drift: Block, kind: KindDeclaration, report: Report): Block | undefined {
  const schema = kind.schema.blocks.drift;
  if (schema === undefined) {
    report(
      errorDiagnostic(
        `"drift" means nothing for "${kind.name}"`,
        "Nothing that it sets is read from the host, so nothing of it can be seen to change there. Remove the block.",
        { range: drift.header },
      ),
    );
    return undefined;
  }
  const body = checkSettings(drift.body, schema, { what: "drift", block: drift }, report);
  checkIgnored(drift, kind, report);
  return { ...drift, body };
}

function checkIgnored(drift: Block, kind: KindDeclaration, report: Report): void {
  const ignore = drift.body.items.find((item) => item.kind === "attribute" && item.name === "ignore");
  if (ignore?.kind !== "attribute" || ignore.expression.kind !== "tuple") return;
  for (const item of ignore.expression.items) {
    const name = literalString(item);
    const problem = name === undefined ? undefined : whyNotIgnored(name, kind.schema);
    if (name === undefined || problem === undefined) continue;
    report(errorDiagnostic(`${quoted(name)} cannot be left to somebody else`, problem, { range: item }));
  }
}

function whyNotIgnored(name: string, schema: BlockSchema): string | undefined {
  const reason = whyNotOwnable(schema, name);
  if (reason === undefined) return undefined;
  const able = ownableSettings(schema);
  const choice = Object.hasOwn(schema.attributes, name) ? suggestion("", able) : suggestion(name, able);
  return `${quoted(name)} ${reason} ${choice}`;
}
