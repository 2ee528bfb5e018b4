/**
 * @module Carries out operations on a host, one after another.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type {
  CommandAnswer,
  CommandOperation,
  Operation,
  PutOperation,
  ScriptOperation,
} from "../../resources/operation.ts";
import { HostError, notWritten, type RunRequest, type Session } from "../../ssh/index.ts";
import { Failure } from "../context.ts";
import { writtenUnless } from "../hosts/ask-host.ts";
import { operationFailed } from "../hosts/failure-reason.ts";
import { isNotPermitted, notPermitted } from "../hosts/not-permitted.ts";
import { localContent } from "./local-content.ts";
import { waitFor } from "./wait-for.ts";

export interface Progress {
  /** How many operations were carried out completely. */
  done: number;
  /** Aborted when the run is asked to end: then nothing is waited for. */
  readonly stopping?: AbortSignal;
  /** Whether output of the host is left out of messages, because it may be sensitive. Default false. */
  readonly isQuiet?: boolean;
  /** Gets what an operation complained of although it succeeded. */
  readonly note?: (warning: Diagnostic) => void;
  /** The instance's name in every run, if known. */
  readonly instance?: string | undefined;
}

/** Replaces output that is not shown. */
const notShown = "(not shown: a part of the configuration is sensitive)";

const shownUnless = (isQuiet: boolean, output: string): string =>
  isQuiet && output !== "" ? notShown : output;

/**
 * @param progress is counted up, so that after a failure it shows whether anything was changed
 * @param onLastQueued is called once the session answers whatever it is asked from then on after all operations, while the
 *   answer of the last one is still to come: the next question need not wait for that
 * @returns what each operation answered; those that answer nothing have an empty success
 * @throws Failure when an operation is refused or fails on the host
 * @throws HostError when the host has failed as a whole
 */
export async function perform(
  session: Session,
  operations: readonly Operation[],
  progress: Progress,
  onLastQueued?: () => void,
): Promise<readonly CommandAnswer[]> {
  const answers: CommandAnswer[] = [];
  const last = operations.length - 1;
  for (const [i, operation] of operations.entries()) {
    const onQueued = i === last ? onLastQueued : undefined;
    answers.push((await performOne(session, operation, progress, onQueued)) ?? success);
    progress.done++;
  }
  return answers;
}

