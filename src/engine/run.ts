/**
 * @module The entry points of the embedded engine: plan, and apply the plan.
 */
import type { Configuration } from "../compiler/index.ts";
import type { Provider } from "../core/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { resourceAddress } from "../values/address.ts";
import { act } from "./act/act.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";
import { decide } from "./decide/decide.ts";
import type { Decided } from "./decide/decided.ts";
import { type Selection, type SelectionNames, selectionOf } from "./decide/selection.ts";
import {
  type ImportTarget,
  importTargets,
  type StateWithImports,
  takeInImports,
} from "./decide/stored/imports.ts";
import {
  followCounts,
  followMoves,
  type MovedInstance,
  type MovedState,
  movesOf,
  onlyMoves,
} from "./decide/stored/moves.ts";
import { type Loaded, load } from "./evaluate/load.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { Problems } from "./evaluate/problems.ts";
import { configureProvider } from "./evaluate/resources/provider-config.ts";
import { subjectOf } from "./evaluate/resources/subject.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";
import type { EventSink } from "./event.ts";
import type { Plan } from "./plan.ts";
import { refuseEndlessWaiting, refuseForeign } from "./refusals.ts";
import { inputsAgain, inputsToShow, storedInputs } from "./saved/ephemeral-inputs.ts";
import { type RecordingProvider, recording, replaying } from "./saved/recording.ts";
import {
  configurationDigest,
  type PlannedOptions,
  type SavedPlan,
  staleness,
  writeSavedPlan,
} from "./saved/saved-plan.ts";
import { backendAt } from "./state/file-backend.ts";
import type { Lock, Locked } from "./state/lock.ts";
import { openStore } from "./state/open-store.ts";
import type { State } from "./state/state.ts";
import type { StateBackend, StateLocation } from "./state/state-backend.ts";
import type { StateStore } from "./state/store.ts";
import { invalidObjects } from "./validate.ts";

/** How many instances are worked on at once unless somebody says otherwise. */
export const defaultParallelism = 64;

export interface RunOptions extends SelectionNames {
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Raw values of variables in order of precedence, lowest first; see {@link VariableInput}. */
  readonly variables: readonly VariableInput[];
  /** The backend of the state; a path is that of a file. Default: `terraform.tfstate` in the configuration's directory. */
  readonly statePath: StateLocation;
  readonly mode: Plan["mode"];
  /** False: nothing is read from hosts (C12). */
  readonly refresh: boolean;
  /** Addresses of instances that are replaced in any case (`-replace`). */
  readonly replace?: readonly string[];
  /** The operation that the lock names, in OpenTofu's words: `OperationTypePlan`. Default: an apply. */
  readonly operation?: string;
  /** How many milliseconds to wait for a lock that somebody else holds. */
  readonly lockTimeout: number;
  readonly events: EventSink;
  /** How many instances are worked on at once. */
  readonly parallelism: number;
  /**
   * A plan that was saved: it is applied as it was made, with the mode, the variables and the selection that it was made
   * with, in place of those given here; or refused, when the state or the configuration is another by now.
   */
  readonly saved?: SavedPlan;
  /** Whether the plan may be {@link Run.save saved}. */
  readonly saves?: boolean;
  /** Aborted by the first ^C: running work finishes, nothing new starts. */
  readonly signal?: AbortSignal;
}

/** Holds the state's lock from planning until {@link close}. */
export interface Run {
  /** Undefined when there were errors. */
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Acts on the plan. State is saved as work completes. Call at most once. */
  apply(): Promise<ApplyOutcome>;
  /**
   * Writes the plan to a file that only its owner can read: it holds what is sensitive in clear. There where
   * {@link RunOptions.saves} was asked for and a plan was made.
   *
   * @returns what went wrong
   */
  save?(path: string): Promise<readonly Diagnostic[]>;
  /**
   * Releases the lock; does not close the provider.
   *
   * @returns what kept the lock from being released
   */
  close(): Promise<readonly Diagnostic[]>;
}

/**
 * Plans: loads, locks, reads and decides. Nothing on any host and nothing in the state file changes before
 * {@link Run.apply}, but for taking in the journal that a killed run left. Never rejects for what is wrong with the
 * configuration, the state or a host: that is in the diagnostics.
 */
export async function startRun(given: RunOptions): Promise<Run> {
  const { saved } = given;
  const problems = new Problems();
  const options = saved === undefined ? given : asPlanned(given, saved, problems);
  const { configuration, provider, variables } = options;
  const planTime = saved?.planTime ?? new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const loaded = load({ configuration, schema: provider.schema, variables, functions, planTime }, problems);
  if (!problems.failed) configureProvider(configuration, loaded.surroundings, provider, problems);
  if (problems.failed) return endedRun(problems.all);
  const backend = backendAt(options.statePath);
  const locked = await lockIn(backend, options);
  if (locked.lock === undefined) return endedRun([...problems.all, locked.problem]);
  try {
    return await lockedRun(options, loaded, { ...locked, backend }, problems);
  } catch (error) {
    await locked.lock.release();
    throw error;
  }
}

/** The options that the plan was made with. */
function asPlanned(given: RunOptions, { options }: SavedPlan, problems: Problems): RunOptions {
  const { ephemeral, ...planned } = options;
  // Who does not mean to apply it shows it.
  if (given.operation === "OperationTypePlan")
    return { ...given, ...planned, variables: inputsToShow(options) };
  const again = inputsAgain({ ...planned, ephemeral }, given.variables, given.configuration);
  problems.reportAll(again.problems);
  return { ...given, ...planned, variables: again.inputs };
}

