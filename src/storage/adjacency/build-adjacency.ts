/**
 * Builds an adjacency from the rows of relationships, in bounded memory.
 *
 * 1. A first pass finds the bounds, and whether the rows are in order: by node at this end, then by the other one. Then
 *    the arrays are written as the rows come (outgoing, of a flush or a merge).
 * 2. Otherwise the entries of a range of nodes are collected and sorted, one range after the other; each costs a pass
 *    over the rows. A range that does not fit is divided by a histogram: a range of nodes by nodes, a node with very
 *    many relationships by the nodes at their other ends. Relationships between one pair of nodes need no sorting.
 *
 * Memory: 20 bytes for each of `entriesAtOnce`, and the sink's. With 8 million at once 100 M relationships take 14
 * passes.
 */
import type { PageSink } from '../artefacts/artefact-kind.ts';
import { type CoveredRows, NOT_LIVE } from '../artefacts/covered-rows.ts';
import { pauseIfDue, pieces } from '../files/background-thread.ts';
import type { AdjacencyDirection, AdjacencyDirectory } from './adjacency-directory.ts';
import { ArrayWriter, PAGE_ELEMENTS } from './array-writer.ts';

/** The limits of building an adjacency. */
export interface BuildLimits {
  readonly entriesAtOnce: number;
  readonly nodesAtOnce: number;
}

/** The limits of building an adjacency outside of tests. */
export const BUILD_LIMITS: BuildLimits = { entriesAtOnce: 2 ** 23, nodesAtOnce: 2 ** 23 };

const BUCKETS = 2 ** 16;
/** The number of entries between two checks of the clock in a background thread. */
const PIECE = 2 ** 14;

/** Builds an adjacency from rows of relationships. */
export async function buildAdjacency(
  direction: AdjacencyDirection,
  rows: CoveredRows,
  pages: PageSink,
  limits: BuildLimits = BUILD_LIMITS,
): Promise<AdjacencyDirectory> {
  const relationships = new Relationships(direction, rows);
  const survey = await surveyOf(relationships);
  const isTableOrder = direction === 'outgoing' && survey.isSorted && survey.isEveryRow;
  const writer = new AdjacencyWriter(survey.base, pages, !isTableOrder);
  const { base, limit, leastNeighbour, mostNeighbour, entries } = survey;
  if (survey.isSorted) await writeSorted(relationships, writer);
  else {
    const whole = { low: base, high: limit, from: leastNeighbour, to: mostNeighbour + 1, entries };
    await new RangeSorter(relationships, writer, limits).write(whole);
  }
  const { arrays, longestList } = await writer.finish(limit);
  const bounds = { base, limit, leastNeighbour, mostNeighbour, longestList };
  return { direction, rows: rows.count, entries, isTableOrder, ...bounds, pageElements: PAGE_ELEMENTS, arrays };
}

type TakeEntry = (node: number, neighbour: number, position: number) => void;

/** The live rows as entries of one direction. */
class Relationships {
  readonly count: number;
  readonly #rows: CoveredRows;
  readonly #isOutgoing: boolean;

  constructor(direction: AdjacencyDirection, rows: CoveredRows) {
    this.#isOutgoing = direction === 'outgoing';
    this.#rows = rows;
    this.count = rows.count;
  }

  /** Calls `take` for each entry, and `afterBatch` now and then. */
  each(take: TakeEntry, afterBatch: () => Promise<void> | void = () => {}): Promise<void> {
    return this.#rows.each(['_source', '_target'], ({ columns, positions }) => {
      const sources = columns.get('_source')!.values as Uint32Array; // as: of kind uint32
      const targets = columns.get('_target')!.values as Uint32Array;
      const [nodes, neighbours] = this.#isOutgoing ? [sources, targets] : [targets, sources];
      for (const { from, to } of pieces(0, positions.length, PIECE))
        for (let row = from; row < to; row++) if (positions[row] !== NOT_LIVE) take(nodes[row]!, neighbours[row]!, positions[row]!);
      return afterBatch();
    });
  }
}

interface Survey {
  readonly entries: number;
  readonly base: number;
  readonly limit: number;
  readonly leastNeighbour: number;
  readonly mostNeighbour: number;
  /** True when entries are sorted by node, then by neighbour. */
  readonly isSorted: boolean;
  /** Whether entry e is row e. */
  readonly isEveryRow: boolean;
}

async function surveyOf(relationships: Relationships): Promise<Survey> {
  let entries = 0;
  let [base, limit] = [Number.POSITIVE_INFINITY, 0];
  let [leastNeighbour, mostNeighbour] = [Number.POSITIVE_INFINITY, 0];
  let [isSorted, isEveryRow] = [true, true];
  let [lastNode, lastNeighbour] = [0, 0];
  await relationships.each((node, neighbour, position) => {
    if (node < base) base = node;
    if (node >= limit) limit = node + 1;
    if (neighbour < leastNeighbour) leastNeighbour = neighbour;
    if (neighbour > mostNeighbour) mostNeighbour = neighbour;
    if (node < lastNode || (node === lastNode && neighbour < lastNeighbour)) isSorted = false;
    if (position !== entries) isEveryRow = false;
    lastNode = node;
    lastNeighbour = neighbour;
    entries++;
  });
  isEveryRow &&= entries === relationships.count;
  if (entries === 0) return { entries, base: 0, limit: 0, leastNeighbour: 0, mostNeighbour: 0, isSorted, isEveryRow };
  return { entries, base, limit, leastNeighbour, mostNeighbour, isSorted, isEveryRow };
}

