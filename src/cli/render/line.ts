/**
 * @module Lines of a plan: a mark in a column of its own, then text, nested four columns a level as OpenTofu does.
 */
import type { Colors } from "picocolors/types";
import { visible } from "../../diagnostics/visible.ts";

/** What happens to what a line shows: nothing (or it is context), or the action. */
export type LineMark = " " | "+" | "-" | "~" | "-/+" | "+/-";

export interface Line {
  readonly mark: LineMark;
  readonly depth: number;
  readonly text: string;
  /** Shown in another colour than the mark's: the note that a replacement is forced, what is hidden. */
  readonly note?: string;
}

export const line = (depth: number, mark: LineMark, text: string, note?: string): Line =>
  note === undefined || note === "" ? { depth, mark, text } : { depth, mark, text, note };

/** `# (3 unchanged attributes hidden)` */
export const hiddenLine = (depth: number, count: number, what: string): Line =>
  line(depth, " ", "", `# (${count} unchanged ${what}${count === 1 ? "" : "s"} hidden)`);

export function formatLine({ mark, depth, text, note }: Line, colors: Colors): string {
  const padded = `${" ".repeat(depth * 4)}${mark.padStart(3)}`;
  const shown = visible(text);
  if (shown === "" && note === undefined) return mark === " " ? "" : markColor(mark, colors)(padded);
  const noted =
    note === undefined ? "" : `${shown === "" ? "" : "  "}${noteColor(note, colors)(visible(note))}`;
  return `${markColor(mark, colors)(padded)} ${shown}${noted}`;
}

export function markColor(mark: LineMark, colors: Colors): (text: string) => string {
  switch (mark) {
    case "+":
      return colors.green;
    case "-":
      return colors.red;
    case "~":
      return colors.yellow;
    case "-/+":
    case "+/-":
      return colors.magenta;
    default:
      return String;
  }
}

const noteColor = (note: string, colors: Colors): ((text: string) => string) =>
  note.includes("forces replacement") ? colors.magenta : colors.dim;
