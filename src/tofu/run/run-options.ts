/**
 * @module Options of a run by another engine.
 */
import type { EventSink, Plan, SelectionNames, VariableInput } from "../../engine/index.ts";
import type { SessionOptions } from "../program/session.ts";
import type { RunSettings } from "./plan-run.ts";

export interface ExternalRunOptions extends SessionOptions, RunSettings, SelectionNames {
  /** Values of variables, for what is evaluated here: how circuits go through their hosts. Lowest precedence first. */
  readonly inputs: readonly VariableInput[];
  readonly mode: Plan["mode"];
  readonly refresh: boolean;
  /** Addresses of instances to be replaced whatever they are like. */
  readonly replace?: readonly string[];
  readonly events: EventSink;
}
