/**
 * @module Timing whole processes against each other: interleaved, so that a machine whose speed drifts drifts for all.
 */
import { spawn } from "node:child_process";

export interface Candidate {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly directory?: string;
  /** Exit statuses that count as success. */
  readonly statuses?: readonly number[];
}

export interface Measurement {
  readonly name: string;
  /** Wall time of each run in milliseconds, in order. */
  readonly runs: readonly number[];
}

/**
 * Runs every candidate once unmeasured, then `rounds` times in turn.
 * @throws Error when a run ends with another status than expected
 */
export async function measure(
  candidates: readonly Candidate[],
  rounds: number,
): Promise<readonly Measurement[]> {
  const runs = candidates.map(() => [] as number[]);
  for (let round = -1; round < rounds; round++) {
    for (const [i, candidate] of candidates.entries()) {
      const elapsed = await timed(candidate);
      if (round >= 0) runs[i]!.push(elapsed);
    }
  }
  return candidates.map(({ name }, i) => ({ name, runs: runs[i]! }));
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A table with each median, minimum and maximum, and the ratio of the medians to the first row's. */
export function table(measurements: readonly Measurement[]): string {
  const base = median(measurements[0]!.runs);
  const rows = measurements.map(({ name, runs }) => [
    name,
    ...[median(runs), Math.min(...runs), Math.max(...runs)].map((time) => `${Math.round(time)} ms`),
    (median(runs) / base).toFixed(2),
  ]);
  const all = [["", "median", "min", "max", "ratio"], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function timed({ name, command, directory, statuses = [0] }: Candidate): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(command[0], command.slice(1), { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (status) => {
      const elapsed = Number(process.hrtime.bigint() - started) / 1e6;
      if (statuses.includes(status ?? -1)) resolve(elapsed);
      else reject(new Error(`${name} ended with status ${status}:\n${output}`));
    });
  });
}
