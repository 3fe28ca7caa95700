/**
 * Shares snapshots with one reader in another thread (`GraphReplica`): each time only the parts that changed since the last
 * snapshot. Snapshots must be shared in the order of their sequences, and all be of one store.
 *
 * Cost: O(tables) when the snapshot is not the last one, plus O(columns) for each table that changed; no row is copied.
 */
import { assert } from '../../base/index.ts';
import { identityOf } from '../arrays/identity.ts';
import { EMPTY_U32 } from '../arrays/shared-array.ts';
import type { SharedClusters } from '../clusters/shared-clusters.ts';
import type { Column } from '../columns/column.ts';
import type { ColumnSnapshot } from '../columns/column-snapshot.ts';
import type { Symbols } from '../data/symbols.ts';
import type { GraphIndex } from '../indexes/graph-index.ts';
import type { GraphSnapshot } from '../snapshot/graph-snapshot.ts';
import type { NodeTableSnapshot, RelationshipTableSnapshot } from '../snapshot/table-snapshots.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { StoredRows } from '../tables/table-files.ts';
import type { GraphView } from '../view/view.ts';
import { GivenBuffers } from './given-buffers.ts';
import type { SharedColumn, SharedGraph, SharedIndex, SharedNodeTable, SharedRelationshipTable } from './shared-graph.ts';

/** The state of a table as the reader has it. */
interface SentTable {
  readonly snapshot: NodeTableSnapshot | RelationshipTableSnapshot;
  readonly loads: number;
  readonly csrs: number;
  /** Grows with what is known about the node tables at the ends. */
  readonly endpoints: number;
}

/** Shares snapshots with a reader in another thread. */
export class GraphSharer {
  #last: { readonly snapshot: GraphSnapshot; readonly state: string } | null = null;
  #nodeTables: SentTable[] = [];
  #relationshipTables: (SentTable | undefined)[] = [];
  readonly #symbolVersions = new Map<Symbols, number>();
  readonly #dictionarySizes = new Map<number, number>();
  /** The clusters that the reader has, by the id of the index. */
  readonly #clusters = new Map<number, SharedClusters>();
  readonly #given = new GivenBuffers();

  /** The sequence of the last snapshot; -1 when none has been shared. */
  get sequence(): number {
    return this.#last?.snapshot.sequence ?? -1;
  }

  /** The bytes of shared memory that the reader has. */
  get givenBytes(): number {
    return this.#given.bytes;
  }

  /** Tells whether a view can be shared: it is of the same store as the last one, and not older. */
  takes(view: GraphView): boolean {
    const last = this.#last?.snapshot;
    const snapshot = view as GraphSnapshot;
    return last === undefined || (last.data === snapshot.data && last.sequence <= snapshot.sequence);
  }

  /** The data of the store whose snapshots are shared, which identifies it; null when none has been shared. */
  get store(): object | null {
    return this.#last?.snapshot.data ?? null;
  }

