/** Chains of comparisons, such as `a < b <= c`, also of nodes and relationships. */
import type { ComparisonChain } from '../../cypher/index.ts';
import type { EntityBinding } from '../scope.ts';
import { BOOLEAN, type SqlExpression } from '../types.ts';
import { comparison } from './comparisons.ts';
import { type Environment, lower } from './environment.ts';
import { entityOf } from './references.ts';

/** Lowers comparisons of one or several operators. */
export function comparisonChain(environment: Environment, { operands, operators, span }: ComparisonChain): SqlExpression {
  const parts = operators.map((operator, index) => {
    const [left, right] = [operands[index]!, operands[index + 1]!];
    const entities = [left, right].map((operand) => entityOf(environment, operand));
    if (entities[0] && entities[1]) {
      if (operator !== '=' && operator !== '<>') throw environment.program.refuse('an order of nodes or relationships', { span });
      return sameEntity(entities[0], entities[1], operator);
    }
    return comparison(environment.program, operator, [lower(environment, left), lower(environment, right)], { span });
  });
  return { sql: parts.length === 1 ? parts[0]! : `(${parts.join(' AND ')})`, type: BOOLEAN };
}

/** Lowers the equality of two nodes or relationships. A node is never a relationship, but null may be any of them. */
function sameEntity(a: EntityBinding, b: EntityBinding, operator: '=' | '<>'): string {
  if (a.kind === b.kind) return `(${a.ordinal} ${operator} ${b.ordinal})`;
  return `(CASE WHEN ${a.ordinal} IS NOT NULL AND ${b.ordinal} IS NOT NULL THEN ${operator === '=' ? 'FALSE' : 'TRUE'} END)`;
}
