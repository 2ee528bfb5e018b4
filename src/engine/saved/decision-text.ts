/**
 * @module Decisions as they are in a file. Values are base64 of MessagePack that names their types.
 */
import type { Decision, PropertyChange } from "../../revision/decision.ts";
import { decodeMsgpack, encodeMsgpack } from "../../values/msgpack.ts";
import { dynamicType } from "../../values/type.ts";
import type { Value } from "../../values/value.ts";

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

/** What JSON can hold. */
export const decisionText = (decision: Decision) => ({
  ...decision,
  edits: decision.edits.map(changeText),
  drift: decision.drift.map(changeText),
});
export type DecisionText = ReturnType<typeof decisionText>;

export const textDecision = (text: DecisionText): Decision => ({
  ...text,
  edits: text.edits.map(textChange),
  drift: text.drift.map(textChange),
});
