/** The terms of a field that a prefix, a pattern, a range or a misspelt word stands for. */
import { createRequire } from 'node:module';
import { GraphDBError } from '../../base/index.ts';
import { fixedPrefix, wildcardTest } from '../query/patterns.ts';
import type { TermRange, TextQuery } from '../query/query.ts';

/** The longest regular expression, in code units. A longer one is refused: it is compiled, and applied to a term, in one piece. */
const LONGEST_REGEX = 1_024;
/** How many instructions of a compiled expression count as one step at each character of a term. */
const INSTRUCTIONS_PER_STEP = 8;

/** A query that stands for several terms. */
export type TermSetQuery = Extract<TextQuery, { kind: 'prefix' | 'wildcard' | 'regex' | 'range' | 'exists' }>;

/**
 * Returns a test for terms.
 *
 * @param onWork called for steps that come next, beside one for each term
 * @throws ARGUMENT_ERROR for a regular expression that cannot be read or is too long
 */
export function termTest(query: TermSetQuery, onWork: (steps: number) => void): (term: string) => boolean {
  switch (query.kind) {
    case 'prefix':
      return (term) => term.startsWith(query.prefix);
    case 'wildcard': {
      const prefix = fixedPrefix(query.pattern);
      const test = wildcardTest(query.pattern, onWork);
      return (term) => term.startsWith(prefix) && test(term);
    }
    case 'regex':
      return regexTest(query.pattern, onWork);
    case 'range':
      return rangeTest(query.range);
    case 'exists':
      return () => true;
  }
}

/** A test by RE2, whose time is the length of the term times the size of the compiled program. */
function regexTest(pattern: string, onWork: (steps: number) => void): (term: string) => boolean {
  if (pattern.length > LONGEST_REGEX)
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `a regular expression of the full-text query has ${pattern.length} characters: at most ${LONGEST_REGEX} are allowed`,
    );
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    const compiled = RE2JS.compile(pattern);
    const stepsPerCharacter = 1 + Math.ceil(compiled.programSize() / INSTRUCTIONS_PER_STEP);
    return (term) => {
      onWork(term.length * stepsPerCharacter);
      return compiled.matches(term);
    };
  } catch (cause) {
    const message = `the regular expression /${pattern}/ of the full-text query cannot be read: ${(cause as Error).message}`;
    throw new GraphDBError('ARGUMENT_ERROR', message, { cause });
  }
}

function rangeTest({ low, lowInclusive, high, highInclusive }: TermRange): (term: string) => boolean {
  return (term) => {
    if (low !== null) {
      const order = compareTerms(term, low);
      if (order < 0 || (order === 0 && !lowInclusive)) return false;
    }
    if (high === null) return true;
    const order = compareTerms(term, high);
    return order < 0 || (order === 0 && highInclusive);
  };
}

/** Compares terms by code points, which is the order of their UTF-8 bytes. Negative: `a` comes first. */
export function compareTerms(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const areSurrogates = x >= 0xd800 && y >= 0xd800;
    return areSurrogates ? fixedUp(x) - fixedUp(y) : x - y;
  }
  return a.length - b.length;
}

/** Maps a code unit so that surrogates come after all other code units. */
function fixedUp(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

let [before, last, row] = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)];

/**
 * Returns the edit distance of two terms, given as code points: characters inserted, deleted, replaced, or swapped with
 * the next one. A distance above `most`, which must be small, is returned as any number above it.
 */
export function editDistance(a: ArrayLike<number>, b: ArrayLike<number>, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const beyond = most + 1;
  if (b.length + 2 > row.length)
    [before, last, row] = [0, 1, 2].map(() => new Uint8Array(2 * b.length + 2)) as [typeof row, typeof row, typeof row];
  for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, beyond);
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    row[from - 1] = from === 1 ? Math.min(i, beyond) : beyond;
    let least = row[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let distance = (last[j - 1] as number) + (isSame ? 0 : 1);
      distance = Math.min(distance, (row[j - 1] as number) + 1, (last[j] as number) + 1, beyond);
      if (!isSame && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, (before[j - 2] as number) + 1);
      row[j] = distance;
      if (distance < least) least = distance;
    }
    if (to < b.length) row[to + 1] = beyond;
    if (least > most) return beyond;
    [before, last, row] = [last, row, before];
  }
  return last[b.length] as number;
}

/** Returns the code points of a term. */
export function codePointsOf(term: string): number[] {
  const points: number[] = [];
  for (let i = 0; i < term.length; i++) {
    const point = term.codePointAt(i) as number;
    if (point > 0xffff) i++;
    points.push(point);
  }
  return points;
}
