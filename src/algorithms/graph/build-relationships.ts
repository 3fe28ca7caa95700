/** Makes the relationships of a projected graph from pairs of nodes: reversed, doubled and aggregated as the projection asks. */
import { Arrays, overLists, overRange, type Phase, type Pieces, type Work } from '../work.ts';
import { buildCsr, type Csr, type Pairs, sumOffsets } from './csr.ts';
import type { Orientation, RelationshipSet } from './projected-graph.ts';

/** How parallel relationships become one; with NONE they stay as they are. */
export const AGGREGATIONS = ['NONE', 'SINGLE', 'SUM', 'MIN', 'MAX', 'COUNT'] as const;

/** A way to aggregate parallel relationships. */
export type Aggregation = (typeof AGGREGATIONS)[number];

/** A property of relationships before they are aggregated. */
export interface DraftProperty {
  readonly name: string;
  readonly aggregation: Aggregation;
  /** The value of each pair. For COUNT it is 1 where the relationship counts, else 0. */
  readonly values: Float64Array;
}

/** Relationships of a projection before they are turned and aggregated. */
export interface RelationshipDraft extends Pairs {
  readonly type: string;
  readonly orientation: Orientation;
  /** The aggregation of the relationships themselves; each property has one of its own. */
  readonly aggregation: Aggregation;
  readonly properties: readonly DraftProperty[];
}

const gatherValues: Phase<{
  readonly values: Float64Array;
  readonly positions: Uint32Array;
  /** 1 where each relationship stands at two positions, one after the other; else 0. */
  readonly doubled: number;
  readonly gathered: Float64Array;
}> = ({ values, positions, doubled, gathered }, from, to) => {
  for (let i = from; i < to; i++) gathered[i] = values[positions[i]! >>> doubled]!;
};

/** Makes the relationships of one type. The draft's arrays are not kept. O(nodes + relationships). */
export function* buildRelationships(draft: RelationshipDraft, work: Work): Pieces<RelationshipSet> {
  const { type, orientation, properties, aggregation } = draft;
  const pairs = yield* pairsOf(draft, work);
  const doubled = orientation === 'UNDIRECTED' ? 1 : 0;
  const built = yield* buildCsr(pairs, work);
  if (doubled === 1) work.release(pairs.sources.byteLength + pairs.targets.byteLength);
  const arrays = new Arrays(work);
  const gathered: { name: string; aggregation: Aggregation; values: Float64Array }[] = [];
  for (const { name, values, aggregation: own } of properties) {
    const column = arrays.float64(pairs.count);
    yield* overRange(work, pairs.count, gatherValues, { values, positions: built.positions, doubled, gathered: column });
    gathered.push({ name, aggregation: own, values: column });
  }
  work.release(built.positions.byteLength);
  const isAggregated = aggregation !== 'NONE' || gathered.some((each) => each.aggregation !== 'NONE');
  const csr = { offsets: built.offsets, targets: built.targets };
  const set = isAggregated ? yield* aggregated(csr, gathered, work) : { csr, columns: gathered.map(({ values }) => values) };
  return { type, orientation, csr: set.csr, properties: new Map(gathered.map(({ name }, i) => [name, set.columns[i]!])) };
}

/** Returns the bytes that `buildRelationships` takes at most for pairs that are neither doubled nor aggregated. */
export function relationshipBytes({ nodeCount, count, properties }: RelationshipSize): number {
  const sorting = 12 * (nodeCount + 1) + 8 * count;
  const gathering = 4 * (nodeCount + 1) + 8 * count + 8 * count * properties;
  return Math.max(sorting, gathering);
}

interface RelationshipSize {
  readonly nodeCount: number;
  readonly count: number;
  /** How many properties each relationship has. */
  readonly properties: number;
}

const double: Phase<{ readonly one: Pairs; readonly both: Pairs }> = ({ one, both }, from, to) => {
  for (let i = from; i < to; i++) {
    both.sources[2 * i] = both.targets[2 * i + 1] = one.sources[i]!;
    both.targets[2 * i] = both.sources[2 * i + 1] = one.targets[i]!;
  }
};

/**
 * Turns or doubles the pairs. The two of an undirected relationship follow each other, so that parallel relationships
 * stand in one order in the lists of both nodes: the first of them, and the sum of their values, is the same in both.
 */
function* pairsOf({ nodeCount, count, sources, targets, orientation }: RelationshipDraft, work: Work): Pieces<Pairs> {
  if (orientation === 'NATURAL') return { nodeCount, count, sources, targets };
  if (orientation === 'REVERSE') return { nodeCount, count, sources: targets, targets: sources };
  const arrays = new Arrays(work);
  const both = { nodeCount, count: 2 * count, sources: arrays.uint32(2 * count), targets: arrays.uint32(2 * count) };
  yield* overRange(work, count, double, { one: { nodeCount, count, sources, targets }, both }, 2);
  return both;
}

interface Column {
  readonly aggregation: Aggregation;
  readonly values: Float64Array;
}

interface Compaction extends Csr {
  readonly columns: readonly Column[];
  /** At i + 1, the number of entries of node i that remain. */
  readonly kept: Uint32Array;
  readonly target: { written: number };
}

/** Moves the remaining entries of each list to the front of the arrays, over entries that have been read already. */
const compact: Phase<Compaction> = ({ offsets, targets, columns, kept, target }, from, to) => {
  let written = target.written;
  for (let node = from; node < to; node++) {
    const begin = written;
    const end = offsets[node + 1]!;
    for (let i = offsets[node]!; i < end; i++) {
      const isFirst = written === begin || targets[written - 1] !== targets[i];
      if (isFirst) targets[written++] = targets[i]!;
      for (const { aggregation, values } of columns) {
        const value = values[i]!;
        values[written - 1] = isFirst ? value : joined(aggregation, values[written - 1]!, value);
      }
    }
    kept[node + 1] = written - begin;
  }
  target.written = written;
};

function joined(aggregation: Aggregation, sum: number, value: number): number {
  if (aggregation === 'SUM' || aggregation === 'COUNT') return sum + value;
  if (aggregation === 'MIN') return Math.min(sum, value);
  if (aggregation === 'MAX') return Math.max(sum, value);
  return sum;
}

function* aggregated(csr: Csr, columns: readonly Column[], work: Work): Pieces<{ csr: Csr; columns: Float64Array[] }> {
  const kept = new Arrays(work).uint32(csr.offsets.length);
  const target = { written: 0 };
  yield* overLists(work, csr.offsets, compact, { ...csr, columns, kept, target });
  yield* sumOffsets(kept, work);
  const { written } = target;
  const arrays = new Arrays(work);
  const targets = arrays.uint32(written);
  targets.set(csr.targets.subarray(0, written));
  const shortened = columns.map(({ values }) => {
    const column = arrays.float64(written);
    column.set(values.subarray(0, written));
    return column;
  });
  work.release(csr.offsets.byteLength + csr.targets.byteLength + columns.reduce((sum, { values }) => sum + values.byteLength, 0));
  return { csr: { offsets: kept, targets }, columns: shortened };
}
