/**
 * @module How one of our own scripts says that what it does next may take long. A host that does not say so is taken for
 * one that is stuck when a question of ours has no answer for half a minute.
 */
import { raw, type Script } from "./script.ts";

/** The function of the shells that ask; elsewhere there is none. */
export const slowly = "conn3x_slow";

/** To be said where the script's standard output is what is answered, and as often as wanted. */
export const saySlow: Script = raw(`! command -v ${slowly} >/dev/null || ${slowly}`);
