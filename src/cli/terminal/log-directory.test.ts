import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLogDirectory } from "./log-directory.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-log-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("a directory is made for its owner alone, and so are its files", () => {
  const directory = join(root, "a/b");
  const log = openLogDirectory(directory, "# head\n");
  log.append("web1", "one\n");
  log.append("web1", "two\n");
  expect(readFileSync(join(directory, "web1.log"), "utf8")).toBe("# head\none\ntwo\n");
  expect([modeOf(directory), modeOf(join(root, "a")), modeOf(join(directory, "web1.log"))]).toEqual([
    0o700, 0o700, 0o600,
  ]);
});

test("a directory that is there keeps its mode, a file its text, and nobody else may read that any more", () => {
  mkdirSync(join(root, "logs"));
  chmodSync(join(root, "logs"), 0o755);
  writeFileSync(join(root, "logs/web1.log"), "before\n", { mode: 0o644 });
  openLogDirectory(join(root, "logs"), "# head\n").append("web1", "one\n");
  expect(readFileSync(join(root, "logs/web1.log"), "utf8")).toBe("before\n# head\none\n");
  expect([modeOf(join(root, "logs")), modeOf(join(root, "logs/web1.log"))]).toEqual([0o755, 0o600]);
});

test("names of hosts lead nowhere else, and different hosts have different files", () => {
  const log = openLogDirectory(join(root, "logs"), "");
  const hosts = ["../../etc/passwd", "..", ".", "", "fe80::1%eth0", "fe80__1_eth0", "-x", "h".repeat(5000)];
  for (const host of hosts) log.append(host, `${host}\n`);
  const names = readdirSync(join(root, "logs"));
  expect(names.length).toBe(hosts.length);
  expect(names).toEqual(expect.arrayContaining(["fe80__1_eth0.log", "fe80__1_eth0-2.log"]));
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,220}\.log$/);
  expect(readdirSync(root)).toEqual(["logs"]);
});

test("a link is not followed", () => {
  writeFileSync(join(root, "target"), "");
  symlinkSync("target", join(root, "web1.log"));
  expect(() => openLogDirectory(root, "").append("web1", "one\n")).toThrow(/ELOOP/);
  expect(readFileSync(join(root, "target"), "utf8")).toBe("");
});

test("where a file is in the way there is no directory", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => openLogDirectory(join(root, "file"), "")).toThrow(/EEXIST/);
});
