/**
 * Bookmarks: what a client must see of earlier writes. Opaque to it; here the namespace and the sequence of the last commit. A reader that
 * is not there yet waits for it.
 */
import { GraphDBError } from '../base/index.ts';

const PREFIX = 'graphdb:';

/** Returns the bookmark of a namespace's commit. */
export function bookmarkOf({ namespace, sequence }: { readonly namespace: string; readonly sequence: number }): string {
  return `${PREFIX}${namespace}:${sequence}`;
}

/** The options of reading bookmarks. */
export interface BookmarkOptions {
  /** Bookmarks of other namespaces count for nothing: clients of a server of several bring those of all. */
  readonly ignoresOthers: boolean;
}

/** The highest sequence of them, 0 for none. ARGUMENT_ERROR: no bookmark, or one of another namespace. */
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
