/**
 * @module A jump host that makes something else of the connections which go through it.
 */
import { type Attacker, sendWithoutEnd } from "./hostile-server.ts";
import { data, endOfFile, extendedData } from "./packets.ts";

const block = Buffer.alloc(30_000, "x");

export const jumpFloods: Attacker = {
  does: "sends without end to whoever goes through it",
  forwarding: (victim, { id }) => void sendWithoutEnd(victim, () => data(id, block)),
};

export const jumpEnds: Attacker = {
  does: "ends a connection that goes through it, and goes on with it",
  forwarding(victim, { id }) {
    victim.send(endOfFile(id));
    victim.send(extendedData(id, "more"));
    victim.send(data(id, "more"));
  },
};

export const jumpDrips: Attacker = {
  does: "passes on one byte from time to time",
  forwarding(victim, { id }) {
    const timer = setInterval(() => {
      if (victim.gone()) clearInterval(timer);
      else victim.send(data(id, "x"));
    }, 200);
  },
};
