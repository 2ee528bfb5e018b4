/**
 * @module Packets of no size, which `ssh2` would cut its data into for ever.
 */
import type { Attacker } from "./hostile-server.ts";

export const packetsOfNothing: Attacker = { does: "takes packets of no size only", packetSize: 0 };

export const packetsOfOneByte: Attacker = { does: "takes packets of one byte only", packetSize: 1 };
