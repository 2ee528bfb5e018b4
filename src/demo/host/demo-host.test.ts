import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { raw } from "../../script/script.ts";
import { resolveLogin } from "../../ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../ssh/session.ts";
import { createSessionPool } from "../../ssh/session-pool.ts";
import type { DemoHost } from "./demo-host.ts";
import { startDemoHost } from "./demo-host.ts";

let host: DemoHost;
let pool: SessionPool;
let session: Session;
beforeAll(async () => {
  host = await startDemoHost({ units: ["web.service", "worker.service"], environment: { COLOUR: "green" } });
  pool = createSessionPool();
  session = pool.session(resolveLogin(host.login));
});
afterAll(async () => {
  await pool.close();
  await host.close();
});

/** Status and output of a command on the host. */
async function sh(command: string): Promise<[number, string]> {
  const { status, stdout, stderr } = await session.ask(raw(command));
  return [status, stdout.toString() + stderr.toString()];
}

describe("the demo host", () => {
  it("runs commands with its directory as home and working directory, and its own tools first", async () => {
    const { stdout } = await session.run({ script: 'echo "$HOME $PWD $USER $COLOUR"; command -v systemctl' });
    expect(stdout.toString()).toBe(
      `${host.root} ${host.root} ${host.user} green\n${host.root}/bin/systemctl\n`,
    );
  });

  it("gives nothing of this process's environment to its commands", async () => {
    process.env.CONN3X_TEST_SECRET = "leak";
    expect((await session.run({ script: "env" })).stdout.toString()).not.toContain("leak");
    delete process.env.CONN3X_TEST_SECRET;
  });

  it("carries output of both streams that waits for the client, in full", async () => {
    const script =
      "i=0; while [ $i -lt 60 ]; do printf '%0100000d' $i; printf '%070000d' $i >&2; i=$((i+1)); done";
    const { stdout, stderr } = await session.run({ script });
    const expected = (width: number): string =>
      Array.from({ length: 60 }, (_, i) => String(i).padStart(width, "0")).join("");
    expect(stdout.toString() === expected(100_000)).toBe(true);
    expect(stderr.toString() === expected(70_000)).toBe(true);
  });

  it("ends with everything that it started, and leaves nothing", async () => {
    const brief = await startDemoHost();
    const own = createSessionPool();
    const { stdout } = await own
      .session(resolveLogin(brief.login))
      .run({ script: "sleep 100 >/dev/null 2>&1 & echo $!" });
    const child = Number(stdout.toString());
    expect(() => process.kill(child, 0)).not.toThrow();
    await brief.close();
    await own.close();
    await expect.poll(() => isAlive(child)).toBe(false);
    expect(existsSync(brief.root)).toBe(false);
  });

  /** A zombie that nobody has reaped yet counts as gone. */
  function isAlive(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return !/^State:\s+Z/m.test(
        existsSync("/proc/self") ? readFileSync(`/proc/${pid}/status`, "utf8") : "",
      );
    } catch {
      return false;
    }
  }
});

describe("its systemctl", () => {
  const show = async (unit: string, ...names: string[]): Promise<string[]> =>
    (await sh(`systemctl show -p ${names.join(",")} --value ${unit}`))[1].split("\n").slice(0, -1);

  it("starts, stops and tells what is active", async () => {
    expect(await sh("systemctl is-active web")).toEqual([3, "inactive\n"]);
    expect(await sh("systemctl start web.service")).toEqual([0, ""]);
    expect(await sh("systemctl is-active web")).toEqual([0, "active\n"]);
    expect(await sh("systemctl is-active --quiet web")).toEqual([0, ""]);
    expect(await sh("systemctl stop web")).toEqual([0, ""]);
    expect(await show("web", "ActiveState", "SubState", "InvocationID")).toEqual(["inactive", "dead", ""]);
  });

  it("has another invocation after each start, not after a second start or a reload", async () => {
    const invocation = async (): Promise<string> => (await show("web", "InvocationID"))[0]!;
    await sh("systemctl start web");
    const first = await invocation();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    await sh("systemctl start web; systemctl reload web; systemctl reload-or-restart web");
    expect(await invocation()).toBe(first);
    await sh("systemctl restart web");
    const second = await invocation();
    expect(second).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    await sh("systemctl stop web; systemctl try-restart web");
    expect(await invocation()).toBe("");
    expect((await sh("systemctl reload web"))[0]).toBe(1);
  });

  it("enables, disables and masks", async () => {
    expect(await sh("systemctl is-enabled worker")).toEqual([1, "disabled\n"]);
    await sh("systemctl enable --now worker");
    expect(await show("worker", "UnitFileState", "ActiveState")).toEqual(["enabled", "active"]);
    await sh("systemctl disable --now worker");
    expect(await show("worker", "UnitFileState", "ActiveState")).toEqual(["disabled", "inactive"]);
    await sh("systemctl mask worker");
    expect(await show("worker", "UnitFileState", "LoadState")).toEqual(["masked", "masked"]);
    expect(await sh("systemctl start worker")).toEqual([
      1,
      "Failed to start worker.service: Unit worker.service is masked.\n",
    ]);
    await sh("systemctl unmask worker");
    expect(await sh("systemctl start worker")).toEqual([0, ""]);
  });

  it("shows several units apart, in the form of the real one", async () => {
    expect(await sh("systemctl show --property=Id --property=LoadState web.service nothing.service")).toEqual(
      [0, "Id=web.service\nLoadState=loaded\n\nId=nothing.service\nLoadState=not-found\n"],
    );
    expect(await sh("systemctl show -pUnitFileState -p ActiveState nothing")).toEqual([
      0,
      "UnitFileState=\nActiveState=inactive\n",
    ]);
    expect((await sh("systemctl start nothing"))[0]).toBe(5);
    expect((await sh("systemctl is-enabled nothing"))[0]).toBe(1);
  });

  it("sees that a unit file changed since it was loaded", async () => {
    await sh("systemctl start web");
    expect(await show("web", "NeedDaemonReload")).toEqual(["no"]);
    writeFileSync(join(host.root, "etc/systemd/system/web.service"), "[Unit]\nDescription=changed\n");
    expect(await show("web", "NeedDaemonReload")).toEqual(["yes"]);
    await sh("systemctl daemon-reload");
    expect(await show("web", "NeedDaemonReload")).toEqual(["no"]);
    writeFileSync(join(host.root, "etc/systemd/system/new.service"), "[Unit]\n");
    expect(await sh("systemctl start new && systemctl is-active new")).toEqual([0, "active\n"]);
  });

  it("says what it does not know", async () => {
    expect((await sh("systemctl edit web"))[0]).toBe(1);
    expect((await sh("systemctl"))[0]).toBe(1);
    expect(await sh("systemctl is-system-running")).toEqual([0, "running\n"]);
  });
});
