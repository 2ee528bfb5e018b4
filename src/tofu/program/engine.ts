/**
 * @module One command's use of the engine: the program, its environment, and where it keeps what it makes.
 */
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { EventSink } from "../../engine/index.ts";
import { subjectsOf } from "../plan/subjects.ts";
import { rescueState } from "../run/rescued-state.ts";
import { readUiLines, type UiLines } from "../run/ui-lines.ts";
import { plainComplaint } from "./complaint.ts";
import { diagnosticReader } from "./diagnostics.ts";
import { engineEnvironment, questionEnvironment } from "./engine-environment.ts";
import { type Ended, runEngine } from "./engine-process.ts";
import type { EngineProgram } from "./program.ts";

export interface Engine {
  readonly program: EngineProgram;
  /** The environment of all its commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** Whether it was asked to stop: it starts nothing any more, and what it says is of no use. */
  isStopped(): boolean;
  /** Runs a command with `-json` and turns what it prints into events. */
  stream(args: readonly string[], events: EventSink): Promise<Streamed>;
  /** Runs a command for its output. */
  run(args: readonly string[]): Promise<Ended>;
  /** Runs a command that only answers, whatever arguments the user has for all commands. */
  ask(args: readonly string[]): Promise<Ended>;
}

/** The result of a command. */
export interface Streamed extends Pick<UiLines, "diagnostics" | "outputs"> {
  /** 0 when it did what it was asked to. */
  readonly status: number;
}

export interface EngineOptions {
  readonly program: EngineProgram;
  readonly configuration: Configuration;
  /** The attached provider's. */
  readonly environment: NodeJS.ProcessEnv;
  /** Whether a diagnostic is about a whole host. */
  readonly isOfHost: (diagnostic: Diagnostic) => boolean;
  readonly signal: AbortSignal | undefined;
  readonly hurry: AbortSignal | undefined;
}

export function openEngine({
  program,
  configuration,
  environment,
  isOfHost,
  signal,
  hurry,
}: EngineOptions): Engine {
  const subjects = subjectsOf(configuration);
  const read = diagnosticReader(configuration, subjects, isOfHost);
  const env = engineEnvironment(environment);
  return {
    program,
    environment: env,
    isStopped: () => signal?.aborted === true,
    async stream(args, events) {
      const lines = readUiLines({ subjects, read, events });
      const ended = await runEngine({ program, args, environment: env, onLine: lines.add, signal, hurry });
      // Who was stopped need not say why.
      const problem = signal?.aborted ? [] : silentFailure(program, args, ended, lines);
      const rescued = lines.dumped === undefined ? [] : [await rescueState(lines.dumped)];
      return {
        outputs: lines.outputs,
        diagnostics: [...lines.diagnostics, ...problem, ...rescued],
        status: ended.status,
      };
    },
    run: (args) => runEngine({ program, args, environment: env, signal, hurry }),
    ask: (args) => runEngine({ program, args, environment: questionEnvironment(environment), signal, hurry }),
  };
}

/** An engine that fails without a word, or with words that are not for programs. */
function silentFailure(
  program: EngineProgram,
  [command]: readonly string[],
  { status, stderr }: Ended,
  { diagnostics, other }: UiLines,
): readonly Diagnostic[] {
  if (status === 0 || hasErrors(diagnostics)) return [];
  const words = [...other, plainComplaint(stderr)].join("\n").trim();
  return [
    errorDiagnostic(
      `${program.product} failed`,
      `${program.path} ${command} ended with status ${status}.${words === "" ? "" : `\n\n${words}`}`,
    ),
  ];
}
