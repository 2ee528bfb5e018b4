/**
 * @module One login's session: facts through a queue, commands and large files on channels of their own.
 */

import { checkPut, putJob } from "./files/put-file.ts";
import { HostError, TerminalWanted, withStarted } from "./host-error.ts";
import type { Login } from "./login/login.ts";
import type { Answer, RunRequest, Session } from "./session.ts";
import { createAskQueue } from "./shell/ask-queue.ts";
import { createLeftovers } from "./shell/leftovers.ts";
import { newRun } from "./shell/operation-mark.ts";
import { runCommand } from "./shell/run-command.ts";
import type { Environment } from "./shell/shell-lines.ts";
import { createLink } from "./transport/link.ts";
import type { Transport } from "./transport/transport.ts";

/** A session and what only its pool does with it. */
export interface HostSession extends Session {
  reset(): Promise<void>;
  /** Fails what still waits with code `closed` and ends the connections. */
  close(): Promise<void>;
}

/** @param run names the run whose session it is: commands of others are found by {@link Session.leftRunning} */
export function createHostSession(login: Login, transport: Transport, run: string = newRun()): HostSession {
  const counters = { flushes: 0, requests: 0, channels: 0 };
  /** Ends of the commands that run. */
  const running = new Set<(error: HostError) => void>();
  let closed = false;

  const link = createLink(
    login,
    transport,
    () => counters.channels++,
    (unstarted) => queue.again(unstarted),
  );
  const queue = createAskQueue(link.facts, (requests) => {
    counters.flushes++;
    counters.requests += requests;
  });
  const leftovers = createLeftovers(run, ({ text }) => queue.ask(text));
  const closedError = (): HostError =>
    new HostError("closed", login.host, `the session with ${login.host} was closed`);
  const refuseWhenClosed = (): void => {
    if (closed) throw closedError();
  };
  /** Before anything is queued: no shell could be given it. */
  const refuseNul = (script: string): void => {
    if (script.includes("\0")) throw new RangeError("a script cannot hold a NUL character");
  };

  const runOn = async (request: RunRequest, environment: Environment): Promise<Answer> => {
    refuseWhenClosed();
    refuseNul(request.script);
    const { openTemporary } = await link.channels();
    let end: ((error: HostError) => void) | undefined;
    const onClose = (close: (error: HostError) => void): void => {
      end = close;
      running.add(close);
    };
    const terminal = link.terminal();
    const mark = request.work === undefined ? undefined : leftovers.mark(request.work);
    try {
      return await runCommand(openTemporary, login, request, { environment, terminal, mark, onClose });
    } catch (error) {
      if (mark !== undefined && error instanceof HostError && error.started) leftovers.lost(mark);
      if (!(error instanceof TerminalWanted) || terminal) throw error;
      link.giveTerminal();
      return await runOn(request, environment);
    } finally {
      if (end) running.delete(end);
    }
  };

  return {
    login,
    counters,
    async ask(script) {
      refuseWhenClosed();
      refuseNul(script.text);
      return queue.askOnce(script.text);
    },
    async act(script) {
      refuseWhenClosed();
      refuseNul(script.text);
      return queue.act(script.text);
    },
    run: (request) => runOn(request, request.ours ? "facts" : "host"),
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
    reset: () => link.end(),
    async close() {
      closed = true;
      queue.fail(closedError());
      for (const end of running) end(withStarted(closedError(), true));
      await link.end();
    },
  };
}
