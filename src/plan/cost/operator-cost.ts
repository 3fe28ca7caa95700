/** The cost of one operator of a finished plan, from the rows that were estimated for it and its inputs: what EXPLAIN shows, by the model of `cost.ts`. */
import { inputsOf, subplanOf } from '../operators/references.ts';
import type { HashJoin, Operator } from '../plan.ts';
import {
  EXPAND_INTO,
  EXPAND_NODE,
  EXPAND_ROW,
  FILTER,
  HASH_BUILD_ROW,
  HASH_PROBE_ROW,
  NODE_JOIN_BUILD_ROW,
  NODE_JOIN_PROBE_ROW,
  PRODUCT_ROW,
  SCAN_ROW,
  SEEK,
  SEEK_ROW,
  SHORTEST_PATH,
  VARIABLE_EXPAND_NODE,
  VARIABLE_EXPAND_ROW,
} from './cost.ts';

/** Of the operator and all below it. */
export function totalCost(operator: Operator): number {
  const subplan = subplanOf(operator);
  const perRow = subplan === null ? 0 : (inputsOf(operator)[0]?.estimatedRows ?? 1) * totalCost(subplan);
  return inputsOf(operator).reduce((sum, input) => sum + totalCost(input), ownCost(operator) + perRow);
}

function ownCost(operator: Operator): number {
  const rows = operator.estimatedRows;
  const rowsIn = inputsOf(operator)[0]?.estimatedRows ?? 0;
  switch (operator.kind) {
    case 'allNodesScan':
    case 'labelScan':
    case 'relationshipScan':
      return rows * SCAN_ROW;
    case 'nodeByIdSeek':
    case 'nodeIndexSeek':
    case 'nodeIndexRange':
    case 'relationshipByIdSeek':
    case 'relationshipIndexSeek':
    case 'relationshipIndexRange':
      return rowsIn * SEEK + rows * SEEK_ROW;
    case 'expand':
      return operator.into ? rowsIn * EXPAND_INTO + rows : rowsIn * EXPAND_NODE + rows * EXPAND_ROW;
    case 'variableExpand':
      return rowsIn * VARIABLE_EXPAND_NODE + rows * VARIABLE_EXPAND_ROW;
    case 'pathSearch':
    case 'shortestPath':
      return rowsIn * SHORTEST_PATH;
    case 'hashJoin': {
      const [build, probe] = isCounted(operator) ? [NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW] : [HASH_BUILD_ROW, HASH_PROBE_ROW];
      return operator.right.estimatedRows * build + operator.left.estimatedRows * probe + rows;
    }
    case 'cartesianProduct':
      return rows * PRODUCT_ROW;
    case 'argument':
      return 0;
    default:
      return rowsIn * FILTER;
  }
}

/** As `match/node-join.ts` makes them. */
function isCounted({ right, rightKeys: [key, ...others] }: HashJoin): boolean {
  if (others.length > 0 || key?.kind !== 'variable') return false;
  const kept = right.kind === 'distinct' ? right.variables : right.kind === 'argument' ? right.variables : null;
  return kept?.length === 1 && kept[0] === key.name;
}
