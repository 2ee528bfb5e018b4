import { expect, test } from "vitest";
import type { Decision } from "../../revision/decision.ts";
import { withMark } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { stringType } from "../../values/type.ts";
import { isMarked, isUnknown, nullValue, numberValue, objectValue, stringValue } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import { decisionText, textDecision } from "./decision-text.ts";

const existing = objectValue({
  path: stringValue("/etc/a"),
  content: withMark(stringValue("HUSH\n"), "sensitive"),
  size: numberValue(5),
  group: nullValue(stringType),
});
const decision: Decision = {
  action: "create",
  reasons: [{ kind: "create" }],
  edits: [],
  drift: [],
  requiresReplace: [],
  found: "different",
  existing,
};

test("what is to be taken over is as it was, but for what is sensitive of it", () => {
  const text = JSON.stringify(decisionText(decision));
  expect(text).not.toContain("HUSH");
  expect(Buffer.from(JSON.parse(text).existing.value, "base64").toString("latin1")).not.toContain("HUSH");
  const read = textDecision(JSON.parse(text));
  expect(read).toMatchObject({ action: "create", found: "different" });
  const content = getPath(read.existing!, at("content"))!;
  expect([isUnknown(content), isMarked(content, "sensitive")]).toEqual([true, true]);
  for (const name of ["path", "size", "group"])
    expect(getPath(read.existing!, at(name))).toEqual(getPath(existing, at(name)));
});

test("a decision without it has none", () => {
  const { existing: _, ...plain } = decision;
  expect(textDecision(JSON.parse(JSON.stringify(decisionText(plain))))).toEqual(plain);
});
