/**
 * @module `conn3x/kind`: what a step kind of one's own is written with.
 *
 * A kind is pure: it declares settings, asks about its objects in one POSIX `sh` script, reads the answer, and gives the
 * operations to carry out as plain data. Conn3x does the rest: it connects, compares, decides, keeps the revision, and holds
 * every engine's rules. What is exported here follows semantic versioning.
 *
 * @example
 * export const kinds = [
 *   stepKind({
 *     name: "motd_part",
 *     schema: hostResource("A part of the message of the day.", {
 *       name: string({ required: true, identity: true, describe: "Name of the part." }),
 *       text: string({ required: true, observed: true, describe: "Its text." }),
 *     }),
 *     …
 *   }),
 * ];
 */
import type { ActionKind, Kind, StepKind } from "../resources/kind.ts";
import type { Plain } from "../values/plain.ts";

// Problems.
export {
  type Diagnostic,
  type DiagnosticLocation,
  errorDiagnostic,
  warningDiagnostic,
} from "../diagnostics/diagnostic.ts";
// The parts of a kind.
export {
  type ActionKind,
  AnswerError,
  type Closer,
  type Effect,
  type Facts,
  type Found,
  type Identifier,
  type Kind,
  type LocalFile,
  type LocalFiles,
  type Look,
  type Need,
  type Renewal,
  type StepKind,
} from "../resources/kind.ts";
// What is done on a host, as data.
export type {
  CommandAnswer,
  CommandOperation,
  LocalContent,
  Operation,
  PutOperation,
  Question,
  Refusal,
  ScriptOperation,
  WaitOperation,
} from "../resources/operation.ts";
export { hostResource, onRemove } from "../resources/settings.ts";
// Decisions.
export type { ChangeQuestion, Changing } from "../revision/decide.ts";
export type { ChangeAnswer } from "../revision/decision.ts";
export type { ResourceDiff } from "../revision/resource-diff.ts";
// Settings.
export {
  type AttributeOptions,
  type AttributeSchema,
  type BlockSchema,
  bool,
  dynamic,
  number,
  numberList,
  oneOf,
  type ResourceSchema,
  string,
  stringList,
  stringMap,
  type Show,
} from "../schema/schema.ts";
// Shell text.
export { type Interpolated, lines, quote, raw, type Script, script } from "../script/script.ts";
export { saySlow } from "../script/slowly.ts";
// Objects.
export { at, type Path } from "../values/path.ts";
export type { Plain, PlainObject } from "../values/plain.ts";

/** What a kind leaves to {@link stepKind} and {@link actionKind}. */
type Given = "role" | "type";

/**
 * A kind whose objects are on hosts and can be read.
 *
 * @template F the facts about one object
 * @template S what is asked about one object: its path, its name
 */
export const stepKind = <F, S extends Plain = string>(kind: Omit<StepKind<F, S>, Given>): Kind =>
  ({ ...kind, role: "step", type: `conn3x_${kind.name}` }) as unknown as Kind;

/** A kind that runs something when one of its triggers has changed, for handlers. */
export const actionKind = (kind: Omit<ActionKind, Given>): Kind => ({
  ...kind,
  role: "action",
  type: `conn3x_${kind.name}_action`,
});
