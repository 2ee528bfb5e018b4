/**
 * @module All kinds. A new one is a folder next to this file and a line here; those of plug-ins are added at the start.
 */
import type { Plain } from "../values/plain.ts";
import { commandKind } from "./command/command.ts";
import { commandActionKind } from "./command_action/command-action.ts";
import { directoryKind } from "./directory/directory.ts";
import { factsKind } from "./facts/facts.ts";
import { fileKind } from "./file/file.ts";
import type { Kind, StepKind } from "./kind.ts";
import { lineKind } from "./line/line.ts";
import { linkKind } from "./link/link.ts";
import { packageKind } from "./package/package.ts";
import { rebootKind } from "./reboot/reboot.ts";
import { serviceKind } from "./service/service.ts";
import { serviceActionKind } from "./service_action/service-action.ts";
import { waitForKind } from "./wait_for/wait-for.ts";

/** What a kind's facts say is known to the kind alone: others pass it from one of its functions to the next. */
const opaque = <F, S extends Plain>(kind: StepKind<F, S>): Kind =>
  kind as unknown as StepKind<unknown, Plain>;

/** An `id` reveals the settings that it is made of, so it is as sensitive as they are. */
function withShownId<K extends Kind>(kind: K): K {
  const { schema } = kind;
  const attributes = Object.entries(schema.attributes).map(([name, attribute]) => [
    name,
    name === "id" ? { ...attribute, reveals: kind.id.from } : attribute,
  ]);
  return { ...kind, schema: { ...schema, attributes: Object.fromEntries(attributes) } };
}

const registered = new Map<string, Kind>(
  [
    opaque(fileKind),
    opaque(directoryKind),
    opaque(linkKind),
    opaque(lineKind),
    opaque(packageKind),
    opaque(serviceKind),
    opaque(commandKind),
    opaque(waitForKind),
    opaque(rebootKind),
    opaque(factsKind),
    serviceActionKind,
    commandActionKind,
  ].map((kind) => [kind.type, withShownId(kind)]),
);

/** The kinds of this process by resource type: `conn3x_file`. */
export const kinds: ReadonlyMap<string, Kind> = registered;

/**
 * Adds a plug-in's kind, before anything asks for kinds: a process works with one configuration directory, and everything in it
 * has the kinds of that.
 */
export function addKind(kind: Kind): void {
  registered.set(kind.type, withShownId(kind));
}
