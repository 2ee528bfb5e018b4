/**
 * @module The decision about one instance: what its planned object is, whether that is no change, an update or a
 * replacement, whether the revision stays, and why. Pure; both engines come here.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { type BlockSchema, isConfigurable, type ResourceSchema } from "../schema/schema.ts";
import { valuesEqual } from "../values/equal.ts";
import { at, type Path, pathEquals } from "../values/path.ts";
import { type Plain, toPlain } from "../values/plain.ts";
import { isNull, nullValue, objectValue, unknownValue, type Value } from "../values/value.ts";
import { isWhollyKnown } from "../values/walk.ts";
import { differences } from "./compare.ts";
import type { ChangeAnswer, Decision, PropertyChange, Reason } from "./decision.ts";
import { type Fields, fieldsOf, proposedFields, sameMeaning } from "./proposal.ts";
import { ResourceDiff } from "./resource-diff.ts";
import { touchesHost } from "./revision.ts";

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
  const diff = new ResourceDiff(
    kind.type,
    kind.schema,
    config,
    prior,
    proposedFields(kind.schema, config, prior),
  );
  kind.plan?.(diff);
  const { planned, forced, diagnostics } = diff.outcome();
  if (prior === undefined) return creation(planned, diagnostics);
  const applied = fieldsOf(subject.lastApplied) ?? prior;
  const comparison = compare(kind.schema, { config, prior, applied, planned });
  const requiresReplace = hasErrors(diagnostics) ? [] : replacePaths(kind.schema, comparison, forced);
  const answer = answerOf(kind, applied, planned, comparison, requiresReplace);
  if (answer === "none") {
    return { planned: subject.prior, decision: unchanged(comparison.drift), diagnostics };
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
        answer === "replace" ? replaceReasons(kind.schema, requiresReplace) : updateReasons(comparison),
      edits: comparison.edits,
      drift: comparison.drift,
      requiresReplace,
    },
  };
}

/** Decides about an instance that is no longer configured. */
export function decideDelete(prior: Value, reason: Reason): Outcome {
  return {
    planned: nullValue(prior.type),
    diagnostics: [],
    decision: { action: "delete", reasons: [reason], edits: [], drift: [], requiresReplace: [] },
  };
}

function creation(planned: Map<string, Value>, diagnostics: readonly Diagnostic[]): Outcome {
  planned.set("revision", unknownValue(planned.get("revision")!.type));
  return {
    planned: objectValue(planned),
    diagnostics,
    decision: { action: "create", reasons: [{ kind: "create" }], edits: [], drift: [], requiresReplace: [] },
  };
}

const unchanged = (drift: readonly PropertyChange[]): Decision => ({
  action: "none",
  reasons: [],
  edits: [],
  drift,
  requiresReplace: [],
});

interface Objects {
  readonly config: Fields;
  readonly prior: Fields;
  readonly applied: Fields;
  readonly planned: Fields;
}

interface Comparison {
  /** Last applied against configured. */
  readonly edits: readonly PropertyChange[];
  /** Last applied against observed. */
  readonly drift: readonly PropertyChange[];
  /** Drift that the planned object puts back. */
  readonly putBack: readonly PropertyChange[];
  readonly differs: boolean;
  readonly touchesHost: boolean;
}

function compare(schema: BlockSchema, { config, prior, applied, planned }: Objects): Comparison {
  const edits = settingNames(schema, config).flatMap((name) => {
    const attribute = schema.attributes[name];
    const before = applied.get(name)!;
    const after = planned.get(name)!;
    const same = attribute !== undefined && sameMeaning(attribute, before, after);
    return same ? [] : differences(before, after, at(name));
  });
  const drift = Object.keys(schema.attributes).flatMap((name) =>
    differences(applied.get(name), prior.get(name), at(name)),
  );
  const putBack = drift.filter(({ path }) => {
    const name = topName(path);
    return !valuesEqual(prior.get(name)!, planned.get(name)!);
  });
  const changedSinceRead = [...planned].some(([name, value]) => !valuesEqual(value, prior.get(name)!));
  return {
    edits,
    drift,
    putBack,
    differs: changedSinceRead || edits.length > 0,
    touchesHost:
      touchesHost(schema, prior, planned) || edits.some(({ path }) => editTouchesHost(schema, path)),
  };
}

/**
 * Settings that a person can have edited: what the configuration sets, and what it leaves out without anybody filling
 * it. A setting that is left to the provider is not compared: whatever is found is right.
 */
function settingNames(schema: BlockSchema, config: Fields): readonly string[] {
  const attributes = Object.entries(schema.attributes)
    .filter(
      ([name, attribute]) => isConfigurable(attribute) && !(attribute.computed && isNull(config.get(name)!)),
    )
    .map(([name]) => name);
  return [...attributes, ...Object.keys(schema.blocks)];
}

/** Whether an edited setting is one that has an effect on the host (C3), however the host looks now. */
function editTouchesHost(schema: BlockSchema, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return schema.hostEffect ?? true;
  if (!("attribute" in first)) return true;
  const attribute = schema.attributes[first.attribute];
  if (attribute !== undefined) return attribute.hostEffect ?? true;
  const block = schema.blocks[first.attribute];
  if (block === undefined) return true;
  // A block that came or went as a whole is judged by what `touchesHost` sees in it.
  return rest.length > 0 && editTouchesHost(block, rest);
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

function replaceReasons(schema: BlockSchema, paths: readonly Path[]): readonly Reason[] {
  const kindOf = (path: Path): Reason["kind"] => {
    const name = topName(path);
    if (schema.attributes[name]?.identity) return "identity";
    return name === "triggers" ? "triggers" : "cannot_update";
  };
  const kinds = [...new Set(paths.map(kindOf))];
  return kinds.map((kind) => ({ kind, paths: paths.filter((path) => kindOf(path) === kind) }));
}

function updateReasons({ edits, putBack }: Comparison): readonly Reason[] {
  const isUnknownEdit = ({ after }: PropertyChange) => after !== undefined && !isWhollyKnown(after);
  const reasons: Reason[] = [];
  const add = (kind: Reason["kind"], changes: readonly PropertyChange[]) => {
    if (changes.length > 0) reasons.push({ kind, paths: changes.map(({ path }) => path) });
  };
  add(
    "config",
    edits.filter((edit) => !isUnknownEdit(edit)),
  );
  add("unknown_input", edits.filter(isUnknownEdit));
  add("drift", putBack);
  return reasons;
}

function topName(path: Path): string {
  const first = path[0];
  return first !== undefined && "attribute" in first ? first.attribute : "";
}
