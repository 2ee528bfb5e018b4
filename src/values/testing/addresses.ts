/**
 * @module Addresses for tests: one by hand, and any.
 */

import fc from "fast-check";
import type { InstanceAddress, InstanceKey, ModuleStep } from "../address.ts";

export const file = (key: InstanceKey, modules: readonly ModuleStep[] = []): InstanceAddress => ({
  modules,
  type: "conn3x_file",
  name: "web__config",
  key,
});

/** An identifier. `module` cannot be a resource's type. */
export const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,6}$/).filter((name) => name !== "module");

const anyKey = fc.oneof(
  fc.constant(undefined),
  fc.nat(),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.stringMatching(/^[:@,/%.$\\"{}0a]{0,6}$/),
);

const anyStep = fc.record({ name: word, key: anyKey });

export const anyAddress: fc.Arbitrary<InstanceAddress> = fc.record({
  modules: fc.array(anyStep, { maxLength: 3 }),
  type: word,
  name: word,
  key: anyKey,
});
