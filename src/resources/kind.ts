/**
 * @module What a resource kind is made of. A kind is pure: it declares settings, asks about its objects in one script,
 * reads the answer, and says what is to be done as plain data. `src/core` does the rest once for all kinds.
 *
 * An object of a kind is a `PlainObject` here: every attribute of the schema is present, unset ones are null.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ChangeQuestion, Changing } from "../revision/decide.ts";
import type { ChangeAnswer } from "../revision/decision.ts";
import type { ResourceDiff } from "../revision/resource-diff.ts";
import type { ResourceSchema } from "../schema/schema.ts";
import type { Script } from "../script/script.ts";
import type { Plain, PlainObject } from "../values/plain.ts";
import type { CommandAnswer, Operation, Question } from "./operation.ts";

/** What was found on the host. A failed read is never `absent`. */
export type Found<F> =
  | { readonly state: "present"; readonly facts: F }
  | { readonly state: "absent" }
  | { readonly state: "unreadable"; readonly why: string };

/**
 * One question about all objects of a kind on a host, and the reading of the answer. A subject is what is asked about
 * one object: its path, its name; objects with equal subjects share an answer.
 */
export interface Facts<F, S extends Plain = string> {
  readonly subject: (object: PlainObject) => S;
  /**
   * One script for all subjects, whose number of processes does not grow with their number. Empty: nothing to ask.
   *
   * @param acts whether something is about to be done with them: only then may the question tidy up after a killed run,
   *   since reading and planning change nothing on a host
   */
  readonly ask: (subjects: readonly S[], acts?: boolean) => Script;
  /**
   * @returns one for each subject, in their order
   * @throws AnswerError when the answer is not of the form that `ask` produces
   */
  readonly parse: (stdout: Buffer, subjects: readonly S[]) => readonly Found<F>[];
  /** Whether the answer holds what is in files: no log shows it. Default false. */
  readonly hidesAnswer?: true;
}

/**
 * Why a host is looked at: to refresh what is stored, to foresee whether a plan can work, to act, or to see what acting
 * came to.
 */
export type Look = "refresh" | "foresee" | "act" | "verify";

/**
 * A further question about one object that is there, asked only where the facts call for it: it may cost as much as the
 * object is large, or run what the user wrote.
 */
export interface Closer<F> {
  /** @returns undefined when the facts are enough */
  readonly ask: (facts: F, object: PlainObject, look: Look) => Question | undefined;
  /** @throws AnswerError when the answer is not of the form that `ask` produces */
  readonly parse: (answer: CommandAnswer, facts: F) => F;
}

/** Another's output where a framed answer was expected. Its message stands for the object being unreadable. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** Which object on its host an instance stands for, in words: the computed `id`, and what messages call it. */
export interface Identifier {
  /** The attributes that it is made of: known as soon as they are. */
  readonly from: readonly string[];
  readonly of: (object: PlainObject) => string;
}

/** A file on the controller that a setting names. */
export type LocalFile =
  | { readonly state: "file"; readonly sha256: string; readonly size: number }
  | { readonly state: "unreadable"; readonly why: string };

/** By path, as the setting has it. */
export type LocalFiles = ReadonlyMap<string, LocalFile>;

/**
 * What an object needs of its host besides what it is made of.
 *
 * @template F what its kind's facts say of the object
 */
export type Need<F = unknown> = NamedNeed | SpaceNeed<F>;

export interface NamedNeed {
  readonly what: "user" | "group";
  readonly name: string;
  /** The setting that names it. */
  readonly attribute: string;
}

export interface SpaceNeed<F = unknown> {
  readonly what: "space";
  /** Where it is to be. */
  readonly path: string;
  readonly bytes: number;
  readonly attribute: string;
  /** Whether what was found is enough already. */
  readonly isMet: (found: Found<F>) => boolean;
}

/** What the operations of an apply came to. */
export interface Effect {
  /** Computed attributes that are not observed: what a command printed. */
  readonly attributes: PlainObject;
  /** Whether anything was changed on the host: else an instance keeps its revision. */
  readonly changed: boolean;
}

/** What every kind has. */
interface AnyKind {
  /** Name of its block in a step or handler: `file`. */
  readonly name: string;
  /** Type of its resource: `conn3x_file`. */
  readonly type: string;
  readonly schema: ResourceSchema;
  readonly id: Identifier;
  /** Checks that types cannot express; tolerant of unknown values. */
  readonly check?: (config: PlainObject) => readonly Diagnostic[];
  /** The settings that name files on the controller. */
  readonly localFiles?: readonly string[];
  /** Custom plan logic: computed values, vetoes, forced replacement. */
  readonly plan?: (diff: ResourceDiff, local: LocalFiles) => void;
  /** Defaults to: an identity attribute differs → replace, anything differs → update. */
  readonly changed?: (question: ChangeQuestion) => ChangeAnswer;
}

