/**
 * @module Applies a step to its host: converge from the observed state, read again, and record the result.
 */
import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { hostOf, isElsewhere } from "../../login/index.ts";
import type { Effect, Found } from "../../resources/kind.ts";
import type { CommandAnswer, Operation } from "../../resources/operation.ts";
import { ownershipOf, settingsOfOthers } from "../../revision/ownership.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { HostError, type Session } from "../../ssh/index.ts";
import { at, formatPath } from "../../values/path.ts";
import { type PlainObject, toPlain } from "../../values/plain.ts";
import { isNull, isUnknown, nullValue, objectValue, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { type Context, diagnosticOf, Failure, sessionFor } from "../context.ts";
import { plainObject, withPlain } from "../objects.ts";
import type { ApplyRequest, ApplyResponse } from "../provider.ts";
import { type AnyStep, exactNames, isOurs } from "../read/ours.ts";
import {
  decodePrivate,
  encodePrivate,
  isAnotherMachine,
  noPrivateData,
  type PrivateData,
} from "../stored/private-data.ts";
import { hashesOfApplied, setsWriteOnly, withWriteOnly } from "../stored/write-only.ts";
import { complete, failed, idOf, sshOf, withNotes } from "./applied.ts";
import { applyLock } from "./apply-lock.ts";
import { beginWriting, expectAsPlanned } from "./as-planned.ts";
import { changingOf } from "./changing.ts";
import { claimedIn, goingOf, withAdvice, withClaims } from "./claims.ts";
import { outwaitLeftRunning } from "./left-running.ts";
import { type Progress, perform } from "./perform.ts";

export async function applyStep(
  context: Context,
  kind: AnyStep,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  const notes: Diagnostic[] = [];
  return withNotes(notes, await applyNoting(context, kind, request, notes));
}

async function applyNoting(
  context: Context,
  kind: AnyStep,
  request: ApplyRequest,
  notes: Diagnostic[],
): Promise<ApplyResponse> {
  const progress: Progress = {
    done: 0,
    stopping: context.stopping,
    isQuiet: request.sensitive === true || setsWriteOnly(kind, request.config),
    instance: request.instance,
    note: (warning) => notes.push(warning),
  };
  let making = isMaking(request);
  const { takesOver } = request;
  const { begun = false, ...planned } = privateAfter(kind, request);
  let data: PrivateData = planned;
  const isMade =
    begun || (takesOver !== undefined && decodePrivate(kind.schema, takesOver).existedBefore === false);
  try {
    const session = sessionFor(context, sshOf(request.planned));
    const host = hostOf(session);
    const want = wanted(kind, request);
    return await applyLock(context, session, kind, want, async () => {
      const before = context.renewals.changes(host);
      const { readAt } = decodePrivate(kind.schema, request.plannedPrivate);
      const elsewhere = !making && isElsewhere(sshOf(request.prior), sshOf(request.planned), readAt);
      const [found, machine] = await Promise.all([
        context.facts.read(session, kind, want, "act"),
        context.machines.idOf(session),
        elsewhere ? undefined : expectAsPlanned(context, kind, session, request),
      ]);
      const anew = elsewhere && isNotThere(planned, machine, found);
      if (elsewhere && !anew) await expectAsPlanned(context, kind, session, request);
      // What was made on the other machine is none of this one's.
      const work = anew ? { ...request, prior: nullValue(request.prior.type) } : request;
      making ||= anew;
      data = { ...(anew ? noPrivateData : data), ...(machine && { machine }) };
      if (making) {
        const holderMade = kind.makesHolder?.(found) === true;
        data = { ...data, holderMade, existedBefore: (anew || !isMade) && existed(kind, found, want) };
      }
      const after = await converge({ context, session, kind, want, request: work, progress, notes }, found);
      const started = kind.starts?.(want, found);
      if (started !== undefined) context.renewals.started(host, started, before);
      const state = complete(result(kind, request.planned, after), () => revision(context, work, after));
      context.objects.wrote(host, kind, plainObject(state));
      const theirs = making ? new Set<string>() : othersIn(kind, work);
      const secrets = await hashesOfApplied(context.hashes, kind.schema, want, data, theirs);
      const claimed = claimedIn(kind, request.config, storedOf(kind, request), plainObject(state));
      const { exact } = after;
      return {
        state,
        private: encodePrivate(kind.schema, { ...data, secrets, claimed, exact }),
        diagnostics: [],
      };
    });
  } catch (error) {
    const failure = failed(request, diagnosticOf(error));
    const touched = progress.done > 0 || (error instanceof HostError && error.started);
    if (!making) return touched ? unsettled(kind, request, failure) : failure;
    return touched && data.existedBefore === false && (await isThere(context, kind, request))
      ? partial(context, kind, request, data, failure)
      : failure;
  }
}

/** Whether the host that an instance has moved to is not the one where it was made, as far as that is known. */
function isNotThere(data: PrivateData, machine: string | undefined, found: Found<unknown>): boolean {
  const cannotKnow = data.machine === undefined || machine === undefined;
  return isAnotherMachine(data, machine) || (cannotKnow && found.state !== "present");
}

/** The answer of a partly failed update: the host may be as wanted next time, and dependents still have to see a change. */
function unsettled(kind: AnyStep, request: ApplyRequest, failure: ApplyResponse): ApplyResponse {
  const data = decodePrivate(kind.schema, request.plannedPrivate);
  return { ...failure, private: encodePrivate(kind.schema, { ...data, unsettled: true }) };
}

/** Whether the state says that the object is not on the host yet. */
const isMaking = ({ prior }: ApplyRequest): boolean => isNull(prior) || wasSkipped(fieldsOf(prior));

/** Keeps drift that is only a warning: it would count as an edit the next time. */
function privateAfter(kind: AnyStep, request: ApplyRequest): PrivateData {
  const {
    creating: _,
    unsettled: __,
    imported: ___,
    replaced: ____,
    shown: _____,
    readAt: ______,
    ...data
  } = decodePrivate(kind.schema, request.plannedPrivate);
  const planned = fieldsOf(request.planned)!;
  const prior = fieldsOf(request.prior);
  if (prior === undefined || ownershipOf(planned).mode !== "warn") return { ...data, applied: new Map() };
  const left = settingsOfOthers(kind.schema, planned, prior);
  return { ...data, applied: new Map([...data.applied].filter(([name]) => left.has(name))) };
}

/** Whether the object existed before; true when that is unknown, so that it is not deleted later. */
const existed = (kind: AnyStep, found: Found<unknown>, want: PlainObject): boolean =>
  found.state === "present" ? isOurs(kind, found.facts, want) : found.state === "unreadable";

/** Whether a failed create has left something; true when the host cannot be asked. */
async function isThere(context: Context, kind: AnyStep, request: ApplyRequest): Promise<boolean> {
  try {
    const session = sessionFor(context, sshOf(request.planned));
    const want = wanted(kind, request);
    return existed(kind, await context.facts.read(session, kind, want, "verify"), want);
  } catch {
    return true;
  }
}

/** The wanted settings: the plan without computed unknowns, with the write-only values. */
function wanted(kind: AnyStep, { planned, config }: ApplyRequest): PlainObject {
  const known = Object.fromEntries(
    [...fieldsOf(planned)!].map(([name, value]) => [name, isWhollyKnown(value) ? toPlain(value) : null]),
  );
  return withAdvice(kind, withWriteOnly(kind.schema, known, config), config);
}

/** Settings of an existing object whose value on the host is kept. */
const othersIn = (kind: AnyStep, { planned, prior }: ApplyRequest): ReadonlySet<string> =>
  settingsOfOthers(kind.schema, fieldsOf(planned)!, fieldsOf(prior)!);

interface Work {
  readonly context: Context;
  readonly session: Session;
  readonly kind: AnyStep;
  readonly want: PlainObject;
  readonly request: ApplyRequest;
  readonly progress: Progress;
  /** Warnings for whoever asked. */
  readonly notes: Diagnostic[];
}

/** The object on the host when everything is done. */
interface After {
  readonly exact: ReadonlyMap<string, string>;
  readonly observed: PlainObject;
  readonly outcome: Effect | undefined;
}

const storedOf = (kind: AnyStep, request: ApplyRequest): PlainObject | undefined =>
  isMaking(request)
    ? undefined
    : withClaims(kind, plainObject(request.prior), decodePrivate(kind.schema, request.plannedPrivate));

async function converge(work: Work, before: Found<unknown>): Promise<After> {
  const { context, session, kind, request, notes } = work;
  const prior = storedOf(kind, request);
  const going = goingOf(context, hostOf(session), kind, decodePrivate(kind.schema, request.plannedPrivate));
  const changing = prior && (await changingOf(context.hashes, kind, request));
  const decide = (found: Found<unknown>) => {
    const want = found.state === "present" ? withoutOthers(work, found.facts) : work.want;
    return { found, want, operations: kind.operate(want, found, prior, changing, going) };
  };
  const first = decide(before);
  const isLate = await outwaitLeftRunning(session, first.operations, {
    instance: request.instance,
    stopping: context.stopping,
    note: (warning) => notes.push(warning),
  });
  const { found, want, operations } = isLate
    ? decide(await context.facts.read(session, kind, work.want, "act"))
    : first;
  // Where nothing was to be done, the kind itself has found everything as it is wanted.
  if (operations.length === 0 && found.state === "present") {
    const observed = kind.observe(found.facts, want);
    const exact = exactNames(kind, found.facts, observed);
    return { observed, exact, outcome: kind.outcome?.(want, [], prior) };
  }
  const { answers, after } = await carryOut(work, want, operations);
  return { ...verified(kind, want, after), outcome: kind.outcome?.(want, answers, prior) };
}

/** A command of the user's that is waited for may do anything. */
const onlyLooks = (operation: Operation): boolean =>
  operation.do === "wait" && operation.question.ask !== "command";

/** Does it, and reads again. Where the host answers in order, the question goes along with what is done. */
async function carryOut(
  { context, session, kind, progress }: Work,
  want: PlainObject,
  operations: readonly Operation[],
): Promise<{ readonly answers: readonly CommandAnswer[]; readonly after: Found<unknown> }> {
  const read = () => context.facts.read(session, kind, want, "verify");
  if (operations.length === 0) return { answers: [], after: await read() };
  let early: Promise<Found<unknown>> | undefined;
  beginWriting(context, session);
  const act = () =>
    perform(session, operations, progress, () => {
      early = read();
      // Nobody waits for it where what is done fails.
      early.catch(() => undefined);
    });
  const answers = await (operations.every(onlyLooks)
    ? act()
    : context.renewals.during(hostOf(session), undefined, act));
  return { answers, after: await (early ?? read()) };
}

/** The wanted settings of an existing object: as observed where somebody else owns a setting. */
function withoutOthers({ kind, want, request }: Work, facts: unknown): PlainObject {
  if (isMaking(request)) return want;
  const theirs = othersIn(kind, request);
  if (theirs.size === 0) return want;
  const seen = kind.observe(facts, want);
  const left = (name: string) => (kind.asFound?.includes(name) ? seen[name]! : null);
  return Object.fromEntries(
    Object.entries(want).map(([name, value]) => [name, theirs.has(name) ? left(name) : value]),
  );
}

/**
 * @returns the object as the host has it
 * @throws Failure when it is not as wanted
 */
function verified(
  kind: AnyStep,
  want: PlainObject,
  after: Found<unknown>,
): Pick<After, "observed" | "exact"> {
  if (after.state === "unreadable") throw new Failure(notAsWanted(kind, want, `it ${after.why}`));
  if (after.state === "absent" || !isOurs(kind, after.facts, want)) {
    throw new Failure(notAsWanted(kind, want, "it is not there"));
  }
  const observed = kind.observe(after.facts, want);
  const wrong = Object.entries(kind.schema.attributes).find(
    ([name, attribute]) =>
      attribute.observed && want[name] !== null && !isDeepStrictEqual(want[name], observed[name]),
  );
  if (wrong === undefined) return { observed, exact: exactNames(kind, after.facts, observed) };
  throw new Failure(notAsWanted(kind, want, `its ${formatPath(at(wrong[0]))} is another`));
}

const notAsWanted = (kind: AnyStep, want: PlainObject, problem: string): Diagnostic =>
  errorDiagnostic(
    "Host does not show what was done",
    `${kind.id.of(want)}: everything was done, and when it was read again ${problem}. Somebody else may be changing it.`,
  );

/** The planned object with observed values for unknown ones. */
function result(kind: AnyStep, planned: Value, { observed, outcome }: After): Value {
  const plain = plainObject(planned);
  const entries = [...fieldsOf(planned)!].map(([name, value]) => {
    if (!isUnknown(value) || name === "revision") return [name, plain[name]!];
    const found = kind.schema.attributes[name]?.observed ? observed[name] : outcome?.attributes[name];
    return [name, found ?? null];
  });
  return withPlain(kind.schema, planned, { ...Object.fromEntries(entries), id: idOf(kind, plain) });
}

/** An apply that changed nothing on the host keeps the revision, if there is one. */
function revision(context: Context, { prior }: ApplyRequest, { outcome }: After): string {
  const before = isNull(prior) || wasSkipped(fieldsOf(prior)) ? null : plainObject(prior).revision;
  return outcome?.changed === false && typeof before === "string" ? before : context.mint();
}

/** The answer of a partly failed create: the object is recorded, so that it can be removed again. */
function partial(
  context: Context,
  kind: AnyStep,
  request: ApplyRequest,
  data: PrivateData,
  { diagnostics }: ApplyResponse,
): ApplyResponse {
  const entries = [...fieldsOf(request.planned)!].map(([name, value]) => [
    name,
    isWhollyKnown(value) || name === "revision" ? value : nullValue(value.type),
  ]);
  const object = objectValue(Object.fromEntries(entries));
  return {
    state: complete(object, context.mint),
    private: encodePrivate(kind.schema, data),
    diagnostics,
  };
}
