import { expect, test } from "vitest";
import { failureReason, operationFailed } from "./failure-reason.ts";

test.each([
  [
    operationFailed,
    "10.0.0.1: could not restart the service web: status 1, and it said:\n  no",
    "Could not restart the service web: status 1",
  ],
  [
    operationFailed,
    "[::1]:2201: could not install it: status 1.\nLook there.",
    "Could not install it: status 1",
  ],
  [operationFailed, "something else\nweb1: could not be.", operationFailed],
  ["Host does not answer", "web1: no answer.", "Host does not answer"],
])("%s: %j", (summary, detail, reason) => {
  expect(failureReason({ summary, detail })).toBe(reason);
});
