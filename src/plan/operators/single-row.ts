/** Does a plan give at most one row (per row of its argument), provably? Conservative: false when in doubt. */
import type { Operator, PlanExpression } from '../plan.ts';

export function isSingleRow(operator: Operator): boolean {
  switch (operator.kind) {
    case 'argument':
    case 'schema':
    case 'emptyResult':
      return true;
    case 'nodeByIdSeek':
      return !operator.many && isSingleRow(operator.input);
    case 'nodeIndexSeek':
      return operator.unique && !operator.many && isSingleRow(operator.input);
    case 'relationshipIndexSeek':
      return operator.unique && !operator.many && operator.direction !== 'both' && isSingleRow(operator.input);
    case 'aggregate':
      return operator.grouping.length === 0 || isSingleRow(operator.input);
    case 'limit':
    case 'top':
      return isAtMostOne(operator.count) || isSingleRow(operator.input);
    case 'unwind':
      return operator.list.kind === 'list' && operator.list.items.length <= 1 && isSingleRow(operator.input);
    case 'apply':
      return isSingleRow(operator.input) && (operator.unit || isSingleRow(operator.plan));
    case 'optionalApply':
      return isSingleRow(operator.input) && isSingleRow(operator.plan);
    case 'merge':
      return isSingleRow(operator.input) && isSingleRow(operator.match);
    case 'cartesianProduct':
      return isSingleRow(operator.left) && isSingleRow(operator.right);
    case 'procedureCall':
      return operator.unit && isSingleRow(operator.input);
    case 'expand':
      return operator.relationshipBound && operator.into && isSingleRow(operator.input);
    case 'shortestPath':
      return operator.mode === 'shortest' && operator.count === 1 && isSingleRow(operator.input);
    case 'filter':
    case 'project':
    case 'distinct':
    case 'sort':
    case 'skip':
    case 'semiApply':
    case 'eager':
    case 'create':
    case 'setProperties':
    case 'removeItems':
    case 'delete':
    case 'foreach':
      return isSingleRow(operator.input);
    default:
      return false;
  }
}

function isAtMostOne(count: PlanExpression): boolean {
  return count.kind === 'literal' && (count.value === 0 || count.value === 1);
}
