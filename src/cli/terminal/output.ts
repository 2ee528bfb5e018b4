/**
 * @module Standard output and standard error, which whoever reads them may close (`conn3x plan | head`) and a disk may
 * refuse.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";

export interface Output {
  /** Standard output. What is written after it was lost goes nowhere. */
  out(text: string): void;
  /** Standard error; losing it changes nothing. */
  err(text: string): void;
  /** Aborted when standard output can be written no more: whatever runs then ends as it does on ^C. */
  readonly lost: AbortSignal;
  /** Why it was lost; undefined while it is there, and where its reader merely had enough. */
  problem(): Diagnostic | undefined;
}

let shared: Output | undefined;

/** The process has one: it is lost for everybody at once. */
export function processOutput(): Output {
  shared ??= openOutput(process.stdout, process.stderr);
  return shared;
}

/** A stream as far as it is used here. */
export interface OutputStream {
  write(text: string): unknown;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export function openOutput(stdout: OutputStream, stderr: OutputStream): Output {
  const controller = new AbortController();
  let problem: Diagnostic | undefined;
  let silent = false;
  stdout.on("error", (error) => {
    if (controller.signal.aborted) return;
    if (error.code !== "EPIPE") problem = notWritten(error);
    controller.abort();
  });
  stderr.on("error", () => {
    silent = true;
  });
  return {
    out: (text) => void (controller.signal.aborted || stdout.write(text)),
    err: (text) => void (silent || stderr.write(text)),
    lost: controller.signal,
    problem: () => problem,
  };
}

const notWritten = (error: NodeJS.ErrnoException): Diagnostic =>
  errorDiagnostic(
    "Output cannot be written",
    `Standard output: ${systemErrorSentence(error)} What was done until then is stored.`,
  );
