/**
 * @module Where everything of a lab gets its name from: the checkout's path and the lab's own name. So two labs run side
 * by side, and what a lab left behind is found again by name alone.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { LabError } from "./run.ts";

export interface LabNames {
  /** Seven hexadecimal digits, in all names that the kernel knows. */
  readonly id: string;
  /** The lab's state; a tmpfs of its own, mode 0700. */
  readonly directory: string;
  /** Held while hosts are added or taken away. */
  readonly lock: string;
  /** Held as long as a test run uses the lab. */
  readonly runLock: string;
  readonly bridge: string;
  /** Name of the control group that holds all processes of all hosts. */
  readonly cgroup: string;
}

/** All labs of the machine live here. */
export const labsDirectory = "/run/conn3x-lab";

/** @param name tells several labs of one checkout apart; may be empty */
export function labNames(checkout: string, name: string): LabNames {
  const id = createHash("sha256").update(`${checkout}\0${name}`).digest("hex").slice(0, 7);
  const directory = join(labsDirectory, id);
  return {
    id,
    directory,
    lock: `${directory}.lock`,
    runLock: `${directory}.run.lock`,
    bridge: `cx-${id}`,
    cgroup: `conn3x-lab-${id}`,
  };
}

/**
 * The name that systemd-nspawn knows a host by. At most 12 characters, for nspawn puts `vb-` before it to name the
 * controller's end of the host's network, and an interface's name has at most 15 (IFNAMSIZ).
 * @param index 1 to 240
 */
export function machineName(names: LabNames, index: number): string {
  return `c${names.id}-${index}`;
}

export function vethName(names: LabNames, index: number): string {
  return `vb-${machineName(names, index)}`;
}

/** First three numbers of the lab's /24 inside 10.0.0.0/8. Other attempts give other networks, for where one is taken. */
export function subnetPrefix(names: LabNames, attempt: number): string {
  const digest = createHash("sha256").update(`${names.id} ${attempt}`).digest();
  return `10.${64 + (digest.readUInt8(0) % 128)}.${digest.readUInt8(1)}`;
}

/**
 * The checkout that a directory lies in: the nearest one upwards with this package's `package.json`.
 * @throws LabError outside of any checkout
 */
export function checkoutDirectory(from: string = process.cwd()): string {
  for (let directory = realpathSync(from); ; directory = dirname(directory)) {
    const manifest = join(directory, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "conn3x")
      return directory;
    if (directory === dirname(directory)) throw new LabError(`${from} is not inside a checkout of conn3x`);
  }
}
