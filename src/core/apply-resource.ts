/**
 * @module Acting on one instance: converge from what is found, look again, and record what is there.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { ActionKind, Found, StepKind } from "../resources/kind.ts";
import type { Session } from "../ssh/session.ts";
import { formatPath } from "../values/path.ts";
import { type PlainObject, toPlain } from "../values/plain.ts";
import { isNull, isUnknown, nullValue, objectValue, stringValue, type Value } from "../values/value.ts";
import { isWhollyKnown } from "../values/walk.ts";
import { type Context, diagnosticOf, Failure, sessionFor } from "./context.ts";
import { plainObject, withPlain } from "./objects.ts";
import { type Progress, perform } from "./perform.ts";
import { decodePrivate, encodePrivate, type PrivateData } from "./private-data.ts";
import type { ApplyRequest, ApplyResponse } from "./provider.ts";

export async function applyResource(context: Context, request: ApplyRequest): Promise<ApplyResponse> {
  const kind = context.kinds.get(request.type)!;
  if (context.stopped) return failed(request, stoppedDiagnostic);
  if (kind.role === "action") return applyAction(context, kind, request);
  return isNull(request.planned) ? removeStep(context, kind, request) : applyStep(context, kind, request);
}

const stoppedDiagnostic = errorDiagnostic(
  "Stopped",
  "The run was asked to stop before this instance was begun.",
);

/** What was there stays recorded: nothing when it was to be created. */
const failed = (request: ApplyRequest, diagnostic: Diagnostic): ApplyResponse => ({
  state: request.prior,
  private: isNull(request.prior) ? new Uint8Array() : request.plannedPrivate,
  diagnostics: [diagnostic],
});

/** Runs on create only; an update records, a delete forgets (C9). A failed run leaves nothing, so it stays pending. */
async function applyAction(
  context: Context,
  kind: ActionKind,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  const { prior, planned } = request;
  if (isNull(planned)) return { state: planned, private: new Uint8Array(), diagnostics: [] };
  try {
    if (isNull(prior)) {
      const session = sessionFor(context, sshOf(planned));
      await perform(session, kind.run(plainObject(planned)), { done: 0 });
    }
    const plain = plainObject(planned);
    const state = complete(context, withPlain(kind.schema, planned, { ...plain, id: kind.id(plain) }));
    return { state, private: new Uint8Array(), diagnostics: [] };
  } catch (error) {
    return failed(request, diagnosticOf(error));
  }
}

async function applyStep(
  context: Context,
  kind: StepKind<unknown>,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  const progress: Progress = { done: 0 };
  let data: PrivateData = { ...decodePrivate(kind.schema, request.plannedPrivate), applied: new Map() };
  try {
    const session = sessionFor(context, sshOf(request.planned));
    const want = wanted(request);
    const found = await context.facts.read(session, kind, want, false);
    if (isNull(request.prior)) data = { ...data, existedBefore: found.state !== "absent" };
    const after = await converge(context, session, kind, want, found, progress);
    return {
      state: complete(context, result(kind, request.planned, after)),
      private: encodePrivate(kind.schema, data),
      diagnostics: [],
    };
  } catch (error) {
    const failure = failed(request, diagnosticOf(error));
    const touched = isNull(request.prior) && progress.done > 0 && data.existedBefore === false;
    return touched && (await isThere(context, kind, request))
      ? partial(context, kind, request, data, failure)
      : failure;
  }
}

/** Whether a create that failed has left something. A host that cannot be asked may have it. */
async function isThere(context: Context, kind: StepKind<unknown>, request: ApplyRequest): Promise<boolean> {
  try {
    const session = sessionFor(context, sshOf(request.planned));
    return (await context.facts.read(session, kind, wanted(request), false)).state !== "absent";
  } catch {
    return true;
  }
}

