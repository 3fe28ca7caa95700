import { reading, uniteAll } from '../../../effects.ts';
import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { never } from '../single-row.ts';
import { patternText, uniquenessText } from '../texts.ts';
import type { Expand } from './expand.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly multiwayJoin: MultiwayJoin;
  }
}

/**
 * Finds the nodes that are neighbours of several bound nodes at once, and adds `to` and the relationship of each leg.
 * (A worst-case optimal join: no leg's rows are made before the other legs are asked.)
 */
export interface MultiwayJoin extends OperatorBase {
  readonly kind: 'multiwayJoin';
  readonly input: Operator;
  readonly to: string;
  /** Two or more legs, one for each bound node. A leg may have to differ from the relationships of legs before it. */
  readonly legs: readonly Pick<Expand, 'from' | 'relationship' | 'types' | 'direction' | 'uniqueAgainst'>[];
}

/** The facts of joins of several nodes' neighbours. */
export const multiwayJoin: OperatorFacts<MultiwayJoin> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: ({ legs }) => legs.flatMap((leg) => [leg.from, ...leg.uniqueAgainst]),
  binds: ({ to, legs }) => [to, ...legs.map((leg) => leg.relationship)],
  effects: ({ legs }) => uniteAll(legs.map(({ types }) => reading({ types: types === null ? 'all' : new Set(types) }))),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'nowhere',
  loads: ({ legs }) => legs.map(({ types }) => ({ kind: 'types', types })),
  readsByPage: true,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ legs, to }) => ({
    name: 'MultiwayJoin',
    details: legs.map((leg) => patternText({ ...leg, to, length: '' }) + uniquenessText(leg.uniqueAgainst)).join(' AND '),
  }),
};
