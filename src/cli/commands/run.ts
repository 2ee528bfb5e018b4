/**
 * @module `conn3x run -- COMMAND`
 */

import { createProvider, hostError } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/nearest.ts";
import {
  type CircuitHost,
  circuitHosts,
  circuitNames,
  type HostName,
  isLeft,
  isOfHost,
  patternAdvice,
  patternsIn,
} from "../../engine/index.ts";
import { createSessionPool, HostError, type SessionPool } from "../../ssh/index.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, ListSpec, ValueSpec } from "../command-line/option.ts";
import { poolOptions } from "../command-line/pool-options.ts";
import type { LoginOption } from "../command-line/shared-options.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { sshWarnings } from "../configuration/ssh-warnings.ts";
import { type HostOutput, hostOutputJson, hostOutputText } from "../render/host-output.ts";
import { concealVariables } from "../terminal/host-log.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";

type HostCommandOption =
  | LoginOption
  | ListSpec<"circuit" | "limit">
  | ValueSpec<"parallelism">
  | FlagSpec<"json">;

/** Runs a command on hosts side by side; 1 when it failed on one. */
export async function runRun({ terminal, options, args }: Context<HostCommandOption>): Promise<ExitCode> {
  const json = options.flag("json");
  const said: Diagnostic[] = [];
  const report = (found: readonly Diagnostic[]): void => {
    said.push(...found);
    if (!json) terminal.report(found);
  };
  const relay = (output: HostOutput): void => {
    if (!json) terminal.out(hostOutputText(output, terminal.colors));
  };
  const { outputs, stopped } = await runOnHosts({ options, args }, terminal, { report, relay: relay });
  if (json) terminal.json(`${hostOutputJson(outputs, said)}\n`);
  const failed = stopped || hasErrors(said) || outputs.some(({ status }) => status !== 0);
  return failed ? 1 : 0;
}

interface Reported {
  report(found: readonly Diagnostic[]): void;
  /** A host is done with. */
  relay(output: HostOutput): void;
}

interface Ran {
  /** The output of all hosts, in the order of the configuration. */
  readonly outputs: readonly HostOutput[];
  /** Whether somebody ended it. */
  readonly stopped: boolean;
}

async function runOnHosts(
  { options, args }: Pick<Context<HostCommandOption>, "options" | "args">,
  terminal: Context["terminal"],
  { report, relay }: Reported,
): Promise<Ran> {
  const nothing: Ran = { outputs: [], stopped: false };
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  const opened = await poolOptions(options, {
    configuration,
    variables,
    report,
    err: terminal.err,
    otherEngine: false,
  });
  if ("problem" in opened) {
    report([opened.problem]);
    return nothing;
  }
  const sessions = createSessionPool({ ...sshWarnings(report), ...opened.pool });
  concealVariables(sessions, configuration, variables);
  const provider = createProvider({ sessions });
  const found = hasErrors(diagnostics)
    ? { hosts: [], withoutLogin: [], diagnostics: [] }
    : circuitHosts({ configuration, provider, variables });
  const every = [...found.hosts, ...found.withoutLogin];
  const { hosts, problem } = selected(every, options.list("circuit"), options.list("limit"));
  const before = [...diagnostics, ...found.diagnostics];
  // Where the hosts could not be found out nothing is known of who is missing.
  const all = hasErrors(before) || problem === undefined ? before : [...before, problem];
  report(all);
  if (hasErrors(all)) return nothing;

  const interrupts = listenForInterrupts(terminal, () => sessions.close());
  interrupts.enter("acting");
  const outputs = hosts.map(notRun);
  const waiting = [...hosts.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (interrupts.signal.aborted) return;
      const [place, host] = next;
      outputs[place] = await runOn(host, args.join(" "), sessions, { report, relay: relay });
    }
  };
  const parallelism = Number(options.value("parallelism") ?? 64);
  try {
    await Promise.all(Array.from({ length: Math.min(parallelism, hosts.length) }, worker));
  } finally {
    interrupts.close();
    await sessions.close();
  }
  return { outputs, stopped: interrupts.signal.aborted };
}

const notRun = ({ circuit, host }: HostName): HostOutput => ({
  circuit,
  host,
  status: undefined,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
});

type Target = CircuitHost | HostName;

const noLogin = (host: string): HostError =>
  new HostError(
    "login_settings",
    host,
    `how ${host} is reached is not known yet`,
    "A part of its login comes from something that is known only after an apply.",
  );

/** A host that several circuits have is one host. */
function selected(hosts: readonly Target[], circuits: readonly string[], limits: readonly string[]) {
  const names = [...new Set(hosts.flatMap(({ circuit }) => circuitNames(circuit)))];
  const unknown = circuits.find((circuit) => !names.includes(circuit));
  if (hosts.length > 0 && unknown !== undefined) {
    const detail = `There is no circuit "${unknown}".${didYouMean(unknown, names)}`;
    return { hosts: [], problem: errorDiagnostic("No such circuit", detail) };
  }
  const patterns = patternsIn(limits);
  const all = [...new Set(hosts.map(({ host }) => host))];
  const missing = patterns.find((pattern) => !all.some((host) => isOfHost(pattern, host)));
  if (hosts.length > 0 && missing !== undefined) {
    const detail = `No host fits. There are: ${all.join(", ")}.${patternAdvice(missing)}`;
    return { hosts: [], problem: errorDiagnostic(`There is no host ${missing}`, detail) };
  }
  const chosen = hosts.filter(
    ({ circuit, host }) =>
      (circuits.length === 0 || circuitNames(circuit).some((name) => circuits.includes(name))) &&
      isLeft(patterns, host),
  );
  const once = new Map(chosen.map((one) => [placeOf(one), one]));
  if (once.size > 0) return { hosts: [...once.values()] };
  const detail =
    hosts.length === 0
      ? "The configuration has no circuit with hosts."
      : `No host fits. There are: ${all.join(", ")}.`;
  return { hosts: [], problem: errorDiagnostic("There is no host to run it on", detail) };
}

const placeOf = (target: Target): string =>
  "login" in target
    ? `${target.host} ${target.login.address}:${target.login.port}`
    : `${target.host} of ${target.circuit}`;

async function runOn(
  to: Target,
  script: string,
  sessions: SessionPool,
  { report, relay }: Reported,
): Promise<HostOutput> {
  try {
    if (!("login" in to)) throw noLogin(to.host);
    const { status, stdout, stderr } = await sessions.session(to.login).run({ script });
    const output = { ...notRun(to), status, stdout, stderr };
    relay(output);
    return output;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const output = { ...notRun(to), mayHaveBegun: error.started };
    relay(output);
    report([{ ...hostError(error, true), host: to.host }]);
    return output;
  }
}