/** Writes the arrays from entries in their final order. */
class AdjacencyWriter {
  readonly #offsets: ArrayWriter;
  readonly #neighbours: ArrayWriter | null;
  readonly #rows: ArrayWriter | null;
  /** Offsets that are not written yet. */
  readonly #ends = new Uint32Array(PAGE_ELEMENTS);
  #endCount = 0;
  /** The node whose entries are being counted. */
  #node: number;
  #entries = 0;
  /** The offset of the first entry of that node. */
  #start = 0;
  #longestList = 0;

  constructor(base: number, pages: PageSink, withEntries: boolean) {
    this.#node = base;
    this.#offsets = new ArrayWriter(pages.begin());
    this.#neighbours = withEntries ? new ArrayWriter(pages.begin()) : null;
    this.#rows = withEntries ? new ArrayWriter(pages.begin()) : null;
    this.#ends[this.#endCount++] = 0;
  }

  /** Appends entries in their order; `count` is called for their nodes before or right afterwards. */
  async append(neighbours: Uint32Array, rows: Uint32Array): Promise<void> {
    await this.#neighbours?.append(neighbours);
    await this.#rows?.append(rows);
  }

  /** Counts further entries of a node, which completes all nodes before it. Returns null when there is nothing to wait for. */
  count(node: number, entries: number): Promise<void> | null {
    if (node - this.#node > PAGE_ELEMENTS - this.#endCount) return this.#endNodes(node).then(() => void (this.#entries += entries));
    this.#endFitting(node);
    this.#entries += entries;
    return null;
  }

  /** Completes all nodes below this one, which get no more entries. */
  async #endNodes(below: number): Promise<void> {
    while (this.#node < below) {
      if (this.#endCount === PAGE_ELEMENTS) await this.#flush();
      this.#endFitting(Math.min(below, this.#node + PAGE_ELEMENTS - this.#endCount));
    }
  }

  #endFitting(below: number): void {
    for (; this.#node < below; this.#node++) {
      this.#ends[this.#endCount++] = this.#entries;
      if (this.#entries - this.#start > this.#longestList) this.#longestList = this.#entries - this.#start;
      this.#start = this.#entries;
    }
  }

  async #flush(): Promise<void> {
    await this.#offsets.append(this.#ends.subarray(0, this.#endCount));
    this.#endCount = 0;
  }

  async finish(limit: number): Promise<Pick<AdjacencyDirectory, 'arrays' | 'longestList'>> {
    await this.#endNodes(limit);
    await this.#flush();
    const offsets = await this.#offsets.finish(0);
    if (this.#neighbours === null || this.#rows === null) return { arrays: { offsets }, longestList: this.#longestList };
    const neighbours = await this.#neighbours.finish(offsets.pages);
    const rows = await this.#rows.finish(offsets.pages + neighbours.pages);
    return { arrays: { offsets, neighbours, rows }, longestList: this.#longestList };
  }
}

/** A growing list of entries in their final order. */
class EntryList {
  nodes = new Uint32Array(PIECE);
  neighbours = new Uint32Array(PIECE);
  positions = new Uint32Array(PIECE);
  length = 0;

  add(node: number, neighbour: number, position: number): void {
    if (this.length === this.nodes.length) this.#grow();
    this.nodes[this.length] = node;
    this.neighbours[this.length] = neighbour;
    this.positions[this.length++] = position;
  }

  #grow(): void {
    for (const name of ['nodes', 'neighbours', 'positions'] as const) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this[name]);
      this[name] = larger;
    }
  }

  async writeTo(writer: AdjacencyWriter): Promise<void> {
    const { nodes, length } = this;
    for (let from = 0, to = 0; from < length; from = to) {
      while (to < length && nodes[to] === nodes[from]) to++;
      const waiting = writer.count(nodes[from]!, to - from);
      if (waiting !== null) await waiting;
    }
    await writer.append(this.neighbours.subarray(0, length), this.positions.subarray(0, length));
    this.length = 0;
  }
}

async function writeSorted(relationships: Relationships, writer: AdjacencyWriter): Promise<void> {
  const list = new EntryList();
  await relationships.each(
    (node, neighbour, position) => list.add(node, neighbour, position),
    () => list.writeTo(writer),
  );
}

/** Entries of the nodes in [low, high) with neighbours in [from, to); only a single node's range has a part of the neighbours. */
interface EntryRange {
  readonly low: number;
  readonly high: number;
  readonly from: number;
  readonly to: number;
  readonly entries: number;
}

