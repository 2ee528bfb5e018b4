/**
 * @module Handing hosts out to test files, so that none meets another's changes: a file claims hosts, and a host that an
 * earlier file had is reset before the next one gets it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LabHost } from "./host.ts";
import type { Lab } from "./lab.ts";
import { withLock } from "./lock.ts";
import { LabError } from "./run.ts";

/** A process, told apart from a later one of the same id by when it started (proc(5), field 22 of `stat`). */
function incarnation(id: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    return `${id} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return undefined;
  }
}

function isClaimed(file: string): boolean {
  if (!existsSync(file)) return false;
  const holder = readFileSync(file, "utf8");
  return incarnation(Number.parseInt(holder, 10)) === holder;
}

/**
 * Claims hosts for this process: clean, running, taking logins. The lab grows when there are too few.
 * @throws LabError when they cannot be had
 */
export async function acquireHosts(lab: Lab, count: number): Promise<readonly LabHost[]> {
  const claims = join(lab.directory, "claims");
  const used = join(lab.directory, "used");
  const names = await withLock(join(lab.directory, "claims.lock"), async () => {
    for (const directory of [claims, used]) await mkdir(directory, { recursive: true });
    const all = Array.from({ length: 240 }, (_, position) => `web${position + 1}`);
    const free = all.filter((name) => !isClaimed(join(claims, name))).slice(0, count);
    if (free.length < count) throw new LabError(`${count} hosts were asked for, ${free.length} are free`);
    for (const name of free) await writeFile(join(claims, name), incarnation(process.pid) ?? "");
    return free;
  });
  const dirty = new Set(readdirSync(used));
  const known = lab.hosts();
  const [, fresh] = await Promise.all([
    Promise.all(
      known.filter(({ name }) => names.includes(name) && dirty.has(name)).map((host) => host.reset()),
    ),
    lab.up(names.filter((name) => !dirty.has(name))),
  ]);
  for (const { name } of fresh) await writeFile(join(used, name), "");
  return names.map((name) => lab.host(name));
}

/** Gives claimed hosts back, in whatever state they are. */
export async function releaseHosts(lab: Lab, hosts: readonly LabHost[]): Promise<void> {
  for (const { name } of hosts) await rm(join(lab.directory, "claims", name), { force: true });
}
