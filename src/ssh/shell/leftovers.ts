/**
 * @module Finds commands on a host that nobody waits for any more: those of earlier runs, and those of this run whose
 * connection was lost.
 */
import type { Script } from "../../script/script.ts";
import type { Answer, RunRequest } from "../session.ts";
import { listMarks, newMark, operationKey, parseMarks, type RunningMark } from "./operation-mark.ts";

export interface Leftovers {
  /** A mark for a command that is about to run. */
  mark(work: readonly string[]): string;
  /** The connection to that command was lost: it may still run. */
  lost(mark: string): void;
  /** Whether one of the requests runs for nobody. */
  include(requests: readonly RunRequest[]): Promise<boolean>;
}

/**
 * What earlier runs left cannot become more: the host is asked once, and again only after something was lost or found.
 *
 * @param run which marks are of this run
 */
export function createLeftovers(run: string, ask: (script: Script) => Promise<Answer>): Leftovers {
  const lost = new Set<string>();
  let known: Promise<readonly RunningMark[]> | undefined;

  const look = (): Promise<readonly RunningMark[]> => {
    const looking = ask(listMarks).then(({ stdout }) =>
      parseMarks(stdout).filter((one) => one.run !== run || lost.has(one.mark)),
    );
    looking.catch(forget);
    known = looking;
    return looking;
  };
  const forget = (): void => {
    known = undefined;
  };

  return {
    mark: (work) => newMark(work, run),
    lost(mark) {
      lost.add(mark);
      forget();
    },
    async include(requests) {
      const wanted = new Set(requests.flatMap(({ work }) => work ?? []).map(operationKey));
      const found = (await (known ?? look())).some(({ keys }) => keys.some((key) => wanted.has(key)));
      if (found) forget();
      return found;
    },
  };
}
