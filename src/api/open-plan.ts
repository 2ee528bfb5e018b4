/**
 * @module A run of the embedded engine for a program: its plan, to be looked at, and then applied or not.
 */
import { loadConfiguration, nativeText, parseJson } from "../compiler/index.ts";
import { createProvider } from "../core/index.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import {
  type ApplyOutcome,
  defaultParallelism,
  type EventSink,
  type Plan,
  patternsIn,
  startRun,
  usableBackend,
  type VariableInput,
} from "../engine/index.ts";
import { loadPlugins } from "../plugins/load-plugins.ts";
import { kinds } from "../resources/index.ts";
import { createSessionPool, type SessionPool } from "../ssh/index.ts";

export interface PlanOptions {
  /** Values of input variables: texts as for `-var`, anything else as JSON has it. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** `destroy` plans to remove everything, `refresh-only` takes in what the hosts have. Default `normal`. */
  readonly mode?: Plan["mode"];
  /** False: no host is read. Default true. */
  readonly refresh?: boolean;
  /** Addresses of instances that are replaced in any case. */
  readonly replace?: readonly string[];
  /** As the options of `conn3x plan` of the same names: only these parts of the configuration. Default: all of it. */
  readonly target?: readonly string[];
  readonly circuit?: readonly string[];
  readonly step?: readonly string[];
  readonly limit?: readonly string[];
  /** How many instances are worked on at once. Default {@link defaultParallelism}. */
  readonly parallelism?: number;
  /** How many milliseconds to wait for a lock on the state. Default 0. */
  readonly lockTimeout?: number;
  /** Gets everything that happens, in order, before the call that it belongs to returns. */
  readonly events?: EventSink;
  /** Aborted: what runs on hosts finishes, nothing new starts, the state is saved. */
  readonly signal?: AbortSignal;
}

/** Holds the lock on the state, and connections to hosts, until it is closed. */
export interface OpenPlan {
  /** Undefined when there were errors. */
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Makes the planned changes. Call at most once. Never rejects for what a host does: that is in the outcome. */
  apply(): Promise<ApplyOutcome>;
  /** @returns what kept the lock from being released */
  close(): Promise<readonly Diagnostic[]>;
}

/** The configuration's directory, where its state and files are found as well. */
const directory = ".";

/**
 * Reads the configuration of the current directory, as commands do, and the hosts, and decides. Nothing is changed on any host before {@link OpenPlan.apply}.
 *
 * @throws TypeError for the value of a variable that JSON cannot have
 * @throws RangeError when `apply` is called without a plan
 */
export async function openPlan(options: PlanOptions = {}): Promise<OpenPlan> {
  const { variables = {}, mode = "normal" } = options;
  const plugins = loadPlugins(directory, process.env);
  if (hasErrors(plugins)) return withoutPlan(plugins);
  const configuration = await loadConfiguration(directory, { kinds });
  if (hasErrors(configuration.diagnostics)) return withoutPlan(configuration.diagnostics);
  const sessions = createSessionPool();
  const run = await closingOnError(sessions, async () =>
    startRun({
      configuration,
      provider: createProvider({ sessions }),
      variables: Object.entries(variables).map(inputOf),
      statePath: await usableBackend(configuration, process.env),
      mode,
      refresh: options.refresh ?? true,
      replace: options.replace ?? [],
      target: options.target ?? [],
      circuit: options.circuit ?? [],
      step: options.step ?? [],
      limit: patternsIn(options.limit ?? []),
      lockTimeout: options.lockTimeout ?? 0,
      parallelism: options.parallelism ?? defaultParallelism,
      events: options.events ?? (() => undefined),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }),
  );
  return {
    plan: run.plan,
    diagnostics: [...configuration.diagnostics, ...run.diagnostics, ...(run.plan?.diagnostics ?? [])],
    apply: () => run.apply(),
    async close() {
      const left = await run.close();
      await sessions.close();
      return left;
    },
  };
}

function inputOf([name, value]: [string, unknown]): VariableInput {
  if (typeof value === "string") return { name, text: value, form: "raw", source };
  const parsed = parseJson(new SourceFile(source, JSON.stringify(value ?? null)));
  // What JSON.stringify writes is JSON.
  if ("problem" in parsed) throw new RangeError(`the value of ${name} cannot be JSON`);
  return { name, text: nativeText(parsed.node), form: "expression", source };
}

/** Where the values are from, in messages. */
const source = "variables";

const withoutPlan = (diagnostics: readonly Diagnostic[]): OpenPlan => ({
  plan: undefined,
  diagnostics,
  apply: () => Promise.reject(new RangeError("there is no plan to apply")),
  close: async () => [],
});

async function closingOnError<T>(sessions: SessionPool, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await sessions.close();
    throw error;
  }
}
