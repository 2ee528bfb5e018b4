/**
 * @module Locks between processes that the kernel releases when their holder dies, however it dies.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { LabError } from "./run.ts";

export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes a lock. Node has no flock(2), so flock(1) holds it for us: its child reads our pipe and ends with us.
 * @param wait whether to wait for the present holder
 * @returns undefined when another holds it and we do not wait
 */
export async function takeLock(path: string, wait: boolean): Promise<Lock | undefined> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const holder = spawn(
    "flock",
    [...(wait ? [] : ["--nonblock"]), "--conflict-exit-code", "75", path, "sh", "-c", "echo held; exec cat"],
    { stdio: ["pipe", "pipe", "inherit"], detached: true },
  );
  // ^C goes to the whole foreground group; a lock must outlive the cleaning up that follows it, hence `detached`.
  const ended = new Promise<number>((resolve, reject) => {
    holder.on("exit", (code) => resolve(code ?? 1));
    holder.on("error", (cause) => reject(new LabError(`cannot run flock: ${cause.message}`, { cause })));
  });
  const first = await Promise.race([once(holder.stdout, "data").then(() => "held" as const), ended]);
  if (first !== "held") {
    if (first === 75) return undefined;
    throw new LabError(`flock ${path} exited with ${first}`);
  }
  return {
    release: async () => {
      holder.stdin.end();
      await ended;
    },
  };
}

/** Runs something while holding a lock, waiting for it first. */
export async function withLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const lock = await takeLock(path, true);
  try {
    return await action();
  } finally {
    await lock?.release();
  }
}
