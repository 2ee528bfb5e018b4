/**
 * @module Reads how a circuit, step or handler logs in: `ssh { … }` or `ssh = …`.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Expression, ObjectExpression } from "../../hcl/tree.ts";
import {
  adviceOf,
  checkHops,
  checkOneJumpPath,
  checkSshSetting,
  laterSettings,
  sharedSshSettings,
  warnOfRepeatedHops,
} from "../../login/index.ts";
import { givenSettings, givenText } from "../hosts/given-text.ts";
import { literalKey } from "../hosts/literal.ts";
import { hopsOfBlocks } from "./bastions.ts";
import { onlyOne, readBody } from "./body-reader.ts";
import type { SshDeclaration } from "./declaration.ts";
import { typeOfBlocks } from "./dynamic-block.ts";

/**
 * @param attribute `ssh = …`, where there is one
 * @param blocks all `ssh` blocks beside it
 * @param where `a circuit`, for messages
 */
export function declareSsh(
  attribute: Attribute | undefined,
  blocks: readonly Block[],
  where: string,
  report: Report,
): SshDeclaration | undefined {
  const block = onlyOne(blocks, where, report);
  if (attribute !== undefined && block !== undefined) {
    report(
      errorDiagnostic('"ssh" is given twice', `Use either a block or an argument in ${where}, not both.`, {
        range: block.header,
      }),
    );
  }
  if (block !== undefined) return fromBlock(block, report);
  if (attribute === undefined) return undefined;
  const value = attribute.expression;
  return value.kind === "object" && value.items.every((item) => literalKey(item.key) !== undefined)
    ? fromObject(value, report)
    : { form: "object", range: value, object: value };
}

function fromBlock(block: Block, report: Report): SshDeclaration {
  // In the order of the text.
  const bastions = block.body.items.filter(
    (item): item is Block => item.kind === "block" && typeOfBlocks(item) === "bastion",
  );
  const { attributes } = readBody(
    {
      ...block.body,
      items: block.body.items.filter((item) => item.kind === "attribute" || !bastions.includes(item)),
    },
    {
      where: "ssh",
      attributes: [...sharedSshSettings, ...laterSettings],
      blocks: ["bastion"],
      later: laterSettings,
      advice: adviceOf,
    },
    report,
  );
  const settings = new Map<string, Expression>();
  for (const [name, { expression }] of attributes)
    if (!laterSettings.includes(name)) settings.set(name, expression);
  const list = settings.get("bastion");
  if (list !== undefined) checkHops(givenText(list), report);
  if (list !== undefined && bastions.length > 0) report(bastionTwice(list));
  else if (bastions.length > 0) settings.set("bastion", hopsOfBlocks(bastions, report));
  checkJumpPath(settings, report);
  return { form: "block", range: block.header, settings };
}

function fromObject(object: ObjectExpression, report: Report): SshDeclaration {
  const settings = new Map<string, Expression>();
  for (const { key, value } of object.items) {
    const name = literalKey(key)!;
    if (checkSshSetting(name, key, sharedSshSettings, "ssh", report)) settings.set(name, value);
    if (name === "bastion") checkHops(givenText(value), report);
  }
  checkJumpPath(settings, report);
  return { form: "block", range: object, settings };
}

function checkJumpPath(settings: ReadonlyMap<string, Expression>, report: Report): void {
  const given = givenSettings(settings);
  checkOneJumpPath(given, report);
  warnOfRepeatedHops(given, report);
}

const bastionTwice = (range: Expression) =>
  errorDiagnostic(
    '"bastion" is given twice',
    "Write blocks, one for each hop, or a list of them, not both.",
    {
      range,
    },
  );