/** A kind whose objects are on a host and can be read. `F` is what its facts say about one object, `S` its subjects. */
export interface StepKind<F, S extends Plain = string> extends AnyKind {
  readonly role: "step";
  readonly facts: Facts<F, S>;
  readonly closer?: Closer<F>;
  /** The object as the host has it: what facts say, in the given object's own spelling where that means the same. */
  readonly observe: (facts: F, object: PlainObject) => PlainObject;
  /**
   * SHA-256, in lower-case hexadecimal, of what the host has in the place of a write-only setting; undefined where that
   * cannot be told.
   */
  readonly fingerprint?: (facts: F, name: string) => string | undefined;
  /**
   * Whether what is there is the object, and not another thing in its place. Default: whatever is found.
   *
   * @param made whether Conn3x made the object that is looked for; false where it was there before, or is to be made
   */
  readonly isOurs?: (facts: F, object: PlainObject, made?: boolean) => boolean;
  /**
   * The settings that say which object an import means. Unset: a kind whose objects cannot be told by one word.
   *
   * @param identity a slash and what follows it: a path as it is, a name behind it
   */
  readonly imported?: (identity: string) => PlainObject;
  /** Whether anything of the object is on the host, for plans that say so. Default: where it is {@link isOurs}. */
  readonly isThere?: (facts: F) => boolean;
  /** Whether removing an instance leaves the host as it is, unless `on_remove` says otherwise. Default false. */
  readonly keepsUnlessAsked?: boolean;
  /**
   * What an apply would fail of, seen while planning. Errors count only where nothing that the same run does earlier on
   * the host can change that. The object may hold `Unknown`s.
   */
  readonly foresee?: (object: PlainObject, found: Found<F>) => readonly Diagnostic[];
  /** Names of what else goes where the object is made in the place of what is there: nothing that no plan has shown. */
  readonly removes?: (object: PlainObject, facts: F) => readonly string[];
  /** What an apply needs of the host besides. The object may hold `Unknown`s. */
  readonly needs?: (object: PlainObject, local: LocalFiles) => readonly Need<F>[];
  /** Computed attributes of an object that is to be made, as far as looking at the host tells them already. */
  readonly foretell?: (found: Found<F>) => PlainObject;
  /**
   * Settings whose null stands for a default, or that cannot be null: where one of them is somebody else's, `operate` is
   * given what was found in its place. Of all others null leaves what is there as it is.
   */
  readonly asFound?: readonly string[];
  /** Applies with equal keys on one host wait for each other: those that read, edit and write one file. */
  readonly exclusive?: (object: PlainObject) => string;
  /**
   * What makes the host as wanted; empty when it is so already.
   *
   * @param want the planned object; what is not known yet is null
   * @param prior the stored object; undefined when it is being created
   * @param changing of an update: what it was decided by, with every value known
   */
  readonly operate: (
    want: PlainObject,
    found: Found<F>,
    prior?: PlainObject,
    changing?: Changing,
  ) => readonly Operation[];
  /**
   * What the operations came to, for kinds that have more to tell than what is read.
   *
   * @param answers of the operations that were carried out, in order
   */
  readonly outcome?: (want: PlainObject, answers: readonly CommandAnswer[], prior?: PlainObject) => Effect;
  /** Whether making the object makes what holds it as well: the file of a line. Remembered for {@link remove}. */
  readonly makesHolder?: (found: Found<F>) => boolean;
  /**
   * What removes the object; empty when it is gone already.
   *
   * @param prior the object as it was last applied
   * @param holderMade whether Conn3x made what holds it
   */
  readonly remove: (prior: PlainObject, found: Found<F>, holderMade?: boolean) => readonly Operation[];
}

/** What of a host reads everything anew by an action. */
export interface Renewal {
  /** In words that are the same for each action on it: `service nginx`. */
  readonly what: string;
  /** Whether it begins from nothing; else it has nothing to do where that was just done. */
  readonly wholly: boolean;
}

/** A kind that runs something when it is created and has nothing on the host to read (C9, C10). */
export interface ActionKind extends AnyKind {
  readonly role: "action";
  /** Where it changes nothing else on the host. */
  readonly renewal?: (want: PlainObject) => Renewal;
  readonly run: (want: PlainObject) => readonly Operation[];
}

/** Any kind; what its facts say is its own affair. */
export type Kind = StepKind<unknown, Plain> | ActionKind;
