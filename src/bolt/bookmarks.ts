/** Reads the bookmarks of Bolt messages (result/bookmark.ts). */
import { GraphDBError } from '../base/index.ts';
import { type BookmarkOptions, bookmarkedSequence } from '../result/index.ts';
import { BoltFailure } from './failures.ts';

/** Returns the highest sequence that the bookmarks name; 0 if there are none. @throws `BoltFailure` for a bad bookmark. */
export function sequenceOf(bookmarks: readonly string[], namespace: string, options: BookmarkOptions): number {
  try {
    return bookmarkedSequence(bookmarks, namespace, options);
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    throw new BoltFailure('Neo.ClientError.Transaction.InvalidBookmark', error.message);
  }
}
