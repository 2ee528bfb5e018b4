/**
 * What a change does besides, as each manager tells it. apt, dnf, zypper and pacman: captured from the real tools (apt 2.6.1,
 * dnf 4.14.0, zypper 1.14.42, pacman 6.0.2) on root directories with the same packages: x-lib 1.0 with x-use1 and more that
 * need it; x-new, which needs x-lib 2.0; x-rival, which conflicts with x-use1. yum 3 and apk: written by hand, after
 * yum(8) and apk-tools' messages.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { besides, matches, mayGo } from "./besides.ts";
import type { Change } from "./manager.ts";
import { managers } from "./managers.ts";
import { askSimulation, carryOut, parseSimulation } from "./transaction.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-simulation-"));
  fake("id", "echo 0");
  fake("uname", "echo x86_64");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A tool that stands in for the real one: it prints what that did, and notes whether it was to do something. */
function fake(name: string, body: string): void {
  writeFileSync(join(root, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(root, name), 0o755);
}
const fixture = (name: string) => `cat ${join(import.meta.dirname, "fixtures", name)}.txt`;
const acts = () => `echo "$*" >>${root}/acted`;

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["/usr/bin/busybox", "sh"]].filter(
  ([program]) => spawnSync(program!, ["--help"]).error === undefined,
);
const run = (text: string, [program, ...args]: readonly string[]) =>
  spawnSync(program!, args, { input: text, env: { PATH: `${root}:/usr/bin:/bin` }, encoding: "utf8" });

const yum = `Dependencies Resolved

================================================================================
 Package                     Arch        Version         Repository        Size
================================================================================
Removing:
 x-lib                       noarch      1.0-1           @x                 0.0
Removing for dependencies:
 x-use1                      noarch      1.0-1           @x                 0.0
 x-use2-with-a-name-that-is-too-long
                             i686        2:1.0-1         @x                 0.0

Transaction Summary
================================================================================
Remove  1 Package (+2 Dependent packages)

Installed size: 0.0
Exiting on user command`;

const tools: Readonly<Record<string, () => void>> = {
  apt() {
    fake(
      "apt-get",
      `case "$*" in *-s*remove*) ${fixture("apt-remove")} ;; *-s*) ${fixture("apt-install")} ;; *) ${acts()} ;; esac`,
    );
    fake("apt-cache", `for p in "$@"; do echo "$p:"; done`);
    fake("dpkg", "echo amd64");
  },
  dnf() {
    fake(
      "dnf",
      `case "$*" in
*repoquery*) printf 'x-new\\tnoarch\\t1.0-1\\nx-rival\\tnoarch\\t1.0-1\\n' ;;
*assumeno*remove*) ${fixture("dnf-remove")}; exit 1 ;; *assumeno*) ${fixture("dnf-install")}; exit 1 ;; *) ${acts()} ;; esac`,
    );
    fake("rpm", "exit 1");
  },
  yum() {
    fake("yum", `case "$*" in *assumeno*) cat <<'E'\n${yum}\nE\nexit 1 ;; *) ${acts()} ;; esac`);
  },
  zypper() {
    fake(
      "zypper",
      `case "$*" in *remove*dry-run*) ${fixture("zypper-remove")} ;; *dry-run*) ${fixture("zypper-install")} ;; *) ${acts()} ;; esac`,
    );
  },
  apk() {
    fake(
      "apk",
      `case "$*" in
*simulate*rdepends*) printf '(1/3) Purging x-use1 (1.0-r0)\\n(2/3) Purging x-use2 (1.0-r0)\\n(3/3) Purging x-lib (1.0-r0)\\nOK: 5 MiB in 14 packages\\n' ;;
*simulate*del*x-lib*) printf 'World updated, but the following packages are not removed due to:\\n  x-lib: x-use1 x-use2\\n' ;;
*simulate*del*) printf '(1/2) Purging x-use1 (1.0-r0)\\n(2/2) Purging x-lib (1.0-r0)\\nOK: 5 MiB in 14 packages\\n' ;;
*simulate*add*) printf '(1/4) Purging x-use1 (1.0-r0)\\n(2/4) Upgrading x-lib (1.0-r0 -> 2.0-r0)\\n(3/4) Installing x-new (1.0-r0)\\n(4/4) Installing x-rival (1.0-r0)\\nOK: 5 MiB in 14 packages\\n' ;;
*) ${acts()} ;; esac`,
    );
  },
  pacman() {
    fake(
      "pacman",
      `case "$*" in
*print-format*-R*) ${fixture("pacman-remove")} ;;
*print-format*) ${fixture("pacman-install")} ;;
-Q) ${fixture("pacman-installed")} ;;
-Qi) ${fixture("pacman-details")} ;;
-Si*) ${fixture("pacman-available")} ;;
*) ${acts()} ;; esac`,
    );
  },
};