const success: CommandAnswer = { status: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

async function performOne(
  session: Session,
  operation: Operation,
  progress: Progress,
  onQueued: (() => void) | undefined,
): Promise<CommandAnswer | undefined> {
  const { stopping, isQuiet = false, instance } = progress;
  switch (operation.do) {
    case "put":
      await put(session, operation, isQuiet, onQueued);
      return undefined;
    case "script":
      return noting(session, operation, progress, await runScript(session, operation, isQuiet, onQueued));
    case "command":
      return runCommand(session, operation, isQuiet, instance);
    case "wait":
      return waitFor(session, operation, { isQuiet, ...(stopping && { stopping }) });
    case "refuse":
      throw new Failure(errorDiagnostic(operation.summary, operation.detail));
  }
}

/** Passes on what a successful operation complained of, where that is to be read. */
function noting(
  { login }: Session,
  { warns }: ScriptOperation,
  { note, isQuiet = false }: Progress,
  answer: CommandAnswer,
): CommandAnswer {
  const complaint = answer.stderr.toString("utf8").trim();
  if (warns !== undefined && complaint !== "") {
    const said = shownLines(shownUnless(isQuiet, complaint));
    note?.(warningDiagnostic(warns, [`${login.host}: it said:`, ...said].join("\n")));
  }
  return answer;
}

async function put(
  session: Session,
  { content, ...request }: PutOperation,
  isQuiet: boolean,
  onQueued: (() => void) | undefined,
): Promise<void> {
  const written = isQuiet ? { written: notWritten } : {};
  try {
    const bytes = Buffer.isBuffer(content) ? content : await localContent(content);
    await session.put({ ...request, ...written, content: bytes }, onQueued);
  } catch (error) {
    if (isQuiet && error instanceof HostError && error.code === "invalid") throw quietly(error, request.path);
    throw error;
  }
}

/** The error without the validation's text and output, which may have parts of the content. */
const quietly = ({ code, host, started }: HostError, path: string): HostError =>
  new HostError(
    code,
    host,
    `the new content of ${path} on ${host} did not pass its validation, and the file was left as it is`,
    "What the validation said is not shown: a part of the configuration is sensitive.",
    started,
  );

async function runScript(
  session: Session,
  operation: ScriptOperation,
  isQuiet: boolean,
  onQueued: (() => void) | undefined,
): Promise<CommandAnswer> {
  const { script, purpose, advice, endsConnection } = operation;
  const request = requestOf(operation);
  try {
    const written = writtenUnless(isQuiet, purpose);
    const work = request === undefined ? session.act(script, written) : session.run({ ...request, written });
    if (request === undefined) onQueued?.();
    const answer = await work;
    if (answer.status !== 0) {
      throw failed(session, purpose, answer.status, shownUnless(isQuiet, said(answer)), advice);
    }
    return answer;
  } catch (error) {
    if (endsConnection && error instanceof HostError && isGoneAway(error)) return success;
    throw error;
  }
}

/** The error for an operation that had begun when the connection was lost. */
const isGoneAway = ({ started, code }: HostError): boolean =>
  started && ["lost", "closed", "timeout"].includes(code);

async function runCommand(
  session: Session,
  operation: CommandOperation,
  isQuiet: boolean,
  instance: string | undefined,
): Promise<CommandAnswer> {
  const { purpose, accept, shown } = operation;
  const written = { text: operation.written, output: shown, ...writtenUnless(isQuiet, purpose) };
  const answer = await session.run({ ...requestOf(operation, instance)!, written });
  if (accept.includes(answer.status)) return answer;
  const output = shownUnless(isQuiet, shown(said(answer)));
  throw failed(session, purpose, answer.status, output, undefined);
}

/** What an operation runs on a channel of its own; undefined when it runs nothing there. */
export function requestOf(operation: Operation, instance?: string): RunRequest | undefined {
  if (operation.do !== "command" && !(operation.do === "script" && operation.own)) return undefined;
  const { timeout, work } = operation;
  const limit = timeout === undefined ? {} : { timeout };
  if (operation.do === "command") {
    const { script, stdin } = operation;
    const input = stdin === undefined ? {} : { stdin };
    const run = `${script}\0${stdin?.toString("latin1") ?? ""}`;
    // Its text may have been edited since: its instance is the same.
    const own = [...(work === undefined ? [run] : []), ...(instance ? [`instance ${instance}`] : [])];
    return { script, ...input, ...limit, work: own, ...sharedOf(work) };
  }
  const script = operation.script.text;
  // A reboot ends whatever ran before it.
  if (operation.endsConnection) return { script, ours: true, ...limit };
  return { script, ours: true, ...limit, work: work === undefined ? [script] : [], ...sharedOf(work) };
}

/** What has a name of its own is one on the host, whichever project does it. */
const sharedOf = (work: string | undefined): Pick<RunRequest, "sharedWork"> =>
  work === undefined ? {} : { sharedWork: [work] };

/** What a command wrote: its errors, or where it wrote none, its output. */
function said({ stdout, stderr }: CommandAnswer): string {
  const complaint = stderr.toString("utf8").trim();
  return complaint === "" ? stdout.toString("utf8").trim() : complaint;
}

/** How many lines of output a message has: the last ones, which usually say why a command ended. */
const linesShown = 20;

/** The last lines, indented. */
function shownLines(output: string): readonly string[] {
  const lines = output === "" ? [] : output.split("\n");
  const shown = lines.length > linesShown ? ["…", ...lines.slice(-linesShown)] : lines;
  return shown.map((line) => `  ${line}`);
}

function failed(
  { login }: Session,
  purpose: string,
  status: number,
  output: string,
  advice: string | undefined,
): Failure {
  const shown = shownLines(output);
  const detail = [
    `${login.host}: could not ${purpose}: status ${status}${shown.length === 0 ? "." : ", and it said:"}`,
    ...shown,
    ...(advice === undefined ? [] : [advice]),
    ...(isNotPermitted(output) ? [notPermitted] : []),
  ];
  return new Failure(errorDiagnostic(operationFailed, detail.join("\n")));
}
