/**
 * @module Looks at the host while planning, so that whatever would make an apply fail, or exists already, shows before
 * anything is touched (P4).
 *
 * Never fails a plan for a host that does not answer, nor for what is missing on a host where the run changes more than
 * this one instance: an earlier step may bring it, and apply looks again.
 */
import { createHash } from "node:crypto";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { hostOf } from "../../login/index.ts";
import type { Found, HostLook, Kind, LocalFiles, Need } from "../../resources/kind.ts";
import { type NeedFacts, needFacts } from "../../resources/needs/facts.ts";
import { unmet } from "../../resources/needs/need.ts";
import type { Outcome } from "../../revision/decide.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { raw } from "../../script/script.ts";
import { HostError, type Session } from "../../ssh/index.ts";
import { containsHidden, withMark } from "../../values/marks.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import { isNull, isUnknown, Unknown, type Value } from "../../values/value.ts";
import { isWhollyKnown, rebuild } from "../../values/walk.ts";
import { goingOf, withAdvice, withClaims } from "../apply/claims.ts";
import { type Context, Failure, NotKnownYet, sessionFor } from "../context.ts";
import { hostError, hostWarning } from "../hosts/host-diagnostics.ts";
import { plainObject, withPlain } from "../objects.ts";
import type { Existing, ExistingRequest } from "../provider.ts";
import { type AnyStep, isOurs } from "../read/ours.ts";
import { decodePrivate, noPrivateData, type PrivateData } from "../stored/private-data.ts";
import { withWriteOnly } from "../stored/write-only.ts";
import { lookAt } from "./host-look.ts";
import { besidesIn, nothingSeen, type PlanOutlook } from "./plan-outlook.ts";

/** What was decided, and what by. */
export interface CheckedPlan extends Outcome {
  /** The configured object in the plan's request. */
  readonly config: Value;
  readonly local: LocalFiles;
  readonly prior: Value;
  readonly priorPrivate: Uint8Array;
}

export async function checkPlan(
  context: Context,
  kind: Kind,
  { planned, decision, diagnostics, config, local, prior, priorPrivate }: CheckedPlan,
): Promise<PlanOutlook> {
  if (decision.action === "none" || decision.action === "delete" || hasErrors(diagnostics))
    return nothingSeen;
  const session = sessionOf(context, planned);
  if (session === undefined) return nothingSeen;
  if ("diagnostics" in session) return session;
  const written = withWriteOnly(kind.schema, plainObject(planned), config);
  const object = kind.role === "action" ? written : withAdvice(kind, written, config);
  const host = hostOf(session);
  const instance = `${kind.type} ${JSON.stringify(object.id)}`;
  context.plannedChanges.add(host, instance);
  if (wasSkipped(fieldsOf(planned))) return nothingSeen;
  if (context.down.has(session)) return { diagnostics: [], unseen: true };
  if (kind.role === "action") {
    // Of a replacement, the second plan (of the new object) says what will run.
    const look = decision.action === "create" ? kind.planCheck?.(object) : undefined;
    if (look === undefined) return entering(context, session);
    return checkAction(context, session, look, context.plannedChanges.hasOthers(host, instance));
  }
  if (object.id instanceof Unknown) return entering(context, session);
  context.plannedChanges.takeAway(host, kind.type, kind.takesAway?.(object) ?? []);
  const creating = decision.action === "create" && readsHost(kind);
  if (kind.planCheck === undefined && kind.needs === undefined && !creating)
    return entering(context, session);
  try {
    const needs = kind.needs?.(object, local) ?? [];
    const [found, warning, ...needed] = await Promise.all([
      context.facts.read(session, kind, object, creating ? "plan_create" : "plan_check"),
      context.machines.meet(session),
      ...needs.map((need) => readNeed(context, session, need)),
    ]);
    const going = goingOf(context, host, kind);
    const others = context.plannedChanges.hasOthers(host, instance);
    const checked = [
      ...(warning === undefined ? [] : [warning]),
      ...(kind.planCheck?.(object, found, {
        ...(isNull(prior)
          ? {}
          : { prior: withClaims(kind, plainObject(prior), decodePrivate(kind.schema, priorPrivate)) }),
        going,
        others,
      }) ?? []),
      ...needs.flatMap((need, i) => unmet(need, needed[i]!, found, others)),
    ];
    return {
      diagnostics: counting(checked, others),
      ...besidesIn(kind, found, object, going),
      ...(found.realNames === undefined ? {} : { realNames: found.realNames }),
      ...(creating ? foundAlready(kind, config, object, found, planned) : {}),
      ...(creating && kind.foretell !== undefined
        ? { planned: expectedObject(kind, planned, kind.foretell(found)) }
        : {}),
    };
  } catch (error) {
    return unseen(context, session, error);
  }
}

/** Errors count where nothing else may change what they are about. */
const counting = (found: readonly Diagnostic[], others: boolean): readonly Diagnostic[] =>
  others ? found.filter(({ severity }) => severity === "warning") : found;

async function checkAction(
  context: Context,
  session: Session,
  look: HostLook,
  others: boolean,
): Promise<PlanOutlook> {
  context.entered.add(session);
  try {
    return { diagnostics: counting(await lookAt(context, session, look), others) };
  } catch (error) {
    return unseen(context, session, error);
  }
}

