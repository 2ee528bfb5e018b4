import { expect, test } from "vitest";
import { createPlannedChanges } from "./planned-changes.ts";

test("an instance is not its own reason to hope, however often it is planned", () => {
  const changes = createPlannedChanges();
  expect(changes.hasOthers("web1", "service nginx")).toBe(false);
  changes.add("web1", "service nginx");
  changes.add("web1", "service nginx");
  changes.add("web2", "package nginx");
  expect(changes.hasOthers("web1", "service nginx")).toBe(false);
  changes.add("web1", "package nginx");
  expect(changes.hasOthers("web1", "service nginx")).toBe(true);
  expect(changes.hasOthers("web2", "service nginx")).toBe(true);
});
