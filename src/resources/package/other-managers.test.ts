/**
 * Managers beside apt, whose tools stand in here: what they print was written by hand after their manual pages and
 * documented formats (rpm(8) query formats, dnf repoquery, zypper search, apk policy and its database, pacman -Q and -Si).
 * What is run is run by real shells.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Script } from "../../script/script.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { AnswerError, type Found } from "../kind.ts";
import { type PackageFacts, packageFacts } from "./facts.ts";
import { managers } from "./managers.ts";
import { packageKind } from "./package.ts";
import { carryOut, withTool } from "./transaction.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-packages-"));
  for (const tool of [
    "sh",
    "cat",
    "sed",
    "grep",
    "awk",
    "date",
    "stat",
    "sleep",
    "head",
    "tr",
    "uname",
    "mkdir",
  ]) {
    const path = ["/usr/bin", "/bin"].map((directory) => join(directory, tool)).find(existsSync)!;
    symlinkSync(path, join(root, tool));
  }
  fake("id", "echo 0");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A tool that notes its arguments, and then does what is given. */
function fake(name: string, body: string): void {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >>'${root}/log'\n${body}\n`);
  chmodSync(path, 0o755);
}
const log = () =>
  existsSync(join(root, "log")) ? readFileSync(join(root, "log"), "utf8").trimEnd().split("\n") : [];

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);
let shell: readonly string[] = ["/bin/sh"];
function run({ text }: Script, status = 0): { readonly stdout: Buffer; readonly stderr: string } {
  // busybox would take its own tools before those of PATH.
  const [program, ...args] = shell;
  const elsewhere = text.replace(/\/var\/(?=cache|lib)/g, `${root}/var/`);
  const done = spawnSync(program!, args, { input: elsewhere, env: { PATH: root } });
  expect({ status: done.status, stderr: status === 0 ? done.stderr.toString() : "" }).toEqual({
    status,
    stderr: "",
  });
  return { stdout: done.stdout, stderr: done.stderr.toString() };
}

const rpm = `case "$*" in
*whatprovides*) printf 'postfix\\tMTA\\npostfix\\tpostfix\\npostfix\\tsmtpdaemon\\n' ;;
*--qf*) printf 'nginx\\tx86_64\\t2\\t1.24.0-1.el9\\nkernel\\tx86_64\\t0\\t5.14.0-1.el9\\nkernel\\tx86_64\\t0\\t5.14.0-9.el9\\nglibc\\ti686\\t0\\t2.34-60.el9\\n'
  echo 'package nosuch is not installed'; exit 2 ;;
esac`;
const repoquery = `case "$*" in
*repoquery*) printf 'nginx\\tx86_64\\t2:1.24.0-1.el9\\n\\nnginx\\tx86_64\\t2:1.26.0-1.el9\\n' ;;
esac`;
const zypperSearch = `case "$*" in *search*) cat <<'END'
S  | Name  | Type    | Version           | Arch   | Repository
---+-------+---------+-------------------+--------+-----------------
i+ | nginx | package | 2:1.24.0-1.el9    | x86_64 | (System Packages)
v  | nginx | package | 2:1.26.0-1.el9    | x86_64 | Main Repository
   | nginx | srcpackage | 2:1.26.0-1.el9 | noarch | Main Repository
END
;; esac`;

interface Case {
  readonly fakes: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly found: Readonly<Record<string, Plain>>;
  readonly more: Readonly<Record<string, Plain>>;
}

const cases: Readonly<Record<string, Case>> = {
  dnf: {
    fakes: { dnf: repoquery, rpm },
    names: ["nginx", "kernel", "glibc", "glibc:i686", "nosuch", "MTA"],
    found: {
      nginx: { state: "installed", version: "2:1.24.0-1.el9" },
      kernel: { state: "installed", version: "5.14.0-9.el9" },
      "glibc:i686": { state: "installed" },
      nosuch: { state: "absent", version: null },
      MTA: { state: "absent" },
    },
    more: { nginx: ["2:1.24.0-1.el9", "2:1.26.0-1.el9"], nosuch: [] },
  },
  yum: {
    fakes: {
      rpm,
      yum: `case "$*" in *list*) cat <<'END'
Available Packages
nginx.x86_64                 2:1.24.0-1.el9                    epel
nginx.x86_64                 2:1.26.0-1.el9
                                                               a-repository-with-a-long-name
