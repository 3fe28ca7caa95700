/** The numbers of SKIP, LIMIT and OF … ROWS, which must be known before the first row (no variables) and must not be negative. */
import type { Expression } from '../../ast.ts';
import { freeVariables } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';
import { bindExpression, environment } from '../expressions/expressions.ts';
import { Scope } from '../scope.ts';
import { canBe, typeName } from '../types.ts';

/** Binds the number of SKIP, LIMIT or OF … ROWS (`where`), which must not depend on rows. */
export function bindConstant(analysis: Analysis, expression: Expression, where: string): Expression {
  if (freeVariables(expression).size > 0) {
    throw analysis.fault(
      expression,
      'NonConstantExpression',
      `${where} takes a number that does not depend on the rows: no variable can stand in it`,
    );
  }
  const bound = bindExpression(analysis, environment(new Scope()), expression);
  if (!canBe(bound.type, 'integer') || bound.type.kind === 'null') {
    throw analysis.fault(expression, 'InvalidArgumentType', `${where} takes an Integer, and this is ${typeName(bound.type)}`);
  }
  if (bound.expression.kind === 'literal' && Number(bound.expression.value) < 0) {
    throw analysis.fault(expression, 'NegativeIntegerArgument', `${where} takes an Integer of at least 0`);
  }
  return bound.expression;
}