const change = (verb: Change["verb"], ...names: readonly string[]): Change => ({
  verb,
  packages: names.map((name) => ({ name })),
  overHold: false,
});

const four = ["removes x-use1 1.0", "removes x-use2 1.0", "removes x-use3 1.0", "removes x-use4 1.0"];
const two = ["removes x-use1 1.0-1", "removes x-use2 1.0-1"];
const expected: readonly (readonly [string, Change, readonly string[]])[] = [
  ["apt", change("remove", "x-lib"), four],
  [
    "apt",
    change("install", "x-new", "x-rival"),
    ["removes x-use1 1.0", "changes x-lib from 1.0 to 2.0", "installs x-extra 1.0"],
  ],
  ["dnf", change("remove", "x-lib"), two],
  ["dnf", change("install", "x-new", "x-rival"), [two[0]!, "changes x-lib to 2.0-1"]],
  ["yum", change("remove", "x-lib"), [two[0]!, "removes x-use2-with-a-name-that-is-too-long:i686 2:1.0-1"]],
  ["zypper", change("remove", "x-lib"), two],
  ["zypper", change("install", "x-new", "x-rival"), [two[0]!, "changes x-lib from 1.0-1 to 2.0-1"]],
  ["apk", change("remove", "x-lib"), ["removes x-use1 1.0-r0", "removes x-use2 1.0-r0"]],
  ["apk", change("remove", "x-use1"), ["removes x-lib 1.0-r0, which nothing needs then"]],
  [
    "apk",
    change("install", "x-new", "x-rival"),
    ["removes x-use1 1.0-r0", "changes x-lib from 1.0-r0 to 2.0-r0"],
  ],
  ["pacman", change("remove", "x-lib"), two],
  ["pacman", change("install", "x-new", "x-rival"), [two[0]!, "changes x-lib from 1.0-1 to 2.0-1"]],
];

describe.each(shells)("in %s", (...shell) => {
  test.each(expected)("%s: %j does besides", (name, what, effects) => {
    tools[name]!();
    const manager = managers.find((one) => one.name === name)!;
    const asked = run(askSimulation(manager, what).text, shell);
    expect(asked.stderr).toBe("");
    expect(besides(parseSimulation(asked.stdout), [])?.text.toSorted()).toEqual(effects.toSorted());
    const going = effects.filter((text) => text.startsWith("removes") && !text.includes("nothing needs"));
    const carry = (removable: readonly string[]) =>
      run(carryOut(manager, what, { removable, listsAge: undefined }, { lockTimeout: 0 }).text, shell);
    if (going.length > 0) {
      const refused = carry([]);
      expect(refused.status).toBe(86);
      for (const text of going) expect(refused.stderr).toContain(text.split(" ")[1]);
      expect(() => readFileSync(join(root, "acted"))).toThrow();
    }
    const allowed = carry(["x-use*"]);
    expect({ status: allowed.status, stderr: allowed.stderr }).toEqual({ status: 0, stderr: "" });
    expect(readFileSync(join(root, "acted"), "utf8")).toContain(what.packages[0]!.name);
  });
});

test("what the plan did not show does not go, unless another instance takes it away", () => {
  const object = { allow_removal: ["x-*"], removed_later: ["y"] };
  const named = new Set(["z"]);
  expect(mayGo(object, { named })).toEqual(["x-*", "y", "z"]);
  expect(mayGo(object, { named, shown: ["x-use1"] })).toEqual(["x-use1", "z"]);
});

test.each([
  ["x-use*", "x-use1", true],
  ["x.y", "xzy", false],
  ["g++", "g++", true],
  ["x?", "x1", true],
  ["*", "anything:i386", true],
  ["x", "x1", false],
])("%s stands for %s: %s", (pattern, name, expected) => {
  expect(matches([pattern], name)).toBe(expected);
});
