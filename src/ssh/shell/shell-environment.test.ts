import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { script } from "../../script/script.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Session, SessionPool } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import { inSubshell, prologue, requestLine } from "./shell-lines.ts";

const odd = {
  POSIXLY_CORRECT: "1",
  LANG: "tr_TR.UTF-8",
  LANGUAGE: "tr",
  LC_ALL: "tr_TR.UTF-8",
  LS_COLORS: "di=01;34",
  CLICOLOR_FORCE: "1",
  GREP_OPTIONS: "--color=always -v",
  QUOTING_STYLE: "c",
  TIME_STYLE: "+odd",
  BLOCK_SIZE: "human-readable",
  TMPDIR: "/nonexistent/tmp",
  SYSTEMD_COLORS: "1",
  SYSTEMCTL_SKIP_SYSV: "1",
  SYSTEMCTL_SKIP_REDIRECT: "1",
  PAGER: "false",
  IFS: "x/0",
  CDPATH: "/tmp:/",
  ENV: "/nonexistent/env",
  COLUMNS: "10",
};
const kept = { http_proxy: "http://proxy.example:3128", TZ: "Asia/Tokyo", APP_MODE: "test" };

describe("on a host with an odd environment", () => {
  let host: DemoHost;
  let pool: SessionPool;
  let session: Session;
  beforeAll(async () => {
    host = await startDemoHost({ environment: { ...odd, BASH_ENV: "/nonexistent/bash", ...kept } });
    pool = createSessionPool();
    session = pool.session(resolveLogin(host.login));
  });
  afterAll(async () => {
    await pool.close();
    await host.close();
  });
  const environment = (stdout: Buffer) =>
    Object.fromEntries(
      stdout
        .toString()
        .split("\n")
        .filter((line) => line.includes("="))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );

  it.each<[string, () => Promise<{ stdout: Buffer }>]>([
    ["a fact", () => session.ask(script`env; echo "IFS=$(printf %s "$IFS" | od -An -tx1)"`)],
    [
      "one of our own scripts on a channel of its own",
      () =>
        session.run({ script: 'env; echo "IFS=$(printf %s "$IFS" | od -An -tx1)"', ours: true, work: ["x"] }),
    ],
  ])("%s sees nothing of it but what it needs", async (_, ask) => {
    const { IFS, ...seen } = environment((await ask()).stdout);
    expect(seen).toMatchObject({ ...kept, LC_ALL: "C", HOME: host.root });
    for (const name of Object.keys(odd).filter((one) => !["LC_ALL", "LANG", "IFS"].includes(one))) {
      expect(seen).not.toHaveProperty(name);
    }
    expect(["", " 20 09 0a"]).toContain(IFS);
  });

  it("the user's commands see all of it, with and without a time limit", async () => {
    for (const limit of [{}, { timeout: 20 }]) {
      const { IFS: _, COLUMNS: __, ...all } = odd;
      expect(environment((await session.run({ script: "env", ...limit })).stdout)).toMatchObject({
        ...all,
        ...kept,
      });
    }
  });

  it("a file is written and its other facts are read as ever", async () => {
    const path = join(host.root, "a x0b/f");
    mkdirSync(join(host.root, "a x0b"));
    writeFileSync(path, "old");
    await session.put({ path, content: Buffer.from("new"), follow: true, backup: true });
    expect((await session.ask(script`cat ${path}; ls ${host.root}/a*/`)).stdout.toString()).toMatch(
      /^newf\nf\.[\dT-]+Z-[0-9a-f]{16}~\n$/,
    );
  });
});

describe.runIf(spawnSync("bash", ["-c", ":"]).status === 0)("a bash that is given options", () => {
  it("runs our lines as ever, and traces nothing of them", () => {
    const path = "/nonexistent/*";
    const input = `${prologue("T", "facts")}${requestLine("T", 1, inSubshell(`false; echo "$UNSET_HERE" ${path} secret`, "nothing"))}`;
    const { stdout, stderr } = spawnSync("bash", ["--posix"], {
      input,
      encoding: "utf8",
      env: {
        ...process.env,
        SHELLOPTS: "errexit:nounset:noglob:xtrace:verbose:pipefail:noclobber",
        BASHOPTS: "failglob:nocaseglob",
      },
    });
    expect(stdout).toBe(`T-s\nT-b1\n ${path} secret\nT-e1-0\n`);
    expect(stderr.slice(stderr.lastIndexOf("\nT-s\n"))).toBe("\nT-s\nT-e1\n");
  });
});
