/**
 * @module The revision of an instance: when it stays, and what a new one is (C1–C5).
 */
import { customAlphabet } from "nanoid";
import { absentBlock, type BlockSchema } from "../schema/schema.ts";
import { valuesEqual } from "../values/equal.ts";
import type { Value } from "../values/value.ts";
import { isElements } from "../values/walk.ts";
import { type Fields, fieldsOf } from "./proposal.ts";

/** 16 random hexadecimal characters from the operating system's generator. */
export const mintRevision: () => string = customAlphabet("0123456789abcdef", 16);

/**
 * Whether two objects differ in anything that has an effect on the host, computed attributes included (C2–C4).
 * Settings flagged `hostEffect: false` do not count; a block that is absent counts as one whose settings are unset.
 */
export function touchesHost(schema: BlockSchema, before: Fields, after: Fields): boolean {
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (name === "revision" || attribute.hostEffect === false) continue;
    if (!valuesEqual(before.get(name)!, after.get(name)!)) return true;
  }
  return Object.entries(schema.blocks).some(
    ([name, block]) =>
      block.hostEffect !== false && blockTouchesHost(block, before.get(name)!, after.get(name)!),
  );
}

function blockTouchesHost(schema: BlockSchema, before: Value, after: Value): boolean {
  if (schema.repeated) return elementsTouchHost(schema, elementsOf(before), elementsOf(after));
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  if (old !== undefined && now !== undefined) return touchesHost(schema, old, now);
  const present = old ?? now;
  if (present === undefined) return false;
  return Object.entries(schema.attributes).some(
    ([name, attribute]) => attribute.hostEffect !== false && present.get(name)!.data !== null,
  );
}

/** Of a repeated block: one more or less counts as one whose settings are unset. */
const elementsTouchHost = (
  schema: BlockSchema,
  before: readonly Value[],
  after: readonly Value[],
): boolean => {
  const { repeated: _list, ...one } = schema;
  const none = absentBlock(one);
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, i) => i).some((i) =>
    blockTouchesHost(one, before[i] ?? none, after[i] ?? none),
  );
};

const elementsOf = ({ data }: Value): readonly Value[] => (isElements(data) ? data : []);
