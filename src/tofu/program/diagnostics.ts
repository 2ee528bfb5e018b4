/**
 * @module The engine's diagnostics as ours.
 */
import type { Configuration, Resource } from "../../compiler/index.ts";
import { isAboutWholeHost } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { SourceFile, type SourceRange } from "../../diagnostics/source.ts";
import { configurationsOf, settingRange } from "../../engine/index.ts";
import { readRegularSync } from "../../files/read-regular.ts";
import { callPathText, inModule, withoutModuleKeys } from "../../values/address.ts";
import { at } from "../../values/path.ts";
import { addressParts, resourceOf, type Subjects } from "../plan/subjects.ts";
import { complaintWords } from "./complaint.ts";
import { type Json, numberAt, objectAt, textAt } from "./json.ts";

export type ReadDiagnostic = (json: Json) => Diagnostic;

/**
 * Locations in compiled files become those in the circuits: an instance's diagnostic points to the step or handler that the
 * instance is of.
 *
 * @param isOfHost whether a diagnostic is about a whole host: it then names no instance of it
 */
export function diagnosticReader(
  configuration: Configuration,
  subjects: Subjects,
  isOfHost: (diagnostic: Diagnostic) => boolean = () => false,
): ReadDiagnostic {
  const all = [...configurationsOf(configuration)];
  const declared = new Map(
    all.flatMap(({ configuration: { resources }, path }) =>
      resources.map((resource) => [inModule(callPathText(path), resource.address), resource]),
    ),
  );
  const known = new Map(all.flatMap((one) => one.configuration.files.map((file) => [file.name, file])));
  return (json) => {
    const address = textAt(json, "address");
    const parts = address === undefined ? undefined : addressParts(address);
    const host = parts && subjects(parts).host;
    const resource = parts && declared.get(withoutModuleKeys(resourceOf(parts)));
    const setting = resource && settingIn(json, resource);
    const configured = setting?.range ?? resource?.range;
    const diagnostic: Diagnostic = {
      severity: textAt(json, "severity") === "warning" ? "warning" : "error",
      ...complaintWords(
        textAt(json, "summary") ?? "The engine reported a problem",
        textAt(json, "detail") ?? "",
      ),
    };
    if (host !== undefined && isOfHost(diagnostic)) return { ...diagnostic, host };
    // What is wrong with a host is not where one of its steps is.
    const range = isAboutWholeHost(diagnostic)
      ? undefined
      : (rangeIn(objectAt(json, "range"), known) ?? quotedRange(json, known) ?? configured);
    return {
      ...diagnostic,
      ...(address === undefined ? {} : { address }),
      ...(setting === undefined ? {} : { attribute: setting.attribute }),
      ...(host === undefined ? {} : { host }),
      ...(range === undefined ? {} : { range }),
    };
  };
}

/** The argument of a resource that a compiled line sets. Lines inside of its blocks may be those of several. */
function settingIn(json: Json, { body }: Resource) {
  const code = textAt(objectAt(json, "snippet"), "code") ?? "";
  const name = /^ {2}(\w+) += /.exec(code)?.[1];
  const attribute = at(name ?? "");
  const range = name === undefined ? undefined : settingRange(body, attribute);
  return range && { attribute, range };
}

/** A location in a file that a person wrote; undefined for compiled ones. */
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

/** The location in a circuit file that the line of the compiled one was taken from: where the same line is there once. */
function quotedRange(json: Json, known: ReadonlyMap<string, SourceFile>): SourceRange | undefined {
  const compiled = textAt(objectAt(json, "range"), "filename");
  const file = known.get(compiled?.replace(/\.tf$/, ".hcl") ?? "");
  const snippet = objectAt(json, "snippet");
  const code = textAt(snippet, "code");
  if (file === undefined || code === undefined || code.trim() === "") return undefined;
  const at = file.text.indexOf(code);
  if (at === -1 || file.text.includes(code, at + 1)) return undefined;
  const bytes = Buffer.from(code);
  const offset = (name: string): number =>
    at + bytes.subarray(0, numberAt(snippet, name) ?? 0).toString("utf8").length;
  return { file, start: offset("highlight_start_offset"), end: offset("highlight_end_offset") };
}

function handWritten(name: string): SourceFile | undefined {
  if (/\.circuit\.tf(?:\.json)?$/.test(name)) return undefined;
  try {
    return new SourceFile(
      name,
      readRegularSync(name)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    );
  } catch {
    return undefined;
  }
}
