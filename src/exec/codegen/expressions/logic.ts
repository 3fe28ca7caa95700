/**
 * Compiles AND, OR, XOR, NOT, IS NULL and label tests, and expressions as conditions.
 *
 * A *condition* is JavaScript that is true exactly when an expression is true (or exactly when it is false): a WHERE
 * needs no third value, so most of the ternary logic never reaches the generated code.
 */
import type { Expression, HasLabels, LogicalExpression } from '../../../cypher/index.ts';
import type { PlanExpression } from '../../../plan/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, bothValid, NULL, type Typed } from '../typed.ts';
import { comparisonCondition } from './comparison.ts';
import { compileExpression } from './expression.ts';
import { compileLabelTest, dynamicNames } from './labels.ts';
import { toValue, valueLocal } from './to-value.ts';

/** Returns JavaScript that is true where the value is true. */
export function isTrue(typed: Typed): string {
  if (typed.type === 'null') return 'false';
  if (typed.type === 'boolean') return typed.valid === null ? typed.code : `${typed.valid} && ${typed.code}`;
  return `isTrue(${toValue(typed)})`;
}

/** Returns JavaScript that is true where the value is false. */
export function isFalse(typed: Typed): string {
  if (typed.type === 'null') return 'false';
  if (typed.type === 'boolean') return typed.valid === null ? `!${typed.code}` : `${typed.valid} && !${typed.code}`;
  return `isFalse(${toValue(typed)})`;
}

/** Compiles an expression to a condition: JavaScript that is true exactly when the expression is `wanted`, true or false. */
export function compileCondition(cg: Codegen, environment: Environment, expression: PlanExpression, wanted = true): string {
  if (expression.kind === 'comparison') return comparisonCondition(cg, environment, expression, wanted);
  if (expression.kind === 'logical' && expression.operator !== 'xor') {
    return junction(cg, environment, expression.operands, (expression.operator === 'and') === wanted, wanted);
  }
  if (expression.kind === 'unary' && expression.operator === 'not') return compileCondition(cg, environment, expression.operand, !wanted);
  const typed = compileExpression(cg, environment, expression);
  return wanted ? isTrue(typed) : isFalse(typed);
}

/** Joins the conditions of operands: all must hold (`every`), or one. Each one after the first is computed only when it is needed. */
function junction(cg: Codegen, environment: Environment, operands: readonly Expression[], every: boolean, wanted: boolean): string {
  let condition = `(${compileCondition(cg, environment, operands[0]!, wanted)})`;
  for (const operand of operands.slice(1)) {
    const captured = cg.f.capture(() => compileCondition(cg, environment, operand, wanted));
    const { result } = captured;
    if (captured.lines.length === 0) {
      condition += every ? ` && (${result})` : ` || (${result})`;
      continue;
    }
    const local = cg.f.variable('b', condition);
    cg.f.open(every ? `if (${local}) {` : `if (!${local}) {`);
    cg.f.append(captured);
    cg.f.emit(`${local} = ${result};`);
    cg.f.close();
    condition = local;
  }
  return condition;
}

/**
 * Compiles AND, OR or XOR, with null as the third value. Operands are computed from left to right while they can still
 * change the answer.
 */
export function compileLogical(cg: Codegen, environment: Environment, expression: LogicalExpression): Typed {
  const operator = { and: 'and3', or: 'or3', xor: 'xor3' }[expression.operator];
  const first = compileExpression(cg, environment, expression.operands[0]!);
  if (expression.operands.length === 1) return first;
  const local = cg.f.variable('x', toValue(first));
  for (const operand of expression.operands.slice(1)) {
    const settled = expression.operator === 'and' ? `${local} !== false` : expression.operator === 'or' ? `${local} !== true` : 'true';
    cg.f.open(`if (${settled}) {`);
    const right = compileExpression(cg, environment, operand);
    cg.f.emit(`${local} = ${operator}(${local}, ${toValue(right)});`);
    cg.f.close();
  }
  return any(local);
}

/** Compiles NOT. */
export function compileNot(cg: Codegen, operand: Typed): Typed {
  if (operand.type === 'null') return NULL;
  if (operand.type === 'boolean') return { type: 'boolean', code: `(!${operand.code})`, valid: operand.valid };
  return any(cg.f.local('x', `not3(${toValue(operand)})`));
}

/** Compiles IS NULL and IS NOT NULL. */
export function compileIsNull(cg: Codegen, operand: Typed, negated: boolean): Typed {
  const code = (text: string): Typed => ({ type: 'boolean', code: text, valid: null });
  if (operand.type === 'null') return code(negated ? 'false' : 'true');
  if (operand.type === 'any') return code(`(${valueLocal(cg, operand)} ${negated ? '!==' : '==='} null)`);
  if (operand.valid === null) return code(negated ? 'true' : 'false');
  return code(negated ? `(${operand.valid})` : `(!(${operand.valid}))`);
}

/** Compiles a label test. */
export function compileHasLabels(cg: Codegen, environment: Environment, expression: HasLabels): Typed {
  const subject = compileExpression(cg, environment, expression.subject);
  if (subject.type === 'null') return NULL;
  if (subject.type === 'node') {
    return {
      type: 'boolean',
      code: `(${compileLabelTest(cg, environment, subject, expression.labels)})`,
      valid: bothValid(subject.valid, null),
    };
  }
  const dynamic = dynamicNames(cg, environment, expression.labels);
  return any(cg.f.local('x', `reads.hasLabelsOrType(${toValue(subject)}, ${cg.constant(expression.labels)}, ${dynamic})`));
}
