/**
 * @module Reads facts so that one question per kind and host is asked, however many objects are asked about.
 *
 * Requests of the same turn of the event loop are sent together; equal subjects once.
 */

import { hostOf } from "../../login/index.ts";
import {
  AnswerError,
  type Facts,
  type Found,
  foundAs,
  isAnswerError,
  type Look,
  type StepKind,
} from "../../resources/kind.ts";
import { HostError, type Session } from "../../ssh/index.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { askHost, withoutAnswer } from "../hosts/ask-host.ts";
import { createKnownNames, type KnownNames } from "./known-names.ts";

export interface FactReader {
  /**
   * @param object identifies the subject
   * @param look the purpose: for some, kinds look closer
   * @throws HostError when the host cannot be asked
   */
  read<F, S extends Plain>(
    session: Session,
    kind: Readable<F, S>,
    object: PlainObject,
    look: Look,
  ): Promise<Found<F>>;
}

/** The part of a kind that takes part in reading. */
export type Readable<F, S extends Plain> = Pick<StepKind<F, S>, "type" | "facts" | "closer">;

type AnyFacts = Facts<unknown, Plain>;

/** The question that is being collected for one kind on one host. */
interface Batch {
  /** Subjects by their text: equal ones are asked about once. */
  readonly subjects: Map<string, Plain>;
  readonly answer: Promise<ReadonlyMap<string, Found<unknown>>>;
}

/** Turns of the event loop: several kinds' questions leave together, since the session collects by turn, too. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** @param names learns what hosts call the objects */
export function createFactReader(names: KnownNames = createKnownNames()): FactReader {
  const open = new Map<Session, Map<string, Batch>>();

  const batchFor = (session: Session, kind: string, facts: AnyFacts, acts: boolean): Batch => {
    const type = acts ? `${kind} acts` : kind;
    const bySession = open.get(session) ?? new Map<string, Batch>();
    open.set(session, bySession);
    const existing = bySession.get(type);
    if (existing !== undefined) return existing;
    const subjects = new Map<string, Plain>();
    const answer = nextTurn().then(() => {
      bySession.delete(type);
      if (bySession.size === 0) open.delete(session);
      return askAll(session, kind, facts, [...subjects], acts);
    });
    const batch = { subjects, answer };
    bySession.set(type, batch);
    return batch;
  };

  return {
    async read<F, S extends Plain>(
      session: Session,
      kind: Readable<F, S>,
      object: PlainObject,
      look: Look,
    ): Promise<Found<F>> {
      const subject = kind.facts.subject(object);
      const key = JSON.stringify(subject);
      const batch = batchFor(session, kind.type, kind.facts as unknown as AnyFacts, look === "act");
      batch.subjects.set(key, subject);
      const found = (await batch.answer).get(key) as Found<F>;
      names.learn(hostOf(session), found.realNames);
      return lookCloser(session, kind, object, found, look);
    },
  };
}

type Subjects = readonly (readonly [key: string, subject: Plain])[];

/**
 * When the answer cannot be read each object is asked about by itself, so that one object fails and not the whole host. A
 * host that does not answer in time is not asked again.
 */
async function askAll(
  session: Session,
  type: string,
  facts: AnyFacts,
  subjects: Subjects,
  acts: boolean,
): Promise<ReadonlyMap<string, Found<unknown>>> {
  try {
    return await askTogether(session, type, facts, subjects, acts);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    const [first] = subjects;
    if (subjects.length === 1)
      return new Map([[first![0], { state: "unreadable", why: withoutEnd(error.message) }]]);
    const answers = await Promise.all(
      subjects.map((subject) => askAll(session, type, facts, [subject], acts)),
    );
    return new Map(answers.flatMap((answer) => [...answer]));
  }
}

/** Why a closer look at one object failed; undefined for failures of the host, and for defects. */
function whyUnreadable(error: unknown): string | undefined {
  if (isAnswerError(error)) return withoutEnd(error.message);
  return error instanceof HostError && error.code === "timeout"
    ? `could not be looked at in time: ${withoutEnd(error.message)}`
    : undefined;
}

/** A part of a sentence, which has an end of its own: tools end theirs with a stop, with dots, or not. */
const withoutEnd = (text: string): string => text.replace(/[\s.…]+$/u, "");

async function askTogether(
  session: Session,
  type: string,
  facts: AnyFacts,
  subjects: Subjects,
  acts: boolean,
) {
  const asked = subjects.map(([, subject]) => subject);
  const script = facts.ask(asked, acts);
  const answer =
    script.text === ""
      ? nothing
      : await session.ask(
          script,
          { purpose: `look at ${type}`, ...(facts.hidesAnswer && withoutAnswer) },
          facts.most?.(asked.length),
        );
  try {
    const found = facts.parse(answer.stdout, asked);
    return new Map(subjects.map(([key], i) => [key, found[i]!]));
  } catch (error) {
    const complaint = answer.stderr.toString("utf8").trim();
    if (!isAnswerError(error) || complaint === "") throw error;
    throw new AnswerError(`could not be looked at: ${complaint.split("\n", 1)[0]}`, { cause: error });
  }
}

const nothing = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

async function lookCloser<F, S extends Plain>(
  session: Session,
  { type, closer }: Readable<F, S>,
  object: PlainObject,
  found: Found<F>,
  look: Look,
): Promise<Found<F>> {
  if (closer === undefined || found.state !== "present") return found;
  const question = closer.ask(found.facts, object, look);
  if (question === undefined) return found;
  try {
    const answer = await askHost(session, question, {
      written: { purpose: `look closer at ${type}` },
      reads: true,
    });
    const facts = closer.parse(answer, found.facts);
    return foundAs({ state: "present", facts }, found.realNames);
  } catch (error) {
    const why = whyUnreadable(error);
    if (why === undefined) throw error;
    return foundAs({ state: "unreadable", why }, found.realNames);
  }
}
