import { expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import { createKnownNames } from "../read/known-names.ts";
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

test("by another name of it, it is the same object", () => {
  const names = createKnownNames();
  const objects = createRunObjects(names);
  objects.wrote("h", file, object("/run/a", "new"));
  const old = object("/var/run/a", "old");
  expect(objects.isWrittenByAnother("h", file, old)).toBe(false);
  names.learn("h", { "/var/run/a": "/run/a" });
  expect(objects.isWrittenByAnother("h", file, old)).toBe(true);
  expect(objects.isWrittenByAnother("g", file, old)).toBe(false);
  const line = kinds.get("conn3x_line") as AnyStep;
  names.learn("h", { "/var/run/l": "/run/l" });
  objects.wrote("h", line, object("/run/l:^a", "new"));
  expect(objects.isWrittenByAnother("h", line, object("/var/run/l:^a", "old"))).toBe(true);
});
