/** The rows of the tables of a vector index as a search reads them: in their columns, in the version that the view shows. */
import type { ColumnView, GraphView, IndexSubject, NodeTableView, RelationshipTableView } from '../../graph/index.ts';
import { isNumber, toNumber, type Value } from '../../value/index.ts';
import { MEASURES, type Measure } from '../functions/measures.ts';
import { type Components, compare, compareStored } from '../vectors/kernel.ts';

/** A condition on a property of the hits. */
export interface HitFilter {
  /** The symbol id of the property key; -1 if no entity has the property. */
  readonly key: number;
  accepts(value: Value): boolean;
  /** The condition as comparisons, all of which must hold. */
  readonly tests: readonly { readonly test: '=' | '<' | '<=' | '>' | '>='; readonly value: Value }[];
}

/** A vector search. */
export interface Search {
  readonly subject: IndexSubject;
  readonly query: Components;
  readonly wanted: number;
  readonly filters: readonly HitFilter[];
  /** Symbol ids of labels; only nodes that have all of them are found. */
  readonly labels: readonly number[];
  /** The share of the nearest vectors to find, above 0 and up to 1; 1 compares all vectors. */
  readonly recall: number;
}

/** Returns the measure that a vector index uses. */
export function measureOf({ settings }: IndexSubject): Measure {
  return settings['vector.similarity_function'] === 'EUCLIDEAN'
    ? MEASURES['vector.similarity.euclidean']
    : MEASURES['vector.similarity.cosine'];
}

/** The rows of a table as a vector search reads them. */
export interface SearchedRows {
  readonly group: number;
  /** The identity of the table; see `NodeTableView.identity`. */
  readonly table: number;
  readonly rowCount: number;
  /** A bitmap of the rows that may be deleted or have another version; null if there are none, or if `at` checks them alone. */
  readonly ended: Uint8Array | null;
  /** Returns the row that holds the current properties of the entity in a row; -1 if the view does not show it. */
  at(row: number): number;
  entity(row: number): number;
  column(key: number): ColumnView | null;
  /** Whether a column is read by page. */
  isPaged(key: number): boolean;
  /** Reads a value of a column that is read by page; null if its page is missing, which is noted. */
  read(row: number, key: number): Value;
}

function rowsOfNodes(table: NodeTableView, view: GraphView): SearchedRows {
  const { ordinalBase, ordinals, ended, rowCount, identity } = table;
  const entity = (row: number): number => (ordinalBase >= 0 ? row + ordinalBase : ordinals[row]!);
  return {
    group: 0,
    table: identity,
    rowCount,
    ended: null,
    at: ended === null ? (row) => row : (row) => (hasBit(ended, row) && !table.isRowVisible(row) ? -1 : row),
    entity,
    column: (key) => table.column(key),
    isPaged: (key) => table.residency(key) === 'notLoaded',
    read: (row, key) => view.nodeProperty(entity(row), key),
  };
}

function rowsOfRelationships(table: RelationshipTableView): SearchedRows {
  const { ended, rowCount, versionsFrom, type, identity } = table;
  const at = (row: number): number => {
    if (row >= versionsFrom && !table.isHomeRow(row)) return -1;
    if (ended === null || !hasBit(ended, row)) return row;
    return table.isVisible(row) ? table.currentRow(row) : -1;
  };
  const entity = (row: number): number => row;
  const column = (key: number): ColumnView | null => table.column(key);
  return {
    group: type,
    table: identity,
    rowCount,
    ended,
    at,
    entity,
    column,
    isPaged: () => false,
    read: (row, key) => column(key)?.get(row) ?? null,
  };
}

/** Tells whether a bit is set. */
export const hasBit = (bits: Uint8Array, at: number): boolean => ((bits[at >> 3]! >> (at & 7)) & 1) !== 0;

