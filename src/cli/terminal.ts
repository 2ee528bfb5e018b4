/**
 * @module Where a command's text goes, and how it may look there.
 */
import { createInterface } from "node:readline/promises";
import pico from "picocolors";
import type { Colors } from "picocolors/types";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../diagnostics/render.ts";

export interface Terminal {
  /** Results: standard output. */
  out(text: string): void;
  /** Errors: standard error. */
  err(text: string): void;
  /** Colours of standard output; none when it is no terminal. */
  readonly colors: Colors;
  /** Columns. */
  readonly width: number;
  /** Whether standard output is a terminal. */
  readonly live: boolean;
  /** Whether a person can be asked: both standard input and output are a terminal. */
  readonly interactive: boolean;
  /** Shows warnings on standard output and errors on standard error, as OpenTofu does. */
  report(diagnostics: readonly Diagnostic[]): void;
  /** One line from a person; undefined when the input ended or `signal` was aborted. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** Lines that no terminal shows are as long as OpenTofu makes them. */
const plainWidth = 78;

/** @param color false: `-no-color` was given */
export function processTerminal(color: boolean): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const wanted = color && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  const colors = pico.createColors(wanted && stdout.isTTY === true);
  const errorColors = pico.createColors(wanted && stderr.isTTY === true);
  const width = stdout.columns ?? plainWidth;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    colors,
    width,
    live: stdout.isTTY === true,
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    report(diagnostics) {
      for (const diagnostic of diagnostics) {
        if (diagnostic.severity === "warning") stdout.write(renderDiagnostic(diagnostic, { colors, width }));
        else stderr.write(renderDiagnostic(diagnostic, { colors: errorColors, width }));
      }
    },
    ask,
  };
}

async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // readline keeps ^C to itself; the run's own handler must see it.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question, signal === undefined ? {} : { signal }), ended]);
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}
