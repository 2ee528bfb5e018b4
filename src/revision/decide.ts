/**
 * @module The decision about one instance: what its planned object is, whether that is no change, an update or a
 * replacement, whether the revision stays, and why. Pure; both engines come here.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { BlockSchema, ResourceSchema } from "../schema/schema.ts";
import { at, type Path, pathEquals } from "../values/path.ts";
import { type Plain, toPlain } from "../values/plain.ts";
import { isNull, nullValue, objectValue, unknownValue, type Value } from "../values/value.ts";
import { isWhollyKnown } from "../values/walk.ts";
import { type Comparison, compareObjects, topName } from "./comparison.ts";
import type { ChangeAnswer, Decision, PropertyChange, Reason } from "./decision.ts";
import { substituteOwned } from "./ownership.ts";
import { type Fields, fieldsOf, proposedFields } from "./proposal.ts";
import { replaceReasons, updateReasons } from "./reasons.ts";
import { type DiffInstance, type DiffOutcome, ResourceDiff } from "./resource-diff.ts";
import { differingPaths, planSkip, skippedFields, skips, wasSkipped } from "./skip.ts";

/** What of a kind takes part in deciding. */
export interface DecidingKind {
  readonly type: string;
  /** An action's revision changes only when it runs: on create. */
  readonly role: "step" | "action";
  readonly schema: ResourceSchema;
  readonly plan?: (diff: ResourceDiff) => void;
  readonly changed?: (question: ChangeQuestion) => ChangeAnswer;
}

/** What a kind is asked (X2). Objects hold every attribute, unset ones null, not yet known ones `Unknown`. */
export interface ChangeQuestion {
  readonly old: { readonly [name: string]: Plain };
  readonly new: { readonly [name: string]: Plain };
  /** What was edited in the configuration since the last apply. */
  readonly changes: readonly PropertyChange[];
}

export interface Subject {
  /** The configured object: unset attributes null. */
  readonly config: Value;
  /** The stored object after a read, so with drift; null when there is none. */
  readonly prior: Value;
  /** The object as last applied; null when there is no prior object. */
  readonly lastApplied: Value;
  /** Whether an update of it was cut off: the revision is renewed although the host may look as wanted. */
  readonly unsettled?: boolean;
}

