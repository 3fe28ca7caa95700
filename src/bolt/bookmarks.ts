/** Bookmarks as messages carry them (result/bookmark.ts). */
import { GraphDBError } from '../base/index.ts';
import { type BookmarkOptions, bookmarkedSequence } from '../result/index.ts';
import { BoltFailure } from './failures.ts';

/** The highest sequence of them, 0 for none. */
export function sequenceOf(bookmarks: readonly string[], namespace: string, options: BookmarkOptions): number {
  try {
    return bookmarkedSequence(bookmarks, namespace, options);
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    throw new BoltFailure('Neo.ClientError.Transaction.InvalidBookmark', error.message);
  }
}
