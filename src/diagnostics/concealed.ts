/**
 * @module What no excerpt of a source file shows: values of settings that are secret by their name or declaration, and
 * in files with values of variables all values but those that are known not to be. Found by scanning, not by parsing:
 * files with mistakes are what excerpts are of.
 */
import { isIdentifier } from "../values/identifier.ts";
import type { SourceFile, SourceRange } from "./source.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** A part of a file, `end` exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Names of settings whose values are secret in any block, whatever is declared: not those of files or users. */
const secretName =
  /^(?:.*_)?(?:pass(?:word|phrase|wd)?|pw|pwd|secrets?|secret_.*|tokens?|credentials?|private_key|api_?key|access_key|conn_str)$/i;

/** Settings with a secret that no word of their names suggests. */
const secretSettings = new Set(["stdin", "circuit_logins"]);

/** Whether a setting of this name never shows its value in an excerpt. */
export const isSecretName = (name: string): boolean => secretName.test(name) || secretSettings.has(name);

/** Files whose parts were looked for, with the number of names that were secret then. */
const known = new WeakMap<SourceFile, { readonly names: number; readonly spans: readonly Span[] }>();

function spansOf(file: SourceFile): readonly Span[] {
  const names = file.secretNames.size;
  const found = known.get(file);
  if (found?.names === names) return found.spans;
  const tokens = [...tokensOf(file.text, file.isJson)];
  const spans = file.holdsValues ? outsideOfNames(file, tokens) : secretParts(file, tokens);
  known.set(file, { names, spans });
  return spans;
}

/** What stands for a part that is not shown. */
const inPlaceOf = "…";

/** The text from `from` to `to` without what is not shown. @param revealed a part that may be shown all the same */
export function shownText(file: SourceFile, from: number, to: number, revealed?: Span): string {
  let text = "";
  let at = from;
  for (const { start, end } of spansOf(file)) {
    if (end <= at || start >= to) continue;
    if (revealed !== undefined && revealed.start <= start && end <= revealed.end) continue;
    for (const part of without({ start: Math.max(at, start), end: Math.min(to, end) }, revealed)) {
      text += file.text.slice(at, part.start) + inPlaceOf;
      at = part.end;
    }
  }
  return text + file.text.slice(at, Math.max(at, to));
}

/** The parts of a span before and after another. */
function without({ start, end }: Span, other: Span | undefined): readonly Span[] {
  if (other === undefined || other.end <= start || end <= other.start) return [{ start, end }];
  return [
    { start, end: other.start },
    { start: other.end, end },
  ].filter((part) => part.start < part.end);
}

/** Shorter texts are in many words. */
const shortest = 4;

/**
 * Texts on the lines of a range that no message quotes: what is written out in parts that are not shown. A word whose
 * quotes were forgotten, where the range begins, may be of any length.
 */
