/**
 * Finds the nearest vectors among those of an index. For the rows of a table that are in clusters, the clusters near to
 * the query are searched (decision 0041), and their candidates are compared exactly. All other rows, including those
 * that the transaction itself has written, are compared one by one in their columns, by the SIMD kernel. So every score
 * is exact for the version that the reader sees, and a written row can be found at once.
 *
 * Filters apply first: a row that does not satisfy them does not take the place of another. If few rows satisfy them,
 * all of these are compared.
 */
import { type ClusteredRows, type ClusterLookup, rowAt } from '../../graph/index.ts';
import { type Probed, type ProbeRequest, probeClusters } from '../../search/index.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { forgetQuery } from '../vectors/kernel.ts';
import { BestHits, type Hit } from './best-hits.ts';
import { matchingRows } from './matching-rows.ts';
import { type Comparison, comparisonOf, hasBit, type Search, type SearchedRows, searchedRows } from './searched-rows.ts';

/** The share of the nearest vectors that a search finds unless it asks for another. */
export const DEFAULT_RECALL = 0.95;

/** Rows that are compared before other statements may run. */
const ROWS_TOGETHER = 64;
/** Components compared per step of work. */
const COMPONENTS_PER_STEP = 256;
const HIT_BYTES = 64;
/** If at most this many clustered rows, plus the number of hits wanted, satisfy the filters, all of them are compared. */
const FEW_ROWS = 2_000;
/** A number above the length of any list. */
const PLACES = 2 ** 32;

type Context = Pick<ProcedureContext, 'view' | 'worked' | 'chargeBytes' | 'note'>;

/** The work of a search, for PROFILE. */
interface Work {
  /** The rows whose vectors were compared, or that were examined for one. */
  compared: number;
  clusters: Probed | null;
  reranked: number;
}

/** A table with clustered rows. */
interface ClusteredTable {
  readonly rows: SearchedRows;
  readonly compared: Comparison;
  readonly clustered: ClusteredRows;
}

/**
 * Returns the best hits, the best first: as many as wanted, or fewer if there are not as many. Yields null where other
 * statements should run.
 */
export function* nearest(context: Context, search: Search): Generator<null, Hit[], void> {
  const best = new BestHits(search.wanted);
  const work: Work = { compared: 0, clusters: null, reranked: 0 };
  const lookup = lookupOf(context, search);
  const tables: ClusteredTable[] = [];
  for (const rows of searchedRows(context.view, search)) {
    const known = lookup?.clusteredRows(rows.table) ?? null;
    const clustered = known?.dimensions === search.query.length ? known : null;
    const compared = comparisonOf(rows, search, clustered !== null);
    if (compared === null) continue;
    if (clustered === null) {
      yield* compareAll({ context, search, best, rows, compared, work }, { from: 0, to: rows.rowCount });
      continue;
    }
    tables.push({ rows, compared, clustered });
    yield* compareLoose({ context, search, best, rows, compared, work }, clustered);
  }
  if (tables.length > 0) yield* searchClusters(context, search, { tables, best, work });
  context.note(() => noteOf(search, work));
  return yield* best.take(context.worked);
}

function noteOf({ subject }: Search, { compared, clusters, reranked }: Work): string {
  if (clusters === null) return `index ${subject.name}: ${compared} rows compared`;
  const { pages, candidates, estimate } = clusters;
  const looked = `${clusters.clusters} clusters, ${pages} pages, ${candidates} candidates, ${reranked} reranked`;
  return `index ${subject.name}: ${looked}, ${compared - reranked} other rows compared, recall estimate ${estimate.toFixed(3)}`;
}

/** Returns the lookup of clusters; null if every row must be compared. */
function lookupOf({ view }: Context, { subject, recall }: Search): ClusterLookup | null {
  if (recall >= 1) return null;
  return view.indexes.find((index) => index.subject.name === subject.name)?.answers.nearest?.lookup ?? null;
}

interface Comparing {
  readonly context: Context;
  readonly search: Search;
  readonly best: BestHits;
  readonly rows: SearchedRows;
  readonly compared: Comparison;
  readonly work: Work;
}

/** Compares the rows of a range one by one. */
function* compareAll(comparing: Comparing, range: { readonly from: number; readonly to: number }): Generator<null, void, void> {
  for (let from = range.from; from < range.to; from += ROWS_TOGETHER) {
    const to = Math.min(from + ROWS_TOGETHER, range.to);
    if (beginBatch(comparing, to - from)) yield null;
    // Another statement may have loaded its own query into the kernel since the last batch.
    forgetQuery();
    let kept = 0;
    for (let row = from; row < to; row++) kept += compareRow(comparing, row);
    chargeHits(comparing, kept);
  }
}

/** Compares the listed rows one by one. */
function* compareListed(comparing: Comparing, list: Uint32Array | readonly number[]): Generator<null, void, void> {
  for (let from = 0; from < list.length; from += ROWS_TOGETHER) {
    const to = Math.min(from + ROWS_TOGETHER, list.length);
    if (beginBatch(comparing, to - from)) yield null;
    forgetQuery();
    let kept = 0;
    for (let i = from; i < to; i++) kept += compareRow(comparing, list[i]!);
    chargeHits(comparing, kept);
  }
}

function beginBatch({ context, search, work }: Comparing, rows: number): boolean {
  work.compared += rows;
  return context.worked(Math.ceil(rows * (1 + search.query.length / COMPONENTS_PER_STEP)));
}

