/**
 * @module `-v` and `-log DIR`: requests to hosts and their answers, as they happen.
 */

import type { Configuration } from "../../compiler/index.ts";
import { createProvider, version } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import {
  type CircuitHost,
  circuitHosts,
  constraintOf,
  functionsFor,
  loadVariables,
  Problems,
  type VariableInput,
} from "../../engine/index.ts";
import { createSessionPool, type SessionPool, type Tracing } from "../../ssh/index.ts";
import { textsOf } from "../../values/texts.ts";
import type { Options } from "../command-line/option.ts";
import type { HostLogOption } from "../command-line/shared-options.ts";
import type { ReadConfiguration } from "../configuration/configuration.ts";
import { hostEventLine, hostEventText } from "../render/host-event.ts";
import { type LogDirectory, openLogDirectory } from "./log-directory.ts";

/** For `createSessionPool`; empty where nothing is to be logged. */
export interface HostLog {
  readonly tracing?: Tracing;
}

export interface HostLogTo extends Pick<ReadConfiguration, "configuration" | "variables"> {
  /** Writes on standard error. */
  readonly err: (text: string) => void;
  readonly report: (diagnostics: readonly Diagnostic[]) => void;
  /** Whether another engine plans: it does not report to the provider what is sensitive. */
  readonly otherEngine: boolean;
}

/** @returns an error when the directory cannot be had */
export function openHostLog(options: Options<HostLogOption>, to: HostLogTo): HostLog | Diagnostic {
  const { err, report, otherEngine } = to;
  const path = options.value("log");
  const speaks = options.flag("v");
  if (path === undefined && !speaks) return {};
  let directory: LogDirectory | undefined;
  const notWritten = (error: unknown): readonly [string, string] => [
    "Log cannot be written",
    `-log=${path}: ${systemErrorSentence(error)}`,
  ];
  try {
    const heading = `# Conn3x ${version}, process ${process.pid}, ${new Date().toISOString()}\n`;
    directory = path === undefined ? undefined : openLogDirectory(path, heading);
  } catch (error) {
    return errorDiagnostic(...notWritten(error));
  }
  return {
    tracing: {
      hidesCommands: otherEngine,
      nameOf: namesOf(to),
      report(event) {
        if (speaks) err(hostEventLine(event));
        try {
          directory?.append(event.host, hostEventText(event, new Date()));
        } catch (error) {
          // The run goes on: it is what matters.
          directory = undefined;
          report([warningDiagnostic(...notWritten(error))]);
        }
      },
    },
  };
}

export const isLogProblem = (log: HostLog | Diagnostic): log is Diagnostic => "severity" in log;

/** Names of hosts by where they are, as far as that is known before anything is planned. */
function namesOf({ configuration, variables }: HostLogTo): (login: Place) => string | undefined {
  const provider = createProvider({ sessions: createSessionPool() });
  // What other providers have is nothing to us.
  const ours = { ...configuration, foreign: [], backend: undefined, diagnostics: [] };
  const { hosts } = circuitHosts({ configuration: ours, provider, variables });
  const names = new Map([...hosts].reverse().map(({ host, login }) => [placeOf(login), host]));
  return (login) => names.get(placeOf(login));
}

type Place = Pick<CircuitHost["login"], "address" | "port">;

const placeOf = ({ address, port }: Place): string => `${address}:${port}`;

/** No log shows the values of sensitive and ephemeral variables, wherever they turn up. */
export function concealVariables(
  { conceal }: SessionPool,
  configuration: Configuration,
  inputs: readonly VariableInput[],
): void {
  if (conceal === undefined) return;
  // What is wrong with them is said by who needs their values.
  const problems = new Problems();
  const declared = configuration.variables;
  const functions = functionsFor(configuration.directory, { planTime: new Date() });
  const constraints = new Map([...declared.values()].map((one) => [one, constraintOf(one, problems)]));
  const values = loadVariables(declared, inputs, { functions, constraints, unset: "unknown" }, problems);
  for (const { name, sensitive, ephemeral } of declared.values())
    if (sensitive || ephemeral) for (const text of textsOf(values.get(name)!)) conceal(text);
}
