/**
 * @module The lab's network: a bridge that only the controller and the lab's hosts are on, and cutting a host off it.
 */
import { readdirSync } from "node:fs";
import { withLock } from "./lock.ts";
import { type LabNames, labsDirectory, subnetPrefix, vethName } from "./names.ts";
import { LabError, must, run } from "./run.ts";

/** `10.x.y` of a host's network → the host's address. @param index 1 to 240 */
export function hostAddress(prefix: string, index: number): string {
  return `${prefix}.${10 + index}`;
}

/** Whether two networks in CIDR notation have an address in common. */
export function overlap(left: string, right: string): boolean {
  const parse = (cidr: string) => {
    const [address = "", length = "32"] = cidr.split("/");
    const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    return { number, length: Number(length) };
  };
  const [a, b] = [parse(left), parse(right)];
  const size = 2 ** (32 - Math.min(a.length, b.length));
  return Math.floor(a.number / size) === Math.floor(b.number / size);
}

/**
 * The bridge's own hardware address, from those that anybody may choose. Left alone a bridge takes the lowest of its
 * ports', another one whenever a host comes or goes, and everybody's ARP entries for it are wrong for a while.
 */
function bridgeHardware(names: LabNames): string {
  return ["02", "00", ...(`0${names.id}`.match(/../g) ?? [])].join(":");
}

/**
 * Makes the lab's bridge.
 * @returns the first three numbers of its /24; the controller is `.1`
 */
export function makeBridge(names: LabNames): Promise<string> {
  // Two labs that start at once must not choose the same network.
  return withLock(`${labsDirectory}/network.lock`, async () => {
    const lines = (await must(["ip", "-4", "-o", "address", "show"])).split("\n");
    const taken = lines.map((line) => line.trim().split(/\s+/)[3] ?? "").filter(Boolean);
    for (let attempt = 0; attempt < 50; attempt++) {
      const prefix = subnetPrefix(names, attempt);
      if (taken.some((cidr) => overlap(cidr, `${prefix}.0/24`))) continue;
      await must(["ip", "link", "add", names.bridge, "address", bridgeHardware(names), "type", "bridge"]);
      await must(["ip", "address", "add", `${prefix}.1/24`, "dev", names.bridge]);
      await must(["ip", "link", "set", names.bridge, "up"]);
      return prefix;
    }
    throw new LabError("no free network found for the lab within 10.64.0.0/10 and 10.128.0.0/10");
  });
}

/** Removes the bridge and all ends of hosts' networks that were left behind. */
export async function removeLinks(names: LabNames): Promise<void> {
  const ours = readdirSync("/sys/class/net").filter(
    (link) => link === names.bridge || link.startsWith(vethName(names, 0).slice(0, -1)),
  );
  // A link whose host has just died goes away by itself, perhaps before we come to it.
  for (const link of ours) await run(["ip", "link", "delete", link]);
}

/**
 * Takes a host off the bridge without either side noticing: no packet arrives, no carrier is lost. (A fixed neighbour
 * entry keeps the controller from answering "no route to host" once it has asked in vain who has the address.)
 */
export async function cutLink(
  names: LabNames,
  index: number,
  address: string,
  hardware: string,
): Promise<void> {
  await must([
    "ip",
    "neighbour",
    "replace",
    address,
    "lladdr",
    hardware,
    "dev",
    names.bridge,
    "nud",
    "permanent",
  ]);
  await must(["ip", "link", "set", vethName(names, index), "nomaster"]);
}

/** Undoes {@link cutLink} and {@link delayLink}. */
export async function mendLink(names: LabNames, index: number, address: string): Promise<void> {
  await must(["ip", "link", "set", vethName(names, index), "master", names.bridge]);
  await run(["ip", "neighbour", "delete", address, "dev", names.bridge]);
  await run(["tc", "qdisc", "delete", "dev", vethName(names, index), "root"]);
}

/**
 * Delays every packet to the host, which adds as much to each round trip.
 * @throws LabError where the kernel has no netem
 */
export async function delayLink(names: LabNames, index: number, milliseconds: number): Promise<void> {
  const result = await run([
    "tc",
    "qdisc",
    "replace",
    "dev",
    vethName(names, index),
    "root",
    "netem",
    "delay",
    `${milliseconds}ms`,
  ]);
  if (result.status !== 0) {
    throw new LabError(
      `this kernel cannot delay packets (tc netem): ${result.stderr.trim()}; a delaying relay can`,
    );
  }
}
