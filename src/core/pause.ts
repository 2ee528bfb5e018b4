/**
 * @module Waiting that ends at once when the run is asked to.
 */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for some time, or until the run is asked to end.
 *
 * @param stopping aborted when it is
 */
export async function pause(milliseconds: number, stopping?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, stopping && { signal: stopping }).catch((error: unknown) => {
    if (!stopping?.aborted) throw error;
  });
}
