/**
 * @module Finds commands on a host that nobody waits for any more: those of earlier runs, and those of this run whose
 * connection was lost.
 */
import type { Script } from "../../script/script.ts";
import type { Answer, Runner, RunRequest } from "../session.ts";
import {
  listMarks,
  newMark,
  operationKeys,
  parseMarks,
  projectOf,
  type RunningMark,
} from "./operation-mark.ts";

export interface Leftovers {
  /** A mark for a command that is about to run. */
  mark(request: RunRequest): string;
  /** The connection to that command was lost: it may still run. */
  lost(mark: string): void;
  /** Whether one of the requests runs for nobody here, and who began it. */
  include(requests: readonly RunRequest[]): Promise<Runner | undefined>;
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
    mark: (request) => newMark(request, run),
    lost(mark) {
      lost.add(mark);
      forget();
    },
    async include(requests) {
      const wanted = new Set(requests.flatMap((request) => operationKeys(request, run)));
      const found = (await (known ?? look())).filter(({ keys }) => keys.some((key) => wanted.has(key)));
      if (found.length === 0) return undefined;
      forget();
      return found.some((mark) => projectOf(mark.run) === projectOf(run)) ? "ours" : "others";
    },
  };
}
