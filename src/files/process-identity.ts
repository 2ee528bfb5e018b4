/**
 * @module Distinguishes a process from a later one with the same number, and whether it is gone.
 *
 * Source for the files in /proc: proc(5), pid_namespaces(7); for /etc/machine-id: machine-id(5).
 */
import { promises as fs } from "node:fs";
import { hostname } from "node:os";

/** Everything but the number may be empty: where the system does not say it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Name of the machine or container, for systems without the following. */
  readonly machine: string;
  /** Stays the same when the machine is started again. */
  readonly machineId: string;
  /** Identifies the machine's present uptime; containers share it with their machine. */
  readonly boot: string;
  /** In which the number counts: that of a container or of the machine. */
  readonly namespace: string;
  /** When the process started, in clock ticks since the machine did. */
  readonly started: string;
}

export async function processIdentity(pid: number): Promise<ProcessIdentity> {
  const text = (path: string): Promise<string> =>
    fs.readFile(path, "utf8").then(
      (content) => content.trim(),
      () => "",
    );
  return {
    pid,
    machine: hostname(),
    machineId: await text("/etc/machine-id"),
    boot: await text("/proc/sys/kernel/random/boot_id"),
    namespace: await fs.readlink("/proc/self/ns/pid").catch(() => ""),
    started: startTime(await text(`/proc/${pid}/stat`)),
  };
}

/**
 * Whether that process certainly runs no more. False when that cannot be known from here: on another machine, or in
 * another container of this one.
 */
export async function processIsGone(identity: ProcessIdentity): Promise<boolean> {
  const here = await processIdentity(identity.pid);
  if (identity.boot === "" && here.boot !== "") return false;
  if (identity.boot !== here.boot) return identity.machineId !== "" && identity.machineId === here.machineId;
  if (identity.namespace !== here.namespace) return false;
  // Without a boot's name only the machine's own says that the number means the same here.
  if (here.boot === "" && identity.machine !== here.machine) return false;
  if (!exists(identity.pid)) return true;
  return identity.started !== "" && here.started !== "" && identity.started !== here.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Field 22 of /proc/PID/stat. The command in field 2 may hold spaces and parentheses. */
function startTime(stat: string): string {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[19] ?? "";
}
