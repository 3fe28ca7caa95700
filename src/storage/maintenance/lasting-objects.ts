/**
 * Finds the WAL objects that are never removed (B10), however old: some hundred bytes for each writer that did not
 * close.
 *
 * A writer that was paused goes on at the numbers that it has in flight, or was about to write, whenever it wakes.
 * These objects must stay:
 * - the start of an epoch, which fences the writer before it;
 * - as many objects before that start as a writer has in flight: perhaps commits of the former writer, which does not
 *   know yet that they were stored and will try their numbers again;
 * - a seal: the put whose number it took may still be under way.
 *
 * Objects that a former writer has put behind the start do not count, and nobody reads them. The end of an epoch says
 * that no put of its writer is under way: then neither the end nor the start behind it is needed. Nor is the first
 * object of all, before which there was no writer.
 */
import type { ObjectInfo, ObjectStore } from '../../object-store/index.ts';
import { mapConcurrently } from '../concurrency.ts';
import { parseWalKey } from '../keys.ts';
import { decodeWalObject, LONGEST_EMPTY_OBJECT_BYTES, type WalObject, WINDOW } from '../wal/wal-object.ts';

const CONCURRENT_READS = 16;
/** The distances from a lasting object to the epoch start behind it. */
const AHEAD = Array.from({ length: WINDOW }, (_, index) => index + 1);

/** Kinds of WAL objects by number, as far as they are known. An unreadable object counts as one that stays. */
export type WalKinds = Map<number, WalObject['kind'] | 'unreadable'>;

/** The candidates for removal, and the facts that decide which of them last. */
export interface LastingOptions {
  /** All objects of the WAL. */
  readonly listed: readonly ObjectInfo[];
  /** The candidates for removal: old objects below the floor. */
  readonly candidates: readonly ObjectInfo[];
  /** The number of this writer's epoch start; the writer knows its own objects behind it. */
  readonly epochStart: number;
  /** The numbers that this writer has given to seals. */
  readonly seals: ReadonlySet<number>;
  /** The kinds that earlier collections have read; this one adds those that it reads. */
  readonly kinds: WalKinds;
}

/**
 * Returns the removable candidates in two groups; the second one, ends of epochs, must be removed after the first.
 * Cost: one get per small object of former epochs that was never read before.
 */
export async function removableWal(store: ObjectStore, options: LastingOptions): Promise<[ObjectInfo[], ObjectInfo[]]> {
  await readKinds(store, options);
  const removable = options.candidates.filter(({ key }) => !isLasting(parseWalKey(key)!, options));
  const isEnd = ({ key }: ObjectInfo): boolean => options.kinds.get(parseWalKey(key)!) === 'epoch-end';
  return [removable.filter((object) => !isEnd(object)), removable.filter(isEnd)];
}

function isLasting(number: number, { seals, kinds }: LastingOptions): boolean {
  const fences = (at: number): boolean => at > 1 && kinds.get(at) === 'epoch-start' && kinds.get(at - 1) !== 'epoch-end';
  const kind = kinds.get(number);
  // The first start is what its writer meets.
  const start = AHEAD.map((ahead) => number + ahead).find((at) => kinds.get(at) === 'epoch-start');
  return fences(number) || (start !== undefined && fences(start)) || kind === 'seal' || kind === 'unreadable' || seals.has(number);
}

/** Reads the kinds of the candidates, of the objects before them, and of those behind them that may be epoch starts. */
async function readKinds(store: ObjectStore, { listed, candidates, epochStart, kinds }: LastingOptions): Promise<void> {
  const wanted = new Set(candidates.flatMap(({ key }) => [-1, 0, ...AHEAD].map((ahead) => parseWalKey(key)! + ahead)));
  const unread = listed.filter(({ key, size }) => {
    const number = parseWalKey(key);
    return number !== null && wanted.has(number) && number <= epochStart && size <= LONGEST_EMPTY_OBJECT_BYTES && !kinds.has(number);
  });
  await mapConcurrently(unread, CONCURRENT_READS, async ({ key }) => {
    const number = parseWalKey(key)!;
    const bytes = await store.get(key);
    if (bytes !== null) kinds.set(number, kindOf(number, bytes));
  });
}

function kindOf(number: number, bytes: Uint8Array): WalObject['kind'] | 'unreadable' {
  try {
    return decodeWalObject(number, bytes).kind;
  } catch {
    return 'unreadable';
  }
}
