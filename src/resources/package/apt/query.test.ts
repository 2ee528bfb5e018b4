import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AnswerError } from "../../kind.ts";
import { parseInstalled, parseMore } from "./query.ts";

/** Captured on Debian 12. */
const captured = (name: string) => readFileSync(join(import.meta.dirname, `fixtures/${name}.txt`), "utf8");
const names = [
  "conn3x-demo",
  "conn3x-lib",
  "conn3x-broken",
  "nosuch",
  "apt",
  "libc6:amd64",
  "libc6:i386",
  "mail-transport-agent",
  "awk",
  "nginx-ligh.",
  "base-files",
];

describe("parseInstalled", () => {
  const inventory = parseInstalled(captured("installed"), names);

  test.each([
    ["conn3x-demo", { state: "configured", version: null, held: false }],
    ["conn3x-lib", { state: "installed", version: "2.0", held: true }],
    ["conn3x-broken", { state: "broken", version: "1.0" }],
    ["nosuch", { state: "absent", version: null }],
    ["apt", { state: "installed", version: "2.6.1", held: false }],
    ["libc6:amd64", { state: "installed" }],
    ["libc6:i386", { state: "absent" }],
    ["mail-transport-agent", { state: "absent" }],
    ["awk", { state: "absent", providers: [] }],
  ])("%s", (name, state) => {
    expect(inventory.packages.get(name)).toMatchObject(state);
  });

  test("the host's own architecture is no other name", () => {
    const real = names.map((name) => inventory.packages.get(name)!.realName);
    expect(real).toEqual(names.map((name) => (name === "libc6:amd64" ? "libc6" : undefined)));
    const missing = parseInstalled("amd64\nwhole\nstatus 1\n", ["x:amd64", "x:i386", "x"]).packages;
    expect([...missing.values()].map(({ realName }) => realName)).toEqual(["x", undefined, undefined]);
  });

  test("a half-configured package means that something is to be finished", () => {
    expect(inventory.interrupted).toBe(true);
    expect(parseInstalled("amd64\nwhole\nstatus 1\n", ["a"]).interrupted).toBe(false);
  });

  test("a name alone is not another architecture's package", () => {
    const foreign = "amd64\nwhole\nlibc6\ti386\tinstall\tinstalled\t2.36\nstatus 0\n";
    const { packages } = parseInstalled(foreign, ["libc6", "libc6:i386"]);
    expect(packages.get("libc6")).toMatchObject({ state: "absent" });
    expect(packages.get("libc6:i386")).toMatchObject({ state: "installed" });
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["a failure of dpkg-query", "amd64\nwhole\nstatus 2\n"],
    ["a missing status", "amd64\nwhole\n"],
    ["another form", "amd64\nwhole\nlibc6 2.36\nstatus 0\n"],
    ["no word on integrity", "amd64\nstatus 0\n"],
  ])("refuses %s", (_, answer) => {
    expect(() => parseInstalled(answer, ["libc6"])).toThrow(AnswerError);
  });
});

describe("parseMore", () => {
  const { packages } = parseMore(captured("more"), parseInstalled(captured("installed"), names));

  test.each([
    ["conn3x-demo", ["2.0", "1.0"]],
    ["conn3x-lib", ["2.0", "1.0"]],
    ["apt", ["2.6.1"]],
    ["libc6:amd64", ["2.36-9+deb12u14"]],
    ["nosuch", []],
    // apt told of nginx-light, which the name fits as a pattern.
    ["nginx-ligh.", []],
    // Only mentioned by others.
    ["mail-transport-agent", undefined],
  ])("%s is available as %j", (name, versions) => {
    expect(packages.get(name)?.available).toEqual(versions);
  });

  test("installed packages stand in for a name", () => {
    expect(packages.get("awk")?.providers).toEqual(["mawk"]);
    expect(packages.get("mail-transport-agent")?.providers).toEqual([]);
  });

  test("refuses another answer", () => {
    const inventory = parseInstalled("amd64\nwhole\nstatus 1\n", ["a"]);
    expect(() => parseMore("providers\n", inventory)).toThrow(AnswerError);
  });

  test("a name that is in no list is not available; without lists nobody knows", () => {
    const inventory = parseInstalled("amd64\nwhole\nstatus 1\n", ["a"]);
    const more = (lists: string) =>
      parseMore(`providers\navailable\n${lists}end\n`, inventory).packages.get("a");
    expect(more("lists\n")?.available).toEqual([]);
    expect(more("")).not.toHaveProperty("available");
  });
});
