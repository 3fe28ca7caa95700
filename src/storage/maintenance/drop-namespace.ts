/**
 * Empties a namespace for good: fences its writer, publishes a manifest without content, and removes all other objects
 * at once, without the grace time that readers have otherwise, and whatever leases say.
 *
 * The objects that fence former writers stay (B10): some hundred bytes, the last objects of the log of a writer that did
 * not close, and the number of the last manifest, from which the next writer of that name continues. When it ends
 * early, the namespace exists with all its content, or empty.
 * Cost: that of an opening for writing, one put, one delete per object.
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

/**
 * Empties a namespace; returns the version of its last manifest.
 * @throws STORE_UNAVAILABLE, WRITER_FENCED when another writer has opened it meanwhile
 */
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
    await namespace.collectGarbage({ graceMs: 0, retainVersions: 1, endsLeases: true });
    return namespace.manifest.version;
  } finally {
    await namespace.close();
  }
}
