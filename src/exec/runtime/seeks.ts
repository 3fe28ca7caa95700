/** Finds nodes and relationships without a scan: by their identifiers, and through indexes. */
import { GraphDBError } from '../../base/index.ts';
import {
  type AreaLookup,
  type EqualityLookup,
  type GraphView,
  type IndexLookups,
  type IndexQuestion,
  type IndexView,
  type PrefixLookup,
  positionOfIndex,
  type RangeLookup,
  type WantedIndex,
} from '../../graph/index.ts';
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

/** An index as a statement refers to it, with the lookup that was resolved last. */
export interface IndexReference<Question extends IndexQuestion> {
  readonly wanted: WantedIndex & { readonly question: Question };
  /** The indexes of the view when `lookup` was resolved; the lookup is resolved again if they have changed. */
  among: readonly IndexView[];
  lookup: IndexLookups[Question] | null;
}

/** Returns the cover of a box or a circle; null if no point can lie in it. */
function coverOf(shape: IndexArea['shape'], area: Value): AreaCover | null {
  const [first = null, second = null] = area as Value[]; // as: the plan has made a list of two of it
  return shape === 'box' ? coverOfBox(first, second) : coverOfCircle(first, second);
}

/** The limits and the memory that seeks count their work and charge their results against. */
interface SeekAccount {
  readonly limits: { count(steps: number): void };
  readonly memory: { hold(bytes: number): void };
}

/** Steps to look up one value. */
const STEPS_PER_SEEK = 4;
const FEW_FOUND = 64;
/** Bytes for a relationship found, or for an ordinal in a list. */
const BYTES_PER_FOUND = 72;

/** Looks up nodes and relationships by identifiers and indexes. */
export class Seeks {
  private readonly graph: StatementGraph;
  private readonly reads: Reads;
  private readonly account: SeekAccount;

  constructor(graph: StatementGraph, reads: Reads, account: SeekAccount) {
    this.graph = graph;
    this.reads = reads;
    this.account = account;
  }

  /** Counts the look-up of one value. */
  private countSeek(): void {
    this.account.limits.count(STEPS_PER_SEEK);
  }

  /** Counts and charges index entries found, if they are many. */
  private countFound(found: number): void {
    if (found <= FEW_FOUND) return;
    this.account.limits.count(found);
    this.account.memory.hold(BYTES_PER_FOUND * found);
  }

  nodeById(id: Value): number[] {
    this.countSeek();
    const ordinal = typeof id === 'string' ? this.graph.view.findNodeById(id) : -1;
    return ordinal < 0 ? [] : [ordinal];
  }

  nodesById(ids: Value): number[] {
    const found = new OrdinalSet();
    return this.members(ids).flatMap((id) => this.nodeById(id).filter((ordinal) => found.add(ordinal)));
  }

