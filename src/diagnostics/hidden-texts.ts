/**
 * @module Leaves texts out of others: exactly, whatever their number and size. Each position is looked at once, and
 * texts that begin alike are distinguished by beginnings of twice the length each time, so that neither thousands of secrets
 * nor one of megabytes makes it slow. (One regular expression of all would have been too large from some 24 KiB on, and the
 * message of the error quoted it.)
 */

export interface HiddenTexts {
  /** A text that is left out from now on, unless it is too short. */
  add(text: string): void;
  /**
   * The text with the mask instead of everything that was added. What overlaps is left out together.
   * @param isCut whether more follows that is not here: what may be the beginning of a text at its end is left out as well
   */
  hide(text: string, isCut?: boolean): string;
}

/** Characters. What is shorter is in many words, and each mask would reveal what it hides. */
export const shortestHidden = 4;

/** Texts that share their first characters. */
interface Beginning {
  /** Those that are shorter than twice the beginning, by their length. */
  readonly whole: Map<number, Set<string>>;
  /** Lengths in {@link whole}, the longest first; undefined when they have changed. */
  lengths: readonly number[] | undefined;
  /** The others, by a beginning of twice the length. */
  readonly longer: Map<string, Beginning>;
}

const newBeginning = (): Beginning => ({ whole: new Map(), lengths: undefined, longer: new Map() });

/** @param least characters of the shortest text that is looked for */
export function createHiddenTexts(mask: string, least = shortestHidden): HiddenTexts {
  const all = new Set<string>();
  const beginnings = new Map<string, Beginning>();
  /** In the order of their characters; undefined when there are new ones. */
  let sorted: readonly string[] | undefined;
  let longest = 0;

  const partlyAtEnd = (text: string): number => {
    sorted ??= [...all].sort(byCharacters);
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      const rest = text.slice(at);
      if (sorted[firstFrom(sorted, rest)]?.startsWith(rest)) return at;
    }
    return text.length;
  };

  return {
    add(text) {
      if (text.length < least || all.has(text)) return;
      all.add(text);
      sorted = undefined;
      longest = Math.max(longest, text.length);
      insert(beginnings, text, least);
    },
    hide(text, isCut = false) {
      if (all.size === 0) return text;
      const end = isCut ? partlyAtEnd(text) : text.length;
      let shown = "";
      /** Until where the text has been shown or left out. */
      let done = 0;
      for (let at = 0; at < end; at++) {
        const length = longestAt(beginnings, text, at, least);
        if (length === 0 || at + length <= done) continue;
        if (at >= done) shown += text.slice(done, at) + mask;
        done = at + length;
      }
      if (end === text.length) return shown + text.slice(done);
      return done > end ? shown : `${shown}${text.slice(done, end)}${mask}`;
    },
  };
}

function insert(beginnings: Map<string, Beginning>, text: string, least: number): void {
  let among = beginnings;
  for (let size = least; ; size *= 2) {
    const start = text.slice(0, size);
    const beginning = among.get(start) ?? newBeginning();
    among.set(start, beginning);
    if (text.length >= 2 * size) {
      among = beginning.longer;
      continue;
    }
    const same = beginning.whole.get(text.length) ?? new Set();
    beginning.whole.set(text.length, same.add(text));
    beginning.lengths = undefined;
    return;
  }
}

/** The length of the longest of the texts that stands at a position; 0 when none does. */
function longestAt(
  beginnings: ReadonlyMap<string, Beginning>,
  text: string,
  at: number,
  least: number,
): number {
  let found = 0;
  let among = beginnings;
  for (let size = least; at + size <= text.length; size *= 2) {
    const beginning = among.get(text.slice(at, at + size));
    if (beginning === undefined) return found;
    beginning.lengths ??= [...beginning.whole.keys()].sort((a, b) => b - a);
    const length = beginning.lengths.find((one) => beginning.whole.get(one)!.has(text.slice(at, at + one)));
    found = length ?? found;
    among = beginning.longer;
  }
  return found;
}

const byCharacters = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The index of the first text that is not before another. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
