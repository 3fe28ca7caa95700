/**
 * The nearest vectors among those of an index, exactly: each row that the view shows is compared where it lies, by the SIMD kernel. So it finds what the transaction itself has written, in each version
 * as its reader sees it, and nothing has to be kept up. Costs a look at each row of the labels or types.
 */
import type { ColumnView, GraphView, IndexSubject, NodeTableView, RelationshipTableView } from '../../graph/index.ts';
import { isNumber, toNumber, type Value } from '../../value/index.ts';
import { MEASURES, type Measure } from '../functions/measures.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { type Components, compare, compareStored, forgetQuery } from '../vectors/kernel.ts';
import { BestHits, type Hit } from './best-hits.ts';

/** Rows that are compared between two questions whether others should run. */
const ROWS_TOGETHER = 64;
/** Components that are compared in a step of work. */
const COMPONENTS_PER_STEP = 256;
const HIT_BYTES = 64;

/** A condition on a property of what may be found. */
export interface HitFilter {
  /** Symbol id; -1: no entity has the property. */
  readonly key: number;
  accepts(value: Value): boolean;
}

export interface Search {
  readonly subject: IndexSubject;
  readonly query: Components;
  readonly wanted: number;
  readonly filters: readonly HitFilter[];
  /** Symbol ids: only nodes that have them all are found. */
  readonly labels: readonly number[];
}

type Context = Pick<ProcedureContext, 'view' | 'worked' | 'chargeBytes'>;

/** The measure that an index is searched by. */
export function measureOf({ settings }: IndexSubject): Measure {
  return settings['vector.similarity_function'] === 'EUCLIDEAN'
    ? MEASURES['vector.similarity.euclidean']
    : MEASURES['vector.similarity.cosine'];
}

/** The rows of a table as a search reads them. */
interface SearchedRows {
  readonly group: number;
  readonly rowCount: number;
  /** The row that has the properties of what stands in a row; -1: the view does not show it. */
  at(row: number): number;
  entity(row: number): number;
  column(key: number): ColumnView | null;
}

function rowsOfNodes(table: NodeTableView): SearchedRows {
  const { ordinalBase, ordinals, ended, rowCount } = table;
  return {
    group: 0,
    rowCount,
    at: ended === null ? (row) => row : (row) => (hasBit(ended, row) && !table.isRowVisible(row) ? -1 : row),
    entity: ordinalBase >= 0 ? (row) => row + ordinalBase : (row) => ordinals[row]!,
    column: (key) => table.column(key),
  };
}

function rowsOfRelationships(table: RelationshipTableView): SearchedRows {
  const { ended, rowCount, versionsFrom, type } = table;
  const at = (row: number): number => {
    if (row >= versionsFrom && !table.isHomeRow(row)) return -1;
    if (ended === null || !hasBit(ended, row)) return row;
    return table.isVisible(row) ? table.currentRow(row) : -1;
  };
  return { group: type, rowCount, at, entity: (row) => row, column: (key) => table.column(key) };
}

const hasBit = (bits: Uint8Array, at: number): boolean => ((bits[at >> 3]! >> (at & 7)) & 1) !== 0;

/** Each table once, of nodes that have any of the labels or of relationships of the types. */
function searchedRows(view: GraphView, { subject: { entity, labelsOrTypes }, labels }: Search): SearchedRows[] {
  if (entity === 'node') {
    const tables = new Set(labelsOrTypes.flatMap((label) => view.tablesWithLabel(label)));
    return [...tables].filter((table) => labels.every((label) => table.labels.includes(label))).map(rowsOfNodes);
  }
  return labelsOrTypes.flatMap((type) => view.relationshipTables[type] ?? []).map(rowsOfRelationships);
}

/** Returns the hits, the best first: as many as are wanted, or all that there are. Null wherever others may run. */
export function* nearest(context: Context, search: Search): Generator<null, Hit[], void> {
  const best = new BestHits(search.wanted);
  const stepsPerRow = 1 + search.query.length / COMPONENTS_PER_STEP;
  for (const rows of searchedRows(context.view, search)) {
    const compared = comparer(rows, search);
    if (compared === null) continue;
    for (let from = 0; from < rows.rowCount; from += ROWS_TOGETHER) {
      const to = Math.min(from + ROWS_TOGETHER, rows.rowCount);
      if (context.worked(Math.ceil((to - from) * stepsPerRow))) yield null;
      // Another statement may have compared its own vector meanwhile.
      forgetQuery();
      const kept = compareRows(rows, compared, { from, to }, best);
      if (kept > 0) context.chargeBytes(kept * HIT_BYTES);
    }
  }
  return yield* best.take(context.worked);
}

/** Returns how many hits more are kept than before. */
function compareRows(rows: SearchedRows, compared: Compared, { from, to }: { from: number; to: number }, best: BestHits): number {
  let kept = 0;
  for (let row = from; row < to; row++) {
    const at = rows.at(row);
    if (at < 0) continue;
    const score = compared(at);
    // NaN is no score: a vector that cannot be compared is not found.
    if (!(score >= best.threshold)) continue;
    if (best.offer({ score, group: rows.group, entity: rows.entity(row) })) kept++;
  }
  return kept;
}

/** Answers the score of a row, by the row of its properties; NaN: it has none. */
type Compared = (row: number) => number;

/** Null: no row of the table can be found. */
function comparer(rows: SearchedRows, search: Search): Compared | null {
  const { subject, filters } = search;
  const column = rows.column(subject.keys[0]!);
  if (column === null) return null;
  const score = scoring(column, search.query, measureOf(subject));
  const conditions = filters.map(({ key, accepts }) => ({ accepts, column: key < 0 ? null : rows.column(key) }));
  if (conditions.some((condition) => condition.column === null)) return null;
  if (conditions.length === 0) return score;
  return (row) => (conditions.every(({ accepts, column: filtered }) => accepts(filtered!.get(row))) ? score(row) : Number.NaN);
}

function scoring(column: ColumnView, query: Components, { kernel, finish }: Measure): Compared {
  const scoreOf = (figure: number | null): number => (figure === null ? Number.NaN : finish(figure));
  if (column.kind !== 'vector') {
    return (row) => {
      const vector = vectorOf(column.get(row));
      return vector === null || vector.length !== query.length ? Number.NaN : scoreOf(compare(kernel, vector, query));
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

/** The numbers of a vector or of a list of numbers; null: it is neither. */
export function vectorOf(value: Value): Components | null {
  if (value instanceof Float32Array) return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isNumber)) return null;
  return value.map(toNumber);
}
