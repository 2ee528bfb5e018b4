/**
 * The question is put to this machine's own shell, the answers are read, and what is said of them.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, Need } from "../kind.ts";
import { needFacts } from "./facts.ts";
import { unmet } from "./need.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-needs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function answer(subjects: readonly PlainObject[], path = process.env.PATH) {
  const { stdout } = spawnSync("/bin/sh", ["-c", needFacts.ask(subjects).text], {
    env: { PATH: path },
  });
  return needFacts.parse(stdout, subjects);
}

const user = (name: string) => ({ what: "user", name });
const group = (name: string) => ({ what: "group", name });
const space = (name: string) => ({ what: "space", name });
const exists = (what: string, is: boolean) => ({ state: "present", facts: { what, exists: is } });

describe("the answer", () => {
  const me = userInfo().username;

  test("tells users and groups that are there from others, whatever their order", () => {
    const subjects = [
      group("nosuchgroup"),
      user(me),
      user("nosuchuser"),
      user("no.such[u]ser*"),
      user("root"),
    ];
    expect(answer(subjects)).toEqual([
      exists("group", false),
      exists("user", true),
      exists("user", false),
      exists("user", false),
      exists("user", true),
    ]);
  });

  test("does so without getent", () => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    for (const tool of ["cat", "id"])
      symlinkSync(
        spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).stdout.trim(),
        join(bin, tool),
      );
    expect(answer([user(me), user("nosuchuser")], bin)).toEqual([
      exists("user", true),
      exists("user", false),
    ]);
  });

  test("has the space of the directory that is there", () => {
    const [found, same] = answer([space(`${folder}/a/b/c`), space(`${folder}`)]);
    expect(found).toEqual({ state: "present", facts: { what: "space", bytes: expect.any(Number) } });
    expect(same).toEqual(found);
  });

  test("is unknown where the tool is missing or prints something else", () => {
    const unknown = { state: "unreadable", why: "could not be looked at" };
    const bin = join(folder, "none");
    mkdirSync(bin);
    expect(answer([space("/")], bin)).toEqual([unknown]);
    writeFileSync(join(bin, "df"), "#!/bin/sh\necho heading; echo nonsense\n", { mode: 0o755 });
    expect(answer([space("/")], `${bin}:/bin:/usr/bin`)).toEqual([unknown]);
  });

  // df(1) of POSIX, -P; the reserved blocks of ext4 are not in "Available".
  test.each([
    ["/dev/sda1      1000      400       550      43% /", 600],
    ["a b:c d        1000      400       600      40% /mnt/with space", 600],
    ["overlay        1000     1000         0     100% /", 0],
    ["overlay        1000     1000       -50     106% /", 0],
    ["none           1000      100       900        - /sys", 900],
  ])("%s", (line, kilobytes) => {
    const stdout = Buffer.from(`Filesystem 1024-blocks Used Available Capacity Mounted on\n${line}\n`);
    expect(needFacts.parse(stdout, [space("/x")])).toEqual([
      { state: "present", facts: { what: "space", bytes: kilobytes * 1024 } },
    ]);
  });
});

describe("what is not met", () => {
  const owner: Need = { what: "user", name: "www", attribute: "owner" };
  const large: Need = {
    what: "space",
    path: "/srv/big",
    bytes: 3 * 1024 ** 3,
    attribute: "source",
    isMet: ({ state }) => state === "present",
  };
  const missing = { state: "present", facts: { what: "user", exists: false } } as const;
  const left = (bytes: number) => ({ state: "present", facts: { what: "space", bytes } }) as const;
  const absent: Found<unknown> = { state: "absent" };
  const present: Found<unknown> = { state: "present", facts: null };

  test("is an error that names the setting, where nothing else can bring it", () => {
    expect(unmet(owner, missing, absent, false)).toEqual([
      {
        severity: "error",
        summary: "No such user",
        detail: "The host has no user www. Name another, or let an earlier step make it.",
        attribute: at("owner"),
      },
    ]);
    expect(unmet(large, left(1.5 * 1024 ** 3), absent, false)).toMatchObject([
      {
        severity: "error",
        detail: "/srv/big takes 3.0 GiB, and its file system on the host has 1.5 GiB left.",
        attribute: at("source"),
      },
    ]);
  });

  test("is none where an earlier step may bring it; space is a warning then", () => {
    expect(unmet(owner, missing, absent, true)).toEqual([]);
    expect(unmet(large, left(10), absent, true)).toMatchObject([{ severity: "warning" }]);
  });

  test("is none where it is there, is not needed, or could not be seen", () => {
    const there = { state: "present", facts: { what: "user", exists: true } } as const;
    expect(unmet(owner, there, absent, false)).toEqual([]);
    expect(unmet(owner, { state: "unreadable", why: "" }, absent, false)).toEqual([]);
    expect(unmet(large, left(3 * 1024 ** 3), absent, false)).toEqual([]);
    expect(unmet(large, left(0), present, false)).toEqual([]);
  });
});
