/**
 * @module The page of a step kind or handler kind.
 */
import type { Kind } from "../../resources/kind.ts";
import { examples } from "./examples.ts";
import { code, fenced, page } from "./markdown.ts";
import { attributesTable, settingsTable } from "./settings.ts";

/** Facts are no step: the compiler makes their resource where something in a circuit refers to them. */
export const isFacts = ({ type }: Kind): boolean => type === "conn3x_facts";

/** What its page is called: a handler's kind by the block that is written. */
export function kindTitle(kind: Kind): string {
  if (isFacts(kind)) return `Facts: ${code("host.facts")}`;
  const { name, role } = kind;
  return role === "action" ? `Handler ${code(handlerBlock(name))}` : `Step ${code(name)}`;
}

/** `service_action` is written as a `service` block in a handler. */
const handlerBlock = (name: string): string => name.replace(/_action$/, "");

export function kindPath(kind: Kind): string {
  if (isFacts(kind)) return "facts.md";
  const { name, role } = kind;
  return role === "action" ? `handlers/${handlerBlock(name)}.md` : `steps/${name}.md`;
}

export function kindPage(kind: Kind): string {
  const { schema, type } = kind;
  const example = examples[type.replace(/^conn3x_/, "")];
  const root = isFacts(kind) ? "" : "../";
  const shared = [
    ...("ssh" in schema.blocks ? [`[\`ssh\`](${root}ssh.md): how the host is reached`] : []),
    ...("drift" in schema.blocks ? [`[\`drift\`](${root}drift.md): who owns what of the object`] : []),
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
    origin(kind),
  );
}

function origin(kind: Kind): string {
  if (isFacts(kind))
    return `A circuit in which something refers to ${code("host.facts")} gets one resource ${code(kind.type)} for its hosts: there is no step of that name. The settings are those of the resource.`;
  const what = kind.role === "action" ? "Each notified handler" : "A step";
  return `${what} compiles to a resource ${code(kind.type)}; the settings are the same there.`;
}
