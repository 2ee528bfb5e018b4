import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { slowly } from "../../script/slowly.ts";
import { askPaths, parsePaths } from "./path-facts.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-slow-"));
afterAll(() => rmSync(directory, { recursive: true }));
/** In a directory of root's or of one's own, and in one that others can write to, where each path is looked at by itself. */
const places = [directory, mkdtempSync("/tmp/conn3x-slow-")];
afterAll(() => rmSync(places[1]!, { recursive: true }));

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  test.each([
    ["a small file", 1_000_000, true, 0],
    ["a large file", 12_000_000, true, 1],
    ["a large file that is not hashed", 12_000_000, false, 0],
  ])("%s", (_, size, hash, times) => {
    for (const [i, place] of places.entries()) {
      spawnSync("chmod", [i === 0 ? "0755" : "1777", place]);
      const file = join(place, "large");
      writeFileSync(file, "");
      truncateSync(file, size);
      const said = (defined: string) =>
        spawnSync(program!, args, { input: `${defined}\n${askPaths([[file, false]], hash).text}\n` });
      const { stdout, stderr } = said(`exec 9>&2; ${slowly}() { echo slow >&9; }`);
      expect(stderr.toString()).toBe("slow\n".repeat(times));
      const [found] = parsePaths(stdout, [[file, false]], hash);
      expect(found).toMatchObject({ state: "present", facts: { size } });
      // A shell that does not know the word answers the same.
      expect(said("").stdout.toString()).toBe(stdout.toString());
      expect(said("").stderr.toString()).toBe("");
    }
  });
});
