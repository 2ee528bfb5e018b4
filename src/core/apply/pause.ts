/**
 * @module A delay that ends at once when the run is asked to end.
 */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for a time, or until the run is asked to end.
 *
 * @param stopping aborted when the run is asked to end
 */
export async function pause(milliseconds: number, stopping?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, stopping && { signal: stopping }).catch((error: unknown) => {
    if (!stopping?.aborted) throw error;
  });
}
