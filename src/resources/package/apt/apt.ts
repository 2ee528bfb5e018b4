/**
 * @module Packages of Debian and what descends from it.
 */
import type { PackageManager } from "../manager.ts";
import { askInstalled, askMore, parseInstalled, parseMore } from "./query.ts";
import { hold, install, purge, remove, repair, unhold, update } from "./scripts.ts";

export const apt: PackageManager = {
  name: "apt",
  ask: askInstalled,
  parse: parseInstalled,
  askMore,
  parseMore,
  repair,
  update,
  install,
  remove,
  purge,
  hold,
  unhold,
};
