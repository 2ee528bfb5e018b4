/**
 * @module The backend's settings as `init` got them, for later commands: `.conn3x/backend.json`, readable for its owner
 * only, since a login may be in it.
 */
import { rmSync } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { systemErrorSentence, systemErrorText } from "../../../diagnostics/system-error.ts";
import { makeDirectory } from "../../../files/make-directory.ts";
import { replaceFile } from "../../../files/replace-file.ts";
import { textIfThere } from "../state-file-text.ts";
import type { Settings } from "./settings.ts";
import { localDirectory } from "./state-server.ts";

export interface BackendRecord {
  readonly type: string;
  /** The settings in the block. */
  readonly block: Settings;
  /** The settings of `-backend-config`. */
  readonly given: Settings;
}

const path = `${localDirectory}/backend.json`;

const version = 1;

export type ReadRecord =
  | { readonly record: BackendRecord | undefined; readonly problem?: undefined }
  | { readonly record?: undefined; readonly problem: Diagnostic };

export async function readRecord(): Promise<ReadRecord> {
  try {
    const text = await textIfThere(path);
    if (text === undefined) return { record: undefined };
    const { version: written, type, block, given } = JSON.parse(text);
    if (written === version && typeof type === "string") return { record: { type, block, given } };
    return { problem: unreadable("another version of Conn3x wrote it") };
  } catch (error) {
    return { problem: unreadable(error instanceof SyntaxError ? "it is damaged" : systemErrorText(error)) };
  }
}

/** @param record undefined: the state is in a file, and nothing is to be remembered */
export async function writeRecord(record: BackendRecord | undefined): Promise<readonly Diagnostic[]> {
  try {
    if (record === undefined) rmSync(path, { force: true });
    else {
      makeDirectory(localDirectory);
      await replaceFile(path, `${JSON.stringify({ version, ...record }, undefined, 2)}\n`, { mode: 0o600 });
    }
    return [];
  } catch (error) {
    return [errorDiagnostic("The backend cannot be remembered", `${path}: ${systemErrorSentence(error)}`)];
  }
}

const unreadable = (why: string): Diagnostic =>
  errorDiagnostic(
    "What is remembered of the backend cannot be read",
    `${path}: ${why}. conn3x init -reconfigure writes it anew.`,
  );
