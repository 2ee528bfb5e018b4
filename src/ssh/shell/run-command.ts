/**
 * @module One command on a channel of its own: for everything that a user supplies, and for whatever takes long.
 *
 * The answer is complete when both END marks are there, so a child left in the background neither holds it up nor adds
 * to it. Where the marks never come (the command killed its shell), the exit status stands in.
 */

import { deferred } from "../deferred.ts";
import { HostError, SilentHost, tooMuch } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import { type Answer, mostBytes, type RunRequest } from "../session.ts";
import { createAnswerCollector } from "./answers.ts";
import { feed } from "./feed.ts";
import type { OpenChannel, Shell } from "./shell.ts";
import { openShell } from "./shell.ts";
import type { Environment, Input } from "./shell-lines.ts";
import { counted, inOwnShell, inSubshell, requestLine, withTimeLimit } from "./shell-lines.ts";

/** Milliseconds without output after an exit status, before a command without END marks counts as complete. */
const quietTime = 300;
/** Milliseconds that a byte of a request may take to the host, over the slowest network. */
const perByte = 0.1;
/** Seconds that the host has beyond the time limit to report that it stopped the command. */
const grace = 10;
/** Milliseconds that the marks may take to arrive, by which a time limit may seem shorter from here. */
const jitter = 500;
/** SIGKILL, which the watcher sends. */
const killedStatus = 128 + 9;

export interface RunOptions {
  readonly environment: Environment;
  readonly terminal: boolean;
  /** By which the host can be asked whether the command still runs (`operation-mark.ts`). */
  readonly mark?: string | undefined;
  /** Called once with what ends the run from this side. */
  onClose?(close: (error: HostError) => void): void;
}

/** @throws HostError as `openShell`, `timeout`, `lost`, `closed` */
export async function runCommand(
  open: OpenChannel,
  login: Login,
  request: RunRequest,
  options: RunOptions,
): Promise<Answer> {
  const input = request.stdin ? "channel" : "nothing";
  const { terminal, mark } = options;
  const limit = Math.ceil(request.timeout ?? login.commandTimeout);
  const outcome = deferred<Answer>();
  let beganAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let goodbye: NodeJS.Timeout | undefined;
  let stopFeeding: (() => void) | undefined;

  const answers = createAnswerCollector({
    expects: (id) => id === 1,
    begun() {
      clearTimeout(timer);
      beganAt = performance.now();
      // The shell has read its line: what comes now is for the command.
      stopFeeding = feed(shell, login, request, (error) => outcome.reject(error));
      if (limit > 0)
        timer = setTimeout(() => outcome.reject(unheardOf(login, limit)), milliseconds(limit + grace));
    },
    answered(_id, answer) {
      const stopped =
        limit > 0 && answer.status === killedStatus && performance.now() - beganAt! >= limit * 1000 - jitter;
      if (stopped) outcome.reject(tooLong(login, limit));
      else outcome.resolve(terminal ? { ...answer, merged: true } : answer);
    },
  });
  const withoutMarks = (status: number): void =>
    outcome.resolve({ status, stdout: shell.rest("stdout"), stderr: shell.rest("stderr") });

  const shell: Shell = await openShell(open, login, options, {
    mark: answers.mark,
    most: () => mostBytes - answers.held(),
    flooded: () => outcome.reject(printedTooMuch(login, request.ours === true)),
    exited(status) {
      const end = performance.now() + milliseconds(login.connectTimeout);
      const whenQuiet = (): void => {
        const quiet = performance.now() - shell.lastHeard();
        if (quiet >= quietTime || performance.now() > end) withoutMarks(status);
        else timer = setTimeout(whenQuiet, quietTime - quiet);
      };
      clearTimeout(timer);
      whenQuiet();
    },
    ended(lost, status) {
      clearTimeout(goodbye);
      if (!lost && status !== undefined) withoutMarks(status);
      else outcome.reject(orphaned(login, lost, request.work !== undefined));
    },
  });
  options.onClose?.((error) => outcome.reject(error));
  shell.up.catch((error: unknown) => outcome.reject(error));

  const script = line(request.script, input, { limit, mark, environment: options.environment });
  const body = terminal && request.stdin ? counted(sizeOf(request), script) : script;
  const text = requestLine(shell.token, 1, body, "; exit");
  timer = setTimeout(
    () => outcome.reject(notBegun(login)),
    milliseconds(login.connectTimeout) + perByte * text.length,
  );
  shell.write(text);
  try {
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    stopFeeding?.();
    // The host counts the channel as open until its shell has ended, which is about to happen.
    goodbye = setTimeout(() => shell.close(), quietTime);
  }
}

interface LineSettings {
  readonly environment: Environment;
  /** Seconds; 0 for none. */
  readonly limit: number;
  readonly mark: string | undefined;
}

function line(script: string, input: Input, { environment, limit, mark }: LineSettings): string {
  if (limit > 0) return withTimeLimit(script, input, limit, mark);
  return environment === "facts" && mark === undefined
    ? inSubshell(script, input)
    : inOwnShell(script, input, mark);
}

const sizeOf = ({ stdin, stdinSize }: RunRequest): number =>
  Buffer.isBuffer(stdin) ? stdin.length : (stdinSize ?? 0);

function printedTooMuch({ host }: Login, isOurs: boolean): HostError {
  const most = `${mostBytes / 2 ** 20} MiB`;
  if (isOurs) return tooMuch(host, `${host} answered with more than ${most}`);
  const advice = "Nobody reads it any more, and it may have gone on. Let it print into a file.";
  return tooMuch(host, `the command on ${host} printed more than ${most}`, advice);
}

function tooLong(login: Login, limit: number): HostError {
  const message = `the command on ${login.host} took longer than ${limit} s and was stopped`;
  return new HostError("timeout", login.host, message, "", true);
}

/** The shell is there, and has only to read the request. */
function notBegun({ host, connectTimeout }: Login): HostError {
  const message = `the shell on ${host} began nothing within ${connectTimeout} s`;
  return new SilentHost("timeout", host, message, "connect_timeout changes the limit.", true);
}

/** The host stops what takes too long and says so: where it said nothing, nobody knows. */
function unheardOf(login: Login, limit: number): HostError {
  return new SilentHost(
    "timeout",
    login.host,
    `nothing was heard of the command on ${login.host} for ${grace} s after its limit of ${limit} s`,
    "The host may not answer any more. Unless it stopped the command by itself, that still runs there.",
    true,
  );
}

/** @param lost why the connection ended, if it did */
function orphaned(login: Login, lost: HostError | undefined, tracked = false): HostError {
  const message = `${login.host} closed a command's channel without saying how the command ended`;
  const orphan = tracked
    ? "The command may still be running there: the next apply waits for it before it does anything of the kind."
    : "The command may still be running there.";
  const advice = lost?.advice ? `${lost.advice}\n${orphan}` : orphan;
  return new HostError(lost?.code ?? "lost", login.host, lost?.message ?? message, advice, true);
}
