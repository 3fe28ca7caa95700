/** Suggestions for misspelled names: the nearest name by edit distance (insert, delete, replace, swap of neighbors), if near enough. */

/**
 * Returns the name that differs only in case, else the nearest one; null if none is near enough: at most a third of the
 * letters wrong, and never more than three.
 */
export function nearestName(name: string, names: Iterable<string>): string | null {
  const candidates = [...names];
  const wanted = name.toLowerCase();
  for (const candidate of candidates) if (candidate !== name && candidate.toLowerCase() === wanted) return candidate;
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  if (wanted.length < 2 || wanted.length > 64) return null;
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns ` (did you mean `x`?)` for the nearest name, or an empty text. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === null ? '' : ` (did you mean \`${nearest}\`?)`;
}

/** Returns the optimal string alignment distance, in O(length × length). */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replace, previous[j]! + 1, current[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, beforePrevious[j - 2]! + 1);
      current.push(least);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
