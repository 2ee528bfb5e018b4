/**
 * @module What a resource kind is made of. A kind is pure: it declares settings, asks about its objects in one script,
 * reads the answer, and says what is to be done as plain data. `src/core` does the rest once for all kinds.
 *
 * An object of a kind is a `PlainObject` here: every attribute of the schema is present, unset ones are null.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ChangeQuestion } from "../revision/decide.ts";
import type { ChangeAnswer } from "../revision/decision.ts";
import type { ResourceDiff } from "../revision/resource-diff.ts";
import type { ResourceSchema } from "../schema/schema.ts";
import type { Script } from "../script/script.ts";
import type { PlainObject } from "../values/plain.ts";
import type { Operation } from "./operation.ts";

/** What was found on the host. A failed read is never `absent`. */
export type Found<F> =
  | { readonly state: "present"; readonly facts: F }
  | { readonly state: "absent" }
  | { readonly state: "unreadable"; readonly why: string };

/** One question about all objects of a kind on a host, and the reading of the answer. */
export interface Facts<F> {
  /** What identifies the object on its host: its path, its name. */
  readonly key: (object: PlainObject) => string;
  /** One script for all keys, whose number of processes does not grow with their number. */
  readonly ask: (keys: readonly string[]) => Script;
  /**
   * @returns an entry for every key
   * @throws AnswerError when the answer is not of the form that `ask` produces
   */
  readonly parse: (stdout: Buffer, keys: readonly string[]) => ReadonlyMap<string, Found<F>>;
}

/**
 * A closer look at one object, taken only where the facts differ from what is stored: it may cost as much as the
 * object is large.
 */
export interface Closer<F> {
  readonly wanted: (facts: F, prior: PlainObject) => boolean;
  /** The whole standard output is the answer. */
  readonly ask: (key: string) => Script;
  readonly parse: (stdout: Buffer, facts: F) => F;
}

/** Another's output where a framed answer was expected. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** A kind whose objects are on a host and can be read. `F` is what its facts say about one object. */
export interface StepKind<F> {
  readonly role: "step";
  /** Name of its block in a step: `file`. */
  readonly name: string;
  /** Type of its resource: `conn3x_file`. */
  readonly type: string;
  readonly schema: ResourceSchema;
  /** Checks that types cannot express; tolerant of unknown values. */
  readonly check?: (config: PlainObject) => readonly Diagnostic[];
  readonly facts: Facts<F>;
  readonly closer?: Closer<F>;
  /** The object as the host has it: what facts say, in the stored object's own spelling where that means the same. */
  readonly observe: (facts: F, prior: PlainObject) => PlainObject;
  /** Whether an object of this kind, and not of another, is there. Default: whatever is found. */
  readonly isOurs?: (facts: F) => boolean;
  /** Custom plan logic: computed values, vetoes, forced replacement. */
  readonly plan?: (diff: ResourceDiff) => void;
  /** Defaults to: an identity attribute differs → replace, anything differs → update. */
  readonly changed?: (question: ChangeQuestion) => ChangeAnswer;
  /** What makes the host as wanted; empty when it is so already. */
  readonly operate: (want: PlainObject, found: Found<F>) => readonly Operation[];
  /** What removes the object; empty when it is gone already. */
  readonly remove: (prior: PlainObject, found: Found<F>) => readonly Operation[];
}

/** A kind that runs something when it is created and has nothing on the host to read (C9, C10). */
export interface ActionKind {
  readonly role: "action";
  /** Name of its block in a handler: `service`. */
  readonly name: string;
  readonly type: string;
  readonly schema: ResourceSchema;
  readonly check?: (config: PlainObject) => readonly Diagnostic[];
  readonly plan?: (diff: ResourceDiff) => void;
  readonly changed?: (question: ChangeQuestion) => ChangeAnswer;
  /** What its computed `id` is. */
  readonly id: (object: PlainObject) => string;
  readonly run: (want: PlainObject) => readonly Operation[];
}

/** Any kind; what its facts say is its own affair. */
export type Kind = StepKind<unknown> | ActionKind;
