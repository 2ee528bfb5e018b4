/**
 * @module What comes from a shell of ours, and on which of its streams.
 */
import type { HostError } from "../host-error.ts";

export type Stream = "stdout" | "stderr";

/** The events of a shell once it is up. */
export interface ShellEvents {
  /** A mark on one of the streams, with the bytes since the mark before on that stream. */
  mark(stream: Stream, content: Buffer, label: string): void;
  /** Bytes that may come, in both streams, before the next mark. */
  most(): number;
  /** More than these came. */
  flooded(): void;
  /** The host has reported the shell's exit status; output may follow. */
  exited?(status: number): void;
  /**
   * The shell's channel is closed.
   * @param lost why, when the connection was lost and output with it; `undefined` when the host closed it after all output
   * @param status the shell's exit status, if the host reported it
   */
  ended(lost: HostError | undefined, status: number | undefined): void;
}
