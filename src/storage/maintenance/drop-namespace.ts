/**
 * Empties a namespace for good: whoever wrote to it is fenced, one manifest leaves nothing in it, and what that does
 * not name is removed at once, without the grace time that readers have otherwise.
 *
 * What fences former writers stays (B10): some hundred bytes, and the number of the last manifest, which the next
 * writer of that name goes on from. When it ends early, the namespace is there with all its content, or empty. Cost:
 * what an opening for writing costs, one put, one delete per object.
 */
import type { Clock, Logger } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import { openWriterNamespace } from '../open-namespace.ts';
import { tableName } from '../sst/encode-sst.ts';

/** The options of dropping a namespace. */
export interface DropOptions {
  readonly name: string;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
}

/** Returns the version of the last manifest. STORE_UNAVAILABLE; WRITER_FENCED: somebody else has begun to write to it meanwhile. */
export async function emptyNamespace(store: ObjectStore, options: DropOptions): Promise<number> {
  const namespace = await openWriterNamespace(store, options);
  try {
    const { tables, catalog, nextNodeOrdinal, nextRelationshipOrdinal } = namespace.manifest;
    await namespace.publish({
      add: [],
      remove: tables.flatMap((table) => table.files.map(({ key }) => key)),
      sequence: namespace.durableSequence,
      nextNodeOrdinal,
      nextRelationshipOrdinal,
      catalog: { ...catalog, labels: [], types: [], keys: [], indexes: [], constraints: [] },
      newContent: true,
      capture: null,
      liveRows: tables.map((table) => ({ ...tableName(table), liveRows: 0 })),
    });
    await namespace.collectGarbage({ graceMs: 0, retainVersions: 1 });
    return namespace.manifest.version;
  } finally {
    await namespace.close();
  }
}
