/**
 * @module One byte from time to time: never silent, never done.
 */
import type { Socket } from "node:net";
import { type Attacker, asFarAsShell, type Channel, type Victim } from "./hostile-server.ts";
import { data, message, packet, text, u32 } from "./packets.ts";

/** Milliseconds between two bytes. */
const pause = 200;

export const dripsGreeting: Attacker = {
  does: "greets by one byte after another",
  connected(socket: Socket) {
    const timer = setInterval(() => socket.write("x"), pause);
    socket.on("close", () => clearInterval(timer));
  },
};

export const dripsBanners: Attacker = {
  does: "sends a banner from time to time and lets nobody in",
  authenticating: (victim) => drip(victim, packet(message.banner, text("wait"), text(""))),
};

export const dripsBeforeShell: Attacker = {
  does: "prints one byte after another and starts no shell",
  command: (victim, { id }) => drip(victim, data(id, "x")),
};

export const dripsAnswer: Attacker = {
  does: "answers by one byte after another",
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, () => drip(victim, data(channel.id, "x"))),
};

export const dripsAfterExit: Attacker = {
  does: "ends a command and prints one byte after another",
  // A status without marks counts: a command may have killed its shell.
  mayAnswer: true,
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, () => {
      exit(victim, channel);
      drip(victim, data(channel.id, "x"));
    }),
};

function exit(victim: Victim, { id }: Channel): void {
  victim.send(packet(message.request, u32(id), text("exit-status"), Buffer.from([0]), u32(0)));
}

function drip(victim: Victim, bytes: Buffer): void {
  const timer = setInterval(() => {
    if (victim.gone()) clearInterval(timer);
    else victim.send(bytes);
  }, pause);
}
