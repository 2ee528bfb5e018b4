/**
 * @module Cuts a byte stream at lines that start with an unguessable token.
 *
 * A mark is the token, a label and a newline; it may follow other bytes directly, since a command's output need not end
 * with a newline. All bytes between two marks belong to the command, exactly, NUL included.
 */

export interface MarkReader {
  /** Takes the next bytes of the stream; calls back for every mark that is complete. */
  push(chunk: Buffer): void;
  /** Bytes since the last mark. */
  rest(): Buffer;
}

const newline = 0x0a;

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
  let settled: Buffer[] = [];
  /** Bytes that may still hold the beginning of a mark. */
  let tail: Buffer = Buffer.alloc(0);

  const settle = (count: number): void => {
    if (count > 0) settled.push(tail.subarray(0, count));
    tail = tail.subarray(count);
  };

  return {
    push(chunk) {
      tail = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      for (;;) {
        const at = tail.indexOf(needle);
        if (at < 0) return settle(Math.max(0, tail.length - needle.length + 1));
        settle(at);
        const end = tail.indexOf(newline, needle.length);
        if (end < 0) return;
        const label = tail.toString("latin1", needle.length, end).replace(/\r$/, "");
        const content = settled.length === 1 ? settled[0]! : Buffer.concat(settled);
        settled = [];
        tail = tail.subarray(end + 1);
        onMark(content, label);
      }
    },
    rest: () => Buffer.concat([...settled, tail]),
  };
}
