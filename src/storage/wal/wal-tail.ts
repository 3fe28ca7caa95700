/**
 * The end of the WAL as a reader or a starting writer sees it: everything from the floor up to the first number without
 * an object, then what comes after.
 *
 * A writer has several numbers in flight, so objects may lie behind the first that is missing. They tell that it was in
 * flight when they were put; where one does not, the missing object is damage. Cost: one list, one get per object at
 * first, and one for each object behind a gap; one get (not found) per call of `follow` while nothing is new.
 */
import type { ObjectStore } from '../../object-store/index.ts';
import type { Manifest } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { parseWalKey, WAL_PREFIX, walKey } from '../keys.ts';
import { decodeWalObject, type WalObject, WINDOW } from './wal-object.ts';
import { WalReplay } from './wal-replay.ts';

/** A long log is tens of thousands of small objects: what counts is how many answers are waited for at once. */
const CONCURRENT_READS = 64;
/** Objects may be large: a follower that is behind asks for so many at once. */
const MOST_READ_AHEAD = 16;

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

/** The beginning of the WAL behind a manifest. */
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

  /** The first number that was free when last looked at. */
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
   * Reads what has come since. True: an object without commits was among it. The log may hold nothing but that, or it
   * was made by a late put after the commits under its number had been removed; a manifest that is read afterwards
   * tells which. Where the last call found much, and while this one does, several numbers are asked for at once.
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
   * All numbers from the floor to the last before the first gap. A listing beside puts may show a later object and not
   * an earlier one (a folder with many files is read piece by piece), so what it leaves out is asked for by name.
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

  /** WalObjectMissing: one of these was put after the object of the missing number had been stored. */
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

/** Was the number, a lower one, in flight when the object was put? */
export function isBeside({ number, depth }: WalObject, missing: number): boolean {
  return number - depth <= missing;
}
