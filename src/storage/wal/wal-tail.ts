/**
 * Reads the tail of the WAL for a reader or a starting writer: everything from the floor up to the first number without
 * an object, then the objects that come later.
 *
 * A writer has several numbers in flight, so objects may lie behind the first missing one. Their depth tells that its
 * number was in flight when they were put; where one says otherwise, the missing object is damage. Cost: one list, one
 * get per object at first, and one for each object behind a gap; one get (not found) per call of `follow` while nothing
 * is new.
 */
import type { ObjectStore } from '../../object-store/index.ts';
import type { Manifest } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { parseWalKey, WAL_PREFIX, walKey } from '../keys.ts';
import { decodeWalObject, type WalObject, WINDOW } from './wal-object.ts';
import { WalReplay } from './wal-replay.ts';

/** How many objects are read at once: a long log has tens of thousands of small ones, so latency counts. */
const CONCURRENT_READS = 64;
/** The most objects that a follower reads at once, since they may be large. */
const MOST_READ_AHEAD = 16;

/** A required object is missing: it is damaged, or collected, as a newer manifest tells. The caller finds out which. */
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

/** The members of a manifest that tell where the WAL behind it begins. */
type WalBeginning = Pick<Manifest, 'sequence' | 'walFloor' | 'writers'>;

/** The WAL behind a manifest. */
export class WalTail {
  readonly replay: WalReplay;
  readonly #store: ObjectStore;
  #nextNumber: number;
  /** How many objects the last call of `follow` found. */
  #foundLast = 0;

  private constructor(store: ObjectStore, { sequence, walFloor, writers }: WalBeginning) {
    this.#store = store;
    this.replay = new WalReplay(sequence, writers);
    this.#nextNumber = walFloor;
  }

  /** The first number that had no object when it was last read. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** Reads all objects from the floor of the manifest. */
  static async read(store: ObjectStore, manifest: WalBeginning): Promise<WalTail> {
    const tail = new WalTail(store, manifest);
    const floor = manifest.walFloor;
    const listed = await store.list(WAL_PREFIX, { startAfter: walKey(floor - 1) });
    const numbers = await tail.#upToGap(
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
   * Reads the objects that have come since the last call. True when an object without commits was among them: either it
   * is a regular one, or it was put late after the commits under its number had been collected; a manifest that is read
   * afterwards tells which. After a call that found many objects, several numbers are read at once.
   */
  async follow(): Promise<boolean> {
    let isEmptySeen = false;
    let found = 0;
    for (let ahead = readAhead(this.#foundLast / 2); ; ahead = readAhead(found)) {
      const numbers = Array.from({ length: ahead }, (_, index) => this.#nextNumber + index);
      const read = await mapConcurrently(numbers, ahead, (number) => this.#store.get(walKey(number)));
      for (const bytes of read) {
        if (bytes === null) {
          this.#foundLast = found;
          return isEmptySeen;
        }
        const object = decodeWalObject(this.#nextNumber, bytes);
        isEmptySeen ||= object.commits.length === 0;
        found++;
        this.add(object);
      }
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

  /**
   * Returns all numbers from the floor to the last one before the first gap. A listing beside puts may show a later
   * object and miss an earlier one (a folder with many files is read piece by piece), so missing numbers are checked by
   * name.
   */
  async #upToGap(floor: number, listed: readonly number[]): Promise<number[]> {
    const numbers: number[] = [];
    for (const [index, number] of listed.entries()) {
      for (let left = floor + numbers.length; left < number; left++) {
        if ((await this.#store.size(walKey(left))) === null) {
          await this.#checkBehindGap(left, listed.slice(index));
          return numbers;
        }
        numbers.push(left);
      }
      numbers.push(number);
    }
    return numbers;
  }

  /** Checks that all objects behind a missing number were put while it was in flight. @throws WalObjectMissing otherwise */
  async #checkBehindGap(missing: number, behind: readonly number[]): Promise<void> {
    if (behind.at(-1)! - missing >= WINDOW) throw new WalObjectMissing(missing);
    for (const number of behind) {
      const object = await this.#get(number);
      if (object === null || !isBeside(object, missing)) throw new WalObjectMissing(missing);
    }
  }
}

function readAhead(wanted: number): number {
  return Math.min(Math.max(Math.floor(wanted), 1), MOST_READ_AHEAD);
}

/** Whether the lower number `missing` was in flight when the object was put. */
export function isBeside({ number, depth }: WalObject, missing: number): boolean {
  return number - depth <= missing;
}