/** What a person wants: the plan without what is to be found out. */
const wanted = ({ planned }: ApplyRequest): PlainObject =>
  Object.fromEntries(
    [...(planned.data as ReadonlyMap<string, Value>)].map(([name, value]) => [
      name,
      isWhollyKnown(value) ? toPlain(value) : null,
    ]),
  );

/** @returns the object as the host has it when everything is done */
async function converge(
  context: Context,
  session: Session,
  kind: StepKind<unknown>,
  want: PlainObject,
  found: Found<unknown>,
  progress: Progress,
): Promise<PlainObject> {
  const operations = kind.operate(want, found);
  await perform(session, operations, progress);
  const after = operations.length === 0 ? found : await context.facts.read(session, kind, want, false);
  if (after.state !== "present" || !(kind.isOurs?.(after.facts) ?? true)) {
    throw new Failure(notAsWanted(kind, want, "it is not there"));
  }
  const observed = kind.observe(after.facts, want);
  const wrong = Object.entries(kind.schema.attributes).find(
    ([name, attribute]) => attribute.observed && want[name] !== null && want[name] !== observed[name],
  );
  if (wrong !== undefined) {
    throw new Failure(notAsWanted(kind, want, `its ${formatPath([{ attribute: wrong[0] }])} is another`));
  }
  return observed;
}

const notAsWanted = (kind: StepKind<unknown>, want: PlainObject, problem: string): Diagnostic =>
  errorDiagnostic(
    "Host does not show what was done",
    `${kind.facts.key(want)} was written, and when it was read again ${problem}. Somebody else may be changing it.`,
  );

/** The planned object with what was found where the plan did not know. */
function result(kind: StepKind<unknown>, planned: Value, observed: PlainObject): Value {
  const plain = plainObject(planned);
  const entries = [...(planned.data as ReadonlyMap<string, Value>)].map(([name, value]) => [
    name,
    isUnknown(value) && kind.schema.attributes[name]?.observed ? observed[name]! : plain[name]!,
  ]);
  const known = { ...Object.fromEntries(entries), id: kind.facts.key(plain) };
  return withPlain(kind.schema, planned, known);
}

/** A revision that was planned unknown becomes a fresh one; a known one is kept (C5). */
function complete(context: Context, object: Value): Value {
  const fields = new Map(object.data as ReadonlyMap<string, Value>);
  if (isUnknown(fields.get("revision")!)) fields.set("revision", stringValue(context.mint()));
  return objectValue(fields);
}

/** A create that failed half-way: recorded, so that it is known what to take away again. */
function partial(
  context: Context,
  kind: StepKind<unknown>,
  request: ApplyRequest,
  data: PrivateData,
  { diagnostics }: ApplyResponse,
): ApplyResponse {
  const entries = [...(request.planned.data as ReadonlyMap<string, Value>)].map(([name, value]) => [
    name,
    isWhollyKnown(value) || name === "revision" ? value : nullValue(value.type),
  ]);
  const object = objectValue(Object.fromEntries(entries));
  return {
    state: complete(context, object),
    private: encodePrivate(kind.schema, data),
    diagnostics,
  };
}

/** Deletes what Conn3x made and keeps what was there before, unless the object says otherwise. */
async function removeStep(
  context: Context,
  kind: StepKind<unknown>,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  const gone: ApplyResponse = {
    state: nullValue(request.prior.type),
    private: new Uint8Array(),
    diagnostics: [],
  };
  const prior = plainObject(request.prior);
  const { existedBefore } = decodePrivate(kind.schema, request.plannedPrivate);
  if (prior.on_remove === "keep" || (prior.on_remove !== "delete" && existedBefore !== false)) return gone;
  try {
    const session = sessionFor(context, sshOf(request.prior));
    const found = await context.facts.read(session, kind, prior, false);
    await perform(session, kind.remove(prior, found), { done: 0 });
    return gone;
  } catch (error) {
    return failed(request, diagnosticOf(error));
  }
}

const sshOf = (object: Value): Value | undefined => (object.data as ReadonlyMap<string, Value>).get("ssh");
