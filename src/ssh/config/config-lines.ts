/**
 * @module The directives of an `ssh_config` file: keyword, words, line number. What they mean is decided elsewhere.
 */
import SSHConfig from "ssh-config";

/** One line of ssh_config(5) that says something. */
export interface ConfigLine {
  /** In lower case. */
  readonly keyword: string;
  /** The arguments, their quotes taken away. */
  readonly words: readonly string[];
  /** Everything after the keyword, as it stands: for commands, which go to a shell. */
  readonly raw: string;
  /** From 1. */
  readonly line: number;
}

/** A line that cannot be taken apart. */
export class BadLine extends Error {
  /** @param line from 1 */
  constructor(readonly line: number) {
    super(`line ${line} cannot be understood`);
  }
}

/** A fleet reads one file as often as it has hosts. */
const read = new Map<string, readonly ConfigLine[]>();

/**
 * Reads line by line, since each line of the format stands for itself; one that is no directive says nothing.
 *
 * @throws BadLine
 */
export function parseConfig(text: string): readonly ConfigLine[] {
  const known = read.get(text);
  if (known) return known;
  const lines = text.split(/\r?\n/).flatMap((source, index) => directive(source, index + 1));
  read.set(text, lines);
  return lines;
}

function directive(source: string, line: number): ConfigLine[] {
  const [, keyword = "", raw = ""] = /^\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)(.*?)\s*$/.exec(source) ?? [];
  if (keyword === "" || raw === "") return [];
  return [{ keyword: keyword.toLowerCase(), words: wordsOf(source, line), raw, line }];
}

function wordsOf(source: string, line: number): string[] {
  const value = valueIn(source, line);
  return typeof value === "string" ? [value] : value.map(({ val }) => val);
}

function valueIn(source: string, line: number): string | { readonly val: string }[] {
  try {
    const parsed = SSHConfig.parse(source).find((entry) => entry.type === SSHConfig.DIRECTIVE);
    return parsed && "value" in parsed ? parsed.value : [];
  } catch {
    throw new BadLine(line);
  }
}
