/** Opens an id index in memory that another thread has filled and shares. */
import type { IdIndex, SharedIds } from './id-index.ts';
import { IntegerIds } from './integer-ids.ts';
import { MergedIds } from './merged-ids.ts';
import { StringIds } from './string-ids.ts';

/** Opens an index that another thread has filled. */
export function openSharedIds(shared: SharedIds): IdIndex {
  switch (shared.kind) {
    case 'string':
      return new StringIds(shared.table);
    case 'integer':
      return new IntegerIds(shared);
    case 'merged':
      return new MergedIds(openSharedIds(shared.known), openSharedIds(shared.added));
  }
}
