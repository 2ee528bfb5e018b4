/**
 * @module The decision about one instance: its planned object, whether that is no change, an update or a
 * replacement, whether the revision is kept, and the reasons. Pure, and common to all engines.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { BlockSchema, ResourceSchema } from "../schema/schema.ts";
import { at, type Path, pathEquals } from "../values/path.ts";
import { type Plain, toPlain } from "../values/plain.ts";
import { isNull, isUnknown, nullValue, objectValue, unknownValue, type Value } from "../values/value.ts";
import { isElements, isEntries, isWhollyKnown } from "../values/walk.ts";
import { type Comparison, compareObjects, topName } from "./comparison.ts";
import type { ChangeAnswer, Decision, DependencyChange, PropertyChange, Reason } from "./decision.ts";
import { substituteOwned } from "./ownership.ts";
import { type Fields, fieldsOf, proposedFields } from "./proposal.ts";
import { dependencyReasons, replaceReasons, sinceImport, updateReasons } from "./reasons.ts";
import { type DiffInstance, type DiffOutcome, ResourceDiff } from "./resource-diff.ts";
import { type SettingChange, settingChanges } from "./setting-change.ts";
import { differingPaths, planSkip, skippedFields, skips, wasSkipped } from "./skip.ts";

/** The part of a kind that takes part in deciding. */
export interface DecidingKind {
  readonly type: string;
  /** An action's revision changes only when it runs: on create. */
  readonly role: "step" | "action";
  readonly schema: ResourceSchema;
  readonly plan?: (diff: ResourceDiff) => void;
  readonly changed?: (question: ChangeQuestion) => ChangeAnswer;
}

/**
 * The question to a kind (X2). Objects have every attribute, null if unset. If an input is not known yet its saved
 * value is used instead, and the answer counts as an update at least.
 */
export interface ChangeQuestion extends Changing {
  readonly old: { readonly [name: string]: Plain };
  readonly new: { readonly [name: string]: Plain };
}

/** Why an instance may have to change. A kind gets it when it decides, and again when it acts (X5). */
export interface Changing {
  /** Edits of the configuration since the last apply. */
  readonly changes: readonly SettingChange[];
  /** Instances that it refers to and that the plan updates or replaces; sorted (X4). Only the embedded engine gives them. */
  readonly dependencies: readonly DependencyChange[];
}

export interface DecisionInput {
  /** The configured object; unset attributes are null. */
  readonly config: Value;
  /** The stored object after a read, with drift; null when there is none. */
  readonly prior: Value;
  /** The object as last applied; null when there is no prior object. */
  readonly lastApplied: Value;
  /** Whether an update was interrupted: the revision is renewed although the host may be as wanted. */
  readonly unsettled?: boolean;
  /** Exact names of what settings had on the host when it was read last: see `AttributeOptions.fits`. */
  readonly exact?: ReadonlyMap<string, string>;
  /** Whether it was imported and not applied since. */
  readonly imported?: boolean;
  /** From the embedded engine only. */
  readonly dependencies?: readonly DependencyChange[];
  /** Sensitive paths in addition to those of the schema. */
  readonly sensitive?: readonly Path[];
  /** Whether it is to be on another host than the one where the prior object was seen. */
  readonly elsewhere?: boolean;
  /** Edits of settings whose values are neither stored nor planned, so that no object shows them. */
  readonly writeOnlyEdits?: readonly PropertyChange[];
  /** Those of them that leave the host as it is: another setting has, or had, the same. */
  readonly sameSecrets?: ReadonlySet<string>;
}

