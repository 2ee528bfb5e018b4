/**
 * @module Reads facts so that one question per kind and host is asked, however many objects are asked about.
 *
 * Everything that is wanted in the same turn of the event loop is asked together; equal keys once.
 */
import { AnswerError, type Facts, type Found, type StepKind } from "../resources/kind.ts";
import type { Session } from "../ssh/session.ts";
import type { PlainObject } from "../values/plain.ts";

export interface FactReader {
  /**
   * @param object identifies what is asked about
   * @param closer whether differing objects are looked at closely, so that what differs can be shown
   * @throws HostError when the host cannot be asked
   */
  read<F>(session: Session, kind: StepKind<F>, object: PlainObject, closer: boolean): Promise<Found<F>>;
}

/** The question that is being collected for one kind on one host. */
interface Batch {
  readonly keys: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, Found<unknown>>>;
}

/** Turns of the event loop: several kinds' questions leave together, since the session collects by turn, too. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createFactReader(): FactReader {
  const open = new Map<Session, Map<string, Batch>>();

  const batchFor = (session: Session, kind: StepKind<unknown>): Batch => {
    const bySession = open.get(session) ?? new Map<string, Batch>();
    open.set(session, bySession);
    const existing = bySession.get(kind.type);
    if (existing !== undefined) return existing;
    const keys = new Set<string>();
    const answer = nextTurn().then(() => {
      bySession.delete(kind.type);
      if (bySession.size === 0) open.delete(session);
      return askAll(session, kind.facts, [...keys]);
    });
    const batch = { keys, answer };
    bySession.set(kind.type, batch);
    return batch;
  };

  return {
    async read<F>(session: Session, kind: StepKind<F>, object: PlainObject, closer: boolean) {
      const key = kind.facts.key(object);
      const batch = batchFor(session, kind as StepKind<unknown>);
      batch.keys.add(key);
      const found = (await batch.answer).get(key) as Found<F>;
      return closer ? lookCloser(session, kind, object, found) : found;
    },
  };
}

/** When the answer cannot be read, each object is asked about alone, so that one of them fails and not the host. */
async function askAll(
  session: Session,
  facts: Facts<unknown>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Found<unknown>>> {
  try {
    return await askTogether(session, facts, keys);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    if (keys.length === 1) return new Map([[keys[0]!, { state: "unreadable", why: error.message }]]);
    const answers = await Promise.all(keys.map((key) => askAll(session, facts, [key])));
    return new Map(answers.flatMap((answer) => [...answer]));
  }
}

async function askTogether(session: Session, facts: Facts<unknown>, keys: readonly string[]) {
  const answer = await session.ask(facts.ask(keys));
  try {
    return facts.parse(answer.stdout, keys);
  } catch (error) {
    const complaint = answer.stderr.toString("utf8").trim();
    if (!(error instanceof AnswerError) || complaint === "") throw error;
    throw new AnswerError(complaint.split("\n", 1)[0], { cause: error });
  }
}

async function lookCloser<F>(session: Session, kind: StepKind<F>, object: PlainObject, found: Found<F>) {
  const closer = kind.closer;
  if (closer === undefined || found.state !== "present" || !closer.wanted(found.facts, object)) return found;
  const answer = await session.ask(closer.ask(kind.facts.key(object)));
  if (answer.status !== 0) return found;
  return { ...found, facts: closer.parse(answer.stdout, found.facts) };
}
