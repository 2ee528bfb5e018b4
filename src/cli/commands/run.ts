/**
 * @module `conn3x run -- COMMAND`
 */

import { createProvider } from "../../core/create-provider.ts";
import { hostError } from "../../core/host-diagnostics.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/nearest.ts";
import { visible } from "../../diagnostics/visible.ts";
import { matches, patternAdvice, patternsIn } from "../../engine/host-pattern.ts";
import { type CircuitHost, circuitHosts } from "../../engine/hosts.ts";
import { circuitNames } from "../../engine/load/subject.ts";
import { HostError } from "../../ssh/host-error.ts";
import type { SessionPool } from "../../ssh/session.ts";
import { createSessionPool } from "../../ssh/session-pool.ts";
import type { Context, ExitCode } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { concealVariables } from "../host-log.ts";
import { listenForInterrupts } from "../interrupts.ts";
import { poolOptions } from "../pool-options.ts";
import { sshWarnings } from "../ssh-warnings.ts";

/** Runs a command on hosts side by side; 1 when it failed on one. */
export async function runRun({ terminal, options, args }: Context): Promise<ExitCode> {
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  const report = (found: readonly Diagnostic[]) => terminal.report(found);
  const opened = await poolOptions(options, {
    configuration,
    variables,
    report,
    err: terminal.err,
    otherEngine: false,
  });
  if ("problem" in opened) {
    report([opened.problem]);
    return 1;
  }
  const sessions = createSessionPool({ ...sshWarnings(report), ...opened.pool });
  concealVariables(sessions, configuration, variables);
  const provider = createProvider({ sessions });
  const found = hasErrors(diagnostics)
    ? { hosts: [], diagnostics: [] }
    : circuitHosts({ configuration, provider, variables });
  const { hosts, problem } = selected(found.hosts, options.list("circuit"), options.list("limit"));
  const before = [...diagnostics, ...found.diagnostics];
  // Where the hosts could not be found out nothing is known of who is missing.
  const all = hasErrors(before) || problem === undefined ? before : [...before, problem];
  terminal.report(all);
  if (hasErrors(all)) return 1;

  const interrupts = listenForInterrupts(terminal, () => sessions.close());
  interrupts.enter("acting");
  const waiting = [...hosts];
  let failed = false;
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (interrupts.signal.aborted) return;
      failed = !(await runOn(next, args.join(" "), sessions, terminal)) || failed;
    }
  };
  const parallelism = Number(options.value("parallelism") ?? 64);
  try {
    await Promise.all(Array.from({ length: Math.min(parallelism, hosts.length) }, worker));
  } finally {
    interrupts.close();
    await sessions.close();
  }
  return failed || interrupts.signal.aborted ? 1 : 0;
}

/** A host that several circuits have is one host. */
function selected(hosts: readonly CircuitHost[], circuits: readonly string[], limits: readonly string[]) {
  const names = [...new Set(hosts.flatMap(({ circuit }) => circuitNames(circuit)))];
  const unknown = circuits.find((circuit) => !names.includes(circuit));
  if (hosts.length > 0 && unknown !== undefined) {
    const detail = `There is no circuit "${unknown}".${didYouMean(unknown, names)}`;
    return { hosts: [], problem: errorDiagnostic("No such circuit", detail) };
  }
  const patterns = patternsIn(limits);
  const all = [...new Set(hosts.map(({ host }) => host))];
  const missing = patterns.find((pattern) => !all.some((host) => matches(pattern, host)));
  if (hosts.length > 0 && missing !== undefined) {
    const detail = `No host fits. There are: ${all.join(", ")}.${patternAdvice(missing)}`;
    return { hosts: [], problem: errorDiagnostic(`There is no host ${missing}`, detail) };
  }
  const chosen = hosts.filter(
    ({ circuit, host }) =>
      (circuits.length === 0 || circuitNames(circuit).some((name) => circuits.includes(name))) &&
      (patterns.length === 0 || patterns.some((pattern) => matches(pattern, host))),
  );
  const once = new Map(chosen.map((one) => [`${one.host} ${one.login.address}:${one.login.port}`, one]));
  if (once.size > 0) return { hosts: [...once.values()] };
  const detail =
    hosts.length === 0
      ? "The configuration has no circuit with hosts."
      : `No host fits. There are: ${all.join(", ")}.`;
  return { hosts: [], problem: errorDiagnostic("There is no host to run it on", detail) };
}

/** @returns whether it succeeded */
async function runOn(
  { host, login }: CircuitHost,
  script: string,
  sessions: SessionPool,
  terminal: Context["terminal"],
): Promise<boolean> {
  const { bold, green, red } = terminal.colors;
  try {
    const { status, stdout, stderr } = await sessions.session(login).run({ script });
    const outcome = status === 0 ? green("done") : red(`exit status ${status}`);
    terminal.out(`${bold(`${visible(host)}:`)} ${outcome}\n${indented(stdout)}${indented(stderr)}`);
    return status === 0;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    terminal.out(`${bold(`${visible(host)}:`)} ${red("not run")}\n`);
    terminal.report([{ ...hostError(error), host }]);
    return false;
  }
}

function indented(output: Buffer): string {
  const text = visible(output.toString("utf8"));
  return text === "" ? "" : `${text.replace(/\n$/, "").replace(/^/gm, "  ")}\n`;
}
