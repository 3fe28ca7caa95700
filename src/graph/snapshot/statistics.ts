/**
 * Statistics for the planner: counts are exact and O(tables). The labels at the ends of relationships and the numbers of distinct values
 * are estimated from a sample of rows, once per table, and kept until its number of rows has changed by a fifth.
 */

import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { ColumnSnapshot } from '../columns/column-snapshot.ts';
import { hashOfSnapshotRow } from '../columns/value-hash.ts';
import { loadedTableOfNode, type NodeReader } from '../tables/node-reader.ts';
import type { NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import { columnNameOf, SOURCE_COLUMN, TARGET_COLUMN, type TableFiles } from '../tables/table-files.ts';
import { positionOfIndex } from '../view/find-index.ts';
import type { FoundIndex, IndexView, WantedIndex } from '../view/index-view.ts';
import type { GraphStatistics, GraphView } from '../view/view.ts';
import type { NodeTableSnapshot, RelationshipTableSnapshot } from './table-snapshots.ts';

const SAMPLE_ROWS = 2048;
const STALE_SHARE = 0.2;

/** A sample of the relationships of a type: for each of the first `sampled` entries the node tables of its source and its target. */
interface EndpointSample {
  readonly rowCount: number;
  readonly sampled: number;
  readonly sourceTables: Uint16Array;
  readonly targetTables: Uint16Array;
}

interface DistinctSample {
  readonly rowCount: number;
  readonly distinct: number;
}

const endpointSamples = new WeakMap<RelationshipTable, EndpointSample>();
const distinctSamples = new WeakMap<RowTable, (DistinctSample | undefined)[]>();

/** A view whose tables can be sampled. */
interface SampledView extends GraphView, NodeReader {
  readonly nodeTables: readonly NodeTableSnapshot[];
  readonly relationshipTables: readonly (RelationshipTableSnapshot | undefined)[];
}

/** Statistics of a snapshot, from samples. */
export class SampledStatistics implements GraphStatistics {
  readonly #view: SampledView;

  constructor(view: SampledView) {
    this.#view = view;
  }

  get nodeCount(): number {
    return this.#view.nodeCount;
  }

  get relationshipCount(): number {
    return this.#view.relationshipCount;
  }

  get labelNames(): readonly string[] {
    const { labels } = this.#view;
    return Array.from({ length: labels.size }, (_, id) => labels.name(id));
  }

  nodesWithLabel(label: string): number {
    let total = 0;
    for (const table of this.#view.tablesWithLabel(this.#view.labels.find(label))) total += table.liveCount;
    return total;
  }

  relationshipsOfType(type: string): number {
    return this.#view.relationshipTables[this.#view.types.find(type)]?.liveCount ?? 0;
  }

  relationships(type: string | null, sourceLabel: string | null, targetLabel: string | null): number {
    if (type !== null) return this.#ofType(this.#view.relationshipTables[this.#view.types.find(type)], sourceLabel, targetLabel);
    if (sourceLabel === null && targetLabel === null) return this.relationshipCount;
    let total = 0;
    for (const table of this.#view.relationshipTables) total += this.#ofType(table, sourceLabel, targetLabel);
    return total;
  }

  #ofType(table: RelationshipTableSnapshot | undefined, sourceLabel: string | null, targetLabel: string | null): number {
    if (table === undefined || table.liveCount === 0) return 0;
    if (sourceLabel === null && targetLabel === null) return table.liveCount;
    if (!table.rowsLoaded) return Math.round(table.liveCount * this.#shareByOrdinals(table, sourceLabel, targetLabel));
    const sample = this.#endpointsOf(table);
    if (sample.sampled === 0) return table.liveCount;
    const isSource = this.#tablesOfLabel(sourceLabel);
    const isTarget = this.#tablesOfLabel(targetLabel);
    let hits = 0;
    for (let i = 0; i < sample.sampled; i++) {
      if (isSource[sample.sourceTables[i] as number] === 1 && isTarget[sample.targetTables[i] as number] === 1) hits++;
    }
    return Math.round((table.liveCount * hits) / sample.sampled);
  }

  /** Estimates the share for relationships that are not in memory, from the ranges of end ordinals in the manifest. */
  #shareByOrdinals(table: RelationshipTableSnapshot, sourceLabel: string | null, targetLabel: string | null): number {
    const bySource = this.#shareOfRange(rangeOf(table.source.files, SOURCE_COLUMN), this.#tablesOfLabel(sourceLabel));
    return bySource * this.#shareOfRange(rangeOf(table.source.files, TARGET_COLUMN), this.#tablesOfLabel(targetLabel));
  }

  /** Returns the share of the nodes with ordinals in the range that are in the tables. */
  #shareOfRange(range: OrdinalRange | null, isWanted: Uint8Array): number {
    let wanted = 0;
    let all = 0;
    for (const { source, index } of this.#view.nodeTables) {
      const count = range === null ? source.liveCount : nodesInRange(source, range);
      all += count;
      if (isWanted[index] === 1) wanted += count;
    }
    return all === 0 ? 1 : wanted / all;
  }

  /** Returns 1 for each table whose nodes have the label. */
  #tablesOfLabel(label: string | null): Uint8Array {
    const flags = new Uint8Array(this.#view.nodeTables.length);
    if (label === null) flags.fill(1);
    else for (const table of this.#view.tablesWithLabel(this.#view.labels.find(label))) flags[table.index] = 1;
    return flags;
  }

  #endpointsOf(table: RelationshipTableSnapshot): EndpointSample {
    const known = endpointSamples.get(table.source);
    if (known !== undefined && isFresh(known.rowCount, table.rowCount)) return known;
    const sample = this.#sampleEndpoints(table);
    endpointSamples.set(table.source, sample);
    return sample;
  }

  #sampleEndpoints(table: RelationshipTableSnapshot): EndpointSample {
    const view = this.#view;
    const step = Math.max(1, Math.floor(table.rowCount / SAMPLE_ROWS));
    const sourceTables = new Uint16Array(Math.ceil(table.rowCount / step));
    const targetTables = new Uint16Array(sourceTables.length);
    let sampled = 0;
    for (let row = 0; row < table.rowCount; row += step) {
      if (table.ended !== null && !table.isVisible(row)) continue;
      const source = loadedTableOfNode(view, table.sources[row] as number);
      const target = loadedTableOfNode(view, table.targets[row] as number);
      if (source === undefined || target === undefined) continue;
      sourceTables[sampled] = source.index;
      targetTables[sampled++] = target.index;
    }
    return { rowCount: table.rowCount, sampled, sourceTables, targetTables };
  }

  distinctValues(label: string | null, key: string): number | null {
    const view = this.#view;
    const keyId = view.keys.find(key);
    if (keyId < 0) return null;
    const tables = label === null ? view.nodeTables : view.tablesWithLabel(view.labels.find(label));
    return largestDistinct(tables as readonly NodeTableSnapshot[], key, keyId);
  }

  distinctRelationshipValues(type: string, key: string): number | null {
    const view = this.#view;
    const keyId = view.keys.find(key);
    const table = view.relationshipTables[view.types.find(type)];
    return keyId < 0 || table === undefined ? null : largestDistinct([table], key, keyId);
  }

  findIndex(wanted: WantedIndex): FoundIndex | null {
    const at = positionOfIndex(this.#view, wanted);
    if (at < 0) return null;
    const { subject, answers } = this.#view.indexes[at] as IndexView;
    const { name, unique, automatic } = subject;
    return { name, unique, automatic, isExact: answers[wanted.question]?.isExact === true };
  }
}

/** Returns the largest number of distinct values in a table; null when no table has the key. */
function largestDistinct(tables: readonly (NodeTableSnapshot | RelationshipTableSnapshot)[], key: string, keyId: number): number | null {
  let largest = 0;
  for (const table of tables) {
    const { files } = table.source;
    const isInFiles = files !== null && table.residency(keyId) === 'notLoaded';
    largest = Math.max(largest, isInFiles ? distinctInFiles(files, columnNameOf(key)) : distinctIn(table, keyId));
  }
  return largest === 0 ? null : largest;
}

function isFresh(sampledRows: number, rows: number): boolean {
  return Math.abs(rows - sampledRows) <= sampledRows * STALE_SHARE;
}

function distinctIn(table: NodeTableSnapshot | RelationshipTableSnapshot, key: number): number {
  const column = table.column(key);
  if (column === null || table.rowCount === 0) return 0;
  const samples = distinctSamples.get(table.source) ?? [];
  distinctSamples.set(table.source, samples);
  const known = samples[key];
  if (known !== undefined && isFresh(known.rowCount, table.rowCount)) return known.distinct;
  const distinct = estimateDistinct(column as ColumnSnapshot, table.rowCount);
  samples[key] = { rowCount: table.rowCount, distinct };
  return distinct;
}

/** Estimates from how many values occur once, and more often, in a sample (the GEE estimator of Charikar et al., 2000). */
function estimateDistinct(column: ColumnSnapshot, rowCount: number): number {
  const step = Math.max(1, Math.floor(rowCount / SAMPLE_ROWS));
  const hashes: number[] = [];
  let sampled = 0;
  for (let row = 0; row < rowCount; row += step) {
    sampled++;
    const hash = hashOfSnapshotRow(column, row);
    if (hash >= 0) hashes.push(hash);
  }
  const sorted = Float64Array.from(hashes).sort();
  let once = 0;
  let more = 0;
  for (let i = 0; i < sorted.length; ) {
    let end = i + 1;
    while (end < sorted.length && sorted[end] === sorted[i]) end++;
    if (end === i + 1) once++;
    else more++;
    i = end;
  }
  const dictionarySize = column.dictionary?.size ?? Number.MAX_SAFE_INTEGER;
  // When no value occurs twice, the property is most likely a key.
  const scale = more === 0 ? rowCount / sampled : Math.sqrt(rowCount / sampled);
  return Math.max(1, Math.min(Math.round(scale * once + more), dictionarySize));
}

/** Estimates the distinct values of a column from the manifest: the largest number that a file knows, else one for each row. */
function distinctInFiles(files: TableFiles, name: string): number {
  let largest = 0;
  for (const { file } of files.parts) {
    const column = file.columns.find((candidate) => candidate.name === name);
    if (column !== undefined) largest = Math.max(largest, column.distinct ?? column.dictionarySize ?? file.rows - column.nullCount);
  }
  return largest;
}

interface OrdinalRange {
  readonly low: number;
  readonly high: number;
}

/** Returns the bounds of a column of ordinals over all files; null when those of one file are not known. */
function rangeOf(files: TableFiles | null, name: string): OrdinalRange | null {
  let low = Number.MAX_SAFE_INTEGER;
  let high = 0;
  for (const { file } of files?.parts ?? []) {
    const column = file.columns.find((candidate) => candidate.name === name);
    if (typeof column?.min !== 'number' || typeof column.max !== 'number') return null;
    low = Math.min(low, column.min);
    high = Math.max(high, column.max);
  }
  return low > high ? null : { low, high };
}

/** Estimates how many nodes of a table have ordinals in a range, as if ordinals were spread evenly over the range of each file. */
function nodesInRange(table: NodeTable, range: OrdinalRange): number {
  let count = 0;
  for (const { file } of table.files?.parts ?? []) {
    const overlap = Math.min(file.maxOrdinal, range.high) - Math.max(file.minOrdinal, range.low) + 1;
    if (overlap > 0) count += (file.rows * overlap) / (file.maxOrdinal - file.minOrdinal + 1);
  }
  return count;
}
