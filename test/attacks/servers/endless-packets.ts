/**
 * @module Packets without end that no answer is made of.
 */
import { type Attacker, asFarAsShell, sendWithoutEnd } from "./hostile-server.ts";
import { message, packet, text } from "./packets.ts";

const block = Buffer.alloc(30_000, "x");
const banner = packet(message.banner, text(block), text(""));
const ignored = packet(message.ignore, text(block));
const request = packet(message.globalRequest, text("nonsense@example.org"), Buffer.from([1]));

export const endlessBanners: Attacker = {
  does: "sends banners and lets nobody in",
  authenticating: (victim) => void sendWithoutEnd(victim, () => banner),
};

export const endlessIgnored: Attacker = {
  does: "sends packets that are to be ignored",
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, () => void sendWithoutEnd(victim, () => ignored)),
};

export const endlessRequests: Attacker = {
  does: "wants replies to requests without end and reads none",
  command: (victim, channel, command) =>
    asFarAsShell(channel, command, () => {
      victim.socket.pause();
      void sendWithoutEnd(victim, () => request);
    }),
};

export const endlessGreeting: Attacker = {
  does: "greets without end and speaks no SSH",
  connected(socket) {
    const more = (): void => {
      while (!socket.destroyed && socket.write(`${"x".repeat(1000)}\r\n`));
    };
    socket.on("drain", more);
    more();
  },
};
