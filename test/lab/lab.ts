/**
 * @module A lab: real Debian hosts with systemd, sshd, sudo and reboots, as containers on a bridge of their own.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureBase } from "./base.ts";
import { groupDirectories, removeGroup } from "./cgroup.ts";
import { type LabHost, labHost } from "./host.ts";
import { withLock } from "./lock.ts";
import { groupOf, type HostRecord, hostDirectory, makeDisk, ready, startMachine } from "./machine.ts";
import { unmountAll } from "./mounts.ts";
import { checkoutDirectory, type LabNames, labNames } from "./names.ts";
import { hostAddress, makeBridge, removeLinks } from "./network.ts";
import { endHosts, isSupervised } from "./processes.ts";
import { LabError, must } from "./run.ts";
import { knownHostsLines, sshConfig } from "./ssh-files.ts";

export interface LabOptions {
  /** The checkout that the lab belongs to; the one around the working directory when unset. */
  readonly checkout?: string;
  /** Tells several labs of a checkout apart; `$CONN3X_LAB_NAME` when unset. */
  readonly name?: string;
  /** Whether hosts get Python, which other tools need there. */
  readonly peers?: boolean;
  /** Gets a line when something takes long. */
  readonly log?: (line: string) => void;
}

/** All methods may be called from several processes at once. */
export interface Lab {
  readonly names: LabNames;
  /** The lab's state: the files below, and a directory for each host. */
  readonly directory: string;
  /** Path of the private key (ed25519, no passphrase) that `deploy`, `plain` and `root` of every host accept. */
  readonly keyFile: string;
  /** Path of a known_hosts file with every host, by address and by name. */
  readonly knownHostsFile: string;
  /** Path of a configuration for `ssh -F`, which knows the hosts by name and logs in as `deploy`. */
  readonly sshConfigFile: string;
  /** First three numbers of its /24: `10.x.y`. The controller is `.1`. */
  readonly prefix: string;
  /**
   * Makes hosts of these names, or boots those that exist and are down; those that run already are left alone.
   * @returns the hosts, in the order asked for, all taking logins
   */
  up(names: readonly string[]): Promise<readonly LabHost[]>;
  /** All hosts there are, running or not, by name. */
  hosts(): readonly LabHost[];
  /** @throws LabError when there is none of this name */
  host(name: string): LabHost;
  /** Ends all hosts and removes everything of the lab from the machine; the base stays. */
  down(): Promise<void>;
}

interface LabRecord {
  readonly names: LabNames;
  readonly prefix: string;
  readonly base: string;
}

/** The names of the lab that {@link openLab} would open. */
export function namesFor(options: Pick<LabOptions, "checkout" | "name">): LabNames {
  const checkout = options.checkout ?? checkoutDirectory();
  return labNames(checkout, options.name ?? process.env.CONN3X_LAB_NAME ?? "");
}

/**
 * Opens the lab, with the hosts that it has, or a new one without hosts. What is left of a lab that a reboot or a crash
 * interrupted halfway is removed first.
 * @throws LabError when the base cannot be built or the machine refuses a part of it
 */
export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const names = namesFor(options);
  const base = await ensureBase(options);
  return withLock(names.lock, async () => {
    const standing = readLab(names.directory);
    const record = standing ?? (await makeLab(names, base));
    return lab({ ...record, base });
  });
}

/** The lab in this directory. @throws LabError when there is none */
export function attachLab(directory: string): Lab {
  const record = readLab(directory);
  if (!record) throw new LabError(`no lab in ${directory}`);
  return lab(record);
}

function readLab(directory: string): LabRecord | undefined {
  const file = join(directory, "lab.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as LabRecord) : undefined;
}

async function makeLab(names: LabNames, base: string): Promise<LabRecord> {
  await sweep(names);
  await mkdir(names.directory, { recursive: true, mode: 0o700 });
  // A file system of its own: an overlay's upper layer may not lie on another overlay, as it would in a container, and
  // hosts write at the speed of memory.
  await must(["mount", "-t", "tmpfs", "-o", "mode=0700,size=75%", "conn3x-lab", names.directory]);
  await mkdir(join(names.directory, "hosts"));
  await makeKey(join(names.directory, "key"), "conn3x-lab");
  await raiseLimits();
  const record: LabRecord = { names, prefix: await makeBridge(names), base };
  await writeWhole(join(names.directory, "lab.json"), JSON.stringify(record, null, 2));
  return record;
}

async function makeKey(path: string, comment: string): Promise<string> {
  await must(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path]);
  return readFileSync(`${path}.pub`, "utf8").trim();
}

