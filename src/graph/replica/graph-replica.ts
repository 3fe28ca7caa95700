/**
 * The replica of a store in a reader thread: the same classes as in the store, over the same arrays, read through the same
 * `GraphSnapshot`. The thread never writes to the shared arrays, and reads only what was published when a snapshot was
 * shared (M3).
 *
 * The thread has its own heads and bitmaps of version chains and adjacency logs (made from the logs, each entry once),
 * decoded strings, sorted forms of indexes, and indexes on relationships.
 */
import { assert } from '../../base/index.ts';
import { GraphData } from '../data/graph-data.ts';
import type { GraphIndex } from '../indexes/graph-index.ts';
import { indexKinds } from '../indexes/index-kinds.ts';
import { GraphSnapshot } from '../snapshot/graph-snapshot.ts';
import { Directory } from '../tables/directory.ts';
import type { GraphView } from '../view/view.ts';
import { ReplicaNodeTable, ReplicaRelationshipTable } from './replica-tables.ts';
import type { SharedGraph, SharedIndex } from './shared-graph.ts';

/** The graph in a reader thread, which follows the store of another thread. */
export class GraphReplica {
  readonly #data = new GraphData();
  readonly #indexes = new Map<number, GraphIndex>();
  #directoryId = 0;
  #snapshot: GraphSnapshot | null = null;

  /** The snapshot that was shared last. */
  get view(): GraphView {
    assert(this.#snapshot !== null, 'a replica that was given nothing yet');
    return this.#snapshot;
  }

  /** Takes in a shared snapshot and returns a view of it. All snapshots must be of one store, in the order of their sequences. */
  follow(shared: SharedGraph): GraphView {
    const data = this.#data;
    if (shared.labels !== null) data.labels.follow(shared.labels);
    if (shared.types !== null) data.types.follow(shared.types);
    if (shared.keys !== null) data.keys.follow(shared.keys);
    for (const [key, dictionary] of shared.dictionaries) data.dictionaryOf(key).follow(dictionary);
    if (shared.directory.id !== this.#directoryId) data.directory = new Directory();
    this.#directoryId = shared.directory.id;
    data.directory.follow(shared.directory);
    this.#followNodeTables(shared);
    this.#followRelationshipTables(shared);
    data.nodeIds.follow(shared.nodeIds);
    data.nodeCount = shared.nodeCount;
    data.relationshipCount = shared.relationshipCount;
    data.schema = shared.schema;
    data.indexes = shared.indexes.map((index) => this.#followIndex(index));
    for (const [id, index] of this.#indexes) if (!data.indexes.includes(index)) this.#indexes.delete(id);
    data.shape.version++;
    const { sequence } = shared;
    const source = { data, counts: data.counts(), sequence, publishedSequence: sequence, horizon: 'published' } as const;
    this.#snapshot = new GraphSnapshot(source, this.#snapshot);
    return this.#snapshot;
  }

  #followNodeTables(shared: SharedGraph): void {
    const { nodeTables, context } = this.#data;
    nodeTables.length = Math.min(nodeTables.length, shared.nodeTables.length);
    for (const [index, table] of shared.nodeTables.entries()) {
      if (table === null) continue;
      const known = nodeTables[index] as ReplicaNodeTable | undefined;
      const replica = known?.id === table.id ? known : new ReplicaNodeTable(table, index, context);
      replica.follow(table);
      nodeTables[index] = replica;
    }
  }

  #followRelationshipTables(shared: SharedGraph): void {
    const { relationshipTables, context } = this.#data;
    relationshipTables.length = shared.relationshipTables.length;
    for (const [type, table] of shared.relationshipTables.entries()) {
      if (table === null) continue;
      const known = relationshipTables[type] as ReplicaRelationshipTable | undefined;
      const replica = table === undefined || known?.id === table.id ? known : new ReplicaRelationshipTable(table, type, context);
      if (table !== undefined) replica?.follow(table);
      relationshipTables[type] = table === undefined ? undefined : replica;
    }
  }

  #followIndex({ id, subject, form }: SharedIndex): GraphIndex {
    const index = this.#indexes.get(id) ?? indexKinds[subject.kind].create?.(subject);
    assert(index !== undefined, 'an index of a kind that has none');
    this.#indexes.set(id, index);
    if (form !== null) index.follow(form);
    return index;
  }
}
