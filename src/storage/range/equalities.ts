/**
 * Questions of equality that are asked at one time, answered together: each page of keys that may answer some of them is
 * read and decoded once, however many values of a list it has.
 */
import { successorOf } from './build-range.ts';
import { compareKeys, decodePage, type Fence, reaches } from './range-page.ts';

/** The most pages of a run of adjacent ones, which are one request. */
const MOST_PAGES_OF_RUN = 32;

/** Adjacent pages of a file. */
export interface PageRun {
  readonly first: number;
  readonly count: number;
}

/** Keys that are looked for, and the rows that have been found for each. */
export class Equalities {
  /** The keys, each once, ascending. */
  readonly #keys: readonly Uint8Array[];
  readonly #rows: readonly number[][];

  constructor(keys: readonly Uint8Array[]) {
    const ascending = keys.toSorted(compareKeys);
    this.#keys = ascending.filter((key, at) => at === 0 || compareKeys(ascending[at - 1]!, key) !== 0);
    this.#rows = this.#keys.map(() => []);
  }

  /** Returns the rows that were found for a key, ascending. */
  rowsOf(key: Uint8Array): Uint32Array {
    return Uint32Array.from(this.#rows[this.#from(key)]!).sort();
  }

  /** Whether a file can have one of the keys, by its fence and that of the next file. */
  mayBeIn(fence: Fence, next: Fence | undefined): boolean {
    return this.#keys.some((key) => mayHave(fence, next, key));
  }

  /** Returns the pages that can have some of the keys, as runs of adjacent ones, from the fences of all pages of a file. */
  pagesOf(fences: readonly Fence[]): PageRun[] {
    const runs: { first: number; count: number }[] = [];
    let page = 0;
    for (const key of this.#keys) {
      // A page whose keys all come before this one has none of the following ones either.
      while (page < fences.length && fences[page + 1] !== undefined && !reaches(fences[page + 1]!, key)) page++;
      for (let at = page; at < fences.length && mayHave(fences[at]!, fences[at + 1], key); at++) addPage(runs, at);
    }
    return runs;
  }

  /** Takes the rows of the keys from a page. @param check is called for each row that is found */
  takeFrom(page: Uint8Array, source: string, check: (row: number) => void): void {
    const keys = this.#keys;
    let at = -1;
    decodePage(page, source, (key, row) => {
      if (at < 0) at = this.#from(key);
      while (at < keys.length && compareKeys(keys[at]!, key) < 0) at++;
      if (at === keys.length || compareKeys(keys[at]!, key) !== 0) return;
      check(row);
      this.#rows[at]!.push(row);
    });
  }

  /** Returns the index of the first key that is not below the given one. */
  #from(wanted: Uint8Array): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#keys[middle]!, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether the page, or file, between a fence and the next one can have a key. */
function mayHave(fence: Fence, next: Fence | undefined, key: Uint8Array): boolean {
  return compareKeys(fence.key, successorOf(key)) < 0 && (next === undefined || reaches(next, key));
}

/** Adds a page to the runs, unless the last one has it. Pages come in ascending order, some more than once. */
function addPage(runs: { first: number; count: number }[], page: number): void {
  const last = runs.at(-1);
  const end = last === undefined ? -1 : last.first + last.count;
  if (page < end) return;
  if (last !== undefined && page === end && last.count < MOST_PAGES_OF_RUN) last.count++;
  else runs.push({ first: page, count: 1 });
}
