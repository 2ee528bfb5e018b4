/**
 * @module The interface of a resource kind. A kind is pure: it declares settings, asks about its objects in one script,
 * reads the answer, and gives the operations to carry out as plain data. `src/core` does the rest for all kinds.
 *
 * An object of a kind is a `PlainObject`: it has every attribute of the schema, null if unset.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ChangeQuestion, Changing } from "../revision/decide.ts";
import type { ChangeAnswer } from "../revision/decision.ts";
import type { ResourceDiff } from "../revision/resource-diff.ts";
import type { ResourceSchema } from "../schema/schema.ts";
import type { Script } from "../script/script.ts";
import type { Plain, PlainObject } from "../values/plain.ts";
import type { CommandAnswer, Operation, Question } from "./operation.ts";
import type { ShownInPlan } from "./shown.ts";

/** What a host calls objects that are asked about by another name: `/var/run/x` is `/run/x`, `messagebus` is `dbus`. */
export type RealNames = Readonly<Record<string, string>>;

/** The result of a read. A failed read is never `absent`. */
export type Found<F> = (
  | { readonly state: "present"; readonly facts: F }
  | { readonly state: "absent" }
  | { readonly state: "unreadable"; readonly why: string }
) & {
  /** By the name that was asked about, only where it is another. Absent: none is, or that is not known. */
  readonly realNames?: RealNames;
};

/** The same result, of what the host calls by another name. */
export const foundAs = <F>(found: Found<F>, realNames: RealNames | undefined): Found<F> =>
  realNames === undefined ? found : { ...found, realNames };

/**
 * One query for all objects of a kind on a host, and the parser of its answer. A subject is what is asked about
 * one object: its path, its name; objects with equal subjects share an answer.
 */
export interface Facts<F, S extends Plain = string> {
  readonly subject: (object: PlainObject) => S;
  /**
   * One script for all subjects. The number of processes that it starts must not grow with theirs. Empty: nothing to ask.
   *
   * @param acts whether the objects are about to be changed: only then may the script clean up after a killed run,
   *   since reading and planning change nothing on a host
   */
  readonly ask: (subjects: readonly S[], acts?: boolean) => Script;
  /**
   * @returns one for each subject, in their order
   * @throws AnswerError when the answer is not of the form that `ask` produces
   */
  readonly parse: (stdout: Buffer, subjects: readonly S[]) => readonly Found<F>[];
  /** Bytes that the answer may have, where it is content: more than any answer of another kind. @param subjects their number */
  readonly most?: (subjects: number) => number;
  /** Whether the answer has contents of files, which no log shows. Default false. */
  readonly hidesAnswer?: true;
}

/**
 * Why a host is read: to refresh the state, to check the plan of a change or of what is to be made, to see before an apply
 * whether something else has replaced that, before an operation, or after it.
 */
export type Look = "refresh" | "plan_check" | "plan_create" | "in_place" | "act" | "verify";

export const isOfPlan = (look: Look): boolean => look === "plan_check" || look === "plan_create";

/**
 * A further query about one existing object, sent only if the facts call for it: it may cost as much as the
 * object is large, or run what the user wrote.
 */
export interface Closer<F> {
  /** @returns undefined when the facts are enough */
  readonly ask: (facts: F, object: PlainObject, look: Look) => Question | undefined;
  /** @throws AnswerError when the answer is not of the form that `ask` produces */
  readonly parse: (answer: CommandAnswer, facts: F) => F;
}

/** Thrown for output that is not the expected answer. The object then counts as unreadable, with this message. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** By its name: a plug-in's copy of the class is another one. */
export const isAnswerError = (error: unknown): error is AnswerError =>
  error instanceof Error && error.name === "AnswerError";

