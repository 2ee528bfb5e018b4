/**
 * @module A command on this machine whose standard streams are the connection to a host (ssh_config(5), ProxyCommand).
 */

import { Duplex } from "node:stream";
import { startProgram } from "../../programs/start.ts";
import { systemReason } from "../system-reason.ts";

/** Characters of the command's complaints that are kept for messages. */
const longestComplaint = 500;

export interface CommandStream {
  readonly stream: Duplex;
  /** How the command ended and what it wrote to its standard error, once it has. */
  complaint(): string | undefined;
}

/** Starts the command; it is ended with its stream, by SIGHUP as `ssh` does. */
export function startProxyCommand(command: string): CommandStream {
  const child = startProgram(process.env.SHELL || "/bin/sh", ["-c", `exec ${command}`], { stdio: "pipe" });
  let said = "";
  let end: string | undefined;
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-longestComplaint);
  });
  const stream = new Duplex({
    read: () => child.stdout.resume(),
    write: (chunk, _encoding, done) => child.stdin.write(chunk, () => done()),
    final: (done) => child.stdin.end(() => done()),
    destroy(error, done) {
      child.kill("SIGHUP");
      // What it has started, or itself where it takes no notice, finds its streams closed, and is not waited for.
      for (const one of [child.stdin, child.stdout, child.stderr]) one.destroy();
      child.unref();
      done(error);
    },
  });
  // Their end is reported as that of the command.
  for (const one of [child.stdin, child.stdout, child.stderr]) one.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => {
    if (!stream.push(chunk)) child.stdout.pause();
  });
  child.on("error", (error) => {
    end = systemReason(error);
  });
  child.on("exit", (code, signal) => {
    end = code === null ? `it was ended by ${signal}` : `it ended with status ${code}`;
  });
  child.on("close", () => {
    stream.push(null);
    stream.destroy();
  });
  return {
    stream,
    complaint() {
      const words = said.trim().replace(/\s+/g, " ");
      return end === undefined ? undefined : `${end}${words === "" ? "" : ` and said: ${words}`}`;
    },
  };
}
