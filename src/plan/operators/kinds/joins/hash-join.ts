import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { HASH_BUILD_ROW, HASH_JOINED_ROW, HASH_PROBE_ROW, NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW } from '../../cost-units.ts';
import type { OperatorFacts } from '../facts.ts';
import { LEFT_AND_RIGHT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly hashJoin: HashJoin;
  }
}

/**
 * Joins rows for which each `leftKeys[i] = rightKeys[i]` is true, neither false nor null. The right side is hashed.
 * Rows have the variables of both sides, and both sides see the same outer row.
 */
export interface HashJoin extends OperatorBase {
  readonly kind: 'hashJoin';
  readonly left: Operator;
  readonly right: Operator;
  readonly leftKeys: readonly PlanExpression[];
  readonly rightKeys: readonly PlanExpression[];
}

/** The facts of hash joins. */
export const hashJoin: OperatorFacts<HashJoin> = {
  inputs: LEFT_AND_RIGHT,
  subplan: null,
  mapExpressions: (join, map) => changed(join, { leftKeys: mapList(join.leftKeys, map), rightKeys: mapList(join.rightKeys, map) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: (join) => {
    const [build, probe, joined] = isCounted(join)
      ? [NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW, 1]
      : [HASH_BUILD_ROW, HASH_PROBE_ROW, HASH_JOINED_ROW];
    return join.right.estimatedRows * build + join.left.estimatedRows * probe + join.estimatedRows * joined;
  },
  describe: ({ leftKeys, rightKeys }) => ({
    name: 'ValueHashJoin',
    details: leftKeys.map((key, at) => `${formatExpression(key)} = ${formatExpression(rightKeys[at]!)}`).join(' AND '),
  }),
};

/** Tells whether the rows of the right side hold the one node of the key and nothing else, so that they are counted by node. */
function isCounted({ right, rightKeys: [key, ...others] }: HashJoin): boolean {
  if (others.length > 0 || key?.kind !== 'variable') return false;
  const kept = right.kind === 'distinct' ? right.variables : right.kind === 'argument' ? right.variables : null;
  return kept?.length === 1 && kept[0] === key.name;
}
