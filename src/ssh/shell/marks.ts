/**
 * @module Cuts a byte stream at lines that start with an unguessable token.
 *
 * A mark is the token, a label and a newline; it may follow other bytes directly, since a command's output need not end
 * with a newline. All bytes between two marks belong to the command, exactly, NUL included.
 */
import { createBytes } from "./bytes.ts";

export interface MarkReader {
  /** Takes the next bytes of the stream; calls back for every mark that is complete. */
  push(chunk: Buffer): void;
  /** Bytes since the last mark. */
  rest(): Buffer;
  /** The number of bytes in {@link rest}. */
  size(): number;
}

const newline = 0x0a;

/** Bytes of the longest label: `-eN-STATUS`. What has more behind the token is no mark. */
const longestLabel = 64;

/**
 * @param token what every mark starts with
 * @param onMark called with the bytes since the mark before, and with the mark's label (a carriage return that a
 *   terminal put before the newline is dropped)
 */
export function createMarkReader(
  token: string,
  onMark: (content: Buffer, label: string) => void,
): MarkReader {
  const needle = Buffer.from(token, "latin1");
  /** Bytes before `tail` that hold no mark. */
  const settled = createBytes();
  /** Bytes that may still hold the beginning of a mark. */
  let tail: Buffer = Buffer.alloc(0);

  const settle = (count: number): void => {
    if (count > 0) settled.add(tail.subarray(0, count));
    tail = tail.subarray(count);
  };

  return {
    push(chunk) {
      tail = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      for (;;) {
        const at = tail.indexOf(needle);
        if (at < 0) return settle(Math.max(0, tail.length - needle.length + 1));
        settle(at);
        const label = tail.subarray(needle.length, needle.length + longestLabel + 1);
        const end = label.indexOf(newline);
        if (end < 0 && label.length <= longestLabel) return;
        if (end < 0) {
          settle(needle.length);
          continue;
        }
        tail = tail.subarray(needle.length + end + 1);
        onMark(settled.take(), label.toString("latin1", 0, end).replace(/\r$/, ""));
      }
    },
    rest: () => Buffer.concat([settled.peek(), tail]),
    size: () => settled.size() + tail.length,
  };
}
