/**
 * @module The processes of hosts, seen from the controller: which of them is a host's init, which are its sshd, and how
 * all of them are ended. Only ids found in the lab's own control groups are ever signalled.
 */
import { readFileSync } from "node:fs";
import { allMembers, groupDirectories, members } from "./cgroup.ts";
import { LabError, sleep } from "./run.ts";

interface ProcessStatus {
  readonly name: string;
  /** Its id in each pid namespace, ours first. */
  readonly ids: readonly number[];
}

function status(id: number): ProcessStatus | undefined {
  try {
    const text = readFileSync(`/proc/${id}/status`, "utf8");
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(text)?.[1] ?? "";
    return { name: field("Name"), ids: field("NSpid").split(/\s+/).map(Number) };
  } catch {
    return undefined;
  }
}

function isInit(id: number): boolean {
  const ids = status(id)?.ids;
  return ids?.length === 2 && ids[1] === 1;
}

export function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function everyone(group: string): readonly number[] {
  return [...new Set(groupDirectories(group).flatMap(allMembers))];
}

/** The init of the host in this group, by its id on the controller; undefined when the host is down. */
export function initOf(group: string): number | undefined {
  return everyone(group).find(isInit);
}

/**
 * Whether the host's supervisor is there, the only process in the group itself: the host runs, boots, reboots or goes
 * down. A host without one (somebody killed it) is down, even if parts of it still run.
 */
export function isSupervised(group: string): boolean {
  return groupDirectories(group).flatMap(members).length > 0;
}

/** The processes of the host that have this name, as `/proc/ID/comm` gives it. */
export function processesNamed(group: string, name: string): readonly number[] {
  return everyone(group).filter((id) => {
    const found = status(id);
    return found?.name === name && found.ids.length > 1;
  });
}

/**
 * Ends all hosts in these groups. The supervisors are told first, so that nothing starts again; then each host's own
 * init is killed, and with it everything in the host. Killing only systemd-nspawn would leave the host running on a deleted file system.
 * Does nothing for a host of which nothing is left.
 * @throws LabError when something is left after 20 s
 */
export async function endHosts(groups: readonly string[]): Promise<void> {
  const started = Date.now();
  for (const id of groups.flatMap(groupDirectories).flatMap(members)) signal(id, "SIGTERM");
  for (;;) {
    const left = groups.flatMap(everyone);
    if (left.length === 0) return;
    const waited = Date.now() - started;
    if (waited > 20_000) throw new LabError(`processes of the lab do not end: ${left.join(", ")}`);
    // systemd-nspawn ends by itself soon after the init that it watches, and the supervisor after that.
    for (const id of waited > 3_000 ? left : left.filter(isInit)) signal(id, "SIGKILL");
    await sleep(20);
  }
}
