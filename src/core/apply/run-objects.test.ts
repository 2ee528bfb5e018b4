import { expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import type { AnyStep } from "../read/ours.ts";
import { createRunObjects } from "./run-objects.ts";

const file = kinds.get("conn3x_file") as AnyStep;
const command = kinds.get("conn3x_command") as AnyStep;
const object = (path: string, revision: string) => ({ path, id: path, revision });

test("what was written with another revision is another one's", () => {
  const objects = createRunObjects();
  objects.wrote("h", file, object("/a", "new"));
  expect(objects.isWrittenByAnother("h", file, object("/a", "old"))).toBe(true);
  expect(objects.isWrittenByAnother("h", file, object("/a", "new"))).toBe(false);
  expect(objects.isWrittenByAnother("h", file, object("/b", "old"))).toBe(false);
  expect(objects.isWrittenByAnother("g", file, object("/a", "old"))).toBe(false);
});

test("what was deleted since is nobody's", () => {
  const objects = createRunObjects();
  objects.wrote("h", file, object("/a", "new"));
  objects.left("h", file, object("/a", "new"));
  expect(objects.isWrittenByAnother("h", file, object("/a", "old"))).toBe(false);
});

test("a command is no object on a host", () => {
  const objects = createRunObjects();
  objects.wrote("h", command, { run: "true", id: "true", revision: "new" });
  expect(objects.isWrittenByAnother("h", command, { run: "true", id: "true", revision: "old" })).toBe(false);
});