END
;; esac`,
    },
    names: ["nginx", "nosuch"],
    found: { nginx: { state: "installed" }, nosuch: { state: "absent" } },
    more: { nginx: ["2:1.24.0-1.el9", "2:1.26.0-1.el9"], nosuch: [] },
  },
  zypper: {
    fakes: { zypper: zypperSearch, rpm, dnf: "exit 1" },
    names: ["nginx", "nosuch", "MTA"],
    found: { nginx: { state: "installed", version: "2:1.24.0-1.el9" }, nosuch: { state: "absent" } },
    more: { nginx: ["2:1.26.0-1.el9"], nosuch: [] },
  },
  pacman: {
    fakes: {
      pacman: `case $1 in
-Qdq) echo bash ;;
-Q) printf 'bash 5.2.026-2\\nnginx 1.26.1-1\\n' ;;
-T) printf 'nosuch\\n'; exit 127 ;;
-Si) printf 'Repository      : extra\\nName            : nginx\\nVersion         : 1.26.2-1\\nDescription     : Name : not this\\n\\n'; exit 1 ;;
esac`,
    },
    names: ["nginx", "nosuch", "sh"],
    found: {
      nginx: { state: "installed", version: "1.26.1-1" },
      sh: { state: "absent" },
      nosuch: { state: "absent" },
    },
    more: { nginx: ["1.26.2-1"], nosuch: [] },
  },
};

const facts = (found: Found<PackageFacts>): PackageFacts => {
  if (found.state !== "present") throw new Error(found.state);
  return found.facts;
};

describe.each(shells)("in %s", (...words) => {
  beforeEach(() => {
    shell = words[0] === "busybox" ? ["/usr/bin/busybox", ...words.slice(1)] : words;
  });

  test.each(Object.entries(cases))(
    "%s tells what is installed, and what could be",
    (name, { fakes, names, found, more }) => {
      for (const [tool, body] of Object.entries(fakes)) fake(tool, body);
      const { stdout } = run(packageFacts.ask([names]));
      const [first] = packageFacts.parse(stdout, [names]);
      const seen = facts(first!);
      expect(seen.manager.name).toBe(name);
      expect(Object.fromEntries(seen.packages)).toMatchObject(found);
      const reported = seen.manager.parseMore(run(seen.manager.askMore(names, true)).stdout.toString(), seen);
      for (const [one, available] of Object.entries(more))
        expect(reported.packages.get(one)?.available).toEqual(available);
      const without = seen.manager.parseMore(run(seen.manager.askMore(names, false)).stdout.toString(), seen);
      expect(without.packages.get("nginx")).not.toHaveProperty("available");
      if (names.includes("MTA")) expect(reported.packages.get("MTA")?.providers).toEqual(["postfix"]);
      if (names.includes("sh")) expect(reported.packages.get("sh")?.providers).toHaveLength(1);
      expect(reported.packages.get("nosuch")?.providers).toEqual([]);
    },
  );
});

describe("apk", () => {
  const { parse, parseMore } = managers.find(({ name }) => name === "apk")!;
  const installed = `installed
P:musl
V:1.2.4-r2
p:so:libc.musl-x86_64.so.1=1

P:nginx
V:1.24.0-r15

P:busybox-binsh
V:1.36.1-r15
p:/bin/sh cmd:sh=1.36.1-r15

P:odd
V:1-r0
f:s

world
alpine-base
nginx=1.24.0-r15
odd
end
`;

  test("tells what is installed from its database, and what is held from world", () => {
    const { packages, interrupted } = parse(installed, ["nginx", "cmd:sh", "nosuch", "odd", "musl"]);
    expect(interrupted).toBe(true);
    expect(Object.fromEntries(packages)).toEqual({
      nginx: { state: "installed", version: "1.24.0-r15", held: true, automatic: false, providers: [] },
      "cmd:sh": {
        state: "absent",
        version: null,
        held: false,
        automatic: true,
        providers: ["busybox-binsh"],
      },
      nosuch: { state: "absent", version: null, held: false, providers: [] },
      odd: { state: "broken", version: "1-r0", held: false, automatic: false, providers: [] },
      musl: { state: "installed", version: "1.2.4-r2", held: false, automatic: true, providers: [] },
    });
    expect(() => parse("", ["a"])).toThrow(AnswerError);
  });

  test("tells what could be installed", () => {
    const policy = `nginx policy:
  1.24.0-r15:
    lib/apk/db/installed
  1.24.0-r14:
    https://mirror.example/alpine/v3.18/main
  1.24.0-r16:
    https://mirror.example/alpine/v3.18/main
    https://other.example/main
