/**
 * Indexes as the readers of one view use them. An index has a look-up for each kind of question that it answers: the
 * planner asks for the kind of question, never for the kind of index, and generated code keeps the look-up.
 */

import type { AreaCover, Value } from '../../value/index.ts';
import type { ClusteredRows } from '../clusters/clustered-rows.ts';

/**
 * The kinds of indexes, as CREATE INDEX and SHOW INDEXES name them, in lower case. `lookup` is on all labels or types and
 * has no keys; its questions are answered without an index.
 */
export type IndexKindName = 'range' | 'text' | 'point' | 'lookup' | SearchIndexKindName;

/** The kinds of search indexes: they find the best entities by a score, over several labels or types, and have settings. */
export type SearchIndexKindName = 'vector' | 'fulltext';

/** The value of a setting as the catalog keeps it in JSON. */
export type SettingValue = string | number | boolean;

/** The settings of an index, by their names in OPTIONS {indexConfig}, in lower case. */
export type IndexSettings = Readonly<Record<string, SettingValue>>;

/** The name and kind of an index, and the nodes or relationships that it is on. */
export interface IndexSubject {
  readonly name: string;
  readonly kind: IndexKindName;
  readonly entity: 'node' | 'relationship';
  /** The symbol ids of the labels or types; the index is on entities with any of these. */
  readonly labelsOrTypes: readonly number[];
  /** The symbol ids of the property keys, in the order of the declaration. */
  readonly keys: readonly number[];
  /** Whether a constraint guarantees that no two entities have the same values. */
  readonly unique: boolean;
  /** Whether the engine made the index without a declaration. */
  readonly automatic: boolean;
  /** The settings; empty for a kind that keeps none. */
  readonly settings: IndexSettings;
}

/** Finds entities by the values of all keys. Entities are node ordinals, or home rows of relationships; they come in ascending order. */
export interface EqualityLookup {
  find(values: readonly Value[]): readonly number[];
  /** `find` for an index on one key. */
  findValue(value: Value): readonly number[];
  /** Yields all entities but one of each group with equal values, and possibly a few more. Reads all rows first. */
  repeated(): Iterable<number>;
}

/** Finds entities whose only key lies between bounds; a bound of null is open. They come in ascending order of their values. */
export interface RangeLookup {
  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array;
}

/** Finds entities whose only key is a String that begins with a prefix. They come in ascending order of their values. */
export interface PrefixLookup {
  startingWith(prefix: string): Uint32Array;
}

/** Finds entities whose only key is a point in the cover, and possibly a few more. They come in ascending order. */
export interface AreaLookup {
  area(cover: AreaCover): readonly number[];
}

/** The parameters of a full-text search. */
export interface TextRequest {
  /** The query, in Lucene's classic query grammar. */
  readonly query: string;
  /** The names of the keys of the index, in its order. */
  readonly fields: readonly string[];
  /** The name of an analyser; null for that of the index. */
  readonly analyzer: string | null;
  /** The largest number of hits to return. */
  readonly most: number;
  /** Tells which entities may be found, by node ordinal or home row; null when all may. */
  readonly accepts: ((entity: number) => boolean) | null;
  /** Called before each further hit is kept in memory. */
  readonly onKept: () => void;
  /** Called with the units of work that come next within a piece of work that cannot yield. It may throw to end the search. */
  readonly onWork: (steps: number) => void;
  /** Called before the search takes this many bytes of memory, which it holds until it ends. It may throw to end the search. */
  readonly onTaken: (bytes: number) => void;
}

/** A hit of a full-text search. */
export interface TextHit {
  /** The ordinal of a node, or the home row of a relationship. */
  readonly entity: number;
  /** The symbol id of the relationship's type; -1 for a node. */
  readonly type: number;
  readonly score: number;
}

/**
 * Finds entities by their texts. Yields the units of work of the next step, and returns the best hits, best first, equal
 * scores by ordinal. @throws ARGUMENT_ERROR when the query cannot be parsed, or the analyser does not exist
 */
export interface TextLookup {
  match(request: TextRequest): Generator<number, TextHit[], void>;
}

/** Returns the clusters of a table, in which a search finds the nearest vectors. */
export interface ClusterLookup {
  /** Returns the clustered rows of a table, given by its identity; null when it has no clusters that can be read. */
  clusteredRows(table: number): ClusteredRows | null;
}

/** The look-up for each kind of question. */
export interface IndexLookups {
  readonly equality: EqualityLookup;
  readonly range: RangeLookup;
  readonly prefix: PrefixLookup;
  readonly area: AreaLookup;
  readonly match: TextLookup;
  readonly nearest: ClusterLookup;
}

/** A kind of question to an index. */
export type IndexQuestion = keyof IndexLookups;

/** The look-up of an index for a kind of question. */
export interface IndexAnswer<Question extends IndexQuestion> {
  /** Whether every entity found satisfies the predicate; when false, the caller must test each entity again. */
  readonly isExact: boolean;
  readonly lookup: IndexLookups[Question];
}

/** The questions that an index answers; a missing one is not answered. */
export type IndexAnswers = { readonly [Question in IndexQuestion]?: IndexAnswer<Question> };

/** The state that SHOW INDEXES shows. An index answers in every state: rows that it has not read are compared one by one. */
export interface IndexState {
  readonly state: 'ONLINE' | 'POPULATING';
  readonly populationPercent: number;
}

/** An index as readers see it. */
export interface IndexView {
  readonly subject: IndexSubject;
  readonly answers: IndexAnswers;
  readonly state: IndexState;
  /** Tells whether the question can be asked of all tables, those that are open to be read by page included; absent: never. */
  isAskedByPage?(question: IndexQuestion): boolean;
}

/** The index that the planner looks for. */
export interface WantedIndex {
  readonly entity: 'node' | 'relationship';
  readonly labelOrType: string;
  /** All keys of the index, in their order. */
  readonly keys: readonly string[];
  readonly question: IndexQuestion;
}

/** An index that was found for a look-up. */
export interface FoundIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly automatic: boolean;
  /** Whether entities that the index finds need not be tested again. */
  readonly isExact: boolean;
}
