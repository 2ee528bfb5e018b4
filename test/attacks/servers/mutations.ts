/**
 * @module Packets and answers that are almost right: what a server sends, changed at random.
 */
import { message, packet, text, u32 } from "./packets.ts";

/** Numbers from 0 on, each below the one that is given. The same seed gives the same ones (xorshift). */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const sizes = [0, 1, 2, 3, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** One packet as several, none, or another; most often as it is. */
export function mutatedPackets(payload: Buffer, random: Random, rate: number): readonly Buffer[] {
  if (random(rate) > 0) return [payload];
  const at = random(payload.length);
  const flipped = Buffer.from(payload);
  const changes: readonly (() => readonly Buffer[])[] = [
    () => [],
    () => [payload, payload],
    () => [strange(random), payload],
    () => [payload, strange(random), strange(random)],
    () => [strange(random), strange(random), strange(random), payload],
    () => [payload.subarray(0, 1 + at)],
    () => [Buffer.concat([payload, Buffer.alloc(random(2000), random(256))])],
    () => [Buffer.from([random(256)]), payload],
    () => {
      flipped[at] = random(256);
      return [flipped];
    },
    () => {
      flipped[0] = 80 + random(21);
      return [flipped];
    },
    () => {
      if (payload.length >= 5)
        flipped.writeUInt32BE(sizes[random(sizes.length)]!, 1 + random(payload.length - 4));
      return [flipped];
    },
  ];
  return changes[random(changes.length)]!();
}

/** Something that a server may send, at a time when none would. */
function strange(random: Random): Buffer {
  const id = random(8) === 0 ? sizes[random(sizes.length)]! : random(4) === 0 ? 1 : 0;
  const bytes = Buffer.alloc(random(50), "x");
  const all: readonly (() => Buffer)[] = [
    () => packet(message.data, u32(id), text(bytes)),
    () => packet(message.extendedData, u32(id), u32(random(3)), text(bytes)),
    () => packet(message.eof, u32(id)),
    () => packet(message.eof, u32(id)),
    () => packet(message.extendedData, u32(id), u32(1), text(bytes)),
    () => packet(message.close, u32(id)),
    () => packet(message.success, u32(id)),
    () => packet(message.failure, u32(id)),
    () => packet(message.windowAdjust, u32(id), u32(sizes[random(sizes.length)]!)),
    () => packet(message.request, u32(id), text("exit-status"), Buffer.from([0]), u32(random(300))),
    () =>
      packet(
        message.request,
        u32(id),
        text("exit-signal"),
        Buffer.from([0]),
        text("KILL"),
        Buffer.from([0]),
        text(bytes),
        text(""),
      ),
    () => packet(message.request, u32(id), text("keepalive@openssh.com"), Buffer.from([1])),
    () =>
      packet(
        message.openConfirmation,
        u32(id),
        u32(id),
        u32(sizes[random(sizes.length)]!),
        u32(sizes[random(sizes.length)]!),
      ),
    () => packet(message.openFailure, u32(id), u32(random(5)), text(bytes), text("")),
    () => packet(message.open, text("session"), u32(id), u32(1000), u32(1000)),
    () =>
      packet(message.globalRequest, text("hostkeys-00@openssh.com"), Buffer.from([random(2)]), text(bytes)),
    () => packet(message.disconnect, u32(random(16)), text(bytes), text("")),
    () => packet(message.kexInit, bytes),
    () => packet(message.newKeys),
    () => packet(message.banner, text(bytes), text("")),
    () => packet(message.authFailure, text("password,publickey"), Buffer.from([random(2)])),
    () => packet(message.authSuccess),
    () => packet(message.serviceAccept, text("ssh-userauth")),
    () => packet(60, text(bytes), text(bytes)),
    () => packet(random(256), bytes),
  ];
  return all[random(all.length)]!();
}

/** What a shell prints, cut, repeated, in another order, or with something else in between; most often as it is. */
export function mutatedText(whole: string, random: Random, rate: number): string {
  if (random(rate) > 0) return whole;
  const [from, to] = [random(whole.length + 1), random(whole.length + 1)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const part = whole.slice(from, to);
  const lines = whole.split("\n");
  const changes: readonly (() => string)[] = [
    () => whole.slice(0, from),
    () => whole.slice(from),
    () => whole + whole,
    () => whole.slice(0, to) + part + whole.slice(to),
    () => whole.slice(0, from) + whole.slice(to),
    () => [...lines].reverse().join("\n"),
    () =>
      lines.map((line) => (random(3) === 0 ? `${line}\n${lines[random(lines.length)]}` : line)).join("\n"),
    () => whole.replace(/\d+/g, (number) => (random(2) === 0 ? number : `${sizes[random(sizes.length)]}`)),
    () => whole.replaceAll("\n", ""),
    () => `\0${whole}\r\n\u001b[2J`,
  ];
  return changes[random(changes.length)]!();
}
