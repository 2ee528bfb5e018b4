import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { FilePut } from "../session.ts";
import { demoSession } from "../testing/demo-session.ts";

const demo = demoSession();
let dir: string;
let count = 0;
beforeEach(() => {
  dir = join(demo.host.root, `in-place-${count++}`);
  mkdirSync(dir);
});
const put = (name: string, content: string, more: Partial<FilePut> = {}) =>
  demo.session.put({
    path: join(dir, name),
    content: Buffer.from(content),
    follow: true,
    inPlace: true,
    ...more,
  });
const text = (name: string) => readFileSync(join(dir, name), "utf8");

it.each([
  ["small", "new\n"],
  ["large", "new\n".repeat(50_000)],
])("%s content goes into the file itself", async (_, content) => {
  writeFileSync(join(dir, "f"), `old${"!".repeat(300_000)}`, { mode: 0o640 });
  linkSync(join(dir, "f"), join(dir, "other"));
  const { ino } = statSync(join(dir, "f"));
  await put("f", content);
  expect(text("other") === content).toBe(true);
  expect(statSync(join(dir, "f"))).toMatchObject({ ino, nlink: 2 });
  expect(statSync(join(dir, "f")).mode & 0o777).toBe(0o640);
  await put("f", content, { mode: 0o600 });
  expect(statSync(join(dir, "other")).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir).sort()).toEqual(["f", "other"]);
});

it("without it the other name keeps the old content", async () => {
  writeFileSync(join(dir, "f"), "old");
  linkSync(join(dir, "f"), join(dir, "other"));
  await put("f", "new", { inPlace: false });
  expect([text("f"), text("other")]).toEqual(["new", "old"]);
});

it("a file that is missing is made, with its mode, at once", async () => {
  await put("f", "new", { mode: 0o604 });
  expect(text("f")).toBe("new");
  expect(statSync(join(dir, "f")).mode & 0o777).toBe(0o604);
  expect(readdirSync(dir)).toEqual(["f"]);
});

it("what a link leads to is written over, and the old content is kept as another file", async () => {
  writeFileSync(join(dir, "target"), "old");
  symlinkSync("target", join(dir, "f"));
  await put("f", "new", { backup: true });
  expect(text("target")).toBe("new");
  const kept = readdirSync(dir).find((name) => name.endsWith("~"))!;
  expect(kept).toMatch(/^target\./);
  expect(text(kept)).toBe("old");
});

it("what does not pass its check is not written", async () => {
  writeFileSync(join(dir, "f"), "old");
  await expect(put("f", "new", { validate: "grep -q old %s" })).rejects.toMatchObject({ code: "invalid" });
  expect(text("f")).toBe("old");
});