/** What exists of a planned create when the plan is applied. */
export async function lookForExisting(
  context: Context,
  kind: Kind,
  { config, planned }: ExistingRequest,
): Promise<Existing> {
  const session = sessionOf(context, planned);
  if (session === undefined || "diagnostics" in session || context.down.has(session)) return {};
  const object = withWriteOnly(kind.schema, plainObject(planned), config);
  const isThing = kind.role !== "action" && readsHost(kind) && !wasSkipped(fieldsOf(planned));
  if (!isThing || object.id instanceof Unknown) return {};
  try {
    const found = await context.facts.read(session, kind, object, "in_place");
    const { found: is, removing } = foundAlready(kind, config, object, found, planned);
    return { ...(is && { found: is }), ...(removing !== undefined && { removing }) };
  } catch (error) {
    if (error instanceof HostError) return {};
    throw error;
  }
}

/** A host that does not answer is a warning; one that cannot be worked on is an error. */
function unseen(context: Context, session: Session, error: unknown): PlanOutlook {
  if (!(error instanceof HostError)) throw error;
  context.down.add(session);
  if (!error.hostDown) return { diagnostics: [hostError(error)] };
  return { diagnostics: [hostWarning(error)], unseen: true };
}

/**
 * Checks whether becoming another user is possible, when nothing is to be read. Sent together with whatever
 * else is asked of the host.
 */
async function entering(context: Context, session: Session): Promise<PlanOutlook> {
  if (!session.login.become || context.entered.has(session)) return nothingSeen;
  context.entered.add(session);
  try {
    await session.ask(raw(":"), { purpose: "see whether the other user can be become" });
    return nothingSeen;
  } catch (error) {
    return unseen(context, session, error);
  }
}

const readNeed = (context: Context, session: Session, need: Need): Promise<Found<NeedFacts>> =>
  context.facts.read(
    session,
    { type: "needs", facts: needFacts },
    need.what === "space" ? { what: need.what, name: need.path } : { what: need.what, name: need.name },
    "plan_check",
  );

/** Whether anything of the kind's objects can be found on a host. */
const readsHost = (kind: AnyStep): boolean =>
  Object.values(kind.schema.attributes).some(({ observed }) => observed);

/** The object with values for computed attributes that were not known. */
function expectedObject(kind: AnyStep, planned: Value, wanted: PlainObject): Value {
  const object = plainObject(planned);
  const known = Object.entries(wanted).filter(([name]) => object[name] instanceof Unknown);
  return withPlain(kind.schema, planned, { ...object, ...Object.fromEntries(known) });
}

const hashOfNames = (names: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 16);

/** What exists already of an object that is to be created. */
function foundAlready(
  kind: AnyStep,
  config: Value,
  object: PlainObject,
  found: Found<unknown>,
  planned: Value,
): Pick<PlanOutlook, "existedBefore" | "found" | "removing" | "existing"> {
  if (found.state === "unreadable") return {};
  if (found.state === "absent" || !isOurs(kind, found.facts, object)) return { existedBefore: false };
  if (!isWhollyKnown(config) || !(kind.isThere?.(found.facts) ?? true)) return { existedBefore: true };
  const want = Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, value instanceof Unknown ? null : value]),
  );
  const operations = kind.operate(want, found);
  if (operations.length === 0) return { existedBefore: true, found: "as_wanted" };
  const removing = kind.removes && hashOfNames(kind.removes(object, found.facts));
  return {
    existedBefore: true,
    found: "different",
    existing: existingObject(kind, planned, kind.observe(found.facts, want)),
    ...(removing === undefined ? {} : { removing }),
  };
}

/** The planned object with what the host has of it. A setting that is sensitive is so on the host as well. */
function existingObject(kind: AnyStep, planned: Value, observed: PlainObject): Value {
  return rebuild(planned, (value, step) => {
    const name = "attribute" in step ? step.attribute : "";
    const attribute = kind.schema.attributes[name];
    // What is not configured stays as it is there.
    if (attribute?.observed !== true || observed[name] === undefined || isUnknown(value)) return value;
    const there = fromPlain(observed[name], attribute.type);
    return containsHidden(value) || attribute.sensitive === true ? withMark(there, "sensitive") : there;
  });
}

/** The session; undefined when the login is not known yet, a diagnostic when it is not valid. */
function sessionOf(context: Context, planned: Value): Session | PlanOutlook | undefined {
  try {
    return sessionFor(context, fieldsOf(planned)!.get("ssh"));
  } catch (error) {
    if (error instanceof NotKnownYet) return undefined;
    if (error instanceof Failure) return { diagnostics: [error.diagnostic] };
    throw error;
  }
}

/**
 * Private data of a planned create. An object that an interrupted run had begun to create is ours although it exists: the
 * plan of that run, given as the prior private data, was about the same object and saw that it did not exist.
 * In the second plan of a replacement the prior private data is that of the old object, and says nothing of the new one.
 *
 * @param id of the object to create; undefined when it is not known yet
 */
export function privateOfCreate(
  before: PrivateData,
  id: string | undefined,
  { existedBefore }: PlanOutlook,
): PrivateData {
  if (id === undefined) return noPrivateData;
  const begun = before.creating === id && before.existedBefore === false;
  if (begun) return { ...noPrivateData, creating: id, existedBefore: false, begun };
  return { ...noPrivateData, creating: id, existedBefore };
}
