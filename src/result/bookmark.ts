/**
 * Bookmarks: what a client must see of earlier writes. A bookmark has the namespace and the sequence of a commit, and
 * is opaque to the client. A reader that has not reached the sequence waits for it.
 */
import { GraphDBError } from '../base/index.ts';

const PREFIX = 'graphdb:';

/** Returns the bookmark of a commit of a namespace. */
export function bookmarkOf({ namespace, sequence }: { readonly namespace: string; readonly sequence: number }): string {
  return `${PREFIX}${namespace}:${sequence}`;
}

/** Options for reading bookmarks. */
export interface BookmarkOptions {
  /**
   * True: bookmarks of other namespaces are ignored, since a client of several databases sends the bookmarks of all.
   * False: they are refused.
   */
  readonly ignoresOthers: boolean;
}

/**
 * Returns the highest sequence of the bookmarks, 0 for none.
 *
 * @throws ARGUMENT_ERROR for a text that is no bookmark, and for a bookmark of another namespace unless those are
 *   ignored
 */
export function bookmarkedSequence(bookmarks: readonly string[], namespace: string, { ignoresOthers }: BookmarkOptions): number {
  return bookmarks.reduce((highest, bookmark) => Math.max(highest, sequenceIn(bookmark, namespace, ignoresOthers)), 0);
}

function sequenceIn(bookmark: string, namespace: string, ignoresOthers: boolean): number {
  const match = /^graphdb:([^:]*):(\d{1,15})$/.exec(bookmark);
  if (match === null) throw new GraphDBError('ARGUMENT_ERROR', 'a bookmark that no GraphDB has given out');
  if (match[1] !== namespace && ignoresOthers) return 0;
  if (match[1] !== namespace)
    throw new GraphDBError('ARGUMENT_ERROR', `a bookmark of the database "${match[1]}", where this is "${namespace}"`);
  return Number(match[2]);
}
