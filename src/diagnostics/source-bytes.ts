/**
 * @module Source files as stored on disk: UTF-8, optionally with a byte order mark.
 */
import { type Diagnostic, errorDiagnostic } from "./diagnostic.ts";
import { SourceFile } from "./source.ts";
import { systemErrorText } from "./system-error.ts";

/**
 * @param name as shown to the user
 * @param holds what is in it, where its name does not show it
 * @throws TypeError for bytes that are not UTF-8
 */
export function sourceFrom(name: string, bytes: Uint8Array, holds?: "values"): SourceFile {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  return new SourceFile(name, text, byteOrderMark.every((byte, i) => bytes[i] === byte) ? 3 : 0, holds);
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** @param error what reading it or {@link sourceFrom} threw */
export const unreadable = (name: string, error: unknown): Diagnostic =>
  errorDiagnostic(
    `Cannot read ${name}`,
    error instanceof TypeError
      ? "It is not text in UTF-8."
      : `${systemErrorText(error).replace(/^./, (first) => first.toUpperCase())}.`,
  );
