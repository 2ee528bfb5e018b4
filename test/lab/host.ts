/**
 * @module A host of the lab as tests see it: where it is reached, an independent look inside, and everything that can
 * befall it.
 */
import { readFile } from "node:fs/promises";
import {
  dropDisk,
  groupOf,
  type HostRecord,
  makeDisk,
  ready,
  rootDirectory,
  startMachine,
  stopMachine,
} from "./machine.ts";
import type { LabNames } from "./names.ts";
import { cutLink, delayLink, mendLink } from "./network.ts";
import { initOf, isSupervised, processesNamed, signal } from "./processes.ts";
import { LabError, type RunResult, run, until } from "./run.ts";

export interface LabHost {
  readonly name: string;
  readonly address: string;
  readonly port: 22;
  /** Its public host key: `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** The host's file system as a directory of the controller, without what the host itself mounts (`/run`, `/tmp`). */
  readonly rootDirectory: string;
  /**
   * Runs a command with `/bin/sh -c` inside the host as root, entering it from outside: no network, no sshd and nothing
   * of the product takes part. The witness of what the product did.
   * @param input text for its standard input
   * @throws LabError when the host is down; an exit status other than 0 is an answer
   */
  exec(command: string, input?: string | Buffer): Promise<RunResult>;
  /** As {@link exec}, for what must succeed. @returns its standard output. @throws LabError when the status is not 0 */
  must(command: string, input?: string | Buffer): Promise<string>;
  /** `/proc/sys/kernel/random/boot_id`, other at each boot. @throws LabError when the host is down */
  bootId(): Promise<string>;
  isRunning(): boolean;
  /** Boots a stopped host and waits until it takes logins. */
  start(): Promise<void>;
  /** Ends the host as a power failure would; its disk stays. Connections hang, then time out. */
  stop(): Promise<void>;
  /** Reboots as an administrator would and waits until the host takes logins again. */
  reboot(): Promise<void>;
  /** Throws away everything that changed on its disk, ends every other mischief, boots. Same address and keys. */
  reset(): Promise<void>;
  /** Waits until the host takes logins, after a reboot that something else began. */
  ready(): Promise<void>;
  /** Stops sshd and all its sessions in their tracks: TCP connects, nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Takes the host off the network silently: no packet passes, no connection is told. Ends with a reboot or {@link mend}. */
  cut(): Promise<void>;
  /**
   * Adds a delay to each round trip. Ends with a reboot or {@link mend}.
   * @throws LabError where the kernel has no netem; `delayingRelay` works everywhere
   */
  delay(milliseconds: number): Promise<void>;
  /** Undoes {@link cut} and {@link delay}. */
  mend(): Promise<void>;
}

const environment = [
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "HOME=/root",
  "LANG=C.UTF-8",
];

export function labHost(names: LabNames, record: HostRecord): LabHost {
  const machine = { names, record };
  const group = groupOf(machine);

  const init = (): number => {
    const found = initOf(group);
    if (found === undefined) throw new LabError(`host ${record.name} is down`);
    return found;
  };
  const exec = async (command: string, input?: string | Buffer): Promise<RunResult> =>
    run(
      [
        "nsenter",
        `--target=${init()}`,
        ...["--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"],
        ...["env", "-i", ...environment],
        ...["/bin/sh", "-c", command],
      ],
      input === undefined ? {} : { input },
    );
  const must = async (command: string, input?: string | Buffer): Promise<string> => {
    const result = await exec(command, input);
    if (result.status === 0) return result.stdout;
    throw new LabError(
      `on ${record.name}, ${command} exited with ${result.status}: ${result.stderr || result.stdout}`,
    );
  };
  const bootId = async (): Promise<string> =>
    (await readFile(`/proc/${init()}/root/proc/sys/kernel/random/boot_id`, "utf8")).trim();
  const start = async (): Promise<void> => {
    await startMachine(machine);
    await ready(machine);
  };
  const stop = (): Promise<void> => stopMachine(machine);
  const mend = (): Promise<void> => mendLink(names, record.index, record.address);

  return {
    name: record.name,
    address: record.address,
    port: 22,
    hostKey: record.hostKey,
    rootDirectory: rootDirectory(machine),
    exec,
    must,
    bootId,
    isRunning: () => isSupervised(group),
    start,
    stop,
    reboot: async () => {
      const before = await bootId();
      await must("systemctl reboot");
      await until(`host ${record.name} has rebooted`, 60, async () => {
        const now = await bootId().catch(() => before);
        return now !== before;
      });
      await ready(machine);
    },
    reset: async () => {
      await stop();
      await dropDisk(machine);
      await makeDisk(machine);
      await start();
      await mend();
    },
    ready: () => ready(machine),
    freeze: async () => {
      // A listener that was about to fork may leave a new child running: look again.
      for (let round = 0; round < 3; round++) {
        for (const id of processesNamed(group, "sshd")) signal(id, "SIGSTOP");
      }
    },
    thaw: async () => {
      for (const id of processesNamed(group, "sshd")) signal(id, "SIGCONT");
    },
    cut: async () =>
      cutLink(names, record.index, record.address, (await must("cat /sys/class/net/host0/address")).trim()),
    delay: (milliseconds) => delayLink(names, record.index, milliseconds),
    mend,
  };
}
