import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepingCapabilities } from "./capabilities.ts";
import { script } from "./script.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "capabilities-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const tools = { env: { PATH: "/usr/sbin:/sbin:/usr/bin:/bin" }, encoding: "utf8" } as const;
const canTry = process.getuid?.() === 0 && spawnSync("setcap", ["-h"], tools).error === undefined;
const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.runIf(canTry).each(shells)("with %s", (program, ...args) => {
  test.each([
    ["libcap", tools.env.PATH],
    ["GNU cp", "/usr/bin:/bin"],
  ])("a file keeps its capabilities when it gets another owner, by %s", (_, path) => {
    const file = join(root, "a program");
    copyFileSync("/bin/true", file);
    execFileSync("setcap", ["cap_net_raw=ep", file], tools);
    const { text } = keepingCapabilities(file, script`chown 65534 ${file}`);
    const { status, stderr } = spawnSync(program!, args, {
      input: text,
      env: { PATH: path },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(statSync(file).uid).toBe(65534);
    expect(execFileSync("getcap", [file], tools)).toContain("cap_net_raw=ep");
  });
});