function chargeHits({ context }: Comparing, kept: number): void {
  if (kept > 0) context.chargeBytes(kept * HIT_BYTES);
}

/** Compares a row. Returns 1 if it is kept in addition to the other hits, else 0. */
function compareRow({ rows, compared, best }: Comparing, row: number): number {
  const at = rows.at(row);
  if (at < 0 || !compared.accepts(at)) return 0;
  const score = compared.score(at);
  // A score of NaN means that the vector cannot be compared, so it is not found.
  if (!(score >= best.threshold)) return 0;
  return best.offer({ score, group: rows.group, entity: rows.entity(row) }) ? 1 : 0;
}

/** Compares the rows that are in no cluster, and relationships with a new version since they were clustered. */
function* compareLoose(comparing: Comparing, clustered: ClusteredRows): Generator<null, void, void> {
  const { rows } = comparing;
  yield* compareListed(comparing, clustered.loose);
  yield* compareAll(comparing, { from: clustered.knownRows, to: rows.rowCount });
  if (rows.ended === null) return;
  yield* compareListed(comparing, changedRows(rows, rows.ended, clustered));
}

/**
 * Returns the known rows with another version, ascending, but for the loose ones: those that were clustered, and those
 * that had no vector then. A bit in `ended` alone says little: a change may have been taken back, or not be seen yet.
 */
function changedRows({ at }: SearchedRows, ended: Uint8Array, { knownRows, loose }: ClusteredRows): number[] {
  const changed: number[] = [];
  let nextLoose = 0;
  for (let byte = 0; byte < Math.min(ended.length, (knownRows + 7) >> 3); byte++) {
    if (ended[byte] === 0) continue;
    for (let row = byte << 3; row < Math.min((byte + 1) << 3, knownRows); row++) {
      if (!hasBit(ended, row) || at(row) === row) continue;
      while (nextLoose < loose.length && loose[nextLoose]! < row) nextLoose++;
      if (loose[nextLoose] !== row) changed.push(row);
    }
  }
  return changed;
}

interface ClusteredSearch {
  readonly tables: readonly ClusteredTable[];
  readonly best: BestHits;
  readonly work: Work;
}

function* searchClusters(context: Context, search: Search, { tables, best, work }: ClusteredSearch): Generator<null, void, void> {
  const { recall, filters } = search;
  const all = tables.reduce((sum, { clustered }) => sum + clustered.count, 0);
  // The probe makes room for as many.
  const wanted = Math.min(search.wanted, Math.max(all, 1));
  const sources = tables.flatMap((table) => table.clustered.parts.map((part) => ({ table, part, marks: NO_MARKS })));
  let share = 1;
  if (filters.length > 0) {
    const matching = new Map<ClusteredTable, Uint32Array>();
    for (const table of tables) matching.set(table, yield* matchingRows(table, filters, context.worked));
    const count = [...matching.values()].reduce((sum, { length }) => sum + length, 0);
    if (count <= FEW_ROWS + wanted) {
      for (const [{ rows, compared }, list] of matching) yield* compareListed({ context, search, best, rows, compared, work }, list);
      return;
    }
    share = count / all;
    const marks = new Map([...matching].map(([table, list]) => [table, marksOf(list, table.clustered.knownRows)]));
    for (const source of sources) source.marks = marks.get(source.table)!;
  }
  const accepts: ProbeRequest['accepts'] = (source, position) => {
    const { table, part, marks } = sources[source]!;
    const row = rowAt(part, position);
    if (row >= table.rows.rowCount) return false;
    // A relationship with a new version is compared with the loose rows instead.
    return marks === NO_MARKS ? table.rows.at(row) === row : hasBit(marks, row);
  };
  const query = preparedQuery(search);
  const { worked } = context;
  const probed = yield* probeClusters({ sources: sources.map(({ part }) => part.source), query, wanted, recall, share, accepts, worked });
  work.clusters = probed;
  work.reranked = probed.found.length;
  for (const [source, hits] of Map.groupBy(probed.found, (hit) => hit.source)) {
    const { table, part } = sources[source]!;
    const { rows, compared } = table;
    const list = hits.map(({ position }) => rowAt(part, position));
    yield* compareListed({ context, search, best, rows, compared: compared.isPaged ? withPlaces(compared, list) : compared, work }, list);
  }
}

/** The marks of a search without filters, which accepts all visible rows. */
const NO_MARKS: Uint8Array = new Uint8Array(0);

function marksOf(rows: Uint32Array, most: number): Uint8Array {
  const marks = new Uint8Array((most + 7) >> 3);
  for (const row of rows) marks[row >> 3]! |= 1 << (row & 7);
  return marks;
}

/**
 * Ranks rows whose page is missing first, in the order of the list, so that the statement notes at once which other
 * pages it needs for these rows; it runs again once they have been read.
 */
function withPlaces(compared: Comparison, list: readonly number[]): Comparison {
  const places = new Map(list.map((row, place) => [row, place]));
  const score = (row: number): number => {
    const known = compared.score(row);
    return Number.isNaN(known) ? 1 - places.get(row)! / PLACES : known;
  };
  return { ...compared, score };
}

/** Returns the query as clusters store vectors: scaled to length 1 for the cosine. */
function preparedQuery({ query, subject }: Search): Float32Array {
  const vector = Float32Array.from(query);
  if (subject.settings['vector.similarity_function'] === 'EUCLIDEAN') return vector;
  const inverse = 1 / Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0));
  return vector.map((each) => each * inverse);
}