/** More than about 15 systemds need more of inotify than kernels grant by default. */
async function raiseLimits(): Promise<void> {
  const wanted = { max_user_instances: 65_536, max_user_watches: 1_048_576 };
  for (const [name, least] of Object.entries(wanted)) {
    const file = `/proc/sys/fs/inotify/${name}`;
    if (Number(readFileSync(file, "utf8")) < least) await writeFile(file, String(least));
  }
}

async function writeWhole(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Removes everything on this machine that carries the lab's names, in whatever state it is. */
async function sweep(names: LabNames): Promise<void> {
  const hosts = groupDirectories(names.cgroup).flatMap((directory) =>
    existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [],
  );
  const groups = new Set(
    hosts.filter((entry) => entry.isDirectory()).map(({ name }) => `${names.cgroup}/${name}`),
  );
  await endHosts([...groups]);
  for (const directory of groupDirectories(names.cgroup)) await removeGroup(directory);
  await unmountAll(names.directory);
  await rm(names.directory, { recursive: true, force: true });
  await removeLinks(names);
}

function hostRecords(names: LabNames): readonly HostRecord[] {
  const directory = join(names.directory, "hosts");
  if (!existsSync(directory)) return [];
  const files = readdirSync(directory).map((name) => join(directory, name, "host.json"));
  const records = files
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, "utf8")) as HostRecord);
  return records.sort((left, right) => left.index - right.index);
}

/** Writes down a new host, with a key of its own; nothing runs yet. */
async function makeHost(lab: LabRecord, name: string, index: number): Promise<HostRecord> {
  const directory = hostDirectory(lab.names, name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const publicKey = await makeKey(join(directory, "host_key"), "");
  const record: HostRecord = {
    name,
    index,
    address: hostAddress(lab.prefix, index),
    hostKey: publicKey.split(" ").slice(0, 2).join(" "),
    base: lab.base,
  };
  await makeDisk({ names: lab.names, record });
  await writeWhole(join(directory, "host.json"), JSON.stringify(record, null, 2));
  return record;
}

async function bringUp(lab: LabRecord, wanted: readonly string[]): Promise<readonly HostRecord[]> {
  const { names } = lab;
  const known = new Map(hostRecords(names).map((record) => [record.name, record]));
  const used = new Set([...known.values()].map(({ index }) => index));
  const free = Array.from({ length: 240 }, (_, position) => position + 1).filter((index) => !used.has(index));
  const missing = [...new Set(wanted)].filter((name) => !known.has(name));
  const made = await Promise.all(
    missing.map((name, position) => {
      const index = free[position];
      if (!/^[a-z][a-z0-9-]{0,30}$/.test(name))
        throw new LabError(`${JSON.stringify(name)} is no name for a host`);
      if (index === undefined) throw new LabError("a lab has at most 240 hosts");
      return makeHost(lab, name, index);
    }),
  );
  for (const record of made) known.set(record.name, record);
  const all = [...known.values()];
  await writeWhole(join(names.directory, "known_hosts"), knownHostsLines(all));
  await writeWhole(join(names.directory, "ssh_config"), sshConfig(names.directory, all));

  const records = wanted.map((name) => known.get(name)!);
  const down = [...new Set(records)].filter((record) => !isSupervised(groupOf({ names, record })));
  await Promise.all(down.map((record) => startMachine({ names, record })));
  return records;
}

function lab(record: LabRecord): Lab {
  const { names, prefix } = record;
  const hosts = () => hostRecords(names).map((host) => labHost(names, host));
  return {
    names,
    directory: names.directory,
    keyFile: join(names.directory, "key"),
    knownHostsFile: join(names.directory, "known_hosts"),
    sshConfigFile: join(names.directory, "ssh_config"),
    prefix,
    up: async (wanted) => {
      const records = await withLock(names.lock, () => bringUp(record, wanted));
      await Promise.all(records.map((host) => ready({ names, record: host })));
      return records.map((host) => labHost(names, host));
    },
    hosts,
    host: (name) => {
      const found = hosts().find((host) => host.name === name);
      if (!found) throw new LabError(`the lab has no host ${name}`);
      return found;
    },
    down: () => withLock(names.lock, () => sweep(names)),
  };
}

/** Removes a lab whatever state it is in, also one that {@link openLab} would refuse. */
export function removeLab(names: LabNames): Promise<void> {
  return withLock(names.lock, () => sweep(names));
}