/** The lock on a backend's state. Its release closes what the backend has open. */
async function lockIn(
  backend: StateBackend,
  { operation = "OperationTypeApply", lockTimeout }: RunOptions,
): Promise<Locked> {
  const locked = await backend.lock({ operation, timeout: lockTimeout });
  const { lock } = locked;
  if (lock === undefined) {
    await backend.close();
    return locked;
  }
  const release = (): Promise<readonly Diagnostic[]> => lock.release().finally(() => backend.close());
  return { lock: { ...lock, release } };
}

async function lockedRun(
  options: RunOptions,
  loaded: Loaded,
  { lock, backend }: { readonly lock: Lock; readonly backend: StateBackend },
  problems: Problems,
): Promise<Run> {
  const { saved, mode } = options;
  const { store, problem, warnings = [] } = await openStore(backend);
  problems.reportAll(problem === undefined ? warnings : [problem]);
  if (store !== undefined) refuseForeign(store.file, problems);
  if (store !== undefined && saved !== undefined)
    problems.reportAll(staleness(saved, store.identity, options.configuration));
  if (store === undefined || problems.failed) return endedRun(problems.all, lock);
  const recorded = options.saves ? recording(options.provider) : undefined;
  const provider =
    recorded?.provider ??
    (saved === undefined ? options.provider : replaying(options.provider, saved.answers));
  const { state, imports, moves } = await startingState({ ...options, provider }, loaded, store, problems);
  if (problems.failed) return endedRun(problems.all, lock);
  const decided = await decide(
    {
      loaded,
      provider,
      mode,
      events: options.events,
      state,
      imports,
      moves,
      begun: store.begun.resources,
      isUnsettled: (resource, key) => store.begun.isUpdating(resource, key),
      refresh: options.refresh,
      selection: selectionOf(options, loaded, state, mode),
      replace: new Set(options.replace),
    },
    problems,
  );
  if (decided !== undefined) refuseEndlessWaiting(loaded, decided, problems);
  if (decided === undefined || problems.failed) return endedRun(problems.all, lock);
  const run = plannedRun(options, loaded, lock, store, decided);
  return recorded === undefined ? run : { ...run, save: saving(options, loaded, store, recorded) };
}

/** The stored state after moves, with what is to be imported. */
async function startingState(
  options: RunOptions,
  loaded: Loaded,
  store: StateStore,
  problems: Problems,
): Promise<MovedState & StateWithImports> {
  const { mode, provider } = options;
  const moved = movedState(options, loaded, store, problems);
  const isMeant = isSelected(options, loaded, moved.state);
  const targets = mode === "normal" ? importTargets(loaded, problems) : [];
  if (mode === "normal")
    problems.reportAll(invalidObjects(loaded, provider, (resource, key) => isMeant({ resource, key })));
  if (problems.failed) return { ...moved, imports: new Map() };
  const taken = await takeInImports(moved.state, targets.filter(isMeant), loaded, provider, problems);
  return { ...moved, ...taken };
}

/** The stored state after `moved` blocks and changes of `count`: all of them, or those that the run is about. */
function movedState(
  options: RunOptions,
  loaded: Loaded,
  { state }: StateStore,
  problems: Problems,
): MovedState {
  const everywhere = followCounts(followMoves(state, movesOf(options.configuration), problems), loaded);
  const selection = selectionOf(options, loaded, everywhere.state, options.mode);
  return selection.isPartial ? onlyMoves(state, everywhere.moves, isMoveOf(selection, loaded)) : everywhere;
}

const saving =
  (
    options: RunOptions,
    { planTime }: Loaded,
    { identity }: StateStore,
    { answers }: RecordingProvider,
  ): NonNullable<Run["save"]> =>
  (path) =>
    writeSavedPlan(path, {
      state: identity,
      configuration: configurationDigest(options.configuration),
      options: askedFor(options),
      planTime,
      answers: answers(),
    });

/** Whether a selection has an instance by the address that it is stored at, or by the one that it is to have. */
const isMoveOf =
  (selection: Selection, { resources }: Loaded) =>
  ({ from, to }: MovedInstance): boolean =>
    [from, { resource: resourceAddress(to), key: to.key }].some(({ resource, key }) =>
      selection.includes(resource, subjectOf(resources.get(resource)?.resource, resource, key)),
    );

/** Whether a run is about what is to be imported. */
function isSelected(
  options: RunOptions,
  loaded: Loaded,
  state: State,
): (target: Pick<ImportTarget, "resource" | "key">) => boolean {
  const selection = selectionOf(options, loaded, state, options.mode);
  return ({ resource, key }) =>
    selection.includes(resource, subjectOf(loaded.resources.get(resource)?.resource, resource, key));
}

const askedFor = (options: RunOptions): PlannedOptions => ({
  mode: options.mode,
  refresh: options.refresh,
  replace: options.replace ?? [],
  ...storedInputs(options.variables, options.configuration),
  target: options.target ?? [],
  circuit: options.circuit ?? [],
  step: options.step ?? [],
  limit: options.limit ?? [],
});

function plannedRun(
  options: RunOptions,
  loaded: Loaded,
  lock: Lock,
  store: StateStore,
  decided: Decided,
): Run {
  const { provider, events, parallelism, signal } = options;
  let applied = false;
  return {
    plan: decided.plan,
    diagnostics: decided.plan.diagnostics,
    apply() {
      if (applied) throw new Error("a plan is applied once");
      applied = true;
      return act({ loaded, decided, provider, store, events, parallelism, signal });
    },
    close: () => lock.release(),
  };
}

/** There is nothing to apply. */
const endedRun = (diagnostics: readonly Diagnostic[], lock?: Lock): Run => ({
  plan: undefined,
  diagnostics,
  apply: () => Promise.reject(new Error("there is no plan")),
  close: async () => (await lock?.release()) ?? [],
});
