/**
 * @module Data after the end of a stream, which Node's streams take for an error of whoever reads them.
 */
import { type Attacker, asFarAsShell } from "./hostile-server.ts";
import { data, endOfFile, extendedData } from "./packets.ts";

export const errorsAfterEnd: Attacker = {
  does: "ends a channel and goes on with its standard error",
  command(victim, channel, command) {
    asFarAsShell(channel, command, () => {
      victim.send(endOfFile(channel.id));
      victim.send(extendedData(channel.id, "more"));
    });
  },
};

export const outputAfterEnd: Attacker = {
  does: "ends a channel and goes on with its output",
  command(victim, channel, command) {
    asFarAsShell(channel, command, () => {
      victim.send(endOfFile(channel.id));
      for (let i = 0; i < 5; i++) victim.send(data(channel.id, "more"));
    });
  },
};

export const errorsAfterEndAtOnce: Attacker = {
  does: "ends a channel before it has agreed to the command, and goes on with its standard error",
  requested(victim, id) {
    victim.send(endOfFile(id));
    victim.send(extendedData(id, "more"));
  },
};
