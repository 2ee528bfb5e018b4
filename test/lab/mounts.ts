/**
 * @module Unmounting what the lab mounted.
 */
import { readFileSync } from "node:fs";
import { must, run } from "./run.ts";

/** Unmounts what is mounted at this directory and everywhere below it. The path has no blanks. */
export async function unmountAll(directory: string): Promise<void> {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((path) => path === directory || path.startsWith(`${directory}/`));
  // Later mounts may lie on earlier ones.
  for (const path of mounts.reverse()) {
    // A process that is just ending may hold it for a moment; a lazy unmount is over when that one is gone.
    if ((await run(["umount", path])).status !== 0) await must(["umount", "--lazy", path]);
  }
}
