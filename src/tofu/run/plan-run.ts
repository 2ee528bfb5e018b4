/**
 * @module Runs the engine's `plan` and `apply`.
 */
import { writeFileSync } from "node:fs";
import type { Configuration } from "../../compiler/index.ts";
import { providerSchema } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { type EventSink, holdsSecrets, type Loaded, type Plan, schemaMarks } from "../../engine/index.ts";
import { unmarkDeep } from "../../values/marks.ts";
import { isNull, nullValue } from "../../values/value.ts";
import { buildPlan } from "../plan/build-plan.ts";
import { isPlan, planParts } from "../plan/plan-facts.ts";
import { isOurType, resourceOf, subjectsOf } from "../plan/subjects.ts";
import { plainComplaint } from "../program/complaint.ts";
import type { Engine, Streamed } from "../program/engine.ts";
import { type Json, parsedPart } from "../program/json.ts";
import type { ProviderLog } from "../provider/provider-log.ts";
import { type StoredLogins, storedLogins } from "../state/stored-logins.ts";

/** The input of a plan. */
export interface Wanted {
  readonly mode: Plan["mode"];
  readonly refresh: boolean;
  /** Addresses of instances to be replaced whatever they are like. */
  readonly replace: readonly string[];
  /** Addresses; undefined: everything. */
  readonly targets: readonly string[] | undefined;
}

/** What all of the engine's commands in a run share. */
export interface RunSettings {
  readonly configuration: Configuration;
  /** `-var` and `-var-file` as given: the engine finds all other values of variables itself. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
  /** Undefined: where the engine has it. */
  readonly statePath: string | undefined;
  /** Milliseconds. */
  readonly lockTimeout: number;
  readonly parallelism: number;
}

/**
 * @param file that the plan goes to
 * @param lock whether the state is locked meanwhile
 */
export async function enginePlan(
  engine: Engine,
  file: string,
  wanted: Wanted,
  settings: RunSettings,
  events: EventSink,
  lock: "locked" | "unlocked" = "locked",
): Promise<Streamed> {
  const { mode, refresh, replace, targets = [] } = wanted;
  const args = [
    "plan",
    "-input=false",
    "-json",
    `-out=${file}`,
    ...(mode === "destroy" ? ["-destroy"] : mode === "refresh-only" ? ["-refresh-only"] : []),
    ...(refresh ? [] : ["-refresh=false"]),
    ...replace.map((address) => `-replace=${address}`),
    ...targetArguments(engine.program, file, targets),
    ...variableArguments(settings),
    ...(lock === "locked" ? [] : ["-lock=false"]),
    ...commonArguments(settings),
  ];
  const streamed = await engine.stream(args, events);
  return streamed.status === notStarted && targets.length > 0
    ? { ...streamed, diagnostics: [...streamed.diagnostics, perhapsTooMany(engine.program, targets)] }
    : streamed;
}

/** Exit status of what the system could not start. */
const notStarted = 127;

const perhapsTooMany = ({ product }: Engine["program"], targets: readonly string[]): Diagnostic =>
  errorDiagnostic(
    "Perhaps too much was chosen at once",
    `${product} takes what is chosen on its command line only, and ${targets.length} addresses may be more than the system allows there. Make batches smaller, choose less, or use OpenTofu, which takes them from a file.`,
  );

/**
 * A batch may have more instances than the system takes arguments.
 * Source: https://opentofu.org/docs/cli/commands/plan/, `-target-file`; Terraform has none
 */
function targetArguments(
  { product }: Engine["program"],
  file: string,
  targets: readonly string[],
): readonly string[] {
  if (product !== "OpenTofu" || targets.length === 0) return targets.map((address) => `-target=${address}`);
  const path = `${file}.targets`;
  writeFileSync(path, targets.map((address) => `${address}\n`).join(""), { mode: 0o600 });
  return [`-target-file=${path}`];
}

/** `-var` and `-var-file`. */
export const variableArguments = ({ variables }: Pick<RunSettings, "variables">): readonly string[] =>
  variables.map(({ name, value }) => `-${name}=${value}`);

export const engineApply = (
  engine: Engine,
  file: string,
  settings: RunSettings,
  events: EventSink,
): Promise<Streamed> =>
  engine.stream(
    ["apply", "-input=false", "-json", ...ephemeralAgain(settings), ...commonArguments(settings), file],
    events,
  );

/** No plan has values of ephemeral variables; the others may be given as they are in it. */
const ephemeralAgain = (settings: RunSettings): readonly string[] =>
  [...settings.configuration.variables.values()].some(({ ephemeral }) => ephemeral)
    ? variableArguments(settings)
    : [];

const commonArguments = ({ statePath, lockTimeout, parallelism }: RunSettings): readonly string[] => [
  `-lock-timeout=${lockTimeout}ms`,
  `-parallelism=${parallelism}`,
  ...(statePath === undefined ? [] : [`-state=${statePath}`]),
];

