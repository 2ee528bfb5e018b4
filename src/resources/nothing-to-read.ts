/**
 * @module Facts of kinds without anything to read on the host: the stored object counts.
 */
import { raw } from "../script/script.ts";
import type { Facts } from "./kind.ts";

export const nothingToRead: Facts<null, null> = {
  subject: () => null,
  ask: () => raw(""),
  parse: (_, subjects) => subjects.map(() => ({ state: "present", facts: null })),
};
