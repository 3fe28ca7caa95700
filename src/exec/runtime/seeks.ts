/** How statements find nodes and relationships without a scan: by their identifiers, and through indexes. */
import { GraphDBError } from '../../base/index.ts';
import type { GraphView, IndexView, RelationshipIndexView } from '../../graph/index.ts';
import type { IndexArea } from '../../plan/index.ts';
import {
  type AreaCover,
  aType,
  coverOfBox,
  coverOfCircle,
  elementsOf,
  type RelationshipValue,
  typeFault,
  type Value,
} from '../../value/index.ts';
import type { Reads } from './reads.ts';
import { OrdinalSet } from './rows/ordinal-map.ts';
import type { StatementGraph } from './statement-graph.ts';
import { elements } from './values/value-operations.ts';

/** An index as a statement names it, and where it was found last. */
export interface IndexReference {
  readonly label: string;
  readonly keys: readonly string[];
  /** The indexes of the view at that time. */
  among: readonly IndexView[];
  index: IndexView | null;
}

/** Of the index on these properties among those of the view; -1: there is none. */
export function positionOfIndex(view: GraphView, label: string, keys: readonly string[]): number {
  const labelId = view.labels.find(label);
  return view.indexes.findIndex(
    (one) => one.label === labelId && one.keys.length === keys.length && one.keys.every((key, i) => view.keys.find(keys[i]!) === key),
  );
}

/** null: no point lies in it. */
function coverOf(shape: IndexArea['shape'], area: Value): AreaCover | null {
  const [first = null, second = null] = area as Value[]; // as: the plan has made a list of two of it
  return shape === 'box' ? coverOfBox(first, second) : coverOfCircle(first, second);
}

export class Seeks {
  private readonly graph: StatementGraph;
  private readonly reads: Reads;

  constructor(graph: StatementGraph, reads: Reads) {
    this.graph = graph;
    this.reads = reads;
  }

  nodeById(id: Value): number[] {
    const ordinal = typeof id === 'string' ? this.graph.view.findNodeById(id) : -1;
    return ordinal < 0 ? [] : [ordinal];
  }

  nodesById(ids: Value): number[] {
    const found = new OrdinalSet();
    return this.members(ids).flatMap((id) => this.nodeById(id).filter((ordinal) => found.add(ordinal)));
  }

  relationshipById(id: Value): RelationshipValue[] {
    const found = typeof id === 'string' ? this.graph.view.findRelationshipById(id) : null;
    return found === null ? [] : [this.reads.relationshipValue(found[0], found[1])!];
  }

  relationshipsById(ids: Value): RelationshipValue[] {
    return [...new Set(this.members(ids))].flatMap((id) => this.relationshipById(id));
  }

  private members(list: Value): readonly Value[] {
    if (list === null) return [];
    const elements = elementsOf(list);
    if (elements === null) throw typeFault(`IN expects a List, not ${aType(list)}`);
    return elements;
  }

  indexReference(label: string, keys: readonly string[]): IndexReference {
    return { label, keys, among: [], index: null };
  }

  index(reference: IndexReference): IndexView {
    const { indexes } = this.graph.nodeView;
    if (reference.among !== indexes || reference.index === null) {
      const at = positionOfIndex(this.graph.nodeView, reference.label, reference.keys);
      if (at < 0) {
        throw new GraphDBError(
          'INTERNAL',
          `the plan uses an index on ${reference.label} that is not there any more; run the statement again`,
        );
      }
      reference.among = indexes;
      reference.index = indexes[at]!;
    }
    return reference.index;
  }

  indexSeekMany(index: IndexView, list: Value): number[] {
    const found = new OrdinalSet();
    const ordinals: number[] = [];
    for (const value of elements(list)) {
      for (const ordinal of index.findValue(value)) if (found.add(ordinal)) ordinals.push(ordinal);
    }
    return ordinals;
  }

