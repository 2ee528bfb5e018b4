/**
 * @module Where a command's text goes, and how it may look there.
 */
import { fstatSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import pico from "picocolors";
import type { Colors } from "picocolors/types";
import { traceOf } from "../../diagnostics/defect.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";
import { visible } from "../../diagnostics/visible.ts";
import { type Output, processOutput } from "./output.ts";

/**
 * `out` is for results, `err` for errors: texts for people, in which whatever could control a terminal is made visible, but
 * for our own colours. A name or value that came here as it is, from a host or from somebody else's files, does no harm.
 */
export interface Terminal extends Output {
  /** Writes on standard output what is for programs, or moves the cursor: exactly as it is. */
  data(text: string): void;
  /** Writes JSON on standard output. Of its strings, what controls a terminal or the direction of text is written as escapes. */
  json(text: string): void;
  /** Colours of standard output; none unless it is a terminal. */
  readonly colors: Colors;
  /** Columns; a terminal may get others at any time. Infinity: no line needs to be broken. */
  readonly width: number;
  /** Whether standard output is a terminal. */
  readonly live: boolean;
  /** Whether there is somebody to ask: standard input is a terminal, or a pipe or file with answers in it. */
  readonly interactive: boolean;
  /** Shows warnings on standard output and errors on standard error, as OpenTofu does. */
  report(diagnostics: readonly Diagnostic[]): void;
  /** One line from a person; undefined when the input ended or `signal` was aborted. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** Diagnostics that no terminal shows have lines as long as OpenTofu makes them. */
const plainWidth = 78;

/** @param color false: `-no-color` was given */
export function processTerminal(color: boolean): Terminal {
  const { stdout, stderr, env } = process;
  const output = processOutput();
  const wanted = color && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  const colors = pico.createColors(wanted && stdout.isTTY === true);
  const errorColors = pico.createColors(wanted && stderr.isTTY === true);
  return {
    ...output,
    out: (text) => output.out(withoutSteering(text, colors.isColorSupported)),
    err: (text) => output.err(withoutSteering(text, errorColors.isColorSupported)),
    data: output.out,
    json: (text) => output.out(text.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, unicodeEscape)),
    colors,
    get width() {
      // A terminal whose size nobody has set says 0.
      return stdout.isTTY === true ? stdout.columns || plainWidth : askedWidth(env.COLUMNS);
    },
    live: stdout.isTTY === true,
    interactive: canAnswer(),
    report(diagnostics) {
      for (const diagnostic of diagnostics) {
        const width = stdout.columns || plainWidth;
        if (diagnostic.severity === "warning") output.out(renderDiagnostic(diagnostic, { colors, width }));
        else output.err(renderDiagnostic(diagnostic, { colors: errorColors, width }));
        const trace = env.CONN3X_TRACE === "1" ? traceOf(diagnostic) : undefined;
        if (trace !== undefined) output.err(`${visible(trace)}\n`);
      }
    },
    ask,
  };
}

/** What goes to a file or a program stays a line each, for `grep` and the like, unless `COLUMNS` asks for a width. */
const askedWidth = (columns = ""): number => (/^[1-9]\d{0,4}$/.test(columns) ? Number(columns) : Infinity);

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The sequences of our colours. Those that hide text are not among them. Source: ECMA-48, SGR. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const ourColors = /(\x1b\[(?:0|1|2|4|22|24|3[1-6]|39|90)m)/;

function withoutSteering(text: string, colored: boolean): string {
  if (!colored) return visible(text);
  return text
    .split(ourColors)
    .map((part, i) => (i % 2 === 0 ? visible(part) : part))
    .join("");
}

/** `/dev/null` answers nothing; neither does an input that is closed. */
function canAnswer(): boolean {
  if (process.stdin.isTTY === true) return true;
  try {
    return !fstatSync(0).isCharacterDevice();
  } catch {
    return false;
  }
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