/** Returns the tables to search, each once: of nodes with any of the index's labels, or of relationships of its types. */
export function searchedRows(view: GraphView, { subject: { entity, labelsOrTypes }, labels }: Search): SearchedRows[] {
  if (entity === 'node') {
    const tables = new Set(labelsOrTypes.flatMap((label) => view.tablesWithLabel(label)));
    return [...tables].filter((table) => labels.every((label) => table.labels.includes(label))).map((table) => rowsOfNodes(table, view));
  }
  return labelsOrTypes.flatMap((type) => view.relationshipTables[type] ?? []).map(rowsOfRelationships);
}

/** How the rows of a table are compared; rows are those that `SearchedRows.at` returns. */
export interface Comparison {
  /** Tells whether all conditions hold for a row. */
  accepts(row: number): boolean;
  /** Returns the score of a row; NaN if it has no comparable vector, or if its page is missing. */
  score(row: number): number;
  /** Whether vectors are read by page. */
  readonly isPaged: boolean;
}

/**
 * Returns the comparison for a table; null if no row of it can be found.
 *
 * @param byPage whether vectors may be read by page, because only few rows of the table are compared
 */
export function comparisonOf(rows: SearchedRows, search: Search, byPage: boolean): Comparison | null {
  const { subject, filters } = search;
  const key = subject.keys[0]!;
  const isPaged = byPage && rows.isPaged(key);
  const score = isPaged ? scoringByPage(rows, search) : scoringOf(rows, search);
  if (score === null) return null;
  const conditions = filters.map(({ key, accepts }) => ({ accepts, column: key < 0 ? null : rows.column(key) }));
  if (conditions.some((condition) => condition.column === null)) return null;
  if (conditions.length === 0) return { accepts: () => true, score, isPaged };
  const [first] = conditions;
  if (conditions.length === 1) return { accepts: (row) => first!.accepts(first!.column!.get(row)), score, isPaged };
  return { accepts: (row) => conditions.every(({ accepts, column: filtered }) => accepts(filtered!.get(row))), score, isPaged };
}

function scoringOf(rows: SearchedRows, { subject, query }: Search): Comparison['score'] | null {
  const column = rows.column(subject.keys[0]!);
  return column === null ? null : scoring(column, query, measureOf(subject));
}

function scoringByPage(rows: SearchedRows, { subject, query }: Search): Comparison['score'] {
  const { kernel, finish } = measureOf(subject);
  return (row) => {
    const vector = vectorOf(rows.read(row, subject.keys[0]!));
    if (vector?.length !== query.length || unfitness(vector, kernel) !== null) return Number.NaN;
    const figure = compare(kernel, vector, query);
    return figure === null ? Number.NaN : finish(figure);
  };
}

function scoring(column: ColumnView, query: Components, { kernel, finish }: Measure): Comparison['score'] {
  // The figure is not finite if the stored vector is not.
  const scoreOf = (figure: number | null): number => (figure === null || !Number.isFinite(figure) ? Number.NaN : finish(figure));
  if (column.kind !== 'vector') {
    return (row) => {
      const vector = vectorOf(column.get(row));
      const isComparable = vector?.length === query.length && unfitness(vector, kernel) === null;
      return isComparable ? scoreOf(compare(kernel, vector, query)) : Number.NaN;
    };
  }
  const { values, valid, heap } = column;
  const bytes = query.length * 4;
  return (row) => {
    if (valid !== null && !hasBit(valid, row)) return Number.NaN;
    const from = values[row] as number;
    const to = values[row + 1] as number;
    return to - from === bytes ? scoreOf(compareStored(kernel, heap!, { from, to }, query)) : Number.NaN;
  };
}

/** Tells why an index, which holds numbers of 32 bits, does not compare a vector; null if it does. */
export function unfitness(vector: Components, kernel: Measure['kernel']): string | null {
  if (!vector.every((number) => Number.isFinite(Math.fround(number)))) return 'a vector holds finite numbers of 32 bits only';
  const isZero = kernel === 'cosine' && vector.every((number) => Math.fround(number) === 0);
  return isZero ? 'a vector of length zero has no cosine with any other' : null;
}

/** Returns the numbers of a vector or of a list of numbers; null for any other value. */
export function vectorOf(value: Value): Components | null {
  if (value instanceof Float32Array) return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isNumber)) return null;
  return value.map(toNumber);
}
