/**
 * @module Packages of Debian and what descends from it.
 */
import type { PackageManager } from "../manager.ts";
import { askInstalled, askMore, parseInstalled, parseMore } from "./query.ts";
import { functions, hold, keep, lists, lock, repair, transaction, unhold } from "./scripts.ts";

export const apt: PackageManager = {
  name: "apt",
  ask: askInstalled,
  parse: parseInstalled,
  askMore,
  parseMore,
  lock,
  functions,
  repair,
  lists,
  transaction,
  hold,
  unhold,
  keep,
};