  relationshipById(id: Value): RelationshipValue[] {
    this.countSeek();
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

  indexReference<Question extends IndexQuestion>(label: string, keys: readonly string[], question: Question): IndexReference<Question> {
    return { wanted: { entity: 'node', labelOrType: label, keys, question }, among: [], lookup: null };
  }

  index<Question extends IndexQuestion>(reference: IndexReference<Question>): IndexLookups[Question] {
    const { indexes } = this.graph.nodeView;
    if (reference.among !== indexes || reference.lookup === null) {
      reference.lookup = lookupOf(this.graph.nodeView, reference.wanted);
      reference.among = indexes;
    }
    return reference.lookup;
  }

  indexSeekMany(index: EqualityLookup, list: Value): number[] {
    const found = new OrdinalSet();
    const ordinals: number[] = [];
    for (const value of elements(list)) {
      this.countSeek();
      const matches = index.findValue(value);
      this.countFound(matches.length);
      for (let i = 0; i < matches.length; i++) if (found.add(matches[i]!)) ordinals.push(matches[i]!);
    }
    return ordinals;
  }

  /** Returns the ordinals in a range of an index. An undefined bound is open; a bound of null matches nothing. */
  indexRange(
    index: RangeLookup,
    low: Value | undefined,
    lowInclusive: boolean,
    high: Value | undefined,
    highInclusive: boolean,
  ): ArrayLike<number> {
    if (low === null || high === null) return [];
    return index.range(low ?? null, lowInclusive, high ?? null, highInclusive);
  }

  indexPrefix(index: PrefixLookup, prefix: Value): ArrayLike<number> {
    if (typeof prefix !== 'string') return [];
    const found = index.startingWith(prefix);
    this.countFound(found.length);
    return found;
  }

  /** Returns the ordinals in an area. @param area the two corners of a box, or the center and the radius of a circle */
  indexArea(index: AreaLookup, shape: IndexArea['shape'], area: Value): readonly number[] {
    const cover = coverOf(shape, area);
    return cover === null ? [] : index.area(cover);
  }

  /** Finds relationships through the index of each type; `find` returns home rows. */
  private relationshipsBy<Question extends IndexQuestion>(
    types: readonly string[],
    keys: readonly string[],
    question: Question,
    find: (lookup: IndexLookups[Question]) => Iterable<number>,
  ): RelationshipValue[] {
    const { view } = this.graph;
    return types.flatMap((name) => {
      const lookup = lookupOf(view, { entity: 'relationship', labelOrType: name, keys, question });
      const type = view.types.find(name);
      const rows = [...find(lookup)];
      this.countFound(rows.length);
      return rows.map((row) => this.reads.relationshipValue(type, row)!);
    });
  }

  relationshipSeek(types: readonly string[], keys: readonly string[], values: readonly Value[]): RelationshipValue[] {
    if (values.includes(null)) return [];
    return this.relationshipsBy(types, keys, 'equality', (index) => index.find(values));
  }

  relationshipSeekMany(types: readonly string[], keys: readonly string[], list: Value): RelationshipValue[] {
    const values = elements(list);
    return this.relationshipsBy(types, keys, 'equality', (index) => {
      const found = new OrdinalSet();
      const rows: number[] = [];
      for (const value of values) {
        this.countSeek();
        if (value === null) continue;
        const matches = index.findValue(value);
        for (let i = 0; i < matches.length; i++) if (found.add(matches[i]!)) rows.push(matches[i]!);
      }
      return rows;
    });
  }

  /** Finds relationships in a range; bounds as for `indexRange`. */
  relationshipRange(
    types: readonly string[],
    key: string,
    low: Value | undefined,
    lowInclusive: boolean,
    high: Value | undefined,
    highInclusive: boolean,
  ): RelationshipValue[] {
    if (low === null || high === null) return [];
    return this.relationshipsBy(types, [key], 'range', (index) => index.range(low ?? null, lowInclusive, high ?? null, highInclusive));
  }

  relationshipPrefix(types: readonly string[], key: string, prefix: Value): RelationshipValue[] {
    return typeof prefix === 'string' ? this.relationshipsBy(types, [key], 'prefix', (index) => index.startingWith(prefix)) : [];
  }

  relationshipArea(types: readonly string[], key: string, shape: IndexArea['shape'], area: Value): RelationshipValue[] {
    const cover = coverOf(shape, area);
    return cover === null ? [] : this.relationshipsBy(types, [key], 'area', (index) => index.area(cover));
  }
}

/** Returns the lookup of an index. @throws INTERNAL if the view has no such index */
function lookupOf<Question extends IndexQuestion>(
  view: GraphView,
  wanted: WantedIndex & { readonly question: Question },
): IndexLookups[Question] {
  const lookup = view.indexes[positionOfIndex(view, wanted)]?.answers[wanted.question]?.lookup;
  if (lookup === undefined) {
    const missing = `the plan uses an index on ${wanted.labelOrType} that is not there any more`;
    throw new GraphDBError('INTERNAL', `${missing}; run the statement again`);
  }
  return lookup;
}
