/**
 * @module The one module that starts programs on this machine. A command that must run nothing closes it, and so does
 * `-no-exec`: what a checkout says of proxy commands, transports and engines then starts nothing, whoever asks.
 */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { PlainError } from "../diagnostics/unexpected-error.ts";

let isClosed = false;

/** From now on this process starts no program. */
export function startNoPrograms(): void {
  isClosed = true;
}

/** Whether programs may be started: asked by whoever can say better what was refused. */
export const mayStartPrograms = (): boolean => !isClosed;

/** Thrown instead of starting a program. */
class ProgramRefused extends PlainError {
  override readonly name = "ProgramRefused";

  constructor(program: string) {
    super(`${program} is not started: nothing may be run on this machine`);
  }
}

function open(program: string): void {
  if (isClosed) throw new ProgramRefused(program);
}

/** Like Node's `spawn`. @throws ProgramRefused */
export const startProgram = ((program: string, ...rest: []) => {
  open(program);
  return spawn(program, ...rest);
}) as typeof spawn;

/** Like Node's `spawnSync`. @throws ProgramRefused */
export const askProgram = ((program: string, ...rest: []) => {
  open(program);
  return spawnSync(program, ...rest);
}) as typeof spawnSync;

/**
 * Whether a program could not be started because it is nowhere. A directory on the PATH that may not be read makes that
 * "permission denied": who became an ordinary user from root has root's.
 */
export function isNowhere(program: string, { code }: NodeJS.ErrnoException): boolean {
  if (code === "ENOENT") return true;
  if (code !== "EACCES" || program.includes("/")) return false;
  return !(process.env.PATH ?? "").split(":").some((directory) => isThere(join(directory || ".", program)));
}

/** Also one that may not be run. */
function isThere(path: string): boolean {
  try {
    accessSync(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}
