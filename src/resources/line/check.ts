/**
 * @module Settings of a line that exclude each other.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { compile, unknownReference } from "../regexp.ts";

export function checkLine(config: PlainObject): readonly Diagnostic[] {
  const wrong = whyWrong(config);
  return wrong.length > 0 ? wrong : regexpMisses(config);
}

/** An expression that an edit makes false finds the line once only: an edited line is then added beside the old one. */
function regexpMisses({ line, regexp, state, backrefs }: PlainObject): readonly Diagnostic[] {
  const isKnown = typeof line === "string" && typeof regexp === "string" && backrefs !== true;
  if (!isKnown || (state !== null && state !== "present") || compile(regexp).test(line)) return [];
  return [
    warningDiagnostic(
      "regexp does not match the line itself",
      "Once the line is there, regexp does not find it: when line is edited later, the new one is added and the old one stays. Write a regexp that matches both what is replaced and line.",
      { attribute: at("regexp") },
    ),
  ];
}

function whyWrong(config: PlainObject): readonly Diagnostic[] {
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
  if (typeof regexp === "string" && matchesAll(regexp)) {
    return wrong(
      "regexp",
      "regexp matches each line",
      state === "absent"
        ? "Every line of the file would be removed. For an empty file write a file step with empty content."
        : "It does not say which line it is. Write a regexp that matches the line to replace, or leave it out to add the line.",
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

/** Whether an expression matches whatever it is tried on: it is empty, or as good as that. */
function matchesAll(source: string): boolean {
  const regexp = compile(source);
  return ["", "\u0001", "conn3x 0 #"].every((text) => regexp.test(text));
}
