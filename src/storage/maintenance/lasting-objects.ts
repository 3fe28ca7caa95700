/**
 * Objects of the WAL that are never removed (B10), however long ago they were put: some hundred bytes for each writer that did not close.
 *
 * A writer that was paused goes on at the numbers that it has in flight, or was about to write, whenever it wakes. What
 * stands there must stay:
 * - the start of an epoch, which fences the writer before it;
 * - as many objects before that start as a writer has in flight: perhaps commits of the former writer, which does not
 *   know yet that they were stored and will try their numbers again;
 * - a seal: the put whose number it took may still be under way. What a former writer has put behind the start does not
 *   count, and nobody asks for it. The end of an epoch says that no put of its writer is under way: then neither it nor
 *   the start behind it is needed. Nor is the first object of all, which no writer came before.
 */
import type { ObjectInfo, ObjectStore } from '../../object-store/index.ts';
import { mapConcurrently } from '../concurrency.ts';
import { parseWalKey } from '../keys.ts';
import { decodeWalObject, LONGEST_EMPTY_OBJECT_BYTES, type WalObject, WINDOW } from '../wal/wal-object.ts';

const CONCURRENT_READS = 16;
/** From an object to the start of the epoch before which it stays. */
const AHEAD = Array.from({ length: WINDOW }, (_, index) => index + 1);

/** Kinds of WAL objects by number, as far as they are known. One that cannot be read may be any of those that stay. */
export type WalKinds = Map<number, WalObject['kind'] | 'unreadable'>;

/** The objects of which the lasting ones are found. */
export interface LastingOptions {
  /** All objects of the WAL. */
  readonly listed: readonly ObjectInfo[];
  /** Candidates for removal. */
  readonly candidates: readonly ObjectInfo[];
  /** The number with which the epoch of this writer begins; it knows what it has put after it. */
  readonly epochStart: number;
  /** Numbers that it has given to seals. */
  readonly seals: ReadonlySet<number>;
  /** Kinds that earlier collections have read; those that are read now are added. */
  readonly kinds: WalKinds;
}

/**
 * Candidates in two groups: the second, ends of epochs, is removed when the first has been. Cost: one get per small
 * object of former epochs that was never read before.
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

/** Reads the kinds of the candidates, of the objects before them and of those behind them that a start may be among. */
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
