/**
 * @module A session whose refusals carry advice that its login brings along: why something may be missing from it.
 */
import { HostError, type HostErrorCode } from "./host-error.ts";
import type { HostSession } from "./host-session.ts";

/** What another secret might have changed. */
const refusals: ReadonlySet<HostErrorCode> = new Set(["login_refused", "become_refused"]);

export function advisedSession(session: HostSession, advice: string): HostSession {
  const advised = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof HostError) || !refusals.has(error.code)) throw error;
      const { code, host, message, started } = error;
      const sentences = error.advice === "" ? advice : `${error.advice}\n${advice}`;
      throw new HostError(code, host, message, sentences, started, { cause: error });
    }
  };
  return {
    ...session,
    ask: (...request) => advised(session.ask(...request)),
    act: (...request) => advised(session.act(...request)),
    run: (...request) => advised(session.run(...request)),
    put: (...request) => advised(session.put(...request)),
    leftRunning: (...request) => advised(session.leftRunning(...request)),
  };
}
