/**
 * @module "Did you mean …?": the existing name with the nearest spelling.
 */

/**
 * The candidate nearest to `name`, or undefined when none is near: at most two letters
 * added, dropped, changed or swapped with their neighbour; one in names of up to four letters, none in a single letter.
 * Letter case does not matter.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = name.length < 2 ? 0 : name.length <= 4 ? 1 : 2;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?` for the end of a diagnostic's detail; empty when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates);
  return near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
}

/** A sentence with the allowed name that is probably meant, or with all of them. */
export function suggestion(name: string, allowed: readonly string[]): string {
  const near = nearest(name, allowed);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (allowed.length === 0) return "There are none.";
  return `There are: ${allowed.join(", ")}.`;
}

/** Optimal string alignment distance: Levenshtein's, with swapped neighbours as one edit. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2]! + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