told
end
`;
    const more = parseMore(policy, parse(installed, ["nginx", "nosuch"]));
    expect(more.packages.get("nginx")?.available).toEqual(["1.24.0-r16", "1.24.0-r14"]);
    expect(more.packages.get("nosuch")?.available).toEqual([]);
    expect(parseMore("end\n", more)).toBe(more);
  });
});

describe("held packages", () => {
  const of = (name: string) => managers.find((one) => one.name === name)!;
  const rpmAnswer = "rpm\nnginx\tx86_64\t0\t1-1\nbash\tx86_64\t0\t5-1\nend\nlocks\n";
  test.each([
    ["dnf", `${rpmAnswer}# Added locks\nnginx-0:1-1.*\n!bash-0:4-1.*\n`],
    ["yum", `${rpmAnswer}0:nginx-1-1.*\n`],
    ["dnf", `${rpmAnswer}version = "1.0"\n[[packages]]\nname = "nginx"\ncomment = "x"\n`],
    ["zypper", `${rpmAnswer}nginx\n`],
    ["pacman", "installed\nnginx 1-1\nbash 5-1\nstatus 0\nignored linux nginx\nend\n"],
  ])("of %s", (name, answer) => {
    const { packages } = of(name).parse(answer, ["nginx", "bash"]);
    expect([packages.get("nginx")?.held, packages.get("bash")?.held]).toEqual([true, false]);
  });
});

