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
  answered(id: number, answer: Answer): void;
}

/** Requests are answered one after another, so one half of an answer at a time may be waiting for the other. */
export function createAnswerCollector(events: AnswerEvents): AnswerCollector {
  const stdout = new Map<number, { readonly status: number; readonly content: Buffer }>();
  const stderr = new Map<number, Buffer>();
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
      const [, kind, number, status] = /^-([be])(\d+)(?:-(\d+))?$/.exec(label) ?? [];
      const id = Number(number);
      if (kind === undefined || !events.expects(id)) return;
      if (kind === "b") return events.begun(id);
      // Each mark has its form on its stream, once.
      if (stream === "stdout" ? stdout.has(id) || status === undefined : stderr.has(id)) return;
      held += content.length;
      if (stream === "stderr") stderr.set(id, content);
      else stdout.set(id, { status: Number(status), content });
      complete(id);
    },
  };
}
