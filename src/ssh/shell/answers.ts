/**
 * @module Puts the marks of a shell's two streams together into answers, in the order of the requests.
 */
import type { Answer } from "../session.ts";

export interface AnswerCollector {
  /** Takes a mark (see `shell-lines.ts`). */
  mark(stream: "stdout" | "stderr", content: Buffer, label: string): void;
}

export interface AnswerEvents {
  /** The host began a request. */
  begun(id: number): void;
  answered(id: number, answer: Answer): void;
}

/** Requests are answered one after another, so one half of an answer at a time may be waiting for the other. */
export function createAnswerCollector(events: AnswerEvents): AnswerCollector {
  const stdout = new Map<number, { readonly status: number; readonly content: Buffer }>();
  const stderr = new Map<number, Buffer>();

  const complete = (id: number): void => {
    const out = stdout.get(id);
    const err = stderr.get(id);
    if (!out || !err) return;
    stdout.delete(id);
    stderr.delete(id);
    events.answered(id, { status: out.status, stdout: out.content, stderr: err });
  };

  return {
    mark(stream, content, label) {
      const [, kind, id, status] = /^-([be])(\d+)(?:-(\d+))?$/.exec(label) ?? [];
      if (kind === "b") return events.begun(Number(id));
      if (kind !== "e") return;
      if (stream === "stderr") stderr.set(Number(id), content);
      else stdout.set(Number(id), { status: Number(status), content });
      complete(Number(id));
    },
  };
}
