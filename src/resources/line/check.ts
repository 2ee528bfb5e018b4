/**
 * @module Settings of a line that exclude each other.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { compile, unknownReference } from "../regexp.ts";

export function checkLine(config: PlainObject): readonly Diagnostic[] {
  const wrong = (attribute: string, summary: string, detail: string) => [
    errorDiagnostic(summary, detail, { attribute: at(attribute) }),
  ];
  const { line, regexp, state, backrefs } = config;
  if (line === null && regexp === null) {
    return wrong("line", "Missing line", "Say which line it is with line, regexp, or both.");
  }
  if (line === null && state !== "absent" && (state === null || typeof state === "string")) {
    return wrong(
      "line",
      "Missing line",
      'A line that is to be there needs its text. To remove lines set state = "absent".',
    );
  }
  if (backrefs !== true) return [];
  if (regexp === null) {
    return wrong(
      "backrefs",
      "References without groups",
      "backrefs needs a regexp, whose groups line refers to.",
    );
  }
  if (typeof line !== "string" || typeof regexp !== "string") return [];
  const unknown = unknownReference(line, compile(regexp));
  if (unknown === undefined) return [];
  return wrong(
    "line",
    "Reference to a group that does not exist",
    `line has ${unknown}, and regexp has no such group.`,
  ).map((found) => ({ ...found, withoutValues: "line refers to a group that regexp does not have." }));
}
