/**
 * The end of the WAL as a reader or a starting writer sees it: everything from the floor, then what comes after, number by number.
 * Cost: one list, one get per object at first; one get (not found) per call of `follow` while nothing is new.
 */
import type { ObjectStore } from '../../object-store/index.ts';
import type { Manifest } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { parseWalKey, WAL_PREFIX, walKey } from '../keys.ts';
import { decodeWalObject, type WalObject } from './wal-object.ts';
import { WalReplay } from './wal-replay.ts';

/** A long log is tens of thousands of small objects: what counts is how many answers are waited for at once. */
const CONCURRENT_READS = 64;

/** An object that must be there is not: damage, or a collector was faster and a newer manifest tells so. The caller finds out which. */
export class WalObjectMissing extends Error {
  readonly number: number;

  constructor(number: number) {
    super(`WAL object ${number} is missing`);
    this.number = number;
  }

  asCorruption(): Error {
    return corruption(walKey(this.number), 'it is missing, though later ones exist or the manifest needs it');
  }
}

/** What a manifest tells of the WAL behind it. */
type WalBeginning = Pick<Manifest, 'sequence' | 'walFloor' | 'writers'>;

export class WalTail {
  readonly replay: WalReplay;
  readonly #store: ObjectStore;
  #nextNumber: number;

  private constructor(store: ObjectStore, { sequence, walFloor, writers }: WalBeginning) {
    this.#store = store;
    this.replay = new WalReplay(sequence, writers);
    this.#nextNumber = walFloor;
  }

  /** The first number that was free when last looked at. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** Reads all objects from the floor of the manifest. */
  static async read(store: ObjectStore, manifest: WalBeginning): Promise<WalTail> {
    const tail = new WalTail(store, manifest);
    const floor = manifest.walFloor;
    const listed = await store.list(WAL_PREFIX, { startAfter: walKey(floor - 1) });
    const numbers = await withoutGaps(
      store,
      floor,
      listed.map(({ key }) => parseWalKey(key)).filter((number) => number !== null),
    );
    const objects = await mapConcurrently(numbers, CONCURRENT_READS, (number) => tail.#get(number));
    objects.forEach((object, index) => {
      if (object === null) throw new WalObjectMissing(floor + index);
      tail.add(object);
    });
    return tail;
  }

  /**
   * Reads what has come since. True: an object without commits was among it. The log may hold nothing but that, or it was made by a late put after the commits under its number had been removed;
   * a manifest that is read afterwards tells which.
   */
  async follow(): Promise<boolean> {
    for (let isEmptySeen = false; ; ) {
      const object = await this.#get(this.#nextNumber);
      if (object === null) return isEmptySeen;
      isEmptySeen ||= object.commits.length === 0;
      this.add(object);
    }
  }

  add(object: WalObject): void {
    this.replay.add(object);
    this.#nextNumber = object.number + 1;
  }

  async #get(number: number): Promise<WalObject | null> {
    const bytes = await this.#store.get(walKey(number));
    return bytes === null ? null : decodeWalObject(number, bytes);
  }
}

/**
 * All numbers from the floor to the last one listed. A listing beside puts may show a later object and not an earlier one (a folder with many
 * files is read piece by piece), so what it leaves out is asked for by name.
 */
async function withoutGaps(store: ObjectStore, floor: number, listed: readonly number[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const number of listed) {
    for (let left = floor + numbers.length; left < number; left++) {
      if ((await store.size(walKey(left))) === null) throw new WalObjectMissing(left);
      numbers.push(left);
    }
    numbers.push(number);
  }
  return numbers;
}