export interface Outcome {
  readonly planned: Value;
  readonly decision: Decision;
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides about a configured instance. For the others there is {@link decideDelete}. */
export function decide(kind: DecidingKind, subject: DecisionInput): Outcome {
  const config = fieldsOf(subject.config)!;
  const prior = fieldsOf(subject.prior);
  if (kind.role === "step" && skips(config) === true) return decideSkipped(kind.schema, config, subject);
  // What `when` left out so far is created now, although the instance exists.
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

function decideSkipped(schema: ResourceSchema, config: Fields, { prior }: DecisionInput): Outcome {
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

function decideExisting(kind: DecidingKind, subject: DecisionInput, config: Fields, prior: Fields): Outcome {
  const applied = fieldsOf(subject.lastApplied) ?? prior;
  const { writeOnlyEdits = [] } = subject;
  const rewritten = new Set(writeOnlyEdits.map(({ path }) => topName(path)));
  const owned = substituteOwned(kind.schema, config, prior, applied, rewritten);
  const { exact } = subject;
  const before = { prior, applied, theirs: owned.theirs, ...(exact && { exact }) };
  const custom = customPlan(kind, owned.config, before, subject.elsewhere);
  const diagnostics = [...owned.diagnostics, ...custom.diagnostics];
  const planned = custom.planned;
  const compared = compareObjects(kind.schema, {
    config,
    prior,
    applied,
    planned,
    theirs: owned.theirs,
    writeOnlyEdits,
    ...(subject.sameSecrets && { sameSecrets: subject.sameSecrets }),
    ...(subject.exact && { exact: subject.exact }),
  });
  const unsettled = subject.unsettled === true && kind.role === "step";
  const comparison = unsettled ? { ...compared, differs: true, touchesHost: true } : compared;
  const forced = hasErrors(diagnostics) ? [] : replacePaths(kind.schema, comparison, custom.forced);
  const answer = answerOf(kind, subject, applied, planned, comparison, forced);
  // The kind's answer did not come from what differs.
  const byOthers =
    answer !== "none" && (!comparison.differs || (answer === "replace" && forced.length === 0));
  const others = byOthers ? dependencyReasons(subject.dependencies ?? []) : [];
  const { imported = false } = subject;
  const requiresReplace = answer === "replace" && forced.length === 0 ? [at("revision")] : forced;
  if (answer === "none") {
    return { planned: subject.prior, decision: { ...nothing, drift: comparison.drift }, diagnostics };
  }
  // An action that has asked for a new revision runs where it is.
  const runsInPlace = kind.role === "action" && isUnknown(planned.get("revision")!);
  const runsAgain =
    answer === "replace" ||
    runsInPlace ||
    (kind.role === "step" && (comparison.touchesHost || others.length > 0));
  const revision = prior.get("revision")!;
  planned.set("revision", runsAgain || isNull(revision) ? unknownValue(revision.type) : revision);
  return {
    planned: objectValue(planned),
    diagnostics,
    decision: {
      action: answer,
      reasons: runsInPlace
        ? [{ kind: "triggers", paths: [at("triggers")] }]
        : reasonsOf(kind.schema, answer, comparison, { requiresReplace, others, unsettled, imported }),
      edits: comparison.edits,
      drift: comparison.drift,
      requiresReplace,
      ...(runsInPlace ? { runs: true as const } : {}),
    },
  };
}

function reasonsOf(
  schema: BlockSchema,
  answer: ChangeAnswer,
  comparison: Comparison,
  { requiresReplace, others, unsettled, imported }: Because,
): readonly Reason[] {
  const own = (reasons: readonly Reason[]) => (imported ? sinceImport(reasons) : reasons);
  if (answer === "replace") return others.length > 0 ? others : own(replaceReasons(schema, requiresReplace));
  return [...own(updateReasons(comparison, unsettled)), ...others];
}

interface Because {
  readonly requiresReplace: readonly Path[];
  /** Reasons that come from dependencies. */
  readonly others: readonly Reason[];
  readonly unsettled: boolean;
  readonly imported: boolean;
}

/** The proposal, changed by the kind's own logic. */
function customPlan(
  kind: DecidingKind,
  config: Fields,
  before: Pick<DiffInstance, "prior" | "applied" | "theirs" | "exact">,
  elsewhere = false,
): DiffOutcome {
  const proposed = proposedFields(kind.schema, config, before.prior, elsewhere);
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
  { dependencies = [], sensitive = [] }: DecisionInput,
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
    new: plainObject(new Map([...planned].map(([name, value]) => [name, standIn(value, applied.get(name))]))),
    changes: settingChanges(comparison.edits, kind.schema, sensitive),
    dependencies,
  });
  if (!answers.has(answer)) {
    throw new RangeError(`${kind.type} answered ${JSON.stringify(answer)}: it is none, update or replace`);
  }
  // With an unknown input something may have to be done, whatever the kind answers (X2).
  const unknownInput = comparison.edits.some(({ after }) => after !== undefined && !isWhollyKnown(after));
  return answer === "none" && unknownInput ? "update" : answer;
}

const answers: ReadonlySet<ChangeAnswer> = new Set(["none", "update", "replace"]);

/** The value with saved values for unknown ones; null where nothing was saved. */
function standIn(value: Value, saved: Value | undefined): Value {
  if (isWhollyKnown(value)) return value;
  if (isUnknown(value)) return saved ?? nullValue(value.type);
  const { type, data } = value;
  if (isElements(data)) {
    const old = saved !== undefined && isElements(saved.data) ? saved.data : [];
    return { type, data: data.map((element, i) => standIn(element, old[i])) };
  }
  if (!isEntries(data)) return value;
  const old = saved !== undefined && isEntries(saved.data) ? saved.data : new Map<string, Value>();
  return { type, data: new Map([...data].map(([name, inner]) => [name, standIn(inner, old.get(name))])) };
}

const plainObject = (fields: Fields): { readonly [name: string]: Plain } =>
  Object.fromEntries([...fields].map(([name, value]) => [name, toPlain(value)]));