  /** A bound given as undefined is open; one that is null fits nothing. */
  indexRange(
    index: IndexView,
    low: Value | undefined,
    lowInclusive: boolean,
    high: Value | undefined,
    highInclusive: boolean,
  ): ArrayLike<number> {
    if (low === null || high === null) return [];
    return index.range(low ?? null, lowInclusive, high ?? null, highInclusive);
  }

  indexPrefix(index: IndexView, prefix: Value): ArrayLike<number> {
    if (typeof prefix !== 'string') return [];
    const from = index.range(prefix, true, null, false);
    let count = 0;
    for (; count < from.length; count++) {
      const value = this.graph.view.nodeProperty(from[count]!, index.keys[0]!);
      if (typeof value !== 'string' || !value.startsWith(prefix)) break;
    }
    return from.subarray(0, count);
  }

  /** `area`: the corners of a box, or the centre and radius of a circle. */
  indexArea(index: IndexView, shape: IndexArea['shape'], area: Value): readonly number[] {
    const cover = coverOf(shape, area);
    return cover === null ? [] : index.area(cover);
  }

  private relationshipIndexes(types: readonly string[], keys: readonly string[]): RelationshipIndexView[] {
    const keyIds = keys.map((key) => this.graph.view.keys.find(key));
    return types.map((type) => {
      const typeId = this.graph.view.types.find(type);
      const index = this.graph.view.relationshipIndexes.find((one) => one.type === typeId && sameNumbers(one.keys, keyIds));
      if (index === undefined)
        throw new GraphDBError('INTERNAL', `the plan uses an index on ${type} that is not there any more; run the statement again`);
      return index;
    });
  }

  relationshipSeek(types: readonly string[], keys: readonly string[], values: readonly Value[]): RelationshipValue[] {
    if (values.includes(null)) return [];
    return this.relationshipIndexes(types, keys).flatMap((index) => this.relationshipsAt(index, index.find(values)));
  }

  relationshipSeekMany(types: readonly string[], keys: readonly string[], list: Value): RelationshipValue[] {
    const values = elements(list).filter((value) => value !== null);
    return this.relationshipIndexes(types, keys).flatMap((index) => {
      const found = new OrdinalSet();
      const rows = values.flatMap((value) => [...index.find([value])].filter((row) => found.add(row)));
      return this.relationshipsAt(index, rows);
    });
  }

  /** Bounds as of `indexRange`. */
  relationshipRange(
    types: readonly string[],
    key: string,
    low: Value | undefined,
    lowInclusive: boolean,
    high: Value | undefined,
    highInclusive: boolean,
  ): RelationshipValue[] {
    if (low === null || high === null) return [];
    return this.relationshipIndexes(types, [key]).flatMap((index) =>
      this.relationshipsAt(index, index.range(low ?? null, lowInclusive, high ?? null, highInclusive)),
    );
  }

  *relationshipPrefix(types: readonly string[], key: string, prefix: Value): Generator<RelationshipValue> {
    if (typeof prefix !== 'string') return;
    const reference = this.reads.keyReference(key);
    for (const index of this.relationshipIndexes(types, [key])) {
      for (const row of index.range(prefix, true, null, false)) {
        const value = this.reads.relationshipProperty(index.type, row, reference);
        if (typeof value !== 'string' || !value.startsWith(prefix)) break;
        yield this.reads.relationshipValue(index.type, row)!;
      }
    }
  }

  relationshipArea(types: readonly string[], key: string, shape: IndexArea['shape'], area: Value): RelationshipValue[] {
    const cover = coverOf(shape, area);
    return cover === null ? [] : this.relationshipIndexes(types, [key]).flatMap((index) => this.relationshipsAt(index, index.area(cover)));
  }

  private relationshipsAt({ type }: RelationshipIndexView, rows: Iterable<number>): RelationshipValue[] {
    return Array.from(rows, (row) => this.reads.relationshipValue(type, row)!);
  }
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number, i) => number === other[i]);
}
