/**
 * @module Answers without end.
 */
import { type Attacker, asFarAsShell, type Channel, sendWithoutEnd, type Victim } from "./hostile-server.ts";
import { data, extendedData } from "./packets.ts";

const block = Buffer.alloc(32_000, "x");

export const endlessOutput: Attacker = {
  does: "answers without end",
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, () => flood(victim, data(channel.id, block))),
};

export const endlessErrors: Attacker = {
  does: "answers without end on standard error",
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, () => flood(victim, extendedData(channel.id, block))),
};

export const endlessMark: Attacker = {
  does: "answers with a mark that has no end",
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, (token) => {
      victim.send(data(channel.id, `${token}-b`));
      flood(victim, data(channel.id, block));
    }),
};

export const endlessBeforeShell: Attacker = {
  does: "prints without end and starts no shell",
  command: (victim, channel: Channel) => flood(victim, data(channel.id, block)),
};

/** Takes no notice of the window that it has. */
const flood = (victim: Victim, packet: Buffer): void => void sendWithoutEnd(victim, () => packet);