/** How an instance identifies its object: the computed `id`, and the name in messages. */
export interface Identifier {
  /** The attributes that the id is made of: it is known as soon as they are. */
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
 * Something that an object needs on its host: a user, a group, space.
 *
 * @template F the facts about the object
 */
export type Need<F = unknown> = NamedNeed | SpaceNeed<F>;

export interface NamedNeed {
  readonly what: "user" | "group";
  readonly name: string;
  /** Name of the setting that asks for it. */
  readonly attribute: string;
}

export interface SpaceNeed<F = unknown> {
  readonly what: "space";
  /** Where it is to be. */
  readonly path: string;
  readonly bytes: number;
  readonly attribute: string;
  /** Whether the facts show that the need is met already. */
  readonly isMet: (found: Found<F>) => boolean;
}

/** The result of the operations of an apply. */
export interface Effect {
  /** Computed attributes that are not observed: the output of a command. */
  readonly attributes: PlainObject;
  /** Whether anything was changed on the host; otherwise the instance keeps its revision. */
  readonly changed: boolean;
}

/** What a change does besides what its step is about. */
export interface Besides {
  /** For people: a line for each thing. */
  readonly text: readonly string[];
  /** Names of what goes, and may. */
  readonly removes: readonly string[];
}

/** What else goes from the host. */
export interface Going {
  /** Names of what other instances take away: see {@link StepKind.takesAway}. */
  readonly named: ReadonlySet<string>;
  /** Names of what goes besides and may, as the plan showed it; absent where it did not know. */
  readonly shown?: readonly string[];
}

/** What is known around an instance when its plan is checked. */
export interface Around {
  /** The stored object: see {@link StepKind.claims}. */
  readonly prior?: PlainObject;
  readonly going: Going;
  /** Whether the run is to change more on the host, so that it may turn out otherwise. */
  readonly others: boolean;
}

/** What every kind declares. */
interface AnyKind {
  /** Name of its block in a step or handler: `file`. */
  readonly name: string;
  /** Type of its resource: `conn3x_file`. */
  readonly type: string;
  readonly schema: ResourceSchema;
  readonly id: Identifier;
  /** What a plan calls the object, after the kind's name: `nginx reload`. Default: as {@link Identifier.of} names it. */
  readonly title?: (object: PlainObject) => string;
  /** How a plan of circuits shows it. */
  readonly shown?: ShownInPlan;
  /** Checks that types cannot express. Must accept unknown values. */
  readonly check?: (config: PlainObject) => readonly Diagnostic[];
  /** The files on the controller that settings name. */
  readonly localFiles?: readonly string[];
  /** Custom plan logic: computed values, vetoes, forced replacement. */
  readonly plan?: (diff: ResourceDiff, local: LocalFiles) => void;
  /** Default: replace when an identity attribute differs, update when anything differs. */
  readonly changed?: (question: ChangeQuestion) => ChangeAnswer;
}

/** A kind whose objects are on a host and can be read. `F` are the facts about one object, `S` the subjects. */
export interface StepKind<F, S extends Plain = string> extends AnyKind {
  readonly role: "step";
  readonly facts: Facts<F, S>;
  readonly closer?: Closer<F>;
  /** The object on the host by the facts, with the spelling of the given object where that means the same. */
  readonly observe: (facts: F, object: PlainObject) => PlainObject;
  /** Exact names on the host of what the observed object's settings stand for: see `AttributeOptions.fits`. */
  readonly exact?: (facts: F, observed: PlainObject) => Readonly<Record<string, string | null>>;
  /**
   * SHA-256, in lower-case hexadecimal, of the host's value of a write-only setting; undefined when that
   * cannot be determined.
   */
  readonly fingerprint?: (facts: F, name: string) => string | undefined;
  /**
   * Whether the facts are about the object, and not about another thing that is there instead. Default: always.
   *
   * @param made whether Conn3x created the object; false if it existed before, or is to be created
   */
  readonly isOurs?: (facts: F, object: PlainObject, made?: boolean) => boolean;
  /**
   * The settings that an import id stands for. Unset: a kind whose objects cannot be identified by one word.
   *
   * @param identity the slash and what follows it: a path, or a name after the slash
   */
  readonly imported?: (identity: string) => PlainObject;
  /** Whether any of the object exists on the host, for the plan's text. Default: {@link isOurs}. */
  readonly isThere?: (facts: F) => boolean;
  /** Whether removing an instance leaves the host unchanged, unless `on_remove` says otherwise. Default false. */
  readonly keepsUnlessAsked?: boolean;
  /**
   * What would make an apply fail, checked while planning. Errors only count if nothing that the same run does earlier on
   * the host can change that. The object may hold `Unknown`s.
   */
  readonly planCheck?: (object: PlainObject, found: Found<F>, around?: Around) => readonly Diagnostic[];
  /** What a change does to objects of the kind that the step does not name, as far as the facts say: a plan has to show it. */
  readonly besides?: (facts: F, object: PlainObject, going: Going) => Besides | undefined;
  /** Names of what the object takes away from its host when it is as wanted: other objects may take that away as well. */
  readonly takesAway?: (object: PlainObject) => readonly string[];
  /** For a plan of its removal: the object as it is then wanted. Unset: a removal is not checked. */
  readonly gone?: (prior: PlainObject) => PlainObject;
  /** For a plan of its removal: what may be left of the object that no removal of it ends. Undefined: nothing. */
  readonly leftover?: (prior: PlainObject) => HostLook | undefined;
  /**
   * Computed settings that a prior object has for {@link planCheck}, {@link operate} and {@link remove} only where the
   * configuration has set them: they are null where they were found so on the host.
   */
  readonly claims?: readonly string[];
  /** Settings that only say what may be done now: the configured value counts, also where it is no change. */
  readonly advice?: readonly string[];
  /** Names of other things that are removed when the object is created: a plan has to show them. */
  readonly removes?: (object: PlainObject, facts: F) => readonly string[];
  /** Further needs of an apply. The object may have `Unknown`s. */
  readonly needs?: (object: PlainObject, local: LocalFiles) => readonly Need<F>[];
  /** Computed attributes of an object to create, as far as they are known from reading the host. */
  readonly foretell?: (found: Found<F>) => PlainObject;
  /**
   * Settings whose null means a default, or that cannot be null: if somebody else owns one of them, `operate` gets
   * the observed value instead. For all others null leaves the host's value as it is.
   */
  readonly asFound?: readonly string[];
  /** Applies with equal keys on one host run one after another: those that read, edit and write one file. */
  readonly exclusive?: (object: PlainObject) => string;
  /**
   * The operations that bring the host to the wanted state; empty when nothing is to be done.
   *
   * @param want the planned object; what is not known yet is null
   * @param prior the stored object; undefined when it is being created
   * @param changing for an update: the changes that led to it, with every value known
   */
  readonly operate: (
    want: PlainObject,
    found: Found<F>,
    prior?: PlainObject,
    changing?: Changing,
    going?: Going,
  ) => readonly Operation[];
  /**
   * The result of the operations, for kinds with results that are not read back.
   *
   * @param answers of the operations that were carried out, in order
   */
  readonly outcome?: (want: PlainObject, answers: readonly CommandAnswer[], prior?: PlainObject) => Effect;
  /**
   * The service or the like that starts, and so reads all its files, when the found object is made as wanted: a
   * {@link Renewal.what}. Undefined if nothing starts.
   */
  readonly starts?: (want: PlainObject, found: Found<F>) => string | undefined;
  /** Whether creating the object also creates its container: the file of a line. Stored for {@link remove}. */
  readonly makesHolder?: (found: Found<F>) => boolean;
  /**
   * The operations that remove the object; empty when it is gone already.
   *
   * @param prior the object as it was last applied
   * @param holderMade whether Conn3x created its container
   */
  readonly remove: (
    prior: PlainObject,
    found: Found<F>,
    holderMade?: boolean,
    going?: Going,
  ) => readonly Operation[];
}

/** A look at something on a host of which the object is not the only owner, and what it means for a plan. */
export interface HostLook {
  /** Asked together with all that is asked of the host about this type. */
  readonly kind: Pick<StepKind<unknown, Plain>, "type" | "facts">;
  /** Its subject is asked about. */
  readonly object: PlainObject;
  /** Type of the kind whose objects it is about. */
  readonly about: string;
  /**
   * Errors only count where the same run changes nothing else on the host.
   *
   * @param going what instances of the kind that it is about take away
   */
  readonly means: (found: Found<unknown>, going: Going) => readonly Diagnostic[];
}

/** A {@link HostLook}, by facts of their own type. */
export const hostLook = <F, S extends Plain>(
  kind: Pick<StepKind<F, S>, "type" | "facts">,
  {
    object,
    about,
    means,
  }: {
    readonly object: PlainObject;
    readonly about: string;
    readonly means: (found: Found<F>, going: Going) => readonly Diagnostic[];
  },
): HostLook => ({ kind, object, about, means }) as unknown as HostLook;

/** The part of a host that an action renews: a service that is restarted or reloaded. */
export interface Renewal {
  /** The same text for each action on it: `service nginx`. */
  readonly what: string;
  /** Whether it starts from nothing (a restart); otherwise it has nothing to do right after that. */
  readonly wholly: boolean;
}

/** A kind that runs something when it is created, and has nothing on the host to read (C9, C10). */
export interface ActionKind extends AnyKind {
  readonly role: "action";
  /** Where it changes nothing else on the host. */
  readonly renewal?: (want: PlainObject) => Renewal;
  /** What is looked at when a run of it is planned; undefined where the host shows none, or that is not known yet. */
  readonly planCheck?: (want: PlainObject) => HostLook | undefined;
  /**
   * @param isFresh whether the same run has started what it is about from nothing, and has done nothing else on the host
   *   since
   */
  readonly run: (want: PlainObject, isFresh?: boolean) => readonly Operation[];
}

/** Any kind, whatever its facts are. */
export type Kind = StepKind<unknown, Plain> | ActionKind;
