/**
 * Exit statuses are a promise (docs/plan.md): each command, with a host that cannot be read for one reason or another, beside one
 * that can, alone, and left out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TroubledSite, troubledSite } from "./host-trouble.ts";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let site: TroubledSite;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), troubledSite()]);
  expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory });

type Row = readonly [command: readonly string[], beside: number, alone: number, leftOut: number];

/** Nothing differs on a host; but a login that was edited is something that an apply records. */
const rows: readonly Row[] = [
  [["plan"], 0, 0, 0],
  [["plan", "-detailed-exitcode"], 2, 2, 0],
  [["drift"], 3, 3, 0],
  [["apply", "-auto-approve"], 1, 1, 0],
  [["run", "--", "true"], 1, 1, 0],
  [["plan", "-detailed-exitcode", "-var=text=after"], 2, 2, 2],
];

/** A host that refuses the login, lets nobody become root, has another key. */
describe.each(["otherkey", "nobody", "changed"])("a host that cannot be read: %s", (name) => {
  test.each(rows)(
    "%j exits with %i beside another, %i alone, %i left out",
    { timeout: 60_000 },
    async (...row) => {
      const [command, ...expected] = row;
      const at = command.indexOf("--");
      const options = at === -1 ? command : command.slice(0, at);
      const rest = at === -1 ? [] : command.slice(at);
      const limits = [`-limit=a1,${name}`, `-limit=${name}`, `-limit=a1,${name},!${name}`];
      // They take turns where they lock the state.
      const turns = /^(?:apply|refresh|plan)$/.test(command[0]!) ? ["-lock-timeout=30s"] : [];
      const done = await Promise.all(
        limits.map((limit) => conn3x(...options, ...turns, "-var=trouble=true", limit, ...rest)),
      );
      expect(
        done.map(({ status }) => status),
        done.map(({ stdout, stderr }) => stdout + stderr).join("\n---\n"),
      ).toEqual(expected);
    },
  );
});

test("refresh exits with 1 where a host was not read", { timeout: 60_000 }, async () => {
  expect(await conn3x("refresh", "-var=trouble=true")).toMatchObject({ status: 1 });
  expect(await conn3x("refresh")).toMatchObject({ status: 0 });
});

test("the documentation promises the same", () => {
  const documentation = readFileSync(join(import.meta.dirname, "../../docs/plan.md"), "utf8");
  for (const [command] of rows) {
    const words = command.filter((word) => !/^-(?:auto|var|-)|^true$/.test(word));
    expect(documentation).toContain(`| \`${words.join(" ")}\``);
  }
});

describe("all hosts are gone", () => {
  beforeAll(() => site.host.close());

  test.each<readonly [readonly string[], number]>([
    [["plan"], 0],
    [["plan", "-detailed-exitcode"], 3],
    [["plan", "-detailed-exitcode", "-var=text=after"], 2],
    [["drift"], 3],
    [["refresh"], 1],
    [["apply", "-auto-approve"], 1],
    [["run", "--", "true"], 1],
    [["destroy", "-auto-approve"], 1],
  ])("%j exits with %i", { timeout: 60_000 }, async (command, expected) => {
    const { status, stdout, stderr } = await conn3x(...command);
    expect(status, stdout + stderr).toBe(expected);
  });
});
