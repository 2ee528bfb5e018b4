/**
 * @module What the hosts have now against what was last applied there, read by the engine: as the embedded engine's
 * `look`. Nothing is locked and no state is written here either.
 */

import { type Provider, upgradeState } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import {
  driftPlan,
  type Loaded,
  type Plan,
  type Refreshed,
  readSensitivePaths,
  readState,
  type SelectionNames,
  type StateBackend,
  sensitiveIn,
  type VariableInput,
} from "../../engine/index.ts";
import { type InstanceKey, instanceAddress } from "../../values/address.ts";
import type { Value } from "../../values/value.ts";
import { valueKey } from "../../values/value-key.ts";
import { chosenTargets } from "../plan/chosen-targets.ts";
import { knownWhenAsked } from "../plan/known-configuration.ts";
import { type Subjects, subjectsOf } from "../plan/subjects.ts";
import type { Targets } from "../plan/targets.ts";
import { refreshOutputs } from "../program/prepare.ts";
import type { EngineProgram } from "../program/program.ts";
import { openSession, type SessionOptions } from "../program/session.ts";
import { createProviderLog, type ProviderLog } from "../provider/provider-log.ts";
import { enginePlan, type RunSettings } from "../run/plan-run.ts";
import { backendWithJournal, stateText } from "./external-state.ts";
import { type StoredForRead, storedForReads } from "./stored-for-reads.ts";
import { addressesNow, type ReadLogins, readLogins } from "./stored-logins.ts";

/** With names: only at what is named, and what that depends on. */
export interface ExternalLookOptions extends SessionOptions, RunSettings, SelectionNames {
  /** Values of variables; lowest precedence first. */
  readonly inputs: readonly VariableInput[];
}

export interface Looked {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** @returns a plan of mode `refresh-only`, whose changes hold drift; undefined when there were errors */
export async function externalLook(options: ExternalLookOptions): Promise<Looked> {
  const { configuration, statePath } = options;
  const left = await backendWithJournal({ configuration, statePath });
  if (left !== undefined) return { plan: undefined, diagnostics: [interrupted(left)] };
  const prepare = () => refreshOutputs(configuration, options.inputs);
  const log = createProviderLog();
  const reads = new Map<string, Value>();
  const known = knownWhenAsked(configuration, options.inputs);
  const logins: ReadLogins = (stored) => readLogins(known().loaded, false)(stored);
  const use = { prepare, reads: true, logins, log: alsoKeeping(log, reads) };
  const { session, problems } = await openSession(options, use);
  if (session === undefined) return { plan: undefined, diagnostics: problems };
  try {
    const chosen = await chosenTargets(session, known(), { ...options, mode: "refresh-only" }, "unlocked");
    if (hasErrors(chosen.problems)) return { plan: undefined, diagnostics: chosen.problems };
    const targets = chosen.targets?.targets;
    const wanted = { mode: "refresh-only", refresh: true, replace: [], targets } as const;
    const ignored = (): void => undefined;
    const streamed = await enginePlan(
      session.engine,
      session.file("plan"),
      wanted,
      options,
      ignored,
      "unlocked",
    );
    const { diagnostics } = streamed;
    if (streamed.status !== 0) return { plan: undefined, diagnostics };
    const { loaded } = known();
    const { stored, problem } = await storedOf(session.engine.program, options);
    if (problem !== undefined) return { plan: undefined, diagnostics: [...diagnostics, problem] };
    const found = { loaded, subjects: subjectsOf(configuration), log, reads };
    const meant = chosen.targets === undefined ? stored : meantOf(stored, loaded, chosen.targets);
    return { plan: driftPlan(refreshedFrom(meant, found), loaded, diagnostics), diagnostics };
  } finally {
    await session.close();
  }
}

/** @param reads gets what was read for each stored object, by the object's key */
function alsoKeeping(log: ProviderLog, reads: Map<string, Value>): ProviderLog {
  return {
    ...log,
    watch(provider): Provider {
      const watched = log.watch(provider);
      return {
        ...watched,
        async readResource(request) {
          const response = await watched.readResource(request);
          reads.set(readKey(request.type, request.current), response.state);
          return response;
        },
      };
    },
  };
}

const readKey = (type: string, stored: Value): string => `${type} ${valueKey(stored)}`;

type Stored =
  | { readonly stored: readonly StoredForRead[]; readonly problem?: undefined }
  | { readonly stored?: undefined; readonly problem: Diagnostic };

/** Not knowing what is stored must not look like there being no drift. */
async function storedOf(
  program: EngineProgram,
  { statePath, signal, hurry }: SessionOptions,
): Promise<Stored> {
  const { text, problem: unread } = await stateText({ program, statePath, signal, hurry });
  if (unread !== undefined) return { problem: unread };
  const { problem } = readState(text, statePath ?? `what ${program.path} state pull prints`);
  return problem === undefined ? { stored: storedForReads(text) } : { problem };
}

/** What was chosen, by the addresses that instances have once `moved` blocks were followed. */
function meantOf(
  stored: readonly StoredForRead[],
  loaded: Loaded,
  { includes }: Pick<Targets, "includes">,
): readonly StoredForRead[] {
  const now = addressesNow(stored, loaded);
  return stored.filter((one) => {
    const { resource, key } = now(one);
    return includes(instanceAddress(resource, key));
  });
}

interface FoundThings {
  readonly loaded: Loaded;
  readonly subjects: Subjects;
  readonly log: ProviderLog;
  readonly reads: ReadonlyMap<string, Value>;
}

function refreshedFrom(
  instances: readonly StoredForRead[],
  found: FoundThings,
): ReadonlyMap<string, ReadonlyMap<InstanceKey, Refreshed>> {
  const all = new Map<string, Map<InstanceKey, Refreshed>>();
  for (const instance of instances) {
    if (instance.deposed !== undefined) continue;
    const refreshed = refreshedInstance(instance, found);
    if (refreshed === undefined) continue;
    const resource = all.get(instance.resource) ?? new Map<InstanceKey, Refreshed>();
    all.set(instance.resource, resource.set(instance.key, refreshed));
  }
  return all;
}

function refreshedInstance(
  { type: typeName, resource, name, key, ...stored }: StoredForRead,
  { loaded, subjects, log, reads }: FoundThings,
): Refreshed | undefined {
  const type = loaded.types.get(typeName);
  const before = type && upgradeState(typeName, type.schema, stored.schemaVersion, stored.attributes).value;
  if (type === undefined || before === undefined) return undefined;
  const subject = subjects({ address: instanceAddress(resource, key), type: typeName, name, key });
  const read = reads.get(readKey(typeName, before));
  return {
    subject,
    resource,
    key,
    type,
    stored: { ...stored, key, tainted: false, dependencies: [], createBeforeDestroy: false },
    before,
    object: read ?? before,
    private: stored.private,
    login: undefined,
    marks: [...readSensitivePaths(stored.sensitivePaths), ...sensitiveIn(type, before)],
    movedFrom: undefined,
    // What the engine did not ask for is not known either.
    unread: log.wasUnread(typeName, before) || (read === undefined && subject.role !== "handler"),
    ...(log.wasUnread(typeName, before) ? { unreached: true } : {}),
    changed: false,
  };
}

const interrupted = ({ journal }: StateBackend): Diagnostic =>
  errorDiagnostic(
    "A run goes on, or was interrupted",
    `${journal} holds what it did, and other engines do not know of such files. Wait for it to end; after an interruption conn3x plan with this engine takes it into the state.`,
  );
