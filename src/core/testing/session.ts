/**
 * @module A session that answers from a list, for tests of what is asked and done.
 */
import { resolveLogin } from "../../ssh/login/resolve-login.ts";
import type { Answer, FilePut, Session } from "../../ssh/session.ts";

export type Reply = Partial<{ status: number; stdout: string; stderr: string }> | Error;

export interface ScriptedSession extends Session {
  /** What was asked for, in order: `ask …`, `run …`, `put PATH`, `reset`. */
  readonly log: readonly string[];
}

/** @param replies in order, whatever is asked; without more of them every answer is an empty success */
export function scriptedSession(replies: readonly Reply[] = []): ScriptedSession {
  const left = [...replies];
  const log: string[] = [];
  const answer = async (entry: string): Promise<Answer> => {
    log.push(entry);
    const reply = left.shift() ?? {};
    if (reply instanceof Error) throw reply;
    const { status = 0, stdout = "", stderr = "" } = reply;
    return { status, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) };
  };
  return {
    login: resolveLogin({ address: "192.0.2.1" }),
    counters: { flushes: 0, requests: 0, channels: 0 },
    log,
    ask: (script) => answer(`ask ${script.text}`),
    act: (script) => answer(`act ${script.text}`),
    run: ({ script }) => answer(`run ${script}`),
    leftRunning: async () => undefined,
    put: async ({ path, content }: FilePut) => {
      await answer(`put ${path} ${Buffer.isBuffer(content) ? content : `${content.size} bytes`}`);
    },
    reset: async () => {
      log.push("reset");
    },
  };
}
