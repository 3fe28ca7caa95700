import { reading } from '../../../effects.ts';
import type { Load } from '../../../loads.ts';
import type { Operator, OperatorBase } from '../../../plan.ts';
import { EXPAND_INTO, EXPAND_NODE, EXPAND_ROW } from '../../cost-units.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { patternText, uniquenessText } from '../texts.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly expand: Expand;
  }
}

/**
 * Follows the relationships of a bound node, and adds `relationship` and `to`. `into`: `to` is bound already, and rows
 * are the relationships between the two. If `from` is null in a row, there are no rows for it. `relationshipBound`: the
 * relationship variable is bound already, and rows are kept where it fits from, to, types and direction.
 * `uniqueAgainst`: relationship variables (single or list) of the same MATCH that this one must differ from.
 */
export interface Expand extends OperatorBase {
  readonly kind: 'expand';
  readonly input: Operator;
  readonly from: string;
  readonly relationship: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly into: boolean;
  readonly relationshipBound: boolean;
  readonly uniqueAgainst: readonly string[];
}

/** The facts of expands. */
export const expand: OperatorFacts<Expand> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: ({ from, into, to, relationshipBound, relationship, uniqueAgainst }) => [
    from,
    ...(into ? [to] : []),
    ...(relationshipBound ? [relationship] : []),
    ...uniqueAgainst,
  ],
  binds: ({ relationshipBound, relationship, into, to }) => [...(relationshipBound ? [] : [relationship]), ...(into ? [] : [to])],
  effects: ({ types }) => reading({ types: types === null ? 'all' : new Set(types) }),
  updates: false,
  isSingleRow: ({ relationshipBound, into, input }, below) => relationshipBound && into && below(input),
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'inputs',
  loads: ({ types, into, to, direction }): readonly Load[] =>
    into
      ? [{ kind: 'types', types }]
      : [
          { kind: 'types', types },
          { kind: 'ends', variable: to, types, direction },
        ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: ({ into, estimatedRows }, rowsIn) =>
    into ? rowsIn * EXPAND_INTO + estimatedRows : rowsIn * EXPAND_NODE + estimatedRows * EXPAND_ROW,
  describe: (operator) => ({
    name: `Expand(${operator.into ? 'Into' : 'All'})`,
    details:
      patternText({ ...operator, length: '' }) +
      (operator.relationshipBound ? ` with ${operator.relationship} known` : '') +
      uniquenessText(operator.uniqueAgainst),
  }),
};
