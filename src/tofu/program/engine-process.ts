/**
 * @module Runs one command of the engine: lines as they come, ^C as the user means it, an end in any case.
 */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { systemErrorText } from "../../diagnostics/system-error.ts";
import { startProgram } from "../../programs/start.ts";
import type { EngineProgram } from "./program.ts";

export interface EngineCommand {
  readonly program: EngineProgram;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Called with every line of standard output, without its end. Without it the output is returned. */
  readonly onLine?: (line: string) => void;
  /** Aborted: the engine is asked to stop, which lets what is running finish; it is not started any more. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted: nobody waits for what is running any more. The engine has a moment to save the state, then it is killed. */
  readonly hurry?: AbortSignal | undefined;
}

/** Milliseconds that the engine has when it is hurried: until it is asked to leave everything, and until it is killed. */
const patience = { first: 3000, second: 4000 };

export interface Ended {
  /** Exit status; 128 + N when signal N ended it, or kept it from being started; 127 when it could not be started. */
  readonly status: number;
  /** Empty when lines were asked for. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Never rejects. */
export function runEngine({
  program,
  args,
  environment,
  onLine,
  signal,
  hurry,
}: EngineCommand): Promise<Ended> {
  // The user wants nothing new to be started.
  if (signal?.aborted || hurry?.aborted)
    return Promise.resolve({ status: interruptedStatus, stdout: "", stderr: "" });
  return new Promise((resolve) => {
    const child = started(program, args, environment);
    if (child instanceof Error) {
      resolve({ status: 127, stdout: "", stderr: systemErrorText(child) });
      return;
    }
    const stdout = onLine === undefined ? collect() : byLine(onLine);
    const stderr = collect();
    const stop = (): void => void child.kill("SIGINT");
    // With the plugins that it started, and what they run.
    const kill = (): void => signalGroup(child.pid, "SIGKILL");
    const timers: NodeJS.Timeout[] = [];
    const hasten = (): void =>
      void timers.push(setTimeout(stop, patience.first), setTimeout(kill, patience.second));
    signal?.addEventListener("abort", stop, { once: true });
    hurry?.addEventListener("abort", hasten, { once: true });
    process.on("exit", kill);
    child.stdout.on("data", stdout.add);
    child.stderr.on("data", stderr.add);
    let failure: string | undefined;
    child.on("error", (error) => {
      failure = systemErrorText(error);
    });
    child.on("close", (status, killedBy) => {
      signal?.removeEventListener("abort", stop);
      hurry?.removeEventListener("abort", hasten);
      for (const timer of timers) clearTimeout(timer);
      // What it left running when it was stopped goes on without it: on a terminal ^C would have gone to all of them.
      if (signal?.aborted) signalGroup(child.pid, hurry?.aborted ? "SIGKILL" : "SIGTERM");
      process.off("exit", kill);
      if (failure !== undefined) resolve({ status: 127, stdout: "", stderr: failure });
      else resolve({ status: status ?? signalStatus(killedBy), stdout: stdout.end(), stderr: stderr.end() });
    });
  });
}

/**
 * Runs a command that talks with the user: it has this process's input and output. It is of this process's group, so that a
 * terminal lets it read, and ^C is for it.
 *
 * @returns its exit status, as {@link Ended}'s
 */
export function runOnTerminal(
  { path }: EngineProgram,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve) => {
    const child = startProgram(path, args, { env, stdio: "inherit" });
    child.on("error", () => resolve(127));
    child.on("close", (status, killedBy) => resolve(status ?? signalStatus(killedBy)));
  });
}

/**
 * In a process group of its own: ^C on a terminal goes to a whole group, and two of them would end the engine at once,
 * without a state.
 *
 * @returns the error of what cannot even be tried: more arguments than the system takes
 */
function started(
  { path }: EngineProgram,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): (ChildProcess & { readonly stdout: Readable; readonly stderr: Readable }) | Error {
  try {
    return startProgram(path, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  } catch (error) {
    return error as Error;
  }
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // It has ended.
  }
}

const interruptedStatus = 128 + constants.signals.SIGINT;

const signalStatus = (signal: NodeJS.Signals | null): number =>
  128 + (signal === null ? 0 : constants.signals[signal]);

interface Collector {
  readonly add: (chunk: Buffer) => void;
  readonly end: () => string;
}

/** A plan is large: a chunk that came is not kept beside its text. */
function collect(): Collector {
  const decoder = new StringDecoder("utf8");
  let text = "";
  return {
    add: (chunk) => {
      text += decoder.write(chunk);
    },
    end: () => text + decoder.end(),
  };
}

/** A line may be long: one of a plan holds the content of files. */
function byLine(onLine: (line: string) => void): Collector {
  let open: Buffer[] = [];
  const finish = (): void => {
    const line = Buffer.concat(open).toString("utf8");
    open = [];
    if (line !== "") onLine(line);
  };
  return {
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        open.push(chunk.subarray(start, end));
        start = end + 1;
        finish();
      }
      open.push(chunk.subarray(start));
    },
    end() {
      finish();
      return "";
    },
  };
}
