/**
 * @module A run by OpenTofu or Terraform with our provider attached, in the form of the embedded engine's: who shows
 * plans and asks for approval need not know which of them it is.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Configuration } from "../compiler/model.ts";
import { providerSchema } from "../core/create-provider.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { Event, EventSink } from "../engine/event.ts";
import type { Plan } from "../engine/plan.ts";
import type { Run } from "../engine/run.ts";
import type { SessionPool } from "../ssh/session.ts";
import { parseJson } from "../values/json-text.ts";
import { isNull } from "../values/value.ts";
import { applyOutcome } from "./apply-outcome.ts";
import { type Attached, attachProvider } from "./attach.ts";
import { buildPlan } from "./build-plan.ts";
import { type Engine, openEngine } from "./engine.ts";
import { runEngine } from "./engine-process.ts";
import { takeInJournal } from "./external-state.ts";
import { jsonPart } from "./json.ts";
import { initialise, refreshOutputs } from "./prepare.ts";
import { type EngineProgram, findProgram } from "./program.ts";
import { storedInstances } from "./stored-instances.ts";
import { subjectsOf } from "./subjects.ts";

export interface ExternalRunOptions {
  /** `tofu`, `terraform` or a program's path. */
  readonly engine: string;
  /** Of the working directory. */
  readonly configuration: Configuration;
  /** Of the whole command; whoever made it closes it. */
  readonly sessions: SessionPool;
  /** `-var` and `-var-file` as given: the engine finds all other values of variables itself. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
  /** Undefined: where the engine has it. */
  readonly statePath: string | undefined;
  readonly mode: Plan["mode"];
  readonly refresh: boolean;
  /** Addresses of instances to be replaced whatever they are like. */
  readonly replace?: readonly string[];
  /** Milliseconds. */
  readonly lockTimeout: number;
  readonly parallelism: number;
  readonly events: EventSink;
  /** Aborted by the first ^C: what runs finishes, nothing new starts. */
  readonly signal?: AbortSignal;
}

/**
 * Plans: refreshes the compiled files, attaches the provider, and has the engine plan. Never rejects for what is wrong
 * with the engine, the configuration, the state or a host: that is in the diagnostics.
 */
export async function startExternalRun(options: ExternalRunOptions): Promise<Run> {
  const { configuration, engine, sessions, signal } = options;
  const found = findProgram(engine);
  if ("problem" in found) return endedRun([found.problem]);
  const { statePath = "terraform.tfstate", lockTimeout } = options;
  const compiled = [
    ...(await refreshOutputs(configuration)),
    ...(await takeInJournal(statePath, lockTimeout)),
  ];
  if (hasErrors(compiled)) return endedRun(compiled);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-run-"));
  let attached: Attached | undefined;
  const close = async (): Promise<void> => {
    await attached?.close();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    attached = await attachProvider(sessions, readAhead(found.program, options));
    const { environment } = attached;
    const opened = openEngine({ program: found.program, configuration, environment, signal });
    return await plannedRun(opened, attached, join(directory, "plan"), { ...options, close, compiled });
  } catch (error) {
    await close();
    throw error;
  }
}

interface RunOptions extends ExternalRunOptions {
  readonly compiled: readonly Diagnostic[];
  readonly close: () => Promise<void>;
}

/** What the state holds, asked for while the engine starts. Not knowing it costs time, nothing else. */
async function readAhead(program: EngineProgram, { refresh, statePath, signal }: ExternalRunOptions) {
  if (!refresh) return [];
  if (statePath !== undefined) return storedInstances(await readFile(statePath, "utf8").catch(() => ""));
  const environment = { ...process.env, TF_IN_AUTOMATION: "1" };
  const { status, stdout } = await runEngine({ program, args: ["state", "pull"], environment, signal });
  return status === 0 ? storedInstances(jsonPart(stdout)) : [];
}

async function plannedRun(
  engine: Engine,
  attached: Attached,
  file: string,
  options: RunOptions,
): Promise<Run> {
  const { close, compiled, configuration, events, mode } = options;
  const initialised = await initialise(engine, configuration);
  if (hasErrors(initialised)) return endedRun([...compiled, ...initialised], close);
  const planned = await engine.stream(planArguments(options, file), events);
  const diagnostics = [...compiled, ...planned.diagnostics];
  if (planned.status !== 0) return endedRun(diagnostics, close);
  const shown = await engine.ask(["show", "-json", file]);
  if (shown.status !== 0) throw new Error(`${engine.program.path} cannot show its own plan: ${shown.stderr}`);
  const plan = buildPlan(parseJson(jsonPart(shown.stdout)), {
    configuration,
    mode,
    schema: providerSchema,
    decisions: attached.decisions,
    subjects: subjectsOf(configuration),
  });
  const all = [...diagnostics, ...plan.diagnostics];
  const changes = withUnread(plan.changes, diagnostics, options.refresh);
  return {
    plan: { ...plan, changes, diagnostics: all },
    diagnostics: all,
    async apply() {
      const seen: Event[] = [];
      const streamed = await engine.stream(applyArguments(options, file), (event) => {
        seen.push(event);
        events(event);
      });
      return applyOutcome(plan, seen, streamed);
    },
    close,
  };
}

/** Says which stored steps were not read: none without a refresh, else those on hosts that a warning says so of. */
function withUnread(
  changes: Plan["changes"],
  diagnostics: readonly Diagnostic[],
  refresh: boolean,
): Plan["changes"] {
  const warnings = diagnostics.filter(
    ({ severity, summary }) => severity === "warning" && summary === notRead,
  );
  const hosts = new Set(warnings.map(({ host }) => host));
  return changes.map((change) => {
    const stored = !isNull(change.before) && change.role === "step";
    return stored && (!refresh || hosts.has(change.host)) ? { ...change, unread: true } : change;
  });
}

/** Summary of the provider's warning about a host that cannot be asked. */
const notRead = "Host does not answer";

function planArguments(options: RunOptions, file: string): readonly string[] {
  const { mode, refresh, replace = [], variables } = options;
  return [
    "plan",
    "-input=false",
    "-json",
    `-out=${file}`,
    ...(mode === "destroy" ? ["-destroy"] : mode === "refresh-only" ? ["-refresh-only"] : []),
    ...(refresh ? [] : ["-refresh=false"]),
    ...replace.map((address) => `-replace=${address}`),
    ...variables.map(({ name, value }) => `-${name}=${value}`),
    ...commonArguments(options),
  ];
}

const applyArguments = (options: RunOptions, file: string): readonly string[] => [
  "apply",
  "-input=false",
  "-json",
  ...commonArguments(options),
  file,
];

const commonArguments = ({ statePath, lockTimeout, parallelism }: RunOptions): readonly string[] => [
  `-lock-timeout=${lockTimeout}ms`,
  `-parallelism=${parallelism}`,
  ...(statePath === undefined ? [] : [`-state=${statePath}`]),
];

/** There is nothing to apply. */
async function endedRun(diagnostics: readonly Diagnostic[], close?: () => Promise<void>): Promise<Run> {
  await close?.();
  return {
    plan: undefined,
    diagnostics,
    apply: () => Promise.reject(new Error("there is no plan")),
    close: async () => undefined,
  };
}