describe("operations", () => {
  const settings = (more: PlainObject): PlainObject => ({
    name: "p",
    names: null,
    version: null,
    state: null,
    hold: null,
    update_cache: false,
    cache_valid_time: null,
    lock_timeout: 5,
    on_remove: null,
    ...more,
  });
  /** What the tools are called with. */
  function operate(name: string, object: PlainObject, state: "installed" | "absent", version = "1-1"): void {
    const manager = managers.find((one) => one.name === name)!;
    const there = {
      state,
      version: state === "absent" ? null : version,
      held: false,
      providers: [],
    } as const;
    const found = {
      state: "present",
      facts: { manager, interrupted: false, packages: new Map([["p", there]]) },
    } as const;
    for (const operation of packageKind.operate(settings(object), found)) {
      if (operation.do !== "script") throw new Error(operation.do);
      run(operation.script);
    }
  }

  test.each<[string, PlainObject, "installed" | "absent", string]>([
    ["dnf", {}, "absent", "dnf -y -q --setopt=exit_on_lock=1 install p"],
    ["dnf", { version: "2:1-1" }, "installed", "dnf -y -q --setopt=exit_on_lock=1 install p-2:1-1"],
    [
      "dnf",
      { state: "absent" },
      "installed",
      "dnf -y -q --setopt=exit_on_lock=1 --setopt=clean_requirements_on_remove=0 remove p",
    ],
    [
      "dnf",
      { update_cache: true },
      "absent",
      "dnf -y -q --setopt=exit_on_lock=1 --setopt=skip_if_unavailable=0 makecache",
    ],
    ["dnf", { hold: true }, "installed", "dnf -y -q --setopt=exit_on_lock=1 versionlock add p"],
    [
      "zypper",
      {},
      "absent",
      "zypper --non-interactive --quiet install --oldpackage --auto-agree-with-licenses -- p",
    ],
    [
      "zypper",
      { version: "1-2" },
      "installed",
      "zypper --non-interactive --quiet install --oldpackage --auto-agree-with-licenses -- p=1-2",
    ],
    ["zypper", { state: "absent" }, "installed", "zypper --non-interactive --quiet remove -- p"],
    ["zypper", { hold: true }, "installed", "zypper --non-interactive --quiet addlock -- p"],
    ["apk", {}, "absent", "apk --no-progress add p"],
    ["apk", { version: "1.22.*" }, "absent", "apk --no-progress add p=~1.22"],
    ["apk", { state: "purged" }, "installed", "apk --no-progress del --purge p"],
    ["apk", { hold: true }, "installed", "apk --no-progress add p=1-1"],
    ["pacman", {}, "absent", "pacman --noconfirm --noprogressbar -S --needed -- p"],
    ["pacman", { state: "purged" }, "installed", "pacman --noconfirm --noprogressbar -Rn -- p"],
    ["pacman", { update_cache: true }, "absent", "pacman --noconfirm --noprogressbar -Sy"],
  ])("%s %j", (name, object, state, command) => {
    shell = ["/bin/sh"];
    fake("rpm", "echo p");
    fake("dnf", "echo p");
    for (const tool of ["zypper", "pacman"]) fake(tool, ":");
    fake("apk", "case $1 in list) echo 'p-1-1 x86_64 {p} (MIT) [installed]' ;; esac");
    operate(name, object, state);
    expect(log()).toContain(command);
  });

  test.each([
    ["dnf", "echo 'already running (exit_on_lock)'; exit 200"],
    ["zypper", "exit 7"],
    ["apk", "echo 'ERROR: Unable to lock database: Resource temporarily unavailable'; exit 99"],
    ["pacman", "echo 'error: failed to init transaction (unable to lock database)'; exit 1"],
  ])("%s waits for another process", (name, busy) => {
    shell = ["/bin/sh"];
    fake("rpm", "echo p");
    fake(
      name,
      `case "$*" in *repoquery*) echo p; exit ;; esac
[ "$(grep -c . '${root}/log')" -gt 4 ] || { ${busy}; }`,
    );
    operate(name, {}, "absent");
    expect(log().length).toBeGreaterThan(4);
  });

  test.each([
    [
      "apt",
      "apt-mark",
      "E: Could not get lock /var/lib/dpkg/lock. It is held by process 1 (apt)",
      100,
      "hold -- p",
    ],
    [
      "apt",
      "apt-mark",
      "dpkg: error: dpkg frontend lock was locked by another process with pid 1",
      100,
      "hold -- p",
    ],
    ["zypper", "zypper", "System management is locked by the application with pid 1 (zypper).", 7, "addlock"],
    ["apk", "apk", "ERROR: Unable to lock database: Resource temporarily unavailable", 99, "add p=1-1"],
  ])("holding waits for it as well: %s, %s", (name, tool, complaint, status, words) => {
    shell = ["/bin/sh"];
    fake(
      tool,
      `case "$*" in list*) echo 'p-1-1 x86_64 {p} (MIT) [installed]'; exit ;; esac
[ "$(grep -c . '${root}/log')" -gt 2 ] || { echo '${complaint}'; exit ${status}; }`,
    );
    operate(name, { hold: true }, "installed");
    expect(log().at(-1)).toContain(words);
    expect(log().length).toBeGreaterThan(2);
  });

  test.each([
    ["dnf", "repoquery --available --qf"],
    ["yum", "list available"],
  ])(
    "%s is asked once which of many packages there are, and again only for what is no package's name",
    (name, question) => {
      shell = ["/bin/sh"];
      fake("rpm", 'case "$*" in *there*) exit 0 ;; esac; exit 1');
      fake(
        name,
        `case "$*" in
*whatprovides*|*provides*) echo postfix ;;
*--qf*) printf 'nginx\\tx86_64\\t0:1.24-1\\nredis\\tnoarch\\t2:7-1\\n' ;;
*list*MTA*redis*) printf 'nginx.x86_64 1.24-1 epel\\nredis.noarch 2:7-1 epel\\n' ;;
esac`,
      );
      const manager = managers.find((one) => one.name === name)!;
      const wanted = [
        { name: "there" },
        { name: "nginx", version: "1.24-1" },
        { name: "MTA" },
        { name: "redis:noarch" },
      ];
      const change = { verb: "install", packages: wanted, overHold: false } as const;
      run(carryOut(manager, change, { removable: [], listsAge: undefined }, { lockTimeout: 0 }));
      const asked = log().filter(
        (line) => line.startsWith(name) && !/ (?:install|downgrade) |mark/.test(line),
      );
      expect(asked[0]).toContain(question);
      const together = log().filter((line) => line.endsWith(" nginx-1.24-1 MTA redis.noarch"));
      expect(together.filter((line) => !line.includes(" there "))).toHaveLength(1);
      expect(asked.slice(1).every((line) => line.endsWith(" MTA"))).toBe(true);
      expect(asked.length).toBeLessThanOrEqual(3);
    },
  );

  test("what cannot be done is told", () => {
    shell = ["/bin/sh"];
    const patience = { lockTimeout: 0 };
    const of = (name: string) => managers.find((one) => one.name === name)!;
    const holding = (name: string) => withTool(of(name), patience, of(name).hold(["p"]));
    expect(run(holding("pacman"), 1).stderr).toContain("IgnorePkg");
    fake("dnf", "exit 1");
    expect(run(holding("dnf"), 1).stderr).toContain("versionlock plugin of dnf");
    fake("rpm", "exit 1");
    const doing = (name: string, verb: "install" | "remove") =>
      carryOut(
        of(name),
        { verb, packages: [{ name: "p" }], overHold: false },
        { removable: [], listsAge: undefined },
        patience,
      );
    expect(run(doing("dnf", "install"), 1).stderr).toContain("there is no package p");
    fake("id", "echo 1000");
    for (const { name } of managers)
      for (const script of [doing(name, "remove"), holding(name)])
        expect(run(script, 1).stderr).toContain("only root can change packages");
  });
});
