import { expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import type { AnyStep } from "../read/ours.ts";
import { noPrivateData } from "../stored/private-data.ts";
import { keptOnRemoval } from "./keeps.ts";

const steps = [...kinds.values()].filter((kind): kind is AnyStep => kind.role === "step");

/** An object with nothing set, which Conn3x made. */
const reasonFor = (kind: AnyStep) => {
  const unset = Object.fromEntries(Object.keys(kind.schema.attributes).map((name) => [name, null]));
  return keptOnRemoval(kind, unset, { ...noPrivateData, existedBefore: false });
};

test("what was run, found or waited for is no object that could be removed", () => {
  const without = steps.filter((kind) => reasonFor(kind) === "no_object").map(({ name }) => name);
  expect(without.sort()).toEqual(["command", "facts", "reboot", "wait_for"]);
});

test("packages and services stay unless they are asked to go, and what Conn3x made goes", () => {
  const reasons = steps.flatMap((kind) => {
    const reason = reasonFor(kind);
    return reason === "no_object" ? [] : [[kind.name, reason]];
  });
  expect(Object.fromEntries(reasons)).toEqual({
    file: undefined,
    directory: undefined,
    link: undefined,
    line: undefined,
    package: "default",
    service: "default",
  });
});