export function concealedTexts({ file, start, end, shown }: SourceRange): readonly string[] {
  if (shown === true) return [];
  const from = file.text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = file.text.indexOf("\n", Math.max(start, end - 1));
  const to = lineEnd === -1 ? file.text.length : lineEnd;
  const texts = spansOf(file)
    .filter((span) => span.start < to && from < span.end)
    .flatMap((span) => {
      const text = file.text.slice(span.start, span.end);
      const isForgotten = span.start === start && isIdentifier(text);
      const parts = file.holdsValues ? text.match(/[^\s"'{}[\](),:=#]+/gu) : text.split(/\r?\n/);
      return [text, ...(parts ?? [])].filter(({ length }) => isForgotten || length >= shortest);
    });
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

/** In a file with values: all but names of variables and what is between them. */
function outsideOfNames({ text, isJson }: SourceFile, all: readonly Token[]): readonly Span[] {
  const tokens = all.filter(({ kind }) => kind !== "comment");
  const shown = new Set<Token>();
  let depth = 0;
  tokens.forEach((token, i) => {
    if (/^[{[(]$/.test(token.text)) depth++;
    else if (/^[}\])]$/.test(token.text)) depth--;
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    const isName = isJson
      ? depth === 1 && token.kind === "string" && !token.broken && next?.text === ":" && isFirst(tokens, i)
      : depth === 0 &&
        token.kind === "word" &&
        next?.text === "=" &&
        (before?.kind ?? "newline") === "newline";
    if (isName) shown.add(token).add(next!);
    else if (token.kind === "newline") shown.add(token);
    else if (isJson && (depth === 1 ? /^[{,]$/ : /^(?!)/).test(token.text)) shown.add(token);
    else if (isJson && depth === 0 && token.text === "}") shown.add(token);
  });
  const spans: Span[] = [];
  let at = 0;
  for (const { start, end } of [...shown].sort((a, b) => a.start - b.start)) {
    spans.push(...hiddenBetween(text, at, start));
    at = end;
  }
  return [...spans, ...hiddenBetween(text, at, text.length)];
}

/** Whether a token of JSON follows `{` or `,`. */
function isFirst(tokens: readonly Token[], index: number): boolean {
  let i = index - 1;
  while (tokens[i]?.kind === "newline") i--;
  return /^[{,]$/.test(tokens[i]?.text ?? "");
}

/** The part between two offsets, without the white space around it. */
function hiddenBetween(text: string, from: number, to: number): readonly Span[] {
  const part = text.slice(from, to);
  const start = from + (part.length - part.trimStart().length);
  const end = to - (part.length - part.trimEnd().length);
  return start < end ? [{ start, end }] : [];
}

/** A body or object that is open: what is in it becomes secret where it turns out to be declared so. */
interface Open {
  readonly candidates: Span[];
  sensitive: boolean;
}

function secretParts(file: SourceFile, all: readonly Token[]): readonly Span[] {
  const spans: Span[] = [];
  const open: Open[] = [{ candidates: [], sensitive: false }];
  const close = (): void => {
    const { candidates = [], sensitive = false } = open.pop() ?? {};
    if (sensitive) spans.push(...candidates);
  };
  all.forEach((token, i) => {
    if (token.text === "{") open.push({ candidates: [], sensitive: false });
    else if (token.text === "}") close();
    const from = valueStart(all, i);
    if (from === undefined) return;
    const name = token.kind === "string" ? token.text.slice(1, -1) : token.text;
    const values = (): readonly Span[] => literalsIn(all, from, valueEnd(all, from));
    if (isSecretName(name) || file.secretNames.has(name) || all[from - 1]?.text === "(")
      spans.push(...values());
    else if (name === "sensitive" || name === "ephemeral") {
      if (all[from]?.text !== "false") open.at(-1)!.sensitive = true;
    } else if (name === "default" || name === "value") open.at(-1)?.candidates.push(...values());
  });
  while (open.length > 0) close();
  return merged(spans);
}

/** Where the value of a setting begins, or the argument of `sensitive`; undefined for what has none. */
function valueStart(tokens: readonly Token[], i: number): number | undefined {
  const [before, { kind, text }, next] = [tokens[i - 1], tokens[i]!, tokens[i + 1]];
  if (kind !== "word" && kind !== "string") return undefined;
  if (next?.text === "=" || next?.text === ":") return before?.text === "." ? undefined : i + 2;
  if (kind === "word" && text === "sensitive" && next?.text === "(") return i + 2;
  // The equals sign was forgotten.
  const starts = before === undefined || before.kind === "newline" || /^[{,]$/.test(before.text);
  return kind === "word" &&
    starts &&
    isSecretName(text) &&
    /^(?:string|number|heredoc)$/.test(next?.kind ?? "")
    ? i + 1
    : undefined;
}

/** The index behind a value: its line ends, or what it is in goes on or ends. */
function valueEnd(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (depth === 0 && (text === "," || (kind === "newline" && i > from))) return i;
    if (/^[{[(]$/.test(text)) depth++;
    else if (/^[}\])]$/.test(text) && --depth < 0) return i;
  }
  return tokens.length;
}

const keywords = new Set(["true", "false", "null", "for", "in", "if"]);

/** What is written out in an expression: references, calls and operators may be shown. */
function literalsIn(tokens: readonly Token[], from: number, to: number): readonly Span[] {
  const spans: Span[] = [];
  for (let i = from; i < to; i++) {
    const { kind, start, end, text, broken } = tokens[i]!;
    if (kind === "string") {
      if (end - start > 2) spans.push({ start: start + 1, end: broken ? end : end - 1 });
    } else if (kind === "number" || kind === "heredoc" || kind === "comment") spans.push({ start, end });
    else if (kind === "word" && !keywords.has(text) && isAlone(tokens, i)) spans.push({ start, end });
  }
  return spans;
}

/** Whether a word is neither part of a reference nor the name of a function or of an item. */
const isAlone = (tokens: readonly Token[], i: number): boolean =>
  tokens[i - 1]?.text !== "." && !/^(?:[.([=:]|::)$/.test(tokens[i + 1]?.text ?? "");

/** In order, and each once. */
function merged(spans: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (span.start >= (found.at(-1)?.end ?? 0)) found.push(span);
  }
  return found;
}
