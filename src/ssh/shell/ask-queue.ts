/**
 * @module Collects the questions of one tick into one write to the fact shell; equal questions are sent once.
 */

import { type HostError, withStarted } from "../host-error.ts";
import type { Answer } from "../session.ts";
import type { FactRequest, FactShell } from "./fact-shell.ts";

export interface AskQueue {
  /** Asks together with all others of this tick. */
  ask(script: string): Promise<Answer>;
  /** As {@link ask}, for what changes the host: no later question shares the answer of one from before. */
  act(script: string): Promise<Answer>;
  /** As {@link ask}; shares the answer of an equal question that has not been sent yet. */
  askOnce(script: string, most?: number): Promise<Answer>;
  /** Takes back requests that were sent and did not begin: they are sent first. */
  again(requests: readonly FactRequest[]): void;
  /** Fails what has not been sent yet. */
  fail(error: HostError): void;
}

/**
 * @param shell the fact shell, once there is one
 * @param onFlush called for every write with the number of requests in it
 */
export function createAskQueue(
  shell: () => Promise<FactShell>,
  onFlush: (requests: number) => void,
): AskQueue {
  let queued: FactRequest[] = [];
  let equal = new Map<string, Promise<Answer>>();
  let scheduled = false;

  const take = (): FactRequest[] => {
    const requests = queued;
    queued = [];
    equal = new Map();
    return requests;
  };
  const fail = (error: HostError): void => {
    for (const request of take()) request.reject(withStarted(error, false));
  };
  /** While a connection is being made, all questions join the first write. */
  const flush = async (): Promise<void> => {
    try {
      const to = await shell();
      const requests = take();
      if (requests.length === 0) return;
      onFlush(requests.length);
      to.submit(requests);
    } catch (error) {
      fail(error as HostError);
    } finally {
      scheduled = false;
      if (queued.length > 0) schedule();
    }
  };
  /** One turn later than what asks in the next one, so that this goes along. */
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => setImmediate(flush));
  };
  const add = (script: string, reads: boolean, most?: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      queued.push({ script, reads, most, resolve, reject });
      schedule();
    });

  return {
    ask: (script) => add(script, true),
    act(script) {
      equal = new Map();
      return add(script, false);
    },
    askOnce(script, most) {
      const answer = equal.get(script) ?? add(script, true, most);
      equal.set(script, answer);
      return answer;
    },
    again(requests) {
      queued = [...requests, ...queued];
      schedule();
    },
    fail,
  };
}