export type PlanJson =
  | { readonly json: Json; readonly problems?: undefined }
  /** Empty when the engine was stopped: who did that knows. */
  | { readonly json?: undefined; readonly problems: readonly Diagnostic[] };

/** What is in a plan file of the engine's, as much as is needed for a plan of ours that was made in the mode. */
export async function planJsonOf(engine: Engine, file: string, mode: Plan["mode"]): Promise<PlanJson> {
  const { status, stdout, stderr } = await engine.ask(["show", "-json", file]);
  if (engine.isStopped()) return { problems: [] };
  const json = status === 0 ? parsedPart(stdout, planParts(mode)) : undefined;
  if (isPlan(json)) return { json };
  const { product, path } = engine.program;
  const how = status === 0 ? "printed no plan in the form that Conn3x knows" : `ended with status ${status}`;
  return {
    problems: [
      errorDiagnostic(
        `${product} cannot show the plan`,
        `"${path} show -json" ${how}.\n\n${plainComplaint(stderr)}`.trim(),
      ),
    ],
  };
}

export interface PlanFacts {
  readonly mode: Plan["mode"];
  readonly isPartial: boolean;
  readonly refresh: boolean;
  /** Diagnostics from making it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan as ours, with everything that was said about it. */
export function planFrom(json: Json, facts: PlanFacts, log: ProviderLog, loaded: Loaded): Plan {
  const plan = buildPlan(json, {
    configured: loaded,
    configuration: loaded.configuration,
    mode: facts.mode,
    schema: providerSchema,
    log,
    subjects: subjectsOf(loaded.configuration),
  });
  holdBackSecrets(plan.changes, log);
  logInToDelete(plan, log, storedLogins(loaded, facts.mode === "destroy"));
  return {
    ...plan,
    ...(facts.isPartial ? { isPartial: true } : {}),
    changes: withKept(withUnread(plan.changes, facts, log), log),
    diagnostics: [...facts.diagnostics, ...plan.diagnostics],
  };
}

/** What commands and hosts answer may hold what the engine knows to be sensitive. */
function holdBackSecrets(changes: Plan["changes"], log: ProviderLog): void {
  for (const { type, decision, before, after } of changes) {
    const schema = providerSchema.resources.get(type);
    if (schema === undefined || decision.action === "none") continue;
    const [prior, planned] = [unmarkDeep(before), unmarkDeep(after)];
    const known = { sensitive: schemaMarks(schema) };
    if (!holdsSecrets(known, [...prior.paths, ...planned.paths])) continue;
    if (!isNull(before)) log.holdBack(type, prior.value, planned.value);
    // The second half of a replacement is made from nothing.
    if (!isNull(after)) log.holdBack(type, nullValue(planned.value.type), planned.value);
  }
}

/** What is deleted is looked for as it was read: with the login that is configured. */
function logInToDelete({ changes }: Plan, log: ProviderLog, logins: StoredLogins): void {
  for (const change of changes) {
    const { type, key, decision, before } = change;
    const ends = decision.action === "delete" || decision.action === "replace";
    if (!ends || !isOurType(type) || isNull(before)) continue;
    const prior = unmarkDeep(before).value;
    const configured = logins({ resource: resourceOf(change), key }, prior);
    if (configured !== undefined) log.logIn(type, prior, configured.login);
  }
}

/** Says what an earlier plan of the same run, or the one that was saved, found to be kept on its host. */
const withKept = (changes: Plan["changes"], log: ProviderLog): Plan["changes"] =>
  changes.map((change) => {
    const { type, before, decision } = change;
    const ends = decision.action === "delete" || decision.action === "replace";
    if (!ends || decision.keeps !== undefined) return change;
    const keeps = log.keeps(type, unmarkDeep(before).value);
    return keeps === undefined ? change : { ...change, decision: { ...decision, keeps } };
  });

/**
 * Says which instances of ours were not read: of what is stored none without a refresh, else those that the provider knows
 * of; of what is to be made those whose host did not answer. A refresh of a part has all that is stored in its plan.
 */
function withUnread(
  changes: Plan["changes"],
  { mode, isPartial, refresh }: PlanFacts,
  log: ProviderLog,
): Plan["changes"] {
  const ofPart = isPartial && mode === "refresh-only";
  return changes.map((change) => {
    const { type, before, after, role } = change;
    if (!isOurType(type) || role === "handler") return change;
    if (isNull(before))
      return log.wasUnread(type, unmarkDeep(after).value)
        ? { ...change, unread: true, unreached: true }
        : change;
    const stored = unmarkDeep(before).value;
    const unread = !refresh || log.wasUnread(type, stored) || (ofPart && !log.wasRead(type, stored));
    const unreached = refresh && log.wasUnread(type, stored) ? { unreached: true } : {};
    return unread ? { ...change, unread, ...unreached } : change;
  });
}
