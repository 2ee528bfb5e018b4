/**
 * @module Source files and ranges in them.
 */
import { charactersOf } from "./characters.ts";

/** A position in a file, for people and tools. */
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
  /** For lines that were asked for: offsets of code units at which no character begins. */
  readonly #characters = new Map<number, readonly number[]>();
  /** For these lines: bytes of the file before them. */
  readonly #bytes = new Map<number, number>();
  readonly #secretNames = new Set<string>();
  /** Whether it holds values of variables or of a backend, any of which may be secret. */
  readonly holdsValues: boolean;

  /**
   * @param name path as shown to the user: relative to the working directory where possible
   * @param text whole text, without a byte order mark
   * @param bytesBefore number of bytes in the file before the text: 3 for a byte order mark
   * @param holds what is in it. By default its name decides: `*.tfvars` and `*.tfvars.json` hold values
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

  /** Settings in it whose values no excerpt shows, besides those whose names show it. */
  get secretNames(): ReadonlySet<string> {
    return this.#secretNames;
  }

  /** Which variables are sensitive is known only once all files of a configuration and its modules are read. */
  conceal(names: Iterable<string>): void {
    for (const name of names) this.#secretNames.add(name);
  }

  /** Line, column and byte of an offset. The first one of a line takes time linear in the file's length. */
  position(offset: number): Position {
    const line = this.lineOf(offset);
    const start = this.#starts()[line - 1]!;
    return { line, column: 1 + this.#columns(line, offset - start), byte: this.#byte(line, offset) };
  }

  /** How many characters of a line begin before an offset in it. */
  #columns(line: number, offset: number): number {
    let positions = this.#characters.get(line);
    if (positions === undefined) {
      positions = joinedIn(this.line(line));
      this.#characters.set(line, positions);
    }
    return offset - countBelow(positions, offset);
  }

  #byte(line: number, offset: number): number {
    const start = this.#starts()[line - 1]!;
    let before = this.#bytes.get(line);
    if (before === undefined) {
      before = this.bytesBefore + Buffer.byteLength(this.text.slice(0, start));
      this.#bytes.set(line, before);
    }
    return before + Buffer.byteLength(this.text.slice(start, offset));
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

/**
 * Offsets at which no character begins, in order. Only the parts that are not ASCII are segmented: a line of megabytes would
 * take seconds.
 */
function joinedIn(text: string): readonly number[] {
  const found: number[] = [];
  for (const { 0: part, index } of text.matchAll(mixed)) {
    let at = index;
    for (const { length } of charactersOf(part)) {
      for (let i = 1; i < length; i++) found.push(at + i);
      at += length;
    }
  }
  return found;
}

/** How many of the numbers, which are in order, are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Part of a file. Syntax tree nodes are ranges themselves. Offsets are UTF-16 code units, `end` is exclusive. */
export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Whether this part of a file that holds values is known not to be secret. */
  readonly shown?: boolean;
}
