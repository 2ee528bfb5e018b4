/**
 * @module Tells a process from a later one with the same number, and whether it is gone.
 *
 * Source for the files in /proc: proc(5).
 */
import { promises as fs } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly pid: number;
  /** Name of the machine. */
  readonly machine: string;
  /** Identifies the machine's present uptime, so that a restart ends every process. Empty where it is not known. */
  readonly boot: string;
  /** When the process started, in clock ticks since then. Empty where it is not known. */
  readonly started: string;
}

export async function processIdentity(pid: number): Promise<ProcessIdentity> {
  return { pid, machine: hostname(), boot: await bootId(), started: await startTime(pid) };
}

/** Whether that process certainly runs no more. False when it cannot be told from here. */
export async function processIsGone(identity: ProcessIdentity): Promise<boolean> {
  if (identity.machine !== hostname()) return false;
  if (identity.boot !== "" && identity.boot !== (await bootId())) return true;
  if (!exists(identity.pid)) return true;
  const started = await startTime(identity.pid);
  return identity.started !== "" && started !== "" && identity.started !== started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function bootId(): Promise<string> {
  return (await fs.readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
}

/** Field 22 of /proc/PID/stat. The command in field 2 may hold spaces and parentheses. */
async function startTime(pid: number): Promise<string> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[19] ?? "";
}
