/**
 * @module The engine's own commands: `init`, `validate`, changes of the
 * state.
 */
import { writeFileSync } from "node:fs";
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { isJsonObject } from "../../values/json/json-text.ts";
import { subjectsOf } from "../plan/subjects.ts";
import { takeInJournal } from "../state/external-state.ts";
import { complaintErrors } from "./complaint.ts";
import { diagnosticReader } from "./diagnostics.ts";
import { arrayAt, parsedPart } from "./json.ts";
import { initialise, needsInitialising, preparation, refreshOutputs } from "./prepare.ts";
import type { EngineProgram } from "./program.ts";
import { type EngineSession, openSession, type SessionOptions, type SessionUse } from "./session.ts";

/**
 * Compiles, and runs the engine's `init`. Fails where the configuration has errors.
 *
 * @param words more options of `init`
 */
export async function prepareEngine(
  options: SessionOptions,
  words: readonly string[],
): Promise<{ readonly program?: EngineProgram; readonly diagnostics: readonly Diagnostic[] }> {
  const use = { ...compiling(options.configuration), reads: false, isInit: true };
  const opened = await openSession(options, use);
  if (opened.session === undefined) return { diagnostics: opened.problems };
  const { session } = opened;
  try {
    const diagnostics = await initialise(session.engine, words);
    return { program: session.engine.program, diagnostics };
  } finally {
    await session.close();
  }
}

/** What the engine's `validate` finds in the compiled configuration: all resources, those of other providers too. */
export async function validateWithEngine(options: SessionOptions): Promise<readonly Diagnostic[]> {
  const { configuration } = options;
  const opened = await openSession(options, { ...compiling(configuration), reads: false });
  if (opened.session === undefined) return opened.problems;
  const { session } = opened;
  try {
    const { stdout, stderr, status } = await session.engine.ask(["validate", "-json"]);
    const json = parsedPart(stdout);
    if (!isJsonObject(json)) return ownWords(session, "validate", { status, stderr });
    const read = diagnosticReader(configuration, subjectsOf(configuration));
    return arrayAt(json, "diagnostics").map(read).filter(isNews);
  } finally {
    await session.close();
  }
}

const isNews = ({ summary }: Diagnostic): boolean =>
  summary !== "Provider development overrides are in effect";

/** Fails where the outputs cannot be written. */
const compiling = (configuration: Configuration) => ({ prepare: () => refreshOutputs(configuration) });

export interface StateCommand {
  /** `rm`, `mv` or `push`, with its options. */
  readonly words: readonly string[];
  readonly args: readonly string[];
  /** What the engine gets in a file, named last; for what came from standard input, which the engine does not read. */
  readonly input?: string;
  /** Milliseconds. */
  readonly lockTimeout: number;
}

/** The result of a command of the engine. */
export interface Reported {
  /** Its output. */
  readonly output: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Has the engine change the state, wherever it has it. That takes no compiled files, and so no configuration without
 * errors, unless the engine is to fetch a backend's configuration first.
 */
export function changeEngineState(
  options: SessionOptions,
  { words, args, input, lockTimeout }: StateCommand,
): Promise<Reported> {
  const { configuration, statePath } = options;
  const prepare = needsInitialising(configuration)
    ? preparation({ configuration, statePath, lockTimeout })
    : () => takeInJournal({ configuration, statePath }, lockTimeout);
  return asked(options, prepare, ({ file }) => {
    const place = statePath === undefined ? [] : [`-state=${statePath}`];
    const files = input === undefined ? [] : [writtenTo(file("input"), input)];
    return ["state", ...words, `-lock-timeout=${lockTimeout}ms`, ...place, ...args, ...files];
  });
}

/** Has the engine end a lock, likewise, without asking. What is left to be taken in stays: that would take the lock. */
export function unlockEngineState(options: SessionOptions, id: string): Promise<Reported> {
  const { configuration } = options;
  const prepare = needsInitialising(configuration) ? () => refreshOutputs(configuration) : undefined;
  return asked(options, prepare, () => ["force-unlock", "-force", id]);
}

async function asked(
  options: SessionOptions,
  prepare: SessionUse["prepare"],
  commandIn: (session: EngineSession) => readonly string[],
): Promise<Reported> {
  const opened = await openSession(options, { ...(prepare && { prepare }), reads: false });
  if (opened.session === undefined) return { output: "", diagnostics: opened.problems };
  const { session } = opened;
  try {
    const command = commandIn(session);
    const { status, stdout, stderr } = await session.engine.run(command);
    const name = command.slice(0, command[0] === "state" ? 2 : 1).join(" ");
    return { output: stdout, diagnostics: status === 0 ? [] : ownWords(session, name, { status, stderr }) };
  } finally {
    await session.close();
  }
}

function writtenTo(path: string, text: string): string {
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Errors for a command that failed or was stopped. */
export const ownWords = (
  { engine: { program, isStopped } }: EngineSession,
  command: string,
  { status, stderr }: { readonly status: number; readonly stderr: string },
): readonly Diagnostic[] =>
  complaintErrors(
    stderr,
    errorDiagnostic(
      isStopped() ? "Stopped before it was done" : `${program.product} failed`,
      `${program.path} ${command} ended with status ${status}.`,
    ),
  );