export interface Outcome {
  readonly planned: Value;
  readonly decision: Decision;
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides about an instance that is configured; {@link decideDelete} is for the others. */
export function decide(kind: DecidingKind, subject: Subject): Outcome {
  const config = fieldsOf(subject.config)!;
  const prior = fieldsOf(subject.prior);
  if (kind.role === "step" && skips(config) === true) return decideSkipped(kind.schema, config, subject);
  // What was left out so far is to be made now, although the instance exists.
  if (prior === undefined || (kind.role === "step" && wasSkipped(prior)))
    return decideMaking(kind, config, prior);
  return decideExisting(kind, subject, config, prior);
}

/** Decides about an instance that is no longer configured. */
export function decideDelete(prior: Value, reason: Reason): Outcome {
  return {
    planned: nullValue(prior.type),
    diagnostics: [],
    decision: { ...nothing, action: "delete", reasons: [reason] },
  };
}

const nothing: Decision = { action: "none", reasons: [], edits: [], drift: [], requiresReplace: [] };

function decideMaking(kind: DecidingKind, config: Fields, prior: Fields | undefined): Outcome {
  const nobody = new Set<string>();
  const { planned, diagnostics } = customPlan(kind, config, {
    prior: undefined,
    applied: undefined,
    theirs: nobody,
  });
  planned.set("revision", unknownValue(planned.get("revision")!.type));
  const decision: Decision =
    prior === undefined
      ? { ...nothing, action: "create", reasons: [{ kind: "create" }] }
      : { ...nothing, action: "update", reasons: [{ kind: "config", paths: [at("when")] }] };
  return { planned: objectValue(planned), diagnostics, decision };
}

function decideSkipped(schema: ResourceSchema, config: Fields, { prior }: Subject): Outcome {
  const stored = fieldsOf(prior);
  const planned = skippedFields(schema, config, stored);
  const paths = stored === undefined ? [] : differingPaths(stored, planned);
  if (stored !== undefined && paths.length === 0)
    return { planned: prior, diagnostics: [], decision: nothing };
  const decision: Decision =
    stored === undefined
      ? { ...nothing, action: "create", reasons: [{ kind: "create" }] }
      : {
          ...nothing,
          action: "update",
          reasons: [{ kind: "config", paths: wasSkipped(stored) ? paths : [at("when")] }],
        };
  return { planned: objectValue(planned), diagnostics: [], decision };
}

function decideExisting(kind: DecidingKind, subject: Subject, config: Fields, prior: Fields): Outcome {
  const applied = fieldsOf(subject.lastApplied) ?? prior;
  const owned = substituteOwned(kind.schema, config, prior, applied);
  const custom = customPlan(kind, owned.config, { prior, applied, theirs: owned.theirs });
  const diagnostics = [...owned.diagnostics, ...custom.diagnostics];
  const planned = custom.planned;
  const compared = compareObjects(kind.schema, { config, prior, applied, planned, theirs: owned.theirs });
  const unsettled = subject.unsettled === true && kind.role === "step";
  const comparison = unsettled ? { ...compared, differs: true, touchesHost: true } : compared;
  const requiresReplace = hasErrors(diagnostics) ? [] : replacePaths(kind.schema, comparison, custom.forced);
  const answer = answerOf(kind, applied, planned, comparison, requiresReplace);
  if (answer === "none") {
    return { planned: subject.prior, decision: { ...nothing, drift: comparison.drift }, diagnostics };
  }
  const runsAgain = answer === "replace" || (kind.role === "step" && comparison.touchesHost);
  const revision = prior.get("revision")!;
  planned.set("revision", runsAgain || isNull(revision) ? unknownValue(revision.type) : revision);
  return {
    planned: objectValue(planned),
    diagnostics,
    decision: {
      action: answer,
      reasons:
        answer === "replace"
          ? replaceReasons(kind.schema, requiresReplace)
          : updateReasons(comparison, unsettled),
      edits: comparison.edits,
      drift: comparison.drift,
      requiresReplace,
    },
  };
}

/** The proposal after the kind's own logic. */
function customPlan(
  kind: DecidingKind,
  config: Fields,
  before: Pick<DiffInstance, "prior" | "applied" | "theirs">,
): DiffOutcome {
  const proposed = proposedFields(kind.schema, config, before.prior);
  const diff = new ResourceDiff({ type: kind.type, schema: kind.schema, config, ...before }, proposed);
  kind.plan?.(diff);
  const outcome = diff.outcome();
  planSkip(kind.schema, config, outcome.planned);
  return outcome;
}

function replacePaths(
  schema: BlockSchema,
  { edits, drift }: Comparison,
  forced: readonly Path[],
): readonly Path[] {
  const identity = [...edits, ...drift]
    .map(({ path }) => at(topName(path)))
    .filter((path) => schema.attributes[topName(path)]?.identity ?? false);
  return [...identity, ...forced].filter((path, i, all) => all.findIndex((p) => pathEquals(p, path)) === i);
}

function answerOf(
  kind: DecidingKind,
  applied: Fields,
  planned: Fields,
  comparison: Comparison,
  requiresReplace: readonly Path[],
): ChangeAnswer {
  if (requiresReplace.length > 0) return "replace";
  const standard: ChangeAnswer = comparison.differs ? "update" : "none";
  if (kind.changed === undefined) return standard;
  const answer = kind.changed({
    old: plainObject(applied),
    new: plainObject(planned),
    changes: comparison.edits,
  });
  // Where an input is unknown something may have to be done, whatever the kind says (X2).
  const unknownInput = comparison.edits.some(({ after }) => after !== undefined && !isWhollyKnown(after));
  return answer === "none" && unknownInput ? "update" : answer;
}

const plainObject = (fields: Fields): { readonly [name: string]: Plain } =>
  Object.fromEntries([...fields].map(([name, value]) => [name, toPlain(value)]));
