/** Partitions rows by their keys: rows with equal keys are in one partition, in the order in which they arrived. */
import type { HashKey } from '../../../value/index.ts';
import type { Row } from './row-codec.ts';
import type { SpillFile } from './spill-file.ts';
import type { SpillSpace } from './spill-space.ts';
import { SpilledRows } from './spilled-rows.ts';

/** The number of partitions. */
export const PARTITIONS = 64;

/** The hash of a long text covers this many characters at its beginning and as many at its end. */
const HASHED_CHARACTERS = 32;

/** Partitions rows by the hashes of their keys, all of them in one file. */
export class Partitions {
  readonly parts: readonly SpilledRows[];
  readonly #space: SpillSpace;
  readonly #file: SpillFile;

  constructor(space: SpillSpace) {
    this.#space = space;
    this.#file = space.open();
    this.parts = Array.from({ length: PARTITIONS }, () => this.another());
  }

  /** Returns a further, empty sequence of rows in the same file. */
  another(): SpilledRows {
    return new SpilledRows(this.#space, this.#file);
  }

  append(key: HashKey, row: Row): void {
    this.parts[partitionOf(key)]!.append(row);
  }

  /** Writes buffered rows; must be called before rows are read. Yields null where other statements should run. */
  *end(): Generator<null, void, void> {
    for (const part of this.parts) {
      if (this.#space.limits.worked(1)) yield null;
      part.end();
    }
  }

  close(): void {
    this.#space.giveBack(this.#file);
  }
}

/** Returns the index of the partition for rows with this key. */
export function partitionOf(key: HashKey): number {
  const hash = typeof key === 'number' ? hashOfNumber(key) : hashOfText(String(key));
  return (hash ^ (hash >>> 15)) & (PARTITIONS - 1);
}

function hashOfNumber(key: number): number {
  const low = key | 0;
  const mixed =
    low === key ? low : low ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x85ebca6b) ^ Math.imul((key % 1) * 0x4000_0000, 0xc2b2ae35);
  return Math.imul(mixed, 0x9e3779b1);
}

function hashOfText(key: string): number {
  let hash = key.length;
  const last = key.length - HASHED_CHARACTERS;
  for (let i = 0; i < key.length; i++) {
    if (i === HASHED_CHARACTERS && last > i) i = last;
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  }
  return Math.imul(hash, 0x9e3779b1);
}
