/**
 * @module Puts the marks of a shell's two streams together into answers, in the order of the requests.
 */
import type { Answer } from "../session.ts";

export interface AnswerCollector {
  /** Takes a mark (see `shell-lines.ts`). */
  mark(stream: "stdout" | "stderr", content: Buffer, label: string): void;
  /** Bytes of answers whose other stream has not come to its end. */
  held(): number;
}

export interface AnswerEvents {
  /** Whether an answer to a request is still to come: what a host sends for others is none. */
  expects(id: number): boolean;
  /** The host began a request. */
  begun(id: number): void;
  /** The request that the host is at has begun something that may take long (`slowly` in `src/script`). */
  isSlow?(): void;
  answered(id: number, answer: Answer): void;
}

/** What follows the token where a request says that it is slow. */
export const slowLabel = "-a";

const sizeOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** Requests are answered one after another, so one half of an answer at a time may be waiting for the other. */
export function createAnswerCollector(events: AnswerEvents): AnswerCollector {
  const stdout = new Map<number, { readonly status: number; readonly content: Buffer }>();
  const stderr = new Map<number, Buffer>();
  /** Standard output from before the request reported that it is slow. */
  let early: Buffer[] = [];
  let held = 0;

  const complete = (id: number): void => {
    const out = stdout.get(id);
    const err = stderr.get(id);
    if (!out || !err) return;
    stdout.delete(id);
    stderr.delete(id);
    held -= out.content.length + err.length;
    events.answered(id, { status: out.status, stdout: out.content, stderr: err });
  };

  return {
    held: () => held,
    mark(stream, content, label) {
      if (label === slowLabel && stream === "stdout") {
        early.push(content);
        held += content.length;
        events.isSlow?.();
        return;
      }
      const [, kind, number, status] = /^-([be])(\d+)(?:-(\d+))?$/.exec(label) ?? [];
      const id = Number(number);
      if (kind === undefined || !events.expects(id)) return;
      if (kind === "b") {
        held -= sizeOf(early);
        early = [];
        return events.begun(id);
      }
      // Each mark has its form on its stream, once.
      if (stream === "stdout" ? stdout.has(id) || status === undefined : stderr.has(id)) return;
      held += content.length;
      if (stream === "stderr") stderr.set(id, content);
      else {
        stdout.set(id, { status: Number(status), content: Buffer.concat([...early, content]) });
        early = [];
      }
      complete(id);
    },
  };
}