class RangeSorter {
  readonly #relationships: Relationships;
  readonly #writer: AdjacencyWriter;
  readonly #limits: BuildLimits;

  constructor(relationships: Relationships, writer: AdjacencyWriter, limits: BuildLimits) {
    this.#relationships = relationships;
    this.#writer = writer;
    this.#limits = limits;
  }

  async write(range: EntryRange): Promise<void> {
    const { low, high, from, to, entries } = range;
    if (entries === 0) return;
    if (this.#fits(range)) return this.#sort(range);
    if (high - low === 1 && to - from === 1) return this.#writeParallel(range);
    for (const part of await this.#divide(range)) await this.write(part);
  }

  #fits({ low, high, entries }: Pick<EntryRange, 'low' | 'high' | 'entries'>): boolean {
    return entries <= this.#limits.entriesAtOnce && high - low <= this.#limits.nodesAtOnce;
  }

  /** Divides a range into parts, in order; all fit except buckets that are too large by themselves. */
  async #divide(range: EntryRange): Promise<EntryRange[]> {
    const { low, high, from, to } = range;
    const byNode = high - low > 1;
    const [first, end] = byNode ? [low, high] : [from, to];
    const width = Math.ceil((end - first) / BUCKETS);
    const histogram = new Uint32Array(Math.ceil((end - first) / width));
    await this.#each(range, (node, neighbour) => histogram[Math.floor(((byNode ? node : neighbour) - first) / width)]!++);
    const parts: EntryRange[] = [];
    for (const [bucket, entries] of histogram.entries()) {
      const [start, stop] = [first + bucket * width, Math.min(first + (bucket + 1) * width, end)];
      const part = byNode ? { ...range, low: start, high: stop, entries } : { ...range, from: start, to: stop, entries };
      const last = parts.at(-1);
      const joined = last === undefined ? null : { ...part, low: last.low, from: last.from, entries: last.entries + entries };
      if (joined !== null && this.#fits(joined)) parts[parts.length - 1] = joined;
      else parts.push(part);
    }
    return parts;
  }

  #each({ low, high, from, to }: EntryRange, take: TakeEntry, afterBatch?: () => Promise<void>): Promise<void> {
    return this.#relationships.each((node, neighbour, position) => {
      if (node >= low && node < high && neighbour >= from && neighbour < to) take(node, neighbour, position);
    }, afterBatch);
  }

  async #writeParallel(range: EntryRange): Promise<void> {
    const list = new EntryList();
    await this.#each(
      range,
      (node, neighbour, position) => list.add(node, neighbour, position),
      () => list.writeTo(this.#writer),
    );
  }

  async #sort(range: EntryRange): Promise<void> {
    const { low, high, entries } = range;
    const nodes = new Uint32Array(entries);
    const neighbours = new Uint32Array(entries);
    const positions = new Uint32Array(entries);
    /** The offset of each node's first entry, and behind them the end of the last node's entries. */
    const starts = new Uint32Array(high - low + 1);
    let length = 0;
    await this.#each(range, (node, neighbour, position) => {
      starts[node - low + 1]!++;
      nodes[length] = node - low;
      neighbours[length] = neighbour;
      positions[length++] = position;
    });
    for (let node = 1; node <= high - low; node++) starts[node]! += starts[node - 1]!;
    const order = orderOf(nodes, starts);
    for (let node = 0; node < high - low; node++) {
      const [from, to] = [starts[node]!, starts[node + 1]!];
      if (from === to) continue;
      sortList(order.subarray(from, to), neighbours);
      const waiting = this.#writer.count(low + node, to - from);
      if (waiting !== null) await waiting;
      if ((node & 1023) === 0) pauseIfDue();
    }
    for (const { from, to } of pieces(0, entries, PIECE))
      await this.#writer.append(pick(neighbours, order, from, to), pick(positions, order, from, to));
  }
}

/** Returns the entries ordered by node, in the order of arrival within each node. Does not change `starts`. */
function orderOf(nodes: Uint32Array, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  const order = new Uint32Array(nodes.length);
  for (const { from, to } of pieces(0, nodes.length, PIECE))
    for (let entry = from; entry < to; entry++) order[next[nodes[entry]!]!++] = entry;
  return order;
}

/** Sorts entries by neighbour, then by arrival; mostly they are sorted already. */
function sortList(order: Uint32Array, neighbours: Uint32Array): void {
  let at = 1;
  while (at < order.length && neighbours[order[at - 1]!]! <= neighbours[order[at]!]!) at++;
  if (at < order.length) order.sort((a, b) => neighbours[a]! - neighbours[b]! || a - b);
}

function pick(values: Uint32Array, order: Uint32Array, from: number, to: number): Uint32Array {
  const picked = new Uint32Array(to - from);
  for (let i = from; i < to; i++) picked[i - from] = values[order[i]!]!;
  return picked;
}
