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
  for (const { segment } of segmenter.segment(text)) {
    if (isPlain || segment.length < 3) yield segment;
    else yield* segment.split(conjunct);
  }
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of charactersOf(text)) count++;
  return count;
}
