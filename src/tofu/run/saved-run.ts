/**
 * @module Plans of the engine in files. The file is the engine's own, so that the engine can show and apply it by itself;
 * what only we know of the plan is beside it, as one more entry of the archive that such a file is.
 */
import { promises as fs } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence, systemErrorText } from "../../diagnostics/system-error.ts";
import type { Plan } from "../../engine/index.ts";
import { readRegular } from "../../files/read-regular.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { LogTexts } from "../provider/provider-log.ts";
import type { PlanFacts } from "./plan-run.ts";
import { isZip, withZipEntry, zipEntry } from "./zip.ts";

const entryName = "conn3x.json";
const version = 2;

/** What a file has in addition to the engine's plan. */
export interface SavedFacts extends PlanFacts {
  readonly log: LogTexts;
}

export type ReadEnginePlan =
  /** Without facts the engine made it by itself, or encrypts it. */
  | { readonly facts: SavedFacts | undefined; readonly problem?: undefined }
  | { readonly facts?: undefined; readonly problem: Diagnostic };

/**
 * Copies the engine's plan to `path`, for its owner only: it holds values in clear.
 *
 * @returns what went wrong
 */
export async function saveEnginePlan(
  from: string,
  path: string,
  facts: SavedFacts,
): Promise<readonly Diagnostic[]> {
  try {
    const plan = await fs.readFile(from);
    const text = JSON.stringify({ version, ...facts, diagnostics: facts.diagnostics.map(lasting) });
    // An encrypted plan is not an archive, and reasons have values that must stay encrypted.
    const file = withZipEntry(plan, entryName, Buffer.from(text)) ?? plan;
    await replaceFile(path, file, { mode: 0o600 });
    return [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [errorDiagnostic("Plan cannot be saved", `${path}: ${systemErrorSentence(error)}`)];
  }
}

/** Without locations in files: those may be others by the time that it is read. */
const lasting = ({ range: _, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;

export async function readEnginePlan(path: string): Promise<ReadEnginePlan> {
  let file: Buffer;
  try {
    file = await readRegular(path);
  } catch (error) {
    return {
      problem: errorDiagnostic(
        "Plan cannot be read",
        `${path}: ${systemErrorText(error)}. conn3x plan -out=FILE saves one.`,
      ),
    };
  }
  if (file.length > 1 && file.readUInt16BE(0) === gzipMagic) return { problem: ofEmbedded(path) };
  if (!isZip(file)) return { facts: undefined };
  return { facts: factsFrom(zipEntry(file, entryName)) };
}

/** The first bytes of a plan of the embedded engine. */
const gzipMagic = 0x1f8b;

function factsFrom(entry: Buffer | undefined): SavedFacts | undefined {
  if (entry === undefined) return undefined;
  try {
    const facts = JSON.parse(entry.toString("utf8")) as SavedFacts & { readonly version: number };
    return facts.version === version && isMode(facts.mode) ? facts : undefined;
  } catch {
    return undefined;
  }
}

const isMode = (mode: unknown): mode is Plan["mode"] =>
  mode === "normal" || mode === "destroy" || mode === "refresh-only";

const ofEmbedded = (path: string): Diagnostic =>
  errorDiagnostic(
    `${path} is no plan of this engine`,
    "The engine that Conn3x has built in made it. Leave -engine out, or plan again with it.",
  );
