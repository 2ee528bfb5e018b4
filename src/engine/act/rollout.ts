/**
 * @module Whether the next batch of a circuit's hosts may begin.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Fleet } from "../evaluate/hosts/fleet.ts";
import type { Acting } from "./acting.ts";

/**
 * Waits as long as the rollout wants; where too many hosts failed, all further batches stay as they are.
 *
 * @returns whether the batch begins
 */
export async function openBatch(
  { isolation, signal }: Acting,
  { circuit, maxFailures, pause }: Fleet,
  batch: number,
): Promise<boolean> {
  const failed = isolation.failedHosts(circuit);
  if (failed > maxFailures) {
    const hosts = failed === 1 ? "1 host" : `${failed} hosts`;
    isolation.stop(circuit, `the rollout stopped before batch ${batch + 1}: ${hosts} failed`);
    return false;
  }
  if (pause > 0) await delay(pause, undefined, { signal }).catch(() => undefined);
  return true;
}
