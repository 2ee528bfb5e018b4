import { describe, expect, test } from "vitest";
import { labNames, subnetPrefix, vethName } from "./names.ts";
import { hostAddress, overlap } from "./network.ts";
import { knownHostsLines } from "./ssh-files.ts";

describe("names of a lab", () => {
  const names = labNames("/home/someone/conn3x", "");

  test("differ between checkouts and between the labs of one", () => {
    const others = [labNames("/home/someone/conn3x-2", ""), labNames("/home/someone/conn3x", "mine")];
    expect(new Set([names, ...others].map(({ id }) => id)).size).toBe(3);
    expect(labNames("/home/someone/conn3x", "")).toEqual(names);
  });

  test("fit into an interface's name of 15 characters, up to the last host", () => {
    expect(vethName(names, 240)).toBe(`vb-c${names.id}-240`);
    expect(vethName(names, 240).length).toBeLessThanOrEqual(15);
    expect(names.bridge.length).toBeLessThanOrEqual(15);
  });

  test("lead to private networks, another one at each attempt", () => {
    const prefixes = Array.from({ length: 20 }, (_, attempt) => subnetPrefix(names, attempt));
    expect(new Set(prefixes).size).toBeGreaterThan(15);
    for (const prefix of prefixes) expect(overlap(`${prefix}.0/24`, "10.0.0.0/8")).toBe(true);
  });
});

test.each([
  ["10.1.2.0/24", "10.1.2.7/24", true],
  ["10.1.2.0/24", "10.1.3.0/24", false],
  ["10.1.2.0/24", "10.0.0.1/8", true],
  ["10.1.2.0/24", "11.0.0.1/8", false],
  ["192.168.255.255/32", "192.168.0.0/16", true],
  ["10.1.2.0/24", "0.0.0.0/0", true],
])("networks %s and %s overlap: %s", (left, right, expected) => {
  expect(overlap(left, right)).toBe(expected);
  expect(overlap(right, left)).toBe(expected);
});

test("addresses leave room below for the controller and end inside the network", () => {
  expect(hostAddress("10.64.3", 1)).toBe("10.64.3.11");
  expect(hostAddress("10.64.3", 240)).toBe("10.64.3.250");
});

test("known_hosts names a host by name and address, as sshd(8) describes", () => {
  const host = { name: "web1", address: "10.64.3.11", hostKey: "ssh-ed25519 AAAAkey" };
  expect(knownHostsLines([host])).toBe("web1,10.64.3.11 ssh-ed25519 AAAAkey\n");
});
