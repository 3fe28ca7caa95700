/**
 * The graph of a namespace as an export reads it: table by table, in batches of columns. Its memory does not grow with
 * the graph, except for identifiers that users have set. Changes that are only in the write-ahead log are first put
 * into files in memory, so that everything is read in one way.
 */
import type { Logger } from '../../base/index.ts';
import { schemaStatements } from '../../exec/index.ts';
import { isPropertyColumn, keyOfColumnName, openGraphStore } from '../../graph/index.ts';
import { type ObjectStore, openObjectStore, parseStorageUri } from '../../object-store/index.ts';
import {
  columnValue,
  DetachedFiles,
  type Manifest,
  type ManifestTable,
  type Namespace,
  openNamespace,
  previewManifest,
  type SstColumnKind,
  scanTable,
} from '../../storage/index.ts';
import { Node, Relationship, type Value } from '../../value/index.ts';
import { NodeIds } from './node-ids.ts';
import { hasValue, type TableBatch, tableBatch } from './table-batch.ts';

/** A table of a stored graph. */
export interface StoredTable {
  readonly kind: 'nodes' | 'relationships';
  /** The labels of nodes, in the order of the catalog; empty for relationships. */
  readonly labels: readonly string[];
  /** The type of relationships. */
  readonly type: string;
  readonly rows: number;
  /** For each key the kinds of its columns in all files. A key may have no value in any row. */
  readonly kinds: ReadonlyMap<string, ReadonlySet<SstColumnKind>>;
  scan(take: (batch: TableBatch) => Promise<void>): Promise<void>;
}

/** A graph that an export reads. */
export class StoredGraph {
  readonly nodes: readonly StoredTable[];
  readonly relationships: readonly StoredTable[];
  /** The statements that create the graph's indexes and constraints. */
  readonly schema: readonly string[];
  /** The identifiers of the nodes that were scanned so far. */
  readonly ids: NodeIds;
  readonly #store: ObjectStore;
  readonly #namespace: Namespace;
  readonly #log: DetachedFiles;
  readonly #signal: AbortSignal | undefined;

  private constructor(parts: {
    store: ObjectStore;
    namespace: Namespace;
    log: DetachedFiles;
    manifest: Manifest;
    schema: readonly string[];
    signal: AbortSignal | undefined;
  }) {
    const { manifest, schema } = parts;
    this.#store = parts.store;
    this.#namespace = parts.namespace;
    this.#log = parts.log;
    this.#signal = parts.signal;
    this.schema = schema;
    this.ids = new NodeIds(manifest.nextNodeOrdinal);
    const tables = manifest.tables.filter(({ liveRows }) => liveRows > 0).map((table) => this.#table(table, manifest.catalog.labels));
    this.nodes = tables.filter(({ kind }) => kind === 'nodes');
    this.relationships = tables.filter(({ kind }) => kind === 'relationships');
  }

  /** Opens a graph for reading. @throws NOT_FOUND when there is no such namespace, or the version is not retained */
  static async open(
    uri: string,
    options: { readonly version?: number | undefined; readonly signal?: AbortSignal | undefined; readonly logger?: Logger | undefined },
  ): Promise<StoredGraph> {
    const { version, signal, logger } = options;
    const location = parseStorageUri(uri);
    const store = await openObjectStore(location);
    let namespace: Namespace | null = null;
    try {
      const how = { ...(version === undefined ? {} : { version }), ...(logger === undefined ? {} : { logger }) };
      namespace = await openNamespace(store, { name: location.namespace, readOnly: true, ...how });
      const graph = await openGraphStore(namespace);
      const flush = graph.collectFlush();
      const log = await DetachedFiles.of(flush?.edit.add ?? []);
      const manifest =
        flush === null ? namespace.manifest : previewManifest(namespace.manifest, { ...flush.edit, addUploaded: log.uploaded });
      const schema = schemaStatements(graph.snapshot().schema);
      return new StoredGraph({ store, namespace, log, manifest, schema, signal });
    } catch (error) {
      await namespace?.close();
      await store.close();
      throw error;
    }
  }

  get nodeCount(): number {
    return this.nodes.reduce((sum, { rows }) => sum + rows, 0);
  }

  get relationshipCount(): number {
    return this.relationships.reduce((sum, { rows }) => sum + rows, 0);
  }

  async close(): Promise<void> {
    await this.#namespace.close();
    await this.#store.close();
  }

  #table(table: ManifestTable, catalogLabels: readonly string[]): StoredTable {
    const labels = new Set(table.labels);
    return {
      kind: table.kind,
      labels: catalogLabels.filter((label) => labels.has(label)),
      type: table.type ?? '',
      rows: table.liveRows,
      kinds: kindsOf(table),
      scan: async (take) => {
        await scanTable(table, {
          openSst: async (file) => this.#log.open(file) ?? this.#namespace.openSst(file),
          take: (batch) => take(tableBatch(batch)),
          signal: this.#signal,
        });
      },
    };
  }
}

function kindsOf({ files }: ManifestTable): Map<string, Set<SstColumnKind>> {
  const kinds = new Map<string, Set<SstColumnKind>>();
  for (const { columns, rows } of files) {
    for (const { name, kind, nullCount } of columns) {
      if (!isPropertyColumn(name) || nullCount === rows) continue;
      const key = keyOfColumnName(name);
      kinds.set(key, (kinds.get(key) ?? new Set()).add(kind));
    }
  }
  return kinds;
}

/** Returns the nodes of a batch as objects, for formats that write whole nodes. */
export function nodesOf({ labels }: StoredTable, batch: TableBatch, ids: NodeIds): Node[] {
  return Array.from({ length: batch.rows }, (_, row) => {
    const ordinal = batch.ordinals[row]!;
    return new Node(ids.text(ordinal), ordinal, labels, propertiesOf(batch, row));
  });
}

/** Returns the relationships of a batch. */
export function relationshipsOf({ type }: StoredTable, batch: TableBatch, ids: NodeIds): Relationship[] {
  return Array.from({ length: batch.rows }, (_, row) => {
    const [ordinal, sourceOrdinal, targetOrdinal] = [batch.ordinals[row]!, batch.sources[row]!, batch.targets[row]!];
    const ends = { sourceOrdinal, targetOrdinal, sourceId: ids.text(sourceOrdinal), targetId: ids.text(targetOrdinal) };
    return new Relationship({ id: `r${ordinal}`, ordinal, type, ...ends, properties: propertiesOf(batch, row) });
  });
}

function propertiesOf({ columns }: TableBatch, row: number): Map<string, Value> {
  const properties = new Map<string, Value>();
  for (const [key, column] of columns) if (hasValue(column, row)) properties.set(key, columnValue(column, row));
  return properties;
}
