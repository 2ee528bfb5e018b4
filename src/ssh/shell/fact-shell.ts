/**
 * @module The long-lived shell that answers our own short scripts: requests are pipelined, answers come in order.
 */

import { HostError, TerminalWanted, tooMuch, withStarted } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import type { ReadingTime } from "../reading-time.ts";
import { type Answer, mostBytes } from "../session.ts";
import { createAnswerCollector } from "./answers.ts";
import type { OpenChannel, Shell } from "./shell.ts";
import { openShell } from "./shell.ts";
import { inSubshell, requestLine, terminalRequestLine } from "./shell-lines.ts";

/** One script and whoever waits for its answer. */
export interface FactRequest {
  readonly script: string;
  /** Whether it only looks: the host has a limited time for these. */
  readonly reads: boolean;
  /** Bytes that the answer may have. Unset: {@link mostBytes}. */
  readonly most?: number | undefined;
  resolve(answer: Answer): void;
  reject(error: HostError): void;
}

export interface FactShell {
  /** Sends requests with one write. */
  submit(requests: readonly FactRequest[]): void;
  close(): void;
}

export interface FactShellEvents {
  /**
   * The shell answers nothing any more.
   * @param unstarted requests that surely did not begin and may be sent to another shell
   * @param terminalWanted whether that shell needs a terminal
   */
  over(unstarted: readonly FactRequest[], terminalWanted?: boolean): void;
  /** The host sends what no answer is: it is no longer to be asked anything. */
  flooded(error: HostError): void;
}

/** Seconds for one question, unless the host says that it takes long: a login's limit is for commands, and only makes it longer. */
const questionLimit = 30;
/** Bytes in a second by which a question counts as being answered: a slow network, and not somebody who wants to be waited for. */
const slowestAnswer = 10_000;
/** The same for what changes something: slow disks are waited for. */
const changeLimit = 120;

/** @throws HostError as `openShell` */
export async function openFactShell(
  open: OpenChannel,
  login: Login,
  terminal: boolean,
  time: ReadingTime,
  events: FactShellEvents,
): Promise<FactShell> {
  /** Sent and not answered, in order; the host works on the first. */
  const waiting = new Map<number, FactRequest>();
  const begun = new Set<number>();
  const limitOf = ({ reads }: FactRequest): number =>
    Math.max(login.commandTimeout, reads ? questionLimit : changeLimit);
  /** Whether the first has said that it takes long. */
  let isSlow = false;
  /** Bytes that had come when the limit began. */
  let receivedBefore = 0;
  let timer: NodeJS.Timeout | undefined;
  let nextId = 1;
  let over = false;
  /** Why nobody can be answered any more. */
  let failure: HostError | undefined;

  const finish = (): FactRequest[] => {
    over = true;
    clearTimeout(timer);
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reads } of left) if (reads) time.end();
    return left;
  };
  const watchFirst = (): void => {
    clearTimeout(timer);
    const [first] = waiting.values();
    if (first === undefined) return;
    receivedBefore = shell.received();
    const most = milliseconds(limitOf(first));
    if (!first.reads) timer = setTimeout(tooLong, most);
    else timer = setTimeout(tooLong, isSlow ? time.left() : Math.min(most, time.left()));
  };
  const tooLong = (): void => {
    const [late] = waiting.values();
    const isAnswered = shell.received() - receivedBefore >= slowestAnswer * limitOf(late!);
    if (late!.reads && isAnswered && time.left() > 0) {
      watchFirst();
      return;
    }
    const allowed = late!.reads && time.left() <= 0 ? "its time" : `${limitOf(late!)} s`;
    const [first, ...rest] = finish();
    if (first!.reads) time.exhaust();
    shell.close();
    const message = `a check on ${login.host} took longer than ${allowed}`;
    first!.reject(new HostError("timeout", login.host, message, "", true));
    // The old shell cannot go on with them: its BEGIN mark meets a closed stream.
    events.over(rest);
  };
  /** Everything fails alike; each knows whether it may have begun. */
  const failAll = (error: HostError, mayHaveBegun: (id: number) => boolean): void => {
    failure = error;
    const ids = [...waiting.keys()];
    finish().forEach((request, i) => {
      request.reject(withStarted(error, mayHaveBegun(ids[i]!)));
    });
    events.over([]);
  };

  const answers = createAnswerCollector({
    expects: (id) => waiting.has(id),
    begun: (id) => begun.add(id),
    isSlow() {
      const [first] = waiting.values();
      if (isSlow || !first?.reads) return;
      isSlow = true;
      watchFirst();
    },
    answered(id, answer) {
      const request = waiting.get(id)!;
      waiting.delete(id);
      begun.delete(id);
      isSlow = false;
      if (request.reads) time.end();
      else time.renew();
      watchFirst();
      request.resolve(answer);
    },
  });
  const shell: Shell = await openShell(
    open,
    login,
    { environment: "facts", terminal },
    {
      mark: answers.mark,
      most: () => Math.max(mostBytes, ...[...waiting.values()].map(({ most = 0 }) => most)) - answers.held(),
      flooded() {
        if (over) return;
        const error = tooMuch(login.host, `the shell on ${login.host} answered more than was asked for`);
        shell.close();
        failAll(error, () => true);
        events.flooded(error);
      },
      ended(lost) {
        if (over) return;
        // Without the host's word that the shell ended, a BEGIN mark may have been on its way.
        if (lost) return failAll(lost, () => true);
        const ended = new HostError(
          "lost",
          login.host,
          `the shell on ${login.host} ended in the middle of a check`,
        );
        // A shell that ends by itself would do so again: nothing is sent twice without progress.
        if (begun.size === 0) return failAll(ended, () => false);
        const requests = [...waiting];
        finish();
        for (const [id, request] of requests) if (begun.has(id)) request.reject(withStarted(ended, true));
        events.over(requests.filter(([id]) => !begun.has(id)).map(([, request]) => request));
      },
    },
  );
  shell.up.catch((error: HostError) => {
    if (over) return;
    if (error instanceof TerminalWanted) events.over(finish(), true);
    else failAll(error, () => false);
  });

  return {
    submit(requests) {
      if (failure) {
        for (const request of requests) request.reject(withStarted(failure, false));
        return;
      }
      if (over) return events.over(requests);
      let text = "";
      for (const request of requests) {
        waiting.set(nextId, request);
        if (request.reads) time.begin();
        text += terminal
          ? terminalRequestLine(shell.token, nextId++, request.script)
          : requestLine(shell.token, nextId++, inSubshell(request.script, "nothing"));
      }
      if (waiting.size === requests.length) watchFirst();
      shell.write(text);
    },
    close() {
      const left = finish();
      shell.close();
      failure = new HostError("closed", login.host, `the session with ${login.host} was closed`);
      for (const request of left) request.reject(withStarted(failure, true));
    },
  };
}
