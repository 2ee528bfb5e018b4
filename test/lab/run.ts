/**
 * @module Running a command of the controller's machine and waiting for what it answers.
 */
import { spawn } from "node:child_process";

export interface RunResult {
  /** Exit status; 128 + N when signal N ended the command. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Text for standard input; none means end of file at once. */
  readonly input?: string | Buffer;
  /** The whole environment; unset means the lab's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The lab could not do what was asked of it. The message says what and why. */
export class LabError extends Error {
  override readonly name = "LabError";
}

const signalNumbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** @throws LabError only when the program cannot be started at all; a status other than 0 is an answer. */
export function run(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<RunResult> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "pipe", ...(options.env && { env: { ...options.env } }) });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const collect = (into: Buffer[]) => (piece: Buffer) => into.push(piece);
    child.stdout.on("data", collect(out));
    child.stderr.on("data", collect(err));
    // A command that ends without reading its input is not our failure.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", (cause) => reject(new LabError(`cannot run ${program}: ${cause.message}`, { cause })));
    child.on("close", (code, signal) =>
      resolve({
        status: code ?? 128 + (signalNumbers[signal ?? ""] ?? 0),
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    );
  });
}

/** @throws LabError when the command does not exit with 0; the message ends with what it printed. */
export async function must(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
  const result = await run(argv, options);
  if (result.status !== 0) {
    const said = (result.stderr.trim() || result.stdout.trim()).split("\n").slice(-12).join("\n");
    throw new LabError(`${argv.join(" ")} exited with ${result.status}: ${said}`);
  }
  return result.stdout;
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Asks again and again until the answer is true.
 * @param what for the message: "web1 answers"
 * @param seconds how long to go on asking
 * @throws LabError when the time is over
 */
export async function until(
  what: string,
  seconds: number,
  holds: () => Promise<boolean> | boolean,
): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new LabError(`waited ${seconds} s in vain until ${what}`);
    await sleep(30);
  }
}
