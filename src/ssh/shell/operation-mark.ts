/**
 * @module Finds our own commands on a host again after the connection to them was lost: without a file there, by a mark
 * in the environment of the shell that runs them.
 *
 * What a command starts does not inherit the mark, so a service that it leaves behind is never taken for it. Only the
 * same user and root may read a process's environment (proc_pid_environ(5)).
 */
import { createHash, randomBytes } from "node:crypto";
import { type Script, script } from "../../script/script.ts";
import type { RunRequest } from "../session.ts";

/** `KEY-RUN-NONCE`, each of hexadecimal digits; or several keys with dots between them. */
export const markVariable = "CONN3X_OPERATION";

/**
 * Names the runs of one process, or of one pool of sessions.
 * @param project a text that is the same for all runs of one project: {@link projectOf} finds it in the name
 */
export const newRun = (project = ""): string => `${digest(project, 8)}${randomBytes(4).toString("hex")}`;

/** What the runs of one project have in common. */
export const projectOf = (run: string): string => run.slice(0, 8);

const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

/** Equal for requests that stand for the same work: whichever run of Conn3x makes them. */
export const operationKeys = (
  { work = [], sharedWork = [] }: Pick<RunRequest, "work" | "sharedWork">,
  run: string,
): readonly string[] =>
  [...work.map((text) => `${projectOf(run)} ${text}`), ...sharedWork].map((text) => digest(text, 32));

/** One of a kind. */
export const newMark = (request: Pick<RunRequest, "work" | "sharedWork">, run: string): string =>
  `${operationKeys(request, run).join(".")}-${run}-${randomBytes(4).toString("hex")}`;

/** Prints the marks of all processes whose environment may be read; nothing where there is no `/proc`. */
export const listMarks: Script = script`printf '%s\0' /proc/[0-9]*/environ |
  xargs -0 cat 2>/dev/null | tr '\0' '\n' | sed -n 's/^CONN3X_OPERATION=//p'`;

export interface RunningMark {
  readonly mark: string;
  readonly keys: readonly string[];
  readonly run: string;
}

/** @param stdout what {@link listMarks} printed */
export function parseMarks(stdout: Buffer): readonly RunningMark[] {
  const marks = stdout
    .toString("latin1")
    .matchAll(/^([0-9a-f]{32}(?:\.[0-9a-f]{32})*)-([0-9a-f]{16})-[0-9a-f]{8}$/gm);
  return [...marks].map(([mark, keys, run]) => ({ mark, keys: keys!.split("."), run: run! }));
}
