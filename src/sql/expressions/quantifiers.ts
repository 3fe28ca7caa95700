/** Quantifiers: all(), any(), none() and single(). */
import { unreachable } from '../../base/index.ts';
import type { Quantifier } from '../../cypher/index.ts';
import { BOOLEAN, type SqlExpression } from '../types.ts';
import { boolean } from './conditions.ts';
import { type Environment, lower, withItem, withScalar } from './environment.ts';
import { anyTrue, oneTrue } from './list-conditions.ts';
import { itemsOf, refuseSubqueryItems, writtenItems } from './list-items.ts';

/** Lowers a quantifier: the conditions of all items, joined as Cypher joins them. */
export function quantified(environment: Environment, expression: Quantifier): SqlExpression {
  const { program } = environment;
  const { quantifier, variable, list, where } = expression;
  const items = writtenItems(environment, list);
  if (items === null) return quantifiedList(environment, expression);
  const conditions = items.map((item) => {
    if (where === null) return boolean(program, item, expression);
    return boolean(program, lower(withScalar(environment, variable.name, { name: item.sql, type: item.type }), where), where);
  });
  return { sql: joinedConditions(quantifier, conditions), type: BOOLEAN };
}

function joinedConditions(quantifier: Quantifier['quantifier'], conditions: readonly string[]): string {
  const any = conditions.length === 0 ? 'FALSE' : `(${conditions.join(' OR ')})`;
  switch (quantifier) {
    case 'any':
      return any;
    case 'none':
      return `(NOT ${any})`;
    case 'all':
      return conditions.length === 0 ? 'TRUE' : `(${conditions.join(' AND ')})`;
    case 'single': {
      if (conditions.length === 0) return 'FALSE';
      const count = (test: string): string => `(${conditions.map((each) => `CASE WHEN ${each}${test} THEN 1 ELSE 0 END`).join(' + ')})`;
      return `(CASE WHEN ${count('')} > 1 THEN FALSE WHEN ${count(' IS NULL')} > 0 THEN NULL ELSE ${count('')} = 1 END)`;
    }
    default:
      return unreachable(quantifier, 'quantifier');
  }
}

/** Lowers a quantifier over a list. */
function quantifiedList(environment: Environment, expression: Quantifier): SqlExpression {
  const { program } = environment;
  const { dialect } = program;
  const { quantifier, variable, where } = expression;
  const list = lower(environment, expression.list);
  if (list.type.kind === 'null') return { sql: 'CAST(NULL AS BOOLEAN)', type: BOOLEAN };
  const { item } = itemsOf(program, list, expression);
  refuseSubqueryItems(program, list, expression);
  const name = program.fresh('y');
  const inner = withItem(environment, variable.name, { name, type: item });
  const condition = where === null ? boolean(program, { sql: name, type: item }, expression) : boolean(program, lower(inner, where), where);
  const conditions = (test: string): string => dialect.map(list.sql, name, test);
  switch (quantifier) {
    case 'any':
      return { sql: anyTrue(program, conditions(condition)), type: BOOLEAN };
    case 'none':
      return { sql: `(NOT ${anyTrue(program, conditions(condition))})`, type: BOOLEAN };
    case 'all':
      return { sql: `(NOT ${anyTrue(program, conditions(`(NOT ${condition})`))})`, type: BOOLEAN };
    case 'single':
      return { sql: oneTrue(program, conditions(condition)), type: BOOLEAN };
    default:
      return unreachable(quantifier, 'quantifier');
  }
}
