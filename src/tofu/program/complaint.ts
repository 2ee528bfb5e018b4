/**
 * @module What an engine says, as ours: what it made for a terminal without its colours and its frame, a summary in one line,
 * and no advice that is not for those who call the engine through us.
 */
import { stripVTControlCharacters } from "node:util";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";

/** Its words alone. */
export const plainComplaint = (stderr: string): string =>
  stripVTControlCharacters(stderr)
    .split("\n")
    .filter((line) => !/^[╷╵]\s*$/.test(line))
    .map((line) => line.replace(/^│ ?/, ""))
    .join("\n")
    .trim();

/** Of every complaint about a lock: an option that our commands do not have. */
const unlockedAdvice =
  /\s+For most commands, you can disable locking with the "-lock=false"\s+flag, but this is not recommended\./;

/** An engine's own diagnostic in our form: it puts lists of problems into summaries, which are shown in one line. */
export function complaintWords(summary: string, detail: string): Pick<Diagnostic, "summary" | "detail"> {
  const end = summary.indexOf("\n");
  const [first, rest] = end === -1 ? [summary, ""] : [summary.slice(0, end), summary.slice(end).trim()];
  const text = [rest, detail].filter((part) => part !== "").join("\n\n");
  return { summary: first.trim(), detail: text.replace(unlockedAdvice, "") };
}

/**
 * The engine's own errors, each with its summary and detail.
 *
 * @param otherwise what is said where it gave none
 */
export function complaintErrors(stderr: string, otherwise: Diagnostic): readonly Diagnostic[] {
  const text = plainComplaint(stderr);
  const [before = "", ...errors] = text.split(/^Error: /m);
  if (errors.length === 0) {
    return [before === "" ? otherwise : { ...otherwise, detail: `${otherwise.detail}\n\n${before}`.trim() }];
  }
  return errors.map((error) => {
    const end = error.indexOf("\n");
    const { summary, detail } =
      end === -1 ? complaintWords(error, "") : complaintWords(error.slice(0, end), error.slice(end).trim());
    return errorDiagnostic(summary, detail);
  });
}
