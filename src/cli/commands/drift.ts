/**
 * @module `conn3x drift`
 */

import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { type DiagnosticJson, diagnosticJson } from "../../diagnostics/json.ts";
import { defaultParallelism, look, type Plan } from "../../engine/index.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import { externalLook } from "../../tofu/state/external-look.ts";
import { formatPath } from "../../values/path.ts";
import type { Context, ExitCode } from "../command.ts";
import { poolOptions } from "../command-line/pool-options.ts";
import type {
  EngineOption,
  json,
  LoginOption,
  SelectionOption,
  StateOption,
} from "../command-line/shared-options.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { engineVariables } from "../configuration/variables.ts";
import { shownJson } from "../json/value-json.ts";
import { type Drifted, driftedOf, driftSummary, renderDrift } from "../render/drift.ts";
import { wasReached } from "../render/unread-hosts.ts";
import { selectionOf } from "../run-session.ts";
import { withSessions } from "../sessions.ts";
import { type UrnOf, urnsFor, urnsIn } from "../state/instance-name.ts";
import { stateBackendOf } from "../state/state-backend.ts";
import { concealVariables } from "../terminal/host-log.ts";
import { createReporter } from "../terminal/reporter.ts";

type DriftOption = StateOption | EngineOption | LoginOption | SelectionOption | typeof json;

/** 0: no drift; 2: some; 3: none in what was read, and not every host was read; 1: an error. */
export async function runDrift({ terminal, options }: Context<DriftOption>): Promise<ExitCode> {
  const json = options.flag("json");
  const report = createReporter(json ? { report: () => {} } : terminal);
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  report(diagnostics);
  if (hasErrors(diagnostics)) return failed(terminal, json, diagnostics);
  const engine = chosenEngine(options.value("engine"), process.env);
  const opened = await poolOptions(options, {
    configuration,
    variables,
    report,
    err: terminal.err,
    otherEngine: engine !== undefined,
  });
  if ("problem" in opened) {
    report([opened.problem]);
    return failed(terminal, json, [opened.problem]);
  }
  const use = { terminal, report, pool: opened.pool };
  return withSessions(use, async ({ sessions, provider, interrupts, hurry }) => {
    concealVariables(sessions, configuration, variables);
    const found = await (engine === undefined
      ? look({
          configuration,
          provider,
          variables,
          statePath: await stateBackendOf(options, configuration),
          events: () => {},
          ...selectionOf(options),
        })
      : externalLook({
          engine,
          configuration,
          sessions,
          inputs: variables,
          variables: engineVariables(options),
          statePath: options.value("state"),
          lockTimeout: 0,
          parallelism: defaultParallelism,
          signal: interrupts.signal,
          hurry,
          ...selectionOf(options),
        }));
    const all = [...diagnostics, ...found.diagnostics];
    if (interrupts.signal.aborted) return failed(terminal, json, all);
    report(found.diagnostics);
    if (found.plan === undefined) return failed(terminal, json, all);
    const drifted = driftedOf(found.plan.changes);
    if (json) terminal.json(`${driftJson(found.plan, drifted, all, urnsFor(options))}\n`);
    else {
      terminal.out(renderDrift(drifted, terminal.colors));
      terminal.out(`\n${driftSummary(found.plan, drifted, terminal.colors)}\n`);
    }
    if (drifted.length > 0) return 2;
    return wasReached(found.plan) ? 0 : 3;
  });
}

function failed(terminal: Context["terminal"], json: boolean, diagnostics: Plan["diagnostics"]): ExitCode {
  if (json) terminal.json(`${driftJson(undefined, [], diagnostics, urnsIn())}\n`);
  return 1;
}

function driftJson(
  plan: Plan | undefined,
  drifted: readonly Drifted[],
  diagnostics: Plan["diagnostics"],
  urnOf: UrnOf,
): string {
  const shown: readonly DiagnosticJson[] = diagnostics.map(diagnosticJson);
  const unread = plan?.changes.flatMap(({ unread, host }) => (unread && host !== undefined ? [host] : []));
  return JSON.stringify(
    {
      format_version: "1.0",
      drift: drifted.map(({ change: { host, circuit, member, address }, gone, mode, changes }) => ({
        host: host ?? null,
        circuit: circuit ?? null,
        step: member ?? null,
        address,
        urn: urnOf(address),
        mode,
        gone,
        changes: changes.map(({ path, before, after }) => ({
          path: formatPath(path),
          owner: mode === "warn" ? "host" : "configuration",
          expected: shownJson(before),
          found: shownJson(after),
        })),
      })),
      unread_hosts: [...new Set(unread)],
      diagnostics: shown,
    },
    undefined,
    2,
  );
}
