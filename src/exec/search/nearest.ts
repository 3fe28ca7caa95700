/**
 * The nearest vectors among those of an index. Where the rows of a table are in clusters, the clusters that are near to
 * the query are searched (decision 0041), and what they give is compared exactly; all other rows, among them those that
 * the transaction itself has written, are compared one by one where they lie, by the SIMD kernel. So every score is
 * exact, of the version that the reader sees, and what was written is found at once.
 *
 * Filters come first: a row that does not meet them is not found, and others come in its place. Where few rows meet
 * them, all of these are compared.
 */
import { type ClusteredRows, type ClusterLookup, rowAt } from '../../graph/index.ts';
import { type Probed, type ProbeRequest, probeClusters } from '../../search/index.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { forgetQuery } from '../vectors/kernel.ts';
import { BestHits, type Hit } from './best-hits.ts';
import { matchingRows } from './matching-rows.ts';
import { type Comparison, comparisonOf, hasBit, type Search, type SearchedRows, searchedRows } from './searched-rows.ts';

/** The share of the nearest that a search finds where it does not say. */
export const DEFAULT_RECALL = 0.95;

/** Rows that are compared between two questions whether others should run. */
const ROWS_TOGETHER = 64;
/** Components that are compared in a step of work. */
const COMPONENTS_PER_STEP = 256;
const HIT_BYTES = 64;
/** If so few of the rows in clusters meet the conditions, these are compared one by one. */
const FEW_ROWS = 2_000;
/** More than there are in a list. */
const PLACES = 2 ** 32;

type Context = Pick<ProcedureContext, 'view' | 'worked' | 'chargeBytes' | 'note'>;

/** The work of a search, for PROFILE. */
interface Work {
  /** Rows whose vectors were compared, or that were looked at for one. */
  compared: number;
  clusters: Probed | null;
  reranked: number;
}

/** A table whose rows are in clusters. */
interface ClusteredTable {
  readonly rows: SearchedRows;
  readonly compared: Comparison;
  readonly clustered: ClusteredRows;
}

/** Returns the hits, the best first: as many as are wanted, or all that there are. Null wherever others may run. */
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

/** Null: every row is to be compared. */
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
    // Another statement may have compared its own vector meanwhile.
    forgetQuery();
    let kept = 0;
    for (let row = from; row < to; row++) kept += compareRow(comparing, row);
    chargeHits(comparing, kept);
  }
}

/** Compares listed rows one by one. */
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

/** Returns how many hits more are kept than before. */
function compareRow({ rows, compared, best }: Comparing, row: number): number {
  const at = rows.at(row);
  if (at < 0 || !compared.accepts(at)) return 0;
  const score = compared.score(at);
  // NaN is no score: a vector that cannot be compared is not found.
  if (!(score >= best.threshold)) return 0;
  return best.offer({ score, group: rows.group, entity: rows.entity(row) }) ? 1 : 0;
}

/** Compares the rows that are in no cluster, and relationships that have got another version since they were. */
function* compareLoose(comparing: Comparing, clustered: ClusteredRows): Generator<null, void, void> {
  const { rows } = comparing;
  yield* compareListed(comparing, clustered.loose);
  yield* compareAll(comparing, { from: clustered.knownRows, to: rows.rowCount });
  if (rows.ended === null) return;
  yield* compareListed(comparing, changedRows(rows.ended, clustered));
}

/** Rows in clusters whose bit is set. */
function changedRows(ended: Uint8Array, clustered: ClusteredRows): number[] {
  const { knownRows } = clustered;
  const changed: number[] = [];
  for (let byte = 0; byte < Math.min(ended.length, (knownRows + 7) >> 3); byte++) {
    if (ended[byte] === 0) continue;
    for (let row = byte << 3; row < Math.min((byte + 1) << 3, knownRows); row++)
      if (hasBit(ended, row) && clustered.has(row)) changed.push(row);
  }
  return changed;
}

interface ClusteredSearch {
  readonly tables: readonly ClusteredTable[];
  readonly best: BestHits;
  readonly work: Work;
}

function* searchClusters(context: Context, search: Search, { tables, best, work }: ClusteredSearch): Generator<null, void, void> {
  const { wanted, recall, filters } = search;
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
    share = count / tables.reduce((sum, { clustered }) => sum + clustered.count, 0);
    const marks = new Map([...matching].map(([table, list]) => [table, marksOf(list, table.clustered.knownRows)]));
    for (const source of sources) source.marks = marks.get(source.table)!;
  }
  const accepts: ProbeRequest['accepts'] = (source, position) => {
    const { table, part, marks } = sources[source]!;
    const row = rowAt(part, position);
    if (row >= table.rows.rowCount) return false;
    // A relationship of another version is among the loose ones.
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

/** All rows that can be seen are accepted. */
const NO_MARKS: Uint8Array = new Uint8Array(0);

function marksOf(rows: Uint32Array, most: number): Uint8Array {
  const marks = new Uint8Array((most + 7) >> 3);
  for (const row of rows) marks[row >> 3]! |= 1 << (row & 7);
  return marks;
}

/**
 * Puts values that are not in memory first, in the order of the list: so the statement, which begins again, comes to
 * know at once what else it reads of these.
 */
function withPlaces(compared: Comparison, list: readonly number[]): Comparison {
  const places = new Map(list.map((row, place) => [row, place]));
  const score = (row: number): number => {
    const known = compared.score(row);
    return Number.isNaN(known) ? 1 - places.get(row)! / PLACES : known;
  };
  return { ...compared, score };
}

/** As clusters take it: of length one for the cosine. */
function preparedQuery({ query, subject }: Search): Float32Array {
  const vector = Float32Array.from(query);
  if (subject.settings['vector.similarity_function'] === 'EUCLIDEAN') return vector;
  const inverse = 1 / Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0));
  return vector.map((each) => each * inverse);
}
