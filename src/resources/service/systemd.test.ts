import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemd } from "./systemd.ts";

/** Answers of `find`. */
const noneNewer = "*) ;;";
const allNewer = "*) echo /etc/passwd ;;";

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
  function restarted(
    unit: string,
    shown: readonly string[],
    { failing = "none", found = noneNewer }: { readonly failing?: string; readonly found?: string } = {},
  ): readonly string[] {
    rmSync(join(root, "told"), { force: true });
    writeFileSync(join(root, "find"), `#!/bin/sh\ncase "$*" in ${found} esac`, { mode: 0o755 });
    writeFileSync(join(root, "shown"), shown.map((line) => `${line}\n`).join(""));
    const systemctl = `#!/bin/sh
if [ "$1" != show ]; then
  echo "$*" >>${root}/told
  [ "$1" != ${failing} ] || exit 1
  exit 0
fi
shift
asked=
while [ "$1" != -- ]; do case $1 in -p) asked="$asked $2"; shift 2 ;; *) shift ;; esac; done
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
    const reported = readFileSync(join(root, "told"), "utf8").trim().split("\n");
    return reported.filter((line) => !line.startsWith("reset-failed"));
  }
  const word = ["word TriggeredBy=word.socket", "word.socket Triggers=word.service"];

  test("of a service that nothing else starts", () => {
    expect(restarted("word", ["word TriggeredBy="])).toEqual(["restart -- word"]);
  });

  test.each([
    ["a file of a unit is newer than what was read", "word", [], "*-cnewer*) echo /etc/x.service.d ;;"],
    ["it cannot be seen whether one is", "word", [], "*) exit 1 ;;"],
    ["the manager says so", "word", ["word NeedDaemonReload=yes"], noneNewer],
    ["the manager does not know the unit", "new", ["new LoadState=not-found"], noneNewer],
  ])("reads the unit files first where %s", (_, unit, shown, found) => {
    expect(restarted(unit, shown, { found })).toEqual(["daemon-reload", `restart -- ${unit}`]);
  });

  const loaded = "word.socket FragmentPath=/etc/passwd";
  test.each([
    ["is as it was", noneNewer, "word.socket ActiveState=active"],
    ["is not listening", allNewer, "word.socket ActiveState=inactive"],
  ])("of a service alone where its socket %s", (_, found, socket) => {
    expect(restarted("word", [...word, loaded, socket], { found })).not.toContainEqual(
      expect.stringContaining("socket"),
    );
  });

  test("of a service and its changed socket: the socket is closed first and opened first", () => {
    const shown = [...word, loaded, "word.socket ActiveState=active"];
    expect(restarted("word", shown, { found: allNewer })).toEqual([
      "daemon-reload",
      "stop -- word.socket word",
      "start -- word.socket word",
    ]);
    // It goes on with its old files although the manager has read the new ones since.
    expect(restarted("word", shown, { found: "*-newerct*) echo /etc/passwd ;;" })).toEqual([
      "stop -- word.socket word",
      "start -- word.socket word",
    ]);
  });

  test("a timer that starts a service has nothing to do with it", () => {
    expect(
      restarted(
        "word",
        [
          "word TriggeredBy=word.timer",
          "word.timer FragmentPath=/etc/passwd",
          "word.timer ActiveState=active",
        ],
        { found: "*-newerct*) echo /etc/passwd ;;" },
      ),
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
    expect(restarted("a.socket", shown, { failing: "stop" })).toEqual(["stop -- a.socket a\\x2db.service"]);
  });
});
