/**
 * @module How much memory this process had at most. Not as `getrusage` has it, which counts what the process was forked from.
 */
import { readFileSync } from "node:fs";

/** MiB, from proc(5). */
export function peakMemory(): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