  /** Returns the parts of a view that the reader does not have yet; null when it has all. */
  share(view: GraphView): SharedGraph | null {
    assert(this.takes(view), 'snapshots are shared in their order');
    const snapshot = view as GraphSnapshot;
    const forms = snapshot.graphIndexes.map((index) => shareIndex(index, snapshot));
    const state = `${snapshot.shapeVersion}:${forms.map(({ id, form }) => `${id}.${form?.size}`).join()}`;
    if (this.#last?.snapshot === snapshot && this.#last.state === state) return null;
    this.#last = { snapshot, state };
    const indexes = forms.map((each) => this.#withoutKnown(each));
    const { data, sequence, nodeLimit, nodeCount, relationshipCount, schema, directory } = snapshot;
    const nodeTables = this.#shareNodeTables(snapshot);
    const relationshipTables = this.#shareRelationshipTables(snapshot);
    const shared = {
      sequence,
      nodeLimit,
      nodeCount,
      relationshipCount,
      schema,
      labels: this.#names(data.labels),
      types: this.#names(data.types),
      keys: this.#names(data.keys),
      dictionaries: this.#dictionaries(snapshot, [...nodeTables, ...relationshipTables]),
      directory: { id: identityOf(directory), ...directory.share(sequence, nodeLimit) },
      nodeTables,
      relationshipTables,
      nodeIds: data.nodeIds.share(),
      indexes,
    };
    return { ...shared, abandonedBytes: this.#given.give(this.#partsOf(shared)) };
  }

  *#partsOf(shared: Omit<SharedGraph, 'abandonedBytes'>): Generator<readonly [string, object | null]> {
    yield ['directory', shared.directory];
    yield ['ids', shared.nodeIds];
    for (const { id, form } of shared.indexes) yield [`index ${id}`, form];
    for (const [i, table] of shared.nodeTables.entries()) yield [`nodes ${i}`, table];
    for (const [type, table] of shared.relationshipTables.entries()) if (table !== undefined) yield [`type ${type}`, table];
    const grown = new Map(shared.dictionaries);
    for (const key of this.#dictionarySizes.keys()) yield [`dictionary ${key}`, grown.get(key) ?? null];
  }

  /** Leaves out clusters that the reader has; clusters that have not changed are the same object. */
  #withoutKnown(shared: SharedIndex): SharedIndex {
    const { id, form } = shared;
    if (form === null || !('tables' in form)) return shared;
    if (this.#clusters.get(id) === form) return { ...shared, form: null };
    this.#clusters.set(id, form);
    return shared;
  }

  #names(symbols: Symbols): readonly string[] | null {
    if (this.#symbolVersions.get(symbols) === symbols.version) return null;
    this.#symbolVersions.set(symbols, symbols.version);
    return symbols.names();
  }

  #dictionaries({ data }: GraphSnapshot, tables: readonly ({ columns: SharedNodeTable['columns'] } | null | undefined)[]) {
    const grown = new Map<number, SharedGraph['dictionaries'][number][1]>();
    for (const table of tables) {
      for (const [key, { kind }] of table?.columns ?? []) {
        const dictionary = data.dictionaryOf(key);
        if (kind !== 'dictionary' || this.#dictionarySizes.get(key) === dictionary.size) continue;
        this.#dictionarySizes.set(key, dictionary.size);
        grown.set(key, dictionary.share());
      }
    }
    return [...grown];
  }

  #shareNodeTables(snapshot: GraphSnapshot): (SharedNodeTable | null)[] {
    const known = this.#nodeTables;
    this.#nodeTables = snapshot.nodeTables.map((table) => ({ snapshot: table, loads: table.loads, csrs: 0, endpoints: 0 }));
    return snapshot.nodeTables.map((table, i) => (isSame(known[i], this.#nodeTables[i]) ? null : shareNodeTable(table, snapshot.sequence)));
  }

  #shareRelationshipTables(snapshot: GraphSnapshot): (SharedRelationshipTable | null | undefined)[] {
    const known = this.#relationshipTables;
    this.#relationshipTables = snapshot.relationshipTables.map((table) =>
      table === undefined ? undefined : { snapshot: table, loads: table.loads, csrs: csrsOf(table), endpoints: endpointsOf(table) },
    );
    return snapshot.relationshipTables.map((table, i) => {
      if (table === undefined) return undefined;
      return isSame(known[i], this.#relationshipTables[i]) ? null : shareRelationshipTable(table, snapshot.sequence);
    });
  }
}

function isSame(one: SentTable | undefined, other: SentTable | undefined): boolean {
  return (
    one?.snapshot === other?.snapshot && one?.loads === other?.loads && one?.csrs === other?.csrs && one?.endpoints === other?.endpoints
  );
}

function endpointsOf({ source }: RelationshipTableSnapshot): number {
  return source.sourceTables.version + source.targetTables.version;
}

/** Returns how many of the two CSRs are built. */
function csrsOf(table: RelationshipTableSnapshot): number {
  return Number(table.adjacencySource('outgoing').hasCsr) + Number(table.adjacencySource('incoming').hasCsr);
}

function shareNodeTable(table: NodeTableSnapshot, sequence: number): SharedNodeTable {
  const { source } = table;
  return {
    ...shareRows(table, source, sequence),
    labels: table.labels,
    idColumn: source.idColumn === null ? null : shareWritten(source.idColumn),
  };
}

function shareRelationshipTable(table: RelationshipTableSnapshot, sequence: number): SharedRelationshipTable {
  const { source, rowsLoaded, versionsFrom } = table;
  return {
    ...shareRows(table, source, sequence),
    sources: rowsLoaded ? table.sources : EMPTY_U32,
    targets: rowsLoaded ? table.targets : EMPTY_U32,
    sortedRows: source.sortedRows,
    versionsFrom,
    versionRows: source.versionRows,
    outgoing: table.adjacencySource('outgoing').share(),
    incoming: table.adjacencySource('incoming').share(),
    sourceTables: source.sourceTables.share(table.rowCount),
    targetTables: source.targetTables.share(table.rowCount),
  };
}

function shareRows(table: NodeTableSnapshot | RelationshipTableSnapshot, source: RowTable, sequence: number) {
  const { rowCount, liveCount, ordinalBase, columns, rowsLoaded } = table;
  return {
    id: identityOf(source),
    rowCount,
    liveCount,
    ordinalBase,
    ordinals: rowsLoaded ? table.ordinals : EMPTY_U32,
    columns: table.loadedKeys.flatMap((key) => {
      const column = columns[key];
      return column === undefined ? [] : [[key, shareColumn(column, rowCount)] as const];
    }),
    chains: source.chains.share(sequence),
    stored: source.stored === null ? null : shareStored(source.stored, table),
  };
}

/** Returns which parts are in memory as the snapshot has it; parts loaded later are shared with the next statement that needs them. */
function shareStored(stored: StoredRows, table: NodeTableSnapshot | RelationshipTableSnapshot): StoredRows {
  const { rowCount, idsLoaded, unloadedKeys, ordinalRanges } = stored;
  const loadedSince = table.source.columnKeys.filter((key) => table.residency(key) === 'notLoaded');
  return { rowCount, rowsLoaded: table.rowsLoaded, idsLoaded, unloadedKeys: new Set([...unloadedKeys, ...loadedSince]), ordinalRanges };
}

function shareColumn({ kind, values, valid, heap }: ColumnSnapshot, length: number): SharedColumn {
  return { kind, values, valid, heap, length };
}

/** Shares a column that is still written to; the rows that the reader sees do not change. */
function shareWritten({ kind, values, valid, heap, length }: Column): SharedColumn {
  return { kind, values, valid, heap, length };
}

function shareIndex(index: GraphIndex, { tables }: GraphSnapshot): SharedIndex {
  return { id: identityOf(index), subject: index.subject, form: index.share(tables) };
}
