/** How long a list may be: a statement of a few words (`l + l`, again and again) must not fill the memory of the process. */
import { GraphDBError } from '../base/index.ts';

/** 800 MB of references. More elements than this are a mistake before they are an answer. */
const MOST_ELEMENTS = 100_000_000;

/** To be asked before the list is made. */
export function assertListLength(length: number, maker: string): void {
  if (length > MOST_ELEMENTS) throw new GraphDBError('MEMORY_LIMIT', `${maker} of ${length} elements is too long for a list`);
}

/**
 * From here on a list that is filled by index gets its room at once: one that grows takes five times as long, and
 * leaves twice its length behind. Shorter ones stay without holes in the eyes of V8.
 */
const LONG_LIST = 65_536;
/** V8 makes a table of longer ones. */
const LONGEST_ROOM = 2 ** 25;

/** A list that is to be filled, by index and in order, with so many items. */
export function listWithRoom<T>(length: number): T[] {
  return length < LONG_LIST || length > LONGEST_ROOM ? [] : new Array<T>(length);
}
