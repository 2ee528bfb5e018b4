/**
 * @module Reads how a circuit, step or handler logs in: `ssh { … }` or `ssh = …`.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Attribute, Block, Expression, ObjectExpression } from "../../hcl/tree.ts";
import { sshBlock } from "../../resources/settings.ts";
import { warnOfRepeatedHops } from "../check/repeated-hops.ts";
import { literalKey } from "../hosts/literal.ts";
import { laterInSsh } from "../source/later.ts";
import { checkHops, checkOneWay, hopsOfBlocks } from "./bastions.ts";
import { notYet, onlyOne, readBody, suggestion } from "./body-reader.ts";
import type { SshDeclaration } from "./declaration.ts";
import { typeOfBlocks } from "./dynamic-block.ts";

const sshSettings: readonly string[] = [...Object.keys(sshBlock.attributes), ...Object.keys(sshBlock.blocks)];

/**
 * The login settings of a circuit in the schema's order: `bastion`, which is written as blocks or as a
 * list, is the last. The address comes from `hosts`.
 */
export const sharedSshSettings: readonly string[] = sshSettings.filter(
  (name) => name !== "address" && name !== "login",
);

/** The login settings that must not be stored with a resource, except for secrets of bastions. */
export const secretSettings: readonly string[] = sharedSshSettings.filter(
  (name) => sshBlock.attributes[name]?.sensitive,
);

/** The login settings that may be stored. */
export const plainSettings: readonly string[] = sharedSshSettings.filter(
  (name) => !secretSettings.includes(name),
);

/** Names that a later version may have. */
const later = laterInSsh.filter((name) => !sshSettings.includes(name));

const adviceOf = (name: string): string | undefined =>
  name === "address"
    ? "The address of a host is given in the circuit's hosts."
    : name === "login"
      ? "The compiler sets it, where there are secrets."
      : undefined;

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
      attributes: [...sharedSshSettings, ...later],
      blocks: ["bastion"],
      later,
      advice: adviceOf,
    },
    report,
  );
  const settings = new Map<string, Expression>();
  for (const [name, { expression }] of attributes) if (!later.includes(name)) settings.set(name, expression);
  const list = settings.get("bastion");
  if (list !== undefined) checkHops(list, report);
  if (list !== undefined && bastions.length > 0) report(bastionTwice(list));
  else if (bastions.length > 0) settings.set("bastion", hopsOfBlocks(bastions, report));
  checkOneWay(settings, report);
  warnOfRepeatedHops(settings, report);
  return { form: "block", range: block.header, settings };
}

function fromObject(object: ObjectExpression, report: Report): SshDeclaration {
  const settings = new Map<string, Expression>();
  for (const { key, value } of object.items) {
    const name = literalKey(key)!;
    if (checkSshSetting(name, key, sharedSshSettings, "ssh", report)) settings.set(name, value);
    if (name === "bastion") checkHops(value, report);
  }
  checkOneWay(settings, report);
  warnOfRepeatedHops(settings, report);
  return { form: "block", range: object, settings };
}

/**
 * Reports a name that is not among the allowed ones.
 *
 * @param of for messages: what has the settings
 */
export function checkSshSetting(
  name: string,
  range: SourceRange,
  allowed: readonly string[],
  of: string,
  report: Report,
): boolean {
  if (allowed.includes(name)) return true;
  const advice = adviceOf(name) ?? suggestion(name, allowed);
  report(
    later.includes(name)
      ? notYet(name, of, range)
      : errorDiagnostic(
          `Unknown setting ${quoted(name)}`,
          `There is no setting of that name in ${of}. ${advice}`,
          {
            range,
          },
        ),
  );
  return false;
}

const bastionTwice = (range: Expression) =>
  errorDiagnostic(
    '"bastion" is given twice',
    "Write blocks, one for each hop, or a list of them, not both.",
    {
      range,
    },
  );
