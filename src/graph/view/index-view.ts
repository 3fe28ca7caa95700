/**
 * Indexes as readers of one view have them. An index tells which kinds of questions it answers by having a look-up for
 * each: the planner asks for the kind of question, never for the kind of index, and generated code holds on to the
 * look-up itself.
 */

import type { AreaCover, Value } from '../../value/index.ts';
import type { ClusteredRows } from '../clusters/clustered-rows.ts';

/**
 * As CREATE INDEX and SHOW INDEXES name them, in lower case. `lookup`: of all labels (types), which are found without
 * one; it has no label (type) and no keys.
 */
export type IndexKindName = 'range' | 'text' | 'point' | 'lookup' | SearchIndexKindName;

/** Kinds that find the best by a score, over several labels or types, and have settings that are kept. */
export type SearchIndexKindName = 'vector' | 'fulltext';

/** The value of a setting as the catalog keeps it in JSON. */
export type SettingValue = string | number | boolean;

/** Settings by the names that OPTIONS {indexConfig} gives them, in lower case. */
export type IndexSettings = Readonly<Record<string, SettingValue>>;

/** An index, and the nodes or relationships that it is over. */
export interface IndexSubject {
  readonly name: string;
  readonly kind: IndexKindName;
  readonly entity: 'node' | 'relationship';
  /** Symbol ids; it is over entities that have any of them. */
  readonly labelsOrTypes: readonly number[];
  /** Symbol ids, in the order of the declaration. */
  readonly keys: readonly number[];
  /** A constraint says that no two entities have the same values. */
  readonly unique: boolean;
  /** Made by the engine, not declared. */
  readonly automatic: boolean;
  /** The settings of a kind that keeps any; others have none. */
  readonly settings: IndexSettings;
}

/** Finds entities by the values of all keys. Entities are node ordinals, or home rows of relationships; they come in ascending order. */
export interface EqualityLookup {
  find(values: readonly Value[]): readonly number[];
  /** `find` for an index on one key. */
  findValue(value: Value): readonly number[];
  /** All but one of the entities that have equal values, and few others. It reads all rows first. */
  repeated(): Iterable<number>;
}

/** Finds entities whose only key lies between bounds; a bound of null is open. They come in ascending order of their values. */
export interface RangeLookup {
  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array;
}

/** Finds entities whose only key is a String that begins so. They come in ascending order of their values. */
export interface PrefixLookup {
  startingWith(prefix: string): Uint32Array;
}

/** Finds entities whose only key is a point in the cover, and few others. They come in ascending order. */
export interface AreaLookup {
  area(cover: AreaCover): readonly number[];
}

/** A full-text search. */
export interface TextRequest {
  /** In Lucene's classic query grammar. */
  readonly query: string;
  /** Names of the keys, in their order. */
  readonly fields: readonly string[];
  /** The name of an analyzer; null: that of the index. */
  readonly analyzer: string | null;
  readonly most: number;
  /** Which entities may be found, by node ordinal or home row; null: any. */
  readonly accepts: ((entity: number) => boolean) | null;
  /** Called before one more hit is kept. */
  readonly onKept: () => void;
  /** Called for steps that come next within a piece of work that cannot give way, beside those that are yielded. It may throw. */
  readonly onWork: (steps: number) => void;
  /** Called before memory is taken until the search ends. It may throw. */
  readonly onTaken: (bytes: number) => void;
}

/** A hit of a full-text search. */
export interface TextHit {
  /** Node ordinal, or home row of a relationship. */
  readonly entity: number;
  /** Symbol id of the relationship's type; -1: it is a node. */
  readonly type: number;
  readonly score: number;
}

/**
 * Finds entities by their texts. Yields the steps that come next, and returns the best hits, best first, those of one
 * score by ordinal. ARGUMENT_ERROR: it is no query, or there is no such analyzer.
 */
export interface TextLookup {
  match(request: TextRequest): Generator<number, TextHit[], void>;
}

/** Finds the vectors that are near to another in clusters, by the identity of a table. */
export interface ClusterLookup {
  /** Null: no row of the table is in clusters that are in memory. */
  clusteredRows(table: number): ClusteredRows | null;
}

/** How an index is asked, by kind of question. */
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
  /** Entities that are found satisfy the predicate that was asked by. Otherwise it is asked of each entity again. */
  readonly isExact: boolean;
  readonly lookup: IndexLookups[Question];
}

/** The questions that an index answers; a missing one is not answered. */
export type IndexAnswers = { readonly [Question in IndexQuestion]?: IndexAnswer<Question> };

/** As SHOW INDEXES tells it. An index answers in every state: what it has not read yet is looked at row by row. */
export interface IndexState {
  readonly state: 'ONLINE' | 'POPULATING';
  readonly populationPercent: number;
}

/** An index as readers see it. */
export interface IndexView {
  readonly subject: IndexSubject;
  readonly answers: IndexAnswers;
  readonly state: IndexState;
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
  /** Entities that it finds need not be tested again. */
  readonly isExact: boolean;
}
