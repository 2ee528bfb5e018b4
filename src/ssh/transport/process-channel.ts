/**
 * @module A process of this machine as a channel: its three streams and its end.
 */
import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import { constants } from "node:os";
import { systemErrorAdvice } from "../../diagnostics/system-error.ts";
import { HostError } from "../host-error.ts";
import { systemReason } from "../system-reason.ts";
import type { Channel, ChannelEvents } from "./transport.ts";

export interface ProcessChannel extends Channel {
  /** Reports `closed` now, unless that was reported: the process that the channel depends on has ended. */
  lose(why: HostError): void;
}

/**
 * Waits until a process has been started.
 * @param host the label of whose process it is
 * @param program in words: `the program ssh`
 * @throws HostError with code `login_settings` when it cannot be
 */
export function startedProcess(child: ChildProcess, host: string, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // The listener stays: a signal that cannot be sent is reported by this event as well.
    child.on("error", (error) =>
      reject(
        new HostError(
          "login_settings",
          host,
          `${program} cannot be started: ${systemReason(error)}`,
          systemErrorAdvice(error),
        ),
      ),
    );
  });
}

/**
 * @param child has been started, and nothing of it was read
 * @param whyLost asked when the process has ended: whether its end means that a connection was lost
 */
export function processChannel(
  child: ChildProcessWithoutNullStreams,
  events: ChannelEvents,
  whyLost: (status: number) => Promise<HostError | undefined>,
): ProcessChannel {
  let open = true;
  let status: Promise<HostError | undefined> = Promise.resolve(undefined);
  const close = (lost: HostError | undefined): void => {
    if (!open) return;
    open = false;
    events.closed(lost);
  };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (chunk: Buffer) => {
      if (open) events[stream](chunk);
    });
    // Its end is reported as that of the process.
    child[stream].on("error", () => {});
  }
  child.stdin.on("error", () => {});
  child.on("exit", (code, signal) => {
    const number = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    status = whyLost(number);
    status.then((lost) => {
      if (open && !lost) events.exit(number);
    });
  });
  child.on("close", () => void status.then(close));
  const usable = (): boolean => open && child.stdin.writable;
  const leave = (): void => {
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return {
    write(data) {
      if (usable()) child.stdin.write(data);
    },
    drained() {
      if (!usable() || !child.stdin.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          child.stdin.off("drain", done).off("close", done);
          resolve();
        };
        child.stdin.on("drain", done).on("close", done);
      });
    },
    end() {
      if (usable()) child.stdin.end();
    },
    close() {
      open = false;
      leave();
    },
    lose(why) {
      close(why);
      leave();
    },
  };
}
