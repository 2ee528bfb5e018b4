/**
 * @module The engine's diagnostics as ours.
 */
import { readFileSync } from "node:fs";
import type { Configuration } from "../compiler/model.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { SourceFile, type SourceRange } from "../diagnostics/source.ts";
import { type Json, numberAt, objectAt, textAt } from "./json.ts";
import { partsOf, type Subjects } from "./subjects.ts";

export type ReadDiagnostic = (json: Json) => Diagnostic;

/**
 * Places in compiled files become those in the circuits: an instance's diagnostic points to the step or handler that the
 * instance is of.
 */
export function diagnosticReader({ resources, files }: Configuration, subjects: Subjects): ReadDiagnostic {
  const ranges = new Map(resources.map(({ address, range }) => [address, range]));
  const known = new Map(files.map((file) => [file.name, file]));
  return (json) => {
    const address = textAt(json, "address");
    const parts = address === undefined ? undefined : partsOf(address);
    const host = parts && subjects(parts).host;
    const configured = parts && ranges.get(`${parts.type}.${parts.name}`);
    const range = rangeIn(objectAt(json, "range"), known) ?? configured;
    return {
      severity: textAt(json, "severity") === "warning" ? "warning" : "error",
      summary: textAt(json, "summary") ?? "The engine reported a problem",
      detail: textAt(json, "detail") ?? "",
      ...(address === undefined ? {} : { address }),
      ...(host === undefined ? {} : { host }),
      ...(range === undefined ? {} : { range }),
    };
  };
}

/** A place in a file that a person wrote; undefined for compiled ones. */
function rangeIn(json: Json, known: Map<string, SourceFile>): SourceRange | undefined {
  const name = textAt(json, "filename");
  if (name === undefined) return undefined;
  const file = known.get(name) ?? handWritten(name);
  if (file === undefined) return undefined;
  known.set(name, file);
  const bytes = Buffer.from(file.text);
  const offset = (at: string): number =>
    bytes.subarray(0, numberAt(objectAt(json, at), "byte") ?? 0).toString("utf8").length;
  return { file, start: offset("start"), end: offset("end") };
}

function handWritten(name: string): SourceFile | undefined {
  if (/\.circuit\.tf(?:\.json)?$/.test(name)) return undefined;
  try {
    return new SourceFile(name, readFileSync(name, "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
