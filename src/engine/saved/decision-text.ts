/**
 * @module Decisions as they are in a file. Values are base64 of MessagePack that names their types.
 */
import type { Decision, PropertyChange } from "../../revision/decision.ts";
import { markPaths, unmarkDeep } from "../../values/marks.ts";
import { decodeMsgpack, encodeMsgpack } from "../../values/msgpack/msgpack.ts";
import { dynamicType } from "../../values/type.ts";
import { unknownValue, type Value } from "../../values/value.ts";
import { setPath } from "../../values/walk.ts";

export const valueText = (value: Value): string =>
  Buffer.from(encodeMsgpack(value, dynamicType)).toString("base64");

export const textValue = (text: string): Value =>
  decodeMsgpack(new Uint8Array(Buffer.from(text, "base64")), dynamicType);

const changeText = ({ path, before, after }: PropertyChange) => ({
  path,
  before: before && valueText(before),
  after: after && valueText(after),
});

const textChange = ({ path, before, after }: ReturnType<typeof changeText>): PropertyChange => ({
  path,
  before: before === undefined ? undefined : textValue(before),
  after: after === undefined ? undefined : textValue(after),
});

/** What is there of an object to take over. What is sensitive of it is in no file: it is not known again. */
function existingText(existing: Value) {
  const { value, paths } = unmarkDeep(existing);
  const shown = paths.reduce(
    (whole, { path }) => setPath(whole, path, (inner) => unknownValue(inner.type)),
    value,
  );
  return { value: valueText(shown), hidden: paths.map(({ path, marks }) => ({ path, marks: [...marks] })) };
}

const textExisting = ({ value, hidden }: ReturnType<typeof existingText>): Value =>
  markPaths(
    textValue(value),
    hidden.map(({ path, marks }) => ({ path, marks: new Set(marks) })),
  );

/** What JSON can hold. */
export const decisionText = ({ existing, ...decision }: Decision) => ({
  ...decision,
  ...(existing === undefined ? {} : { existing: existingText(existing) }),
  edits: decision.edits.map(changeText),
  drift: decision.drift.map(changeText),
});
export type DecisionText = ReturnType<typeof decisionText>;

export const textDecision = ({ existing, ...text }: DecisionText): Decision => ({
  ...text,
  ...(existing === undefined ? {} : { existing: textExisting(existing) }),
  edits: text.edits.map(textChange),
  drift: text.drift.map(textChange),
});
