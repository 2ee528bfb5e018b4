/**
 * @module Facts of kinds that have nothing on the host to read: what is stored about them stands.
 */
import { raw } from "../script/script.ts";
import type { Facts } from "./kind.ts";

export const nothingToRead: Facts<null, null> = {
  subject: () => null,
  ask: () => raw(""),
  parse: (_, subjects) => subjects.map(() => ({ state: "present", facts: null })),
};
