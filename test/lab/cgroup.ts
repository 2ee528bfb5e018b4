/**
 * @module The control groups of a lab. Each host has one, so that their systemds do not share a tree, and the kernel keeps
 * the one list of a lab's processes that survives every crash.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * The hierarchies in which systemd keeps its processes: the only one with version 2; with version 1 the named one, and
 * beside it the version 2 tree of the hybrid layout. See cgroups(7).
 */
function hierarchies(): readonly string[] {
  const root = "/sys/fs/cgroup";
  if (existsSync(join(root, "cgroup.controllers"))) return [root];
  return [join(root, "systemd"), join(root, "unified")].filter((path) =>
    existsSync(join(path, "cgroup.procs")),
  );
}

/** The directories of a group, one in each hierarchy. @param path `conn3x-lab-ID` or `conn3x-lab-ID/HOST` */
export function groupDirectories(path: string): readonly string[] {
  return hierarchies().map((hierarchy) => join(hierarchy, path));
}

export async function makeGroup(path: string): Promise<readonly string[]> {
  const directories = groupDirectories(path);
  for (const directory of directories) await mkdir(directory, { recursive: true });
  return directories;
}

/** Process ids that are in the group itself. */
export function members(directory: string): readonly number[] {
  try {
    const ids = readFileSync(join(directory, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
    // 0 stands for a process that cannot be seen from here.
    return ids.filter((id) => id > 0);
  } catch {
    // The group went away, or is going.
    return [];
  }
}

function subgroups(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(directory, entry.name));
  } catch {
    return [];
  }
}

/** Process ids in the group and in all groups below it. */
export function allMembers(directory: string): readonly number[] {
  return [...members(directory), ...subgroups(directory).flatMap(allMembers)];
}

/** Removes a group without processes and all groups below it. */
export async function removeGroup(directory: string): Promise<void> {
  for (const below of subgroups(directory)) await removeGroup(below);
  await rmdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
