/** Seeks of relationships, by identifier or by an index. */

import { reading } from '../../../effects.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { seekCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapBound, mapOrNull } from '../mapping.ts';
import { never } from '../single-row.ts';
import { idText, indexedPatternText, patternText, rangeText, seekText, uniquenessText } from '../texts.ts';
import type { IndexArea, NodeIndexRange } from './node-seeks.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly relationshipByIdSeek: RelationshipByIdSeek;
    readonly relationshipIndexSeek: RelationshipIndexSeek;
    readonly relationshipIndexRange: RelationshipIndexRange;
  }
}

/** Finds relationships by element id; adds `relationship`, `from` and `to`, in stored direction or, for `both`, either way round. */
export interface RelationshipByIdSeek extends OperatorBase {
  readonly kind: 'relationshipByIdSeek';
  readonly input: Operator;
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'out' | 'in' | 'both';
  readonly id: PlanExpression;
  readonly many: boolean;
  readonly uniqueAgainst: readonly string[];
}

/** The facts of seeks of relationships by identifier. */
export const relationshipByIdSeek: OperatorFacts<RelationshipByIdSeek> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (seek, map) => changed(seek, { id: map(seek.id) }),
  reads: ({ uniqueAgainst }) => uniqueAgainst,
  binds: ({ relationship, from, to }) => [relationship, from, to],
  effects: () => reading({ types: 'all' }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: () => [{ kind: 'types', types: null }],
  // No file tells where a relationship with a given ordinal is.
  readsByPage: false,
  hasConstantSteps: true,
  cost: seekCost,
  describe: (seek) => ({
    name: 'RelationshipByElementIdSeek',
    details: `${patternText({ ...seek, types: null, length: '' })} WHERE ${idText(seek.id, seek.many)}`,
  }),
};

interface RelationshipLookup extends OperatorBase {
  readonly input: Operator;
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  /** The types, each of which has an index on the keys. */
  readonly types: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  readonly uniqueAgainst: readonly string[];
}

/**
 * Finds relationships by equality on all keys of the types' indexes; adds `relationship`, `from` and `to` as
 * `RelationshipScan` does. `many`: see `NodeIndexSeek`.
 */
export interface RelationshipIndexSeek extends RelationshipLookup {
  readonly kind: 'relationshipIndexSeek';
  readonly keys: readonly string[];
  readonly values: readonly PlanExpression[];
  readonly many: boolean;
  readonly unique: boolean;
}

/** The facts of seeks of relationships in an index by values. */
export const relationshipIndexSeek: OperatorFacts<RelationshipIndexSeek> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (seek, map) => changed(seek, { values: mapList(seek.values, map) }),
  reads: ({ uniqueAgainst }) => uniqueAgainst,
  binds: ({ relationship, from, to }) => [relationship, from, to],
  effects: ({ types, keys }) => reading({ types: new Set(types), keys: new Set(keys) }),
  updates: false,
  isSingleRow: ({ unique, many, direction, input }, below) => unique && !many && direction !== 'both' && below(input),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ types, keys }) => [
    { kind: 'types', types },
    { kind: 'keys', keys, of: 'relationship' },
  ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: seekCost,
  describe: (seek) => ({
    name: seek.unique ? 'RelationshipUniqueIndexSeek' : 'RelationshipIndexSeek',
    details: `${indexedPatternText(seek, seek.keys)} WHERE ${seekText(seek)}${uniquenessText(seek.uniqueAgainst)}`,
  }),
};

/** Finds relationships by a range, a prefix or an area on the single key of the types' indexes. */
export interface RelationshipIndexRange extends RelationshipLookup {
  readonly kind: 'relationshipIndexRange';
  readonly key: string;
  readonly low: NodeIndexRange['low'];
  readonly high: NodeIndexRange['high'];
  readonly prefix: PlanExpression | null;
  readonly area: IndexArea | null;
}

/** The facts of seeks of relationships in an index by a range. */
export const relationshipIndexRange: OperatorFacts<RelationshipIndexRange> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (range, map) =>
    changed(range, {
      low: mapBound(range.low, map),
      high: mapBound(range.high, map),
      prefix: mapOrNull(range.prefix, map),
      area: mapBound(range.area, map),
    }),
  reads: ({ uniqueAgainst }) => uniqueAgainst,
  binds: ({ relationship, from, to }) => [relationship, from, to],
  effects: ({ types, key }) => reading({ types: new Set(types), keys: new Set([key]) }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ types, key }) => [
    { kind: 'types', types },
    { kind: 'keys', keys: [key], of: 'relationship' },
  ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: seekCost,
  describe: (range) => ({
    name: 'RelationshipIndexSeekByRange',
    details: `${indexedPatternText(range, [range.key])} WHERE ${rangeText(range)}${uniquenessText(range.uniqueAgainst)}`,
  }),
};
