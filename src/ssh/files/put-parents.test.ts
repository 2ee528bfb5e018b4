import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { HostError } from "../host-error.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { FilePut } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import { demoSession } from "../testing/demo-session.ts";

const demo = demoSession();
let dir: string;
let count = 0;
beforeEach(() => {
  dir = join(demo.host.root, `parents-${count++}`);
  mkdirSync(dir);
});
const put = (name: string, content: string, more: Partial<FilePut> = {}): Promise<void> =>
  demo.session.put({
    path: `${dir}/${name}`,
    content: Buffer.from(content),
    follow: true,
    parents: true,
    ...more,
  });
const refused = (work: Promise<void>): Promise<HostError> =>
  work.then(
    () => expect.fail("the host should have refused"),
    (error: HostError) => error,
  );
const mode = (name: string): string => (statSync(join(dir, name)).mode & 0o7777).toString(8);

it.each([
  ["small", "x"],
  ["large", "x".repeat(200_000)],
])("missing ones are made for %s content, for all to enter, whatever the file's mode", async (_, content) => {
  await put("a b/c's/-n/f", content, { mode: 0o600 });
  expect(readFileSync(join(dir, "a b/c's/-n/f"), "utf8") === content).toBe(true);
  expect(["a b", "a b/c's", "a b/c's/-n", "a b/c's/-n/f"].map(mode)).toEqual(["755", "755", "755", "600"]);
});

it("ones that are there stay as they are, also those reached by a link", async () => {
  mkdirSync(join(dir, "there"));
  chmodSync(join(dir, "there"), 0o2750);
  symlinkSync("there", join(dir, "link"));
  await put("there/f", "1");
  await put("link/g", "2");
  await put("link/deep//h", "3");
  expect(mode("there")).toBe("2750");
  expect(readdirSync(join(dir, "there")).sort()).toEqual(["deep", "f", "g"]);
});

it("a new small file costs one flush and one request", async () => {
  const own = createSessionPool();
  const asked = own.session(resolveLogin(demo.host.login));
  await asked.put({ path: join(dir, "n/e/w"), content: Buffer.from("x"), follow: true, parents: true });
  expect(asked.counters).toEqual({ flushes: 1, requests: 1, channels: 1 });
  await own.close();
});

it.each<[string, string, Partial<FilePut>, string]>([
  ["has no such owner", "x", { owner: "no-such-user" }, "write"],
  ["does not pass its validation", "x", { validate: "grep -q y %s" }, "invalid"],
  ["is large and has no such owner", "x".repeat(200_000), { owner: "no-such-user" }, "write"],
])("those that were made go again when the file %s", async (_, content, more, code) => {
  mkdirSync(join(dir, "there"));
  expect(await refused(put("there/a/b/f", content, more))).toMatchObject({ code, started: false });
  expect(readdirSync(dir)).toEqual(["there"]);
  expect(readdirSync(join(dir, "there"))).toEqual([]);
});

it("what somebody else put into one meanwhile stays", async () => {
  const validate = `touch '${dir}/a/theirs'; false %s`;
  await refused(put("a/b/f", "x", { validate }));
  expect(readdirSync(dir)).toEqual(["a"]);
  expect(readdirSync(join(dir, "a"))).toEqual(["theirs"]);
});

it("that cannot be made are the reason", async () => {
  writeFileSync(join(dir, "file"), "");
  const error = await refused(put("file/a/f", "x"));
  expect(error).toMatchObject({ code: "write", started: false });
  expect(error.message).toMatch(
    /cannot write .*\/file\/a\/f on 127\.0\.0\.1: it cannot be there: .*\/file is not a directory/,
  );
});

it("the target of a link that leads nowhere is not given any", async () => {
  symlinkSync("missing/target", join(dir, "link"));
  const error = await refused(put("link", "x"));
  expect(error.message).toContain(`the directory ${dir}/missing does not exist`);
  expect(existsSync(join(dir, "missing"))).toBe(false);
});
