/**
 * @module One login's session: facts through a queue, commands and large files on channels of their own.
 */

import { deferred } from "./deferred.ts";
import { checkPut, putJob } from "./files/put-file.ts";
import { HostError, SilentHost, TerminalWanted, withStarted } from "./host-error.ts";
import type { Login } from "./login/login.ts";
import { milliseconds } from "./milliseconds.ts";
import { createReadingTime } from "./reading-time.ts";
import type { Answer, RunRequest, Session } from "./session.ts";
import { createAskQueue } from "./shell/ask-queue.ts";
import { createLeftovers } from "./shell/leftovers.ts";
import { newRun } from "./shell/operation-mark.ts";
import { runCommand } from "./shell/run-command.ts";
import type { Environment } from "./shell/shell-lines.ts";
import { createLink } from "./transport/link.ts";
import type { Transport } from "./transport/transport.ts";

/** Ends a request from this side. */
type Close = (error: HostError) => void;

/** Seconds for everything that is read in one phase, where a login's command_timeout is not longer. */
const readingSeconds = 300;

const readingLimit = ({ commandTimeout }: Login, seconds = readingSeconds): number =>
  milliseconds(Math.max(seconds, commandTimeout));

/** @param first the question that was not answered in time, if that is it */
function notRead({ host }: Login, first?: HostError): HostError {
  return new HostError(
    "unreachable",
    host,
    first?.message ?? `${host} did not answer in time`,
    `${host} is not read any more in this run. command_timeout changes the limit.`,
    false,
    { cause: first },
  );
}

/** A session and what only its pool does with it. */
export interface HostSession extends Session {
  reset(): Promise<void>;
  /** Ends the connection, unless something waits for an answer; the next request connects anew. @returns whether it was */
  rest(): Promise<boolean>;
  /** Fails what still waits with code `closed` and ends the connections. */
  close(): Promise<void>;
}

/**
 * @param run names the run whose session it is: commands of others are found by {@link Session.leftRunning}
 * @param reading seconds that the host has for everything that is read in one phase; unset: as long as anybody needs
 */
export function createHostSession(
  login: Login,
  transport: Transport,
  run: string = newRun(),
  reading?: number,
): HostSession {
  const counters = { flushes: 0, requests: 0, channels: 0 };
  /** Ends of the commands that run. */
  const running = new Set<Close>();
  let closed = false;
  /** Requests without their answer. */
  let busy = 0;
  const counted =
    <Given extends readonly unknown[], T>(request: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      busy++;
      try {
        return await request(...given);
      } finally {
        busy--;
      }
    };

  const time = createReadingTime(readingLimit(login, reading));
  /** Why the host is not asked anything any more. */
  let given: HostError | undefined;

  const link = createLink(login, transport, time, {
    channel: () => counters.channels++,
    unstarted(requests) {
      const late = requests.filter(({ reads }) => reads && time.isExhausted());
      for (const request of late) request.reject(notRead(login));
      queue.again(requests.filter((request) => !late.includes(request)));
    },
    flooded(error) {
      given = error;
      queue.fail(error);
      void link.end();
    },
  });
  const queue = createAskQueue(link.facts, (requests) => {
    counters.flushes++;
    counters.requests += requests;
  });
  const leftovers = createLeftovers(run, ({ text }) => queue.ask(text));
  const closedError = (): HostError =>
    new HostError("closed", login.host, `the session with ${login.host} was closed`);
  const refuseWhenClosed = (): void => {
    if (closed) throw closedError();
    if (given) throw withStarted(given, false);
  };
  const refuseWhenLate = (): void => {
    if (time.isExhausted()) throw notRead(login);
  };
  /** Before anything is queued: no shell could be given it. */
  const refuseNul = (script: string): void => {
    if (script.includes("\0")) throw new RangeError("a script cannot hold a NUL character");
  };

  const runOn = async (
    request: RunRequest,
    environment: Environment,
    onClose?: (close: Close) => void,
  ): Promise<Answer> => {
    refuseWhenClosed();
    refuseNul(request.script);
    const { openTemporary } = await link.channels();
    let end: Close | undefined;
    const began = (close: Close): void => {
      end = close;
      running.add(close);
      onClose?.(close);
    };
    const terminal = link.terminal();
    const mark = request.work === undefined ? undefined : leftovers.mark(request);
    try {
      return await runCommand(openTemporary, login, request, { environment, terminal, mark, onClose: began });
    } catch (error) {
      if (mark !== undefined && error instanceof HostError && error.started) leftovers.lost(mark);
      if (!(error instanceof TerminalWanted) || terminal) throw error;
      link.giveTerminal();
      return await runOn(request, environment, onClose);
    } finally {
      if (end) running.delete(end);
    }
  };

  /** What is read on a channel of its own: its end is in time, or not waited for. */
  const readInTime = async (request: RunRequest, environment: Environment): Promise<Answer> => {
    refuseWhenLate();
    const late = deferred<never>();
    let close: Close | undefined;
    time.begin();
    const timer = setTimeout(() => {
      time.exhaust();
      late.reject(notRead(login));
      close?.(notRead(login));
    }, time.left());
    try {
      const work = runOn(request, environment, (end) => {
        close = end;
      });
      return await Promise.race([work, late.promise]);
    } catch (error) {
      if (error instanceof SilentHost) time.exhaust();
      throw error;
    } finally {
      clearTimeout(timer);
      time.end();
    }
  };

  const session: HostSession = {
    login,
    counters,
    async ask(script, _written, most) {
      refuseWhenClosed();
      refuseWhenLate();
      refuseNul(script.text);
      try {
        return await queue.askOnce(script.text, most);
      } catch (error) {
        const isLate = error instanceof HostError && error.code === "timeout" && time.isExhausted();
        throw isLate ? notRead(login, error) : error;
      }
    },
    async act(script) {
      refuseWhenClosed();
      refuseNul(script.text);
      return queue.act(script.text);
    },
    run(request) {
      const environment = request.ours ? "facts" : "host";
      return request.reads ? readInTime(request, environment) : runOn(request, environment);
    },
    async leftRunning(requests) {
      refuseWhenClosed();
      return leftovers.include(requests);
    },
    async put(request, onQueued) {
      refuseWhenClosed();
      const job = putJob(login, request);
      // What the user supplies never runs in the fact shell.
      const ownChannel = job.stdin !== undefined || request.validate !== undefined;
      const work = ownChannel ? runOn(job, "facts") : queue.act(job.script);
      if (!ownChannel) onQueued?.();
      checkPut(login, request, await work);
    },
    async reset() {
      time.reset();
      given = undefined;
      await link.end();
    },
    async rest() {
      if (busy > 0 || closed) return false;
      await link.end();
      return true;
    },
    async close() {
      closed = true;
      queue.fail(closedError());
      for (const end of running) end(withStarted(closedError(), true));
      await link.end();
    },
  };
  return {
    ...session,
    ask: counted(session.ask),
    act: counted(session.act),
    run: counted(session.run),
    leftRunning: counted(session.leftRunning),
    put: counted(session.put),
  };
}
