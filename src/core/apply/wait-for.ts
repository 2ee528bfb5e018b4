/**
 * @module Waits for something on a host by asking again and again, so that neither a lost connection nor a reboot ends it.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { CommandAnswer, Question, WaitOperation } from "../../resources/operation.ts";
import { HostError, type Session } from "../../ssh/index.ts";
import { Failure } from "../context.ts";
import { askHost, writtenUnless } from "../hosts/ask-host.ts";
import { pause as standardPause } from "./pause.ts";

/** Seconds for one answer where the host may be going away: a connection to a host that vanished reports nothing. */
const longestAnswer = 20;

export interface Waiting {
  /** Aborted when the run is asked to end: nothing is waited for then but a host that is away. */
  readonly stopping?: AbortSignal;
  /** For tests. */
  readonly pause?: typeof standardPause;
  /** Whether what was seen last is left out of messages. Default false. */
  readonly isQuiet?: boolean;
}

/**
 * @returns the answer that ended the waiting
 * @throws Failure when the time is over, or the run was asked to end and the host is not away
 * @throws HostError when the host cannot be asked, unless it may be away
 */
export async function waitFor(
  session: Session,
  operation: WaitOperation,
  { isQuiet = false, pause = standardPause, ...waiting }: Waiting,
): Promise<CommandAnswer> {
  // A reboot has been begun, and would be begun again by the next run if its end were not seen.
  const stopping = operation.reconnect ? undefined : waiting.stopping;
  const deadline = performance.now() + operation.timeout * 1000;
  for (let isLast = false; ; ) {
    const answer = await ask(session, operation, deadline, isQuiet, stopping);
    if (!(answer instanceof HostError)) {
      if (answer.status === 0) return answer;
      if (answer.status === operation.hopeless) throw new Failure(inVain(session, operation, answer));
    }
    if (stopping?.aborted) throw new Failure(stopped(session, operation));
    const left = deadline - performance.now();
    if (isLast || left <= 0) throw new Failure(tooLong(session, operation, isQuiet ? undefined : answer));
    // However long an interval is: the last look is when the time is over.
    isLast = left <= operation.interval * 1000;
    await pause(isLast ? left : operation.interval * 1000, stopping);
    if (stopping?.aborted) throw new Failure(stopped(session, operation));
  }
}

/**
 * An answer that does not come in time is none: not even a question that hangs outlasts the deadline.
 *
 * @returns why the host could not be asked, where that may pass
 */
async function ask(
  session: Session,
  { question, purpose, reconnect = false }: WaitOperation,
  deadline: number,
  isQuiet: boolean,
  stopping: AbortSignal | undefined,
): Promise<CommandAnswer | HostError> {
  if (reconnect) await session.reset();
  const left = Math.max(1, Math.ceil((deadline - performance.now()) / 1000));
  const limit = reconnect ? Math.min(left, longestAnswer) : left;
  try {
    const written = writtenUnless(isQuiet, `wait for ${purpose}`);
    const answer = askHost(session, limited(question, limit), { written, stopping });
    return await withinSeconds(limit, session, answer, stopping);
  } catch (error) {
    if (error instanceof HostError && (reconnect ? mayPass(error) : error.code === "timeout")) return error;
    throw error;
  }
}

/** What the user wrote is ended on the host when its time is over. */
function limited(question: Question, seconds: number): Question {
  if (question.ask === "script") return question;
  return { ...question, timeout: Math.min(question.timeout ?? seconds, seconds) };
}

/** @returns the answer, or that there was none in time, or before the run was asked to end */
async function withinSeconds(
  seconds: number,
  { login }: Session,
  answer: Promise<CommandAnswer>,
  stopping: AbortSignal | undefined,
): Promise<CommandAnswer | HostError> {
  const over = new AbortController();
  const none = standardPause(
    seconds * 1000,
    stopping ? AbortSignal.any([over.signal, stopping]) : over.signal,
  ).then(() => new HostError("timeout", login.host, `no answer within ${seconds} s`));
  try {
    return await Promise.race([answer, none]);
  } finally {
    over.abort();
  }
}

/** While a host boots it refuses connections, then logins (pam_nologin), and breaks off what it accepted. */
const mayPass = ({ code }: HostError): boolean =>
  ["unreachable", "login_refused", "become_refused", "no_shell", "lost", "timeout"].includes(code);

const stopped = ({ login }: Session, { purpose }: WaitOperation): Diagnostic =>
  errorDiagnostic("Stopped", `${login.host}: the run was asked to stop while it waited for ${purpose}.`);

const inVain = ({ login }: Session, { purpose }: WaitOperation, { stderr }: CommandAnswer): Diagnostic =>
  errorDiagnostic(
    "Nothing to wait for",
    `${login.host}: cannot wait for ${purpose}: ${stderr.toString("utf8").trim()}.`,
  );

/** How many lines of each stream a message has: the last ones. */
const linesShown = 10;

/** The user's script may print anything and have any status; our own questions say what is wrong. */
function lastSeen(last: CommandAnswer | HostError | undefined, isCommand: boolean): string {
  if (last === undefined) return "";
  if (last instanceof HostError) return last.message;
  const text = (stream: Buffer) => {
    const lines = stream.toString("utf8").trim().split("\n");
    return (lines.length > linesShown ? ["…", ...lines.slice(-linesShown)] : lines).join("\n  ");
  };
  if (!isCommand) return text(last.stderr);
  const streams: readonly (readonly [string, string])[] = [
    ["output", text(last.stdout)],
    ["errors", text(last.stderr)],
  ];
  const said = streams.flatMap(([name, shown]) => (shown === "" ? [] : [`\n${name}:\n  ${shown}`]));
  return `status ${last.status}${said.length === 0 ? ", and it wrote nothing" : said.join("")}`;
}

function tooLong(
  { login }: Session,
  { purpose, timeout, advice, question }: WaitOperation,
  last: CommandAnswer | HostError | undefined,
) {
  const said = lastSeen(last, question.ask === "command");
  return errorDiagnostic(
    "Waited in vain",
    [
      `${login.host}: waited ${timeout} s for ${purpose}.`,
      ...(said === "" ? [] : [`Last seen: ${said}`]),
      ...(advice === undefined ? [] : [advice]),
    ].join("\n"),
  );
}
