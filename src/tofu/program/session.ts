/**
 * @module One command's time with the engine: the program is found, our provider attached, and there is a directory for
 * plan files that nobody else can read.
 */
import { join } from "node:path";
import type { Configuration } from "../../compiler/index.ts";
import { keepHeapSmallWhileWaiting } from "../../core/index.ts";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { makeRunDirectory } from "../../files/run-directory.ts";
import type { SessionPool } from "../../ssh/index.ts";
import { type Attached, attachProvider } from "../provider/attach.ts";
import type { ProviderLog } from "../provider/provider-log.ts";
import { stateText } from "../state/external-state.ts";
import type { ImportSource } from "../state/import-logins.ts";
import { type StoredForRead, storedForReads } from "../state/stored-for-reads.ts";
import type { ReadLogins } from "../state/stored-logins.ts";
import { type Engine, openEngine } from "./engine.ts";
import { initialise, needsInitialising } from "./prepare.ts";
import { type EngineProgram, findProgram } from "./program.ts";

export interface SessionOptions {
  /** `tofu`, `terraform` or a program's path. */
  readonly engine: string;
  /** The configuration of the working directory. */
  readonly configuration: Configuration;
  /** The session pool of the whole command; whoever made it closes it. */
  readonly sessions: SessionPool;
  /** Undefined: where the engine has it. */
  readonly statePath: string | undefined;
  /** Aborted by the first ^C: what runs finishes, nothing new starts. */
  readonly signal?: AbortSignal;
  /** Aborted by the second one: what runs is left. */
  readonly hurry?: AbortSignal;
}

export interface EngineSession {
  readonly engine: Engine;
  readonly attached: Attached;
  /** Path of a file of this session's. */
  file(name: string): string;
  /** Serves no longer and removes the files. The connections to hosts stay open. */
  close(): Promise<void>;
}

export type OpenedSession =
  | { readonly session: EngineSession; readonly problems?: undefined }
  | { readonly session?: undefined; readonly problems: readonly Diagnostic[] };

export interface SessionUse {
  /** What the engine's directory needs first, as soon as there is an engine. Errors end it. */
  readonly prepare?: () => Promise<readonly Diagnostic[]>;
  /** Whether hosts will be read, so that it pays to read a host's instances together. */
  readonly reads: boolean;
  /** How hosts are logged in to then. Absent: as it is stored. */
  readonly logins?: ReadLogins;
  /** Decisions of the provider that are known already. */
  readonly log?: ProviderLog;
  /** Whether the engine's `init` is what it is for: it is not run before that. */
  readonly isInit?: boolean;
  /** The configured logins of imports. */
  readonly imports?: () => ImportSource;
}

/** Never rejects for what is wrong with the engine, or with what it needs. */
export async function openSession(options: SessionOptions, use: SessionUse): Promise<OpenedSession> {
  const { configuration, engine, sessions, signal, hurry } = options;
  keepHeapSmallWhileWaiting();
  const found = findProgram(engine);
  if ("problem" in found) return { problems: [found.problem] };
  const prepared = (await use.prepare?.()) ?? [];
  if (hasErrors(prepared)) return { problems: prepared };
  const { program } = found;
  const { path: directory, remove } = await makeRunDirectory();
  let attached: Attached | undefined;
  // A third ^C ends this process at once, and plans and states are not left behind.
  process.on("exit", remove);
  const close = async (): Promise<void> => {
    await attached?.close();
    remove();
    process.off("exit", remove);
  };
  try {
    // Awaited only when the engine reads something.
    const stored = use.reads ? readAhead(program, options).catch(() => []) : Promise.resolve([]);
    const { logins, log, imports } = use;
    attached = await attachProvider(directory, { sessions, stored, logins, log, imports });
    const opened = openEngine({
      program,
      configuration,
      environment: attached.environment,
      isOfHost: attached.log.isOfRead,
      signal,
      hurry,
    });
    const needs = use.isInit !== true && needsInitialising(configuration);
    const problems = needs ? await initialise(opened) : [];
    if (hasErrors(problems)) {
      await close();
      return { problems };
    }
    return { session: { engine: opened, attached, file: (name) => join(directory, name), close } };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the state holds, asked for while the engine starts. Not knowing it costs time, nothing else. */
async function readAhead(
  program: EngineProgram,
  { statePath, signal, hurry }: SessionOptions,
): Promise<readonly StoredForRead[]> {
  const { text = "" } = await stateText({ program, statePath, signal, hurry });
  return storedForReads(text);
}
