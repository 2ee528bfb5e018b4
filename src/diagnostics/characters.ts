/**
 * @module What counts as one character: grapheme clusters, as HCL's columns and OpenTofu's functions have them.
 *
 * Source: Unicode Standard Annex 29 as of Unicode 15.0, which OpenTofu's library follows. From 15.1 on, an Indic
 * consonant joins the one before it across a virama (rule GB9c); here each begins a character.
 */
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Before a letter that follows a mark: only GB9c joins these, but for two letters that are spacing marks themselves. */
const conjunct = /(?<=[\p{M}\u200d])(?![\u0e33\u0eb3])(?=\p{Lo})/u;

/** Most scripts have no viramas, and need no second look. */
const mayBeConjunct = /[\u0900-\u0dff\u1000-\u1aff\u1b00-\u1cff\ua800-\uabff\u{11000}-\u{11fff}]/u;

/** The characters of a text, one after the other. */
export function* charactersOf(text: string): Generator<string> {
  const isPlain = !mayBeConjunct.test(text);
  for (const segment of clustersOf(text)) {
    if (isPlain || segment.length < 3) yield segment;
    else yield* segment.split(conjunct);
  }
}

function* segments(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Code units that are looked at together. */
const window = 512;

/**
 * The segmenter takes time quadratic in the length of long runs of joined emoji and flags. So it gets windows: each begins
 * where a cluster does, and its last one, which may go on, is where the next begins.
 */
function* clustersOf(text: string): Generator<string> {
  let start = 0;
  let size = window;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    // Half a character would be taken for one of its own.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end++;
    const part = text.slice(start, end);
    const last = end === text.length;
    let pending = "";
    const before = start;
    for (const segment of /^[ -~]*$/.test(part) ? part : segments(part)) {
      if (pending !== "") yield pending;
      start += pending.length;
      pending = segment;
    }
    if (last) {
      if (pending !== "") yield pending;
      return;
    }
    size = start === before ? size * 2 : window;
  }
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of charactersOf(text)) count++;
  return count;
}
