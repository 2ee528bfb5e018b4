import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemd } from "./systemd.ts";

describe("restart", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "conn3x-systemd-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /**
   * What `systemctl` is told when a unit is restarted, `show` apart.
   *
   * @param shown `UNIT PROPERTY=VALUE`, as `systemctl show` tells it
   */
  function restarted(unit: string, shown: readonly string[], failing = "none"): readonly string[] {
    writeFileSync(join(root, "shown"), shown.map((line) => `${line}\n`).join(""));
    const systemctl = `#!/bin/sh
if [ "$1" != show ]; then
  echo "$*" >>${root}/told
  [ "$1" != ${failing} ] || exit 1
  exit 0
fi
shift
asked=
while [ "$1" = -p ]; do asked="$asked $2"; shift 2; done
shift
for unit; do
  for name in $asked; do grep "^$unit $name=" ${root}/shown | cut -d' ' -f2-; done
done
exit 0`;
    writeFileSync(join(root, "systemctl"), systemctl, { mode: 0o755 });
    spawnSync("/bin/sh", [], {
      input: systemd.restart(unit).text,
      env: { PATH: `${root}:${process.env.PATH}` },
    });
    return readFileSync(join(root, "told"), "utf8").trim().split("\n");
  }
  const word = ["word TriggeredBy=word.socket", "word.socket Triggers=word.service"];

  test("of a service that nothing else starts", () => {
    expect(restarted("word", ["word TriggeredBy="])).toEqual(["restart -- word"]);
  });

  test("reads a changed unit file first", () => {
    expect(restarted("word", ["word NeedDaemonReload=yes"])).toEqual(["daemon-reload", "restart -- word"]);
    expect(restarted("new", ["new LoadState=not-found"])).toContain("daemon-reload");
  });

  test.each([
    ["is as it was", "word.socket NeedDaemonReload=no", "word.socket ActiveState=active"],
    ["is not listening", "word.socket NeedDaemonReload=yes", "word.socket ActiveState=inactive"],
  ])("of a service alone where its socket %s", (_, ...socket) => {
    expect(restarted("word", [...word, ...socket])).not.toContainEqual(expect.stringContaining("socket"));
  });

  test("of a service and its changed socket: the socket is closed first and opened first", () => {
    const changed = ["word.socket NeedDaemonReload=yes", "word.socket ActiveState=active"];
    expect(restarted("word", [...word, ...changed])).toEqual([
      "daemon-reload",
      "stop -- word.socket word",
      "start -- word.socket word",
    ]);
  });

  test("a timer that starts a service has nothing to do with it", () => {
    expect(
      restarted("word", [
        "word TriggeredBy=word.timer",
        "word.timer NeedDaemonReload=yes",
        "word.timer ActiveState=active",
      ]),
    ).toEqual(["restart -- word"]);
  });

  test.each([
    ["active", true],
    ["activating", true],
    ["inactive", false],
    ["failed", false],
  ])("of a socket whose service is %s", (state, together) => {
    expect(restarted("word.socket", [...word, `word.service ActiveState=${state}`])).toEqual(
      together
        ? ["stop -- word.socket word.service", "start -- word.socket word.service"]
        : ["restart -- word.socket"],
    );
  });

  test("names are taken as they are, and what could not be stopped is not started", () => {
    const shown = ["a.socket Triggers=a\\x2db.service", "a\\\\x2db.service ActiveState=active"];
    expect(restarted("a.socket", shown, "stop")).toEqual(["stop -- a.socket a\\x2db.service"]);
  });
});
