/** Patterns with `*` and `?`: their parts, the prefixes of their matches, and a test for terms. */
import type { WildcardPart } from './query.ts';

/** Splits a pattern into its parts. @param normalize normalizes the text between two signs, which still has its escapes */
export function parseWildcard(text: string, normalize: (part: string) => string): WildcardPart[] {
  const parts: WildcardPart[] = [];
  for (const [piece] of text.matchAll(/[*?]|(?:[^*?\\]|\\[\s\S])+/g)) {
    if (piece === '*') parts.push({ sign: 'any' });
    else if (piece === '?') parts.push({ sign: 'one' });
    else parts.push(normalize(piece));
  }
  return parts;
}

/** Returns the text before a `*` at the end, which is the only sign of the pattern; null: the pattern has another form. */
export function plainPrefix(pattern: readonly WildcardPart[]): string | null {
  const [first, second] = pattern;
  if (pattern.length !== 2 || typeof first !== 'string' || typeof second !== 'object') return null;
  return second.sign === 'any' ? first : null;
}

/** Returns the text that every match begins with. */
export function fixedPrefix([first]: readonly WildcardPart[]): string {
  return typeof first === 'string' ? first : '';
}

/** How many characters are compared in one step. */
const COMPARED_PER_STEP = 32;
const COMPARED_TOGETHER = 2_048;

/**
 * Returns a test for terms.
 *
 * @param onWork called for steps that come next: in proportion to the length of the term, at worst times that of the
 *   pattern
 */
export function wildcardTest(pattern: readonly WildcardPart[], onWork: (steps: number) => void): (term: string) => boolean {
  const wanted: (string | null | undefined)[] = [];
  for (const part of pattern) {
    if (typeof part === 'string') wanted.push(...part);
    else wanted.push(part.sign === 'any' ? undefined : null);
  }
  return (term) => matches(wanted, [...term], onWork);
}

/** @param wanted for each character itself; null: any one character; undefined: any number of characters */
function matches(wanted: readonly (string | null | undefined)[], characters: readonly string[], onWork: (steps: number) => void): boolean {
  let compared = 0;
  let [at, next] = [0, 0];
  let [star, resume] = [-1, 0];
  while (at < characters.length) {
    if (++compared % COMPARED_TOGETHER === 0) onWork(COMPARED_TOGETHER / COMPARED_PER_STEP);
    const sign = wanted[next];
    if (next < wanted.length && sign === undefined) {
      star = next++;
      resume = at;
    } else if (next < wanted.length && (sign === null || sign === characters[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (next < wanted.length && wanted[next] === undefined) next++;
  return next === wanted.length;
}
