/**
 * @module Source files and ranges in them.
 */
import { countCharacters } from "./characters.ts";

/** A place in a file, for people and tools. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, counted in Unicode grapheme clusters, as HCL does. */
  readonly column: number;
  /** From 0, counted in bytes of the file. */
  readonly byte: number;
}

/**
 * A text with a name. Offsets into it are in UTF-16 code units, as in JavaScript strings;
 * {@link SourceFile.position} converts one to a line and column.
 */
export class SourceFile {
  #lineStarts: number[] | undefined;
  readonly #secretNames = new Set<string>();
  /** Whether it holds values of variables or of a backend, any of which may be secret. */
  readonly holdsValues: boolean;

  /**
   * @param name path as shown to the user: relative to the working directory where possible
   * @param text whole text, without a byte order mark
   * @param bytesBefore number of bytes in the file before the text: 3 for a byte order mark
   * @param holds what is in it. By default its name tells: `*.tfvars` and `*.tfvars.json` hold values
   */
  constructor(
    readonly name: string,
    readonly text: string,
    readonly bytesBefore = 0,
    holds?: "values",
  ) {
    this.holdsValues = holds === "values" || /\.tfvars(?:\.json)?$/.test(name);
  }

  get isJson(): boolean {
    return this.name.endsWith(".json");
  }

  /** Settings in it whose values no excerpt shows, besides those whose names tell. */
  get secretNames(): ReadonlySet<string> {
    return this.#secretNames;
  }

  /** Which variables are sensitive is known only once all files of a configuration and its modules are read. */
  conceal(names: Iterable<string>): void {
    for (const name of names) this.#secretNames.add(name);
  }

  /** Line, column and byte of an offset. Takes time linear in the length of the line (and, for `byte`, of the file). */
  position(offset: number): Position {
    const line = this.lineOf(offset);
    const start = this.#starts()[line - 1]!;
    const column = 1 + columnsOf(this.text.slice(start, offset));
    return { line, column, byte: this.bytesBefore + Buffer.byteLength(this.text.slice(0, offset)) };
  }

  /** Line of an offset, from 1. */
  lineOf(offset: number): number {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Text of a line (from 1) without its line end. */
  line(number: number): string {
    const starts = this.#starts();
    const end = starts[number] ?? this.text.length + 1;
    return this.text.slice(starts[number - 1], end - 1).replace(/\r$/, "");
  }

  #starts(): number[] {
    if (this.#lineStarts === undefined) {
      this.#lineStarts = [0];
      for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) {
        this.#lineStarts.push(at + 1);
      }
    }
    return this.#lineStarts;
  }
}

/** Text that is not printable ASCII, with its ASCII neighbours: these may belong to the same character. */
const mixed = /[ -~]?[^ -~]+(?:[ -~][^ -~]+)*[ -~]?/gu;

/** Number of characters. Only the parts that are not ASCII are segmented: a line of megabytes would take seconds. */
function columnsOf(text: string): number {
  let count = text.length;
  for (const [part] of text.matchAll(mixed)) {
    count += countCharacters(part) - part.length;
  }
  return count;
}

/** Part of a file. Syntax tree nodes are ranges themselves. Offsets are UTF-16 code units, `end` is exclusive. */
export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Whether this part of a file that holds values is known not to be secret. */
  readonly shown?: boolean;
}
