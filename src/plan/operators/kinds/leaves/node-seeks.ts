/** Seeks of nodes, by identifier or by an index. */

import { reading } from '../../../effects.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { seekCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapBound, mapOrNull } from '../mapping.ts';
import { noNames } from '../nothing.ts';
import { never } from '../single-row.ts';
import { idText, rangeText, seekText } from '../texts.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly nodeByIdSeek: NodeByIdSeek;
    readonly nodeIndexSeek: NodeIndexSeek;
    readonly nodeIndexRange: NodeIndexRange;
  }
}

/**
 * Finds nodes by internal identifier: `_id`, `id(n)`, `elementId(n)`. A null or unknown identifier gives no row.
 * `many`: the expression gives a list of identifiers, and duplicates give one row.
 */
export interface NodeByIdSeek extends OperatorBase {
  readonly kind: 'nodeByIdSeek';
  readonly input: Operator;
  readonly variable: string;
  readonly id: PlanExpression;
  readonly many: boolean;
}

/** The facts of seeks of nodes by identifier. */
export const nodeByIdSeek: OperatorFacts<NodeByIdSeek> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (seek, map) => changed(seek, { id: map(seek.id) }),
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: () => reading({ identifiers: true }),
  updates: false,
  isSingleRow: ({ many, input }, below) => !many && below(input),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: () => [{ kind: 'identifiers' }],
  readsByPage: true,
  hasConstantSteps: true,
  cost: seekCost,
  describe: ({ variable, many, id }) => ({ name: 'NodeByElementIdSeek', details: `${variable} WHERE ${idText(id, many)}` }),
};

/** Finds nodes by equality on all keys of an index. `many` (one key only): the value is a list, each of which is looked up once. */
export interface NodeIndexSeek extends OperatorBase {
  readonly kind: 'nodeIndexSeek';
  readonly input: Operator;
  readonly variable: string;
  readonly label: string;
  readonly keys: readonly string[];
  readonly values: readonly PlanExpression[];
  readonly many: boolean;
  readonly unique: boolean;
  /** The index is an automatic one, which nobody declared. */
  readonly automatic: boolean;
}

/** The facts of seeks of nodes in an index by values. */
export const nodeIndexSeek: OperatorFacts<NodeIndexSeek> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (seek, map) => changed(seek, { values: mapList(seek.values, map) }),
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: ({ label, keys }) => reading({ lookups: new Set([label]), keys: new Set(keys) }),
  updates: false,
  isSingleRow: ({ unique, many, input }, below) => unique && !many && below(input),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: ({ label, variable, keys }) => [
    { kind: 'label', label, variable },
    { kind: 'keys', keys, of: 'node' },
  ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: seekCost,
  describe: (seek) => ({
    name: seek.unique ? 'NodeUniqueIndexSeek' : 'NodeIndexSeek',
    details: `${seek.variable}:${seek.label}(${seek.keys.join(', ')})${seek.automatic ? ' automatic' : ''} WHERE ${seekText(seek)}`,
  }),
};

/** The area in which a point lies: `[lowerLeft, upperRight]` of a box, `[centre, radius]` of a circle, as one list. */
export interface IndexArea {
  readonly shape: 'box' | 'circle';
  readonly value: PlanExpression;
}

/** Finds nodes by a range or prefix on the single key of an index, ascending by value, or by an area, ascending by ordinal. */
export interface NodeIndexRange extends OperatorBase {
  readonly kind: 'nodeIndexRange';
  readonly input: Operator;
  readonly variable: string;
  readonly label: string;
  readonly key: string;
  readonly low: { readonly value: PlanExpression; readonly inclusive: boolean } | null;
  readonly high: { readonly value: PlanExpression; readonly inclusive: boolean } | null;
  readonly prefix: PlanExpression | null;
  readonly area: IndexArea | null;
}

/** The facts of seeks of nodes in an index by a range. */
export const nodeIndexRange: OperatorFacts<NodeIndexRange> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (range, map) =>
    changed(range, {
      low: mapBound(range.low, map),
      high: mapBound(range.high, map),
      prefix: mapOrNull(range.prefix, map),
      area: mapBound(range.area, map),
    }),
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: ({ label, key }) => reading({ lookups: new Set([label]), keys: new Set([key]) }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: ({ label, variable, key }) => [
    { kind: 'label', label, variable },
    { kind: 'keys', keys: [key], of: 'node' },
  ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: seekCost,
  describe: (range) => ({
    name: 'NodeIndexSeekByRange',
    details: `${range.variable}:${range.label}(${range.key}) WHERE ${rangeText(range)}`,
  }),
};
