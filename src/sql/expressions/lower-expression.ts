/** Lowers expressions to SQL. Where SQL would answer otherwise than Cypher, it writes the difference out, or refuses with the place. */
import { unreachable } from '../../base/index.ts';
import type { Expression } from '../../cypher/index.ts';
import { BOOLEAN, NULL, type SqlExpression } from '../types.ts';
import { arithmetic, negate } from './arithmetic.ts';
import { caseExpression } from './cases.ts';
import { comparisonChain } from './comparison-chains.ts';
import { boolean } from './conditions.ts';
import { type Environment, lower } from './environment.ts';
import { callFunction } from './functions.ts';
import { hasLabels } from './labels.ts';
import { comprehension, itemAt, reduced, sliced } from './lists.ts';
import { constant, constantOf, list, literal } from './literals.ts';
import { map, mapEntry } from './maps.ts';
import { membership } from './membership.ts';
import { quantified } from './quantifiers.ts';
import { entityOf, pathOf } from './references.ts';

/** Lowers an expression of any kind. */
export function lowerExpression(environment: Environment, expression: Expression): SqlExpression {
  const { program } = environment;
  const known = environment.known?.get(expression);
  if (known !== undefined) return known;
  const computed = constantOf(program, expression);
  if (computed !== undefined) return constant(program, computed, expression);
  switch (expression.kind) {
    case 'literal':
      return literal(program, expression.value, expression);
    case 'parameter':
      return literal(program, program.parameter(expression.name), expression);
    case 'variable': {
      const binding = environment.bindings.get(expression.name);
      if (binding?.kind === 'path') throw program.refuse('a path as a value', expression);
      if (binding?.kind !== 'scalar') throw program.refuse('a node or relationship as a value of an expression', expression);
      return { sql: binding.column.name, type: binding.column.type };
    }
    case 'property': {
      const entity = entityOf(environment, expression.subject);
      if (entity === null) return mapEntry(environment, expression);
      const column = entity.properties.get(expression.key);
      return column === undefined ? { sql: 'NULL', type: NULL } : { sql: column.name, type: column.type };
    }
    case 'list':
      return list(
        program,
        expression.items.map((item) => lower(environment, item)),
        expression,
      );
    case 'unary': {
      const operand = lower(environment, expression.operand);
      if (expression.operator === 'not') return { sql: `(NOT ${boolean(program, operand, expression)})`, type: BOOLEAN };
      return negate(program, operand, expression);
    }
    case 'arithmetic':
      return expression.operands
        .slice(1)
        .reduce(
          (left, operand, index) => arithmetic(program, expression.operators[index]!, [left, lower(environment, operand)], expression),
          lower(environment, expression.operands[0]!),
        );
    case 'logical': {
      const operands = expression.operands.map((operand) => boolean(program, lower(environment, operand), operand));
      if (expression.operator === 'xor') return { sql: operands.reduce((a, b) => `(${a} <> ${b})`), type: BOOLEAN };
      return { sql: `(${operands.join(` ${expression.operator.toUpperCase()} `)})`, type: BOOLEAN };
    }
    case 'comparison':
      return comparisonChain(environment, expression);
    case 'isNull': {
      const entity = entityOf(environment, expression.operand);
      const path = pathOf(environment, expression.operand);
      const sql = path?.length ?? entity?.ordinal ?? lower(environment, expression.operand).sql;
      return { sql: `(${sql} IS ${expression.negated ? 'NOT ' : ''}NULL)`, type: BOOLEAN };
    }
    case 'binary':
      return binary(environment, expression);
    case 'hasLabels':
      return hasLabels(environment, expression);
    case 'function':
      return callFunction({
        program,
        call: expression,
        valueOf: (argument) => lower(environment, argument),
        entityOf: (argument) => entityOf(environment, argument),
        pathOf: (argument) => pathOf(environment, argument),
      });
    case 'case':
      return caseExpression(environment, expression);
    case 'quantifier':
      return quantified(environment, expression);
    case 'subquery':
    case 'patternExpression':
    case 'patternComprehension':
      if (environment.isWithinList) throw program.refuse('a subquery for each item of a list', expression);
      return environment.lowerings.subquery(environment, expression);
    case 'index':
      return itemAt(environment, expression);
    case 'slice':
      return sliced(environment, expression);
    case 'listComprehension':
      return comprehension(environment, expression);
    case 'reduce':
      return reduced(environment, expression);
    case 'map':
      return map(environment, expression);
    case 'mapProjection':
    case 'isTyped':
    case 'isNormalized':
    case 'countStar':
      throw program.refuse(`an expression of the kind ${expression.kind}`, expression);
    default:
      return unreachable(expression, 'expression');
  }
}

function binary(environment: Environment, expression: Extract<Expression, { kind: 'binary' }>): SqlExpression {
  const { program } = environment;
  const { operator, left, right } = expression;
  if (operator === 'in') return membership(environment, left, right);
  if (operator === '=~') throw program.refuse('a regular expression', expression);
  const [a, b] = [lower(environment, left), lower(environment, right)];
  if (a.type.kind === 'null' || b.type.kind === 'null') return { sql: 'CAST(NULL AS BOOLEAN)', type: BOOLEAN };
  if (a.type.kind !== 'string' || b.type.kind !== 'string')
    throw program.refuse(`${operator} between ${a.type.kind} and ${b.type.kind}`, expression);
  const name = { startsWith: 'starts_with', endsWith: 'ends_with', contains: 'contains' }[operator];
  return { sql: `${program.dialect.name === 'spark' ? name.replace('_', '') : name}(${a.sql}, ${b.sql})`, type: BOOLEAN };
}
