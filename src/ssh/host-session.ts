/**
 * @module One login's session: connects at the first request, gathers what is asked in one tick, starts over after a
 * lost connection.
 */
import type { Script } from "../script/script.ts";
import type { Channels } from "./channels.ts";
import { createChannels } from "./channels.ts";
import type { FactRequest, FactShell } from "./fact-shell.ts";
import { openFactShell, withStarted } from "./fact-shell.ts";
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";
import { checkPut, putJob } from "./put-file.ts";
import { runCommand } from "./run-command.ts";
import type { Answer, Session } from "./session.ts";
import type { Environment } from "./shell-lines.ts";
import type { Connection, Transport } from "./transport.ts";

/** Milliseconds for which a login that failed is not tried again: a plan asks about many steps, one after another. */
const FAILURE_MEMORY = 30_000;

/** A session and what only its pool does with it. */
export interface HostSession extends Session {
  /** Fails what still waits with code `closed` and ends the connections. */
  close(): Promise<void>;
}

/** A connection in use, with its fact shell once one is needed. */
interface Live {
  readonly channels: Channels;
  facts: Promise<FactShell> | undefined;
}

export function createHostSession(login: Login, transport: Transport): HostSession {
  const counters = { flushes: 0, requests: 0, channels: 0 };
  const stop = new AbortController();
  /** Ends of the commands that run. */
  const running = new Set<(error: HostError) => void>();
  let live: Promise<Live> | undefined;
  let asked: FactRequest[] = [];
  let sameTick = new Map<string, Promise<Answer>>();
  let scheduled = false;

  const closedError = (): HostError =>
    new HostError("closed", login.host, `the session with ${login.host} was closed`);

  const connect = (): Promise<Connection> => transport.connect(login, stop.signal);

  /** The connection, made when there is none. */
  const connected = (): Promise<Live> => {
    if (stop.signal.aborted) return Promise.reject(closedError());
    if (live) return live;
    const mine = connect().then((connection): Live => {
      connection.ended.then(() => forget(mine));
      const channels = createChannels(login, connection, connect, () => counters.channels++);
      return { channels, facts: undefined };
    });
    mine.catch(() => setTimeout(() => forget(mine), FAILURE_MEMORY).unref());
    live = mine;
    return mine;
  };

  const forget = (old: Promise<Live>): void => {
    if (live === old) live = undefined;
  };

  const factShell = async (): Promise<FactShell> => {
    const current = await connected();
    current.facts ??= openFactShell(current.channels.openPermanent, login, {
      over(unstarted) {
        current.facts = undefined;
        asked = [...unstarted, ...asked];
        if (unstarted.length > 0) schedule();
      },
    });
    return current.facts;
  };

  const flush = async (): Promise<void> => {
    let shell: FactShell;
    try {
      shell = await factShell();
    } catch (error) {
      scheduled = false;
      for (const request of take()) request.reject(withStarted(error as HostError, false));
      return;
    }
    scheduled = false;
    const requests = take();
    counters.flushes++;
    counters.requests += requests.length;
    shell.submit(requests);
  };

  const take = (): FactRequest[] => {
    const requests = asked;
    asked = [];
    sameTick = new Map();
    return requests;
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  const enqueue = (script: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (stop.signal.aborted) return reject(closedError());
      asked.push({ script, resolve, reject });
      schedule();
    });

  const runOn = async (
    script: string,
    stdin: Buffer | undefined,
    timeout: number | undefined,
    environment: Environment,
  ) => {
    const { channels } = await connected();
    let end: ((error: HostError) => void) | undefined;
    try {
      return await runCommand(
        channels.openTemporary,
        login,
        { script, ...(stdin && { stdin }), ...(timeout !== undefined && { timeout }) },
        {
          environment,
          onClose(close) {
            end = close;
            running.add(close);
          },
        },
      );
    } finally {
      if (end) running.delete(end);
    }
  };

  return {
    login,
    counters,
    ask(script: Script) {
      const before = sameTick.get(script.text);
      if (before) return before;
      const answer = enqueue(script.text);
      sameTick.set(script.text, answer);
      return answer;
    },
    run: ({ script, stdin, timeout }) => runOn(script, stdin, timeout, "host"),
    async put(request) {
      const job = putJob(login, request);
      const answer = job.stdin
        ? await runOn(job.script, job.stdin, undefined, "facts")
        : await enqueue(job.script);
      checkPut(login, request, answer);
    },
    async reset() {
      const old = live;
      live = undefined;
      await endAll(old);
    },
    async close() {
      const old = live;
      stop.abort();
      for (const request of take()) request.reject(closedError());
      for (const end of running) end(withStarted(closedError(), true));
      await endAll(old);
    },
  };
}

/** Ends a connection that was made or is being made, quietly. */
async function endAll(live: Promise<Live> | undefined): Promise<void> {
  const current = await live?.catch(() => undefined);
  if (!current) return;
  (await current.facts?.catch(() => undefined))?.close();
  await Promise.all(current.channels.connections().map((connection) => connection.end()));
}
