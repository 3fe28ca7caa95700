/** The length of lists: a statement of a few words (`l + l`, repeated) must not fill the memory of the process. */
import { GraphDBError } from '../base/index.ts';

/** The most elements of a list: 800 MB of references. A longer list is more likely a mistake than a result. */
const MOST_ELEMENTS = 100_000_000;

/** Checks a length; to be called before the list is made. @throws MEMORY_LIMIT beyond 100 million elements */
export function assertListLength(length: number, maker: string): void {
  if (length > MOST_ELEMENTS) throw new GraphDBError('MEMORY_LIMIT', `${maker} of ${length} elements is too long for a list`);
}

/**
 * The length from which a list that is filled by index is allocated at once: one that grows takes five times as long,
 * and leaves garbage of twice its length. Shorter lists stay arrays without holes, which V8 reads faster.
 */
const LONG_LIST = 65_536;
/** The longest array that is allocated at once; V8 would make a hash table of a longer one. */
const LONGEST_ROOM = 2 ** 25;

/** Returns an empty or preallocated list, to be filled by index and in order with `length` items. */
export function listWithRoom<T>(length: number): T[] {
  return length < LONG_LIST || length > LONGEST_ROOM ? [] : new Array<T>(length);
}
