/**
 * @module IP addresses as numbers and as text (RFC 4291, RFC 5952).
 */
import { isIPv4, isIPv6 } from "node:net";

export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** Leading zeros in an IPv4 address's parts do not matter: `010.0.0.1` is 10.0.0.1. */
export function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/(?<![0-9A-Fa-f:])0+(?=\d+\.)|(?<=\.)0+(?=\d)/g, "");
  if (isIPv4(plain)) return { bits: 32, value: joined(plain.split(".").map(Number), 8n) };
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted !== null) {
    const tail = joined(dotted[2]!.split(".").map(Number), 8n);
    const groups = [tail >> 16n, tail & 0xffffn].map((group) => group.toString(16));
    return parseAddress(dotted[1]! + groups.join(":"));
  }
  const [head = "", rest] = text.split("::");
  const before = groupsOf(head);
  const after = groupsOf(rest ?? "");
  const zeros = rest === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => 0);
  return { bits: 128, value: joined([...before, ...zeros, ...after], 16n) };
}

const groupsOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}

/** The canonical form: of the longest run of zero groups, the first one is left out. */
export function addressText({ bits, value }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  const hex = value.toString(16).padStart(32, "0");
  const groups = hex.match(/.{4}/g)!.map((group) => Number.parseInt(group, 16).toString(16));
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(":");
  return `${groups.slice(0, run.start).join(":")}::${groups.slice(run.start + run.length).join(":")}`;
}

function longestZeroRun(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === "0") length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
