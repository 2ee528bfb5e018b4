/**
 * @module The page of a step kind or handler kind.
 */
import type { Kind } from "../../resources/kind.ts";
import { examples } from "./examples.ts";
import { code, fenced, page } from "./markdown.ts";
import { attributesTable, settingsTable } from "./settings.ts";

/** What its page is called: a handler's kind by the block that is written. */
export const kindTitle = ({ name, role }: Kind): string =>
  role === "action" ? `Handler ${code(handlerBlock(name))}` : `Step ${code(name)}`;

/** `service_action` is written as a `service` block in a handler. */
const handlerBlock = (name: string): string => name.replace(/_action$/, "");

export const kindPath = ({ name, role }: Kind): string =>
  role === "action" ? `handlers/${handlerBlock(name)}.md` : `steps/${name}.md`;

export function kindPage(kind: Kind): string {
  const { role, schema, type } = kind;
  const example = examples[type.replace(/^conn3x_/, "")];
  const shared = [
    ...("ssh" in schema.blocks ? ["[`ssh`](../ssh.md): how the host is reached"] : []),
    ...("drift" in schema.blocks ? ["[`drift`](../drift.md): who owns what of the object"] : []),
  ];
  return page(
    `# ${kindTitle(kind)}`,
    schema.describe,
    example === undefined ? "" : fenced("hcl", example),
    "## Settings",
    settingsTable(schema),
    shared.length === 0 ? "" : `Blocks: ${shared.join("; ")}.`,
    "## What can be referred to",
    attributesTable(schema),
    `${role === "action" ? "Each notified handler" : "A step"} compiles to a resource ${code(type)}; the settings are the same there.`,
  );
}
