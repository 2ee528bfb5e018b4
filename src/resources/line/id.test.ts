/** What a line is called does not tell it. */
import { expect, test } from "vitest";
import { lineKind } from "./line.ts";

const path = "/etc/app.conf";
const object = { path, regexp: null, line: "password = hunter2" };
// printf 'password = hunter2' | sha256sum | cut -c 1-12
const digest = "7315f4ef0c7f";

test("its file and its expression, or a digest of its text", () => {
  const { of } = lineKind.id;
  expect(of(object)).toBe(`${path}:${digest}`);
  expect(of({ ...object, line: "password = hunter3" })).not.toBe(of(object));
  expect(of({ ...object, regexp: "^password" })).toBe(`${path}:^password`);
  expect(of({ path, regexp: null, line: null })).toBe(path);
});
