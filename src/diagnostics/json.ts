/**
 * @module Diagnostics as OpenTofu's `validate -json` gives them, format version 1.0.
 * Source: https://opentofu.org/docs/cli/commands/validate/#json-output-format
 */

import type { Diagnostic, Severity } from "./diagnostic.ts";
import { contextOf } from "./render.ts";
import { showing, startOfLine } from "./snippet.ts";
import type { Position, SourceRange } from "./source.ts";
import { withoutConcealed } from "./without-concealed.ts";

export interface ValidateJson {
  readonly format_version: "1.0";
  readonly valid: boolean;
  readonly error_count: number;
  readonly warning_count: number;
  readonly diagnostics: readonly DiagnosticJson[];
}

export interface DiagnosticJson {
  readonly severity: Severity;
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  /** Not OpenTofu's: the host's name in its circuit. */
  readonly host?: string;
  readonly range?: { readonly filename: string; readonly start: Position; readonly end: Position };
  readonly snippet?: SnippetJson;
}

export interface SnippetJson {
  readonly context: string | null;
  /** The whole lines that the range touches. */
  readonly code: string;
  readonly start_line: number;
  /** Bytes of UTF-8 from the start of `code`. */
  readonly highlight_start_offset: number;
  readonly highlight_end_offset: number;
  readonly values: readonly never[];
}

/** What `validate -json` prints. */
export function validateJson(diagnostics: readonly Diagnostic[]): ValidateJson {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    format_version: "1.0",
    valid: errors === 0,
    error_count: errors,
    warning_count: diagnostics.length - errors,
    diagnostics: diagnostics.map(diagnosticJson),
  };
}

export function diagnosticJson(diagnostic: Diagnostic): DiagnosticJson {
  const { severity, summary, detail, address, host, range } = withoutConcealed(diagnostic);
  return {
    severity,
    summary,
    detail,
    ...(address === undefined ? {} : { address }),
    ...(host === undefined ? {} : { host }),
    ...(range === undefined ? {} : { range: rangeJson(range), snippet: snippetJson(range) }),
  };
}

const rangeJson = ({ file, start, end }: SourceRange): NonNullable<DiagnosticJson["range"]> => ({
  filename: file.name,
  start: file.position(start),
  end: file.position(end),
});

function snippetJson(range: SourceRange): SnippetJson {
  const { file, start, end } = range;
  const { text } = file;
  const show = showing(range);
  const from = startOfLine(text, start);
  const lineEnd = text.indexOf("\n", Math.max(start, end - 1));
  const to = lineEnd === -1 ? text.length : lineEnd;
  const [before, marked] = [show(from, start), show(start, Math.min(end, to))];
  const code = (before + marked + show(Math.max(start, Math.min(end, to)), to)).replace(/\r$/, "");
  const startOffset = Buffer.byteLength(before);
  const length = Buffer.byteLength(marked.slice(0, Math.max(0, code.length - before.length)));
  return {
    context: contextOf(file, start) ?? null,
    code,
    start_line: file.lineOf(start),
    highlight_start_offset: startOffset,
    // An empty range points at the character after it, as OpenTofu's does.
    highlight_end_offset: startOffset + Math.max(1, length),
    values: [],
  };
}
