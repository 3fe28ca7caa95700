import { reading } from '../../../effects.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { SHORTEST_PATH } from '../../cost-units.ts';
import type { Description, OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapOrNull, mapPredicate } from '../mapping.ts';
import { lengthText, patternText, stepText } from '../texts.ts';
import type { VariableExpand } from './variable-expand.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly shortestPath: ShortestPath;
  }
}

/**
 * Finds shortest paths between two bound nodes, and adds `relationships`, a list. `shortest`: the `count` shortest
 * paths, and any of those of equal length; `all`: all paths of the least length; `groups`: all paths of the `count`
 * least lengths.
 */
export interface ShortestPath extends OperatorBase {
  readonly kind: 'shortestPath';
  readonly input: Operator;
  readonly from: string;
  readonly to: string;
  readonly relationships: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly min: number;
  readonly max: number | null;
  readonly mode: 'shortest' | 'all' | 'groups';
  readonly count: number;
  readonly step: VariableExpand['step'];
  /** A predicate on the whole path (over `relationships` and the ends) that a path must satisfy to count; null: none. */
  readonly predicate: PlanExpression | null;
}

/** The facts of shortest paths. */
export const shortestPath: OperatorFacts<ShortestPath> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) =>
    changed(operator, {
      step: operator.step === null ? null : mapPredicate(operator.step, map),
      predicate: mapOrNull(operator.predicate, map),
    }),
  reads: ({ from, to }) => [from, to],
  binds: ({ relationships }) => [relationships],
  effects: ({ types }) => reading({ types: types === null ? 'all' : new Set(types) }),
  updates: false,
  isSingleRow: ({ mode, count, input }, below) => mode === 'shortest' && count === 1 && below(input),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: ({ types }) => [{ kind: 'types', types }],
  readsByPage: true,
  hasConstantSteps: false,
  cost: (_, rowsIn) => rowsIn * SHORTEST_PATH,
  describe,
};

function describe(operator: ShortestPath): Description {
  const text = patternText({ ...operator, relationship: operator.relationships, length: lengthText(operator.min, operator.max) });
  const predicate = operator.predicate === null ? '' : ` WHERE ${formatExpression(operator.predicate)}`;
  const mode = operator.mode === 'all' ? 'all' : `${operator.count}${operator.mode === 'groups' ? ' groups' : ''}`;
  return { name: 'ShortestPath', details: `${mode} ${text}${stepText(operator.step)}${predicate}` };
}
