/** How long a list may be: a statement of a few words (`l + l`, again and again) must not fill the memory of the process. */
import { GraphDBError } from '../base/index.ts';

/** 800 MB of references. More elements than this are a mistake before they are an answer. */
const MOST_ELEMENTS = 100_000_000;

/** To be asked before the list is made. */
export function assertListLength(length: number, maker: string): void {
  if (length > MOST_ELEMENTS) throw new GraphDBError('MEMORY_LIMIT', `${maker} of ${length} elements is too long for a list`);
}
