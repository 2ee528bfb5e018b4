/**
 * @module Every kind there is. A new one is a folder beside this file and a line here.
 */
import { directoryKind } from "./directory/directory.ts";
import { fileKind } from "./file/file.ts";
import type { Kind, StepKind } from "./kind.ts";
import { serviceActionKind } from "./service_action/service-action.ts";

/** What a kind's facts say is known to the kind alone: others pass it from one of its functions to the next. */
const opaque = <F>(kind: StepKind<F>): Kind => kind as StepKind<unknown>;

/** By resource type: `conn3x_file`. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  [opaque(fileKind), opaque(directoryKind), serviceActionKind].map((kind) => [kind.type, kind]),
);
