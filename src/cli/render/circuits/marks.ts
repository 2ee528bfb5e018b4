/**
 * @module The mark of what happens to a row's instances.
 */
import type { Effect } from "./effect.ts";

export const marks: Readonly<Record<Effect, string>> = {
  new: "+",
  taken_over: "*",
  adopted: "*",
  updated: "~",
  replaced: "±",
  removed: "-",
  runs: "!",
  kept: " ",
  forgotten: " ",
  recorded: " ",
  left_out: " ",
  none: " ",
};
