/** Compiles expressions of a plan to typed JavaScript. Statements that an expression needs are written to the current block. */
import { assert, unreachable } from '../../../base/index.ts';
import type { PlanExpression } from '../../../plan/index.ts';
import { CypherFloat, type Value } from '../../../value/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { nodeOf } from '../environment.ts';
import { any, NULL, type Typed } from '../typed.ts';
import { compileProperty } from './access.ts';
import { compileArithmetic, compileBinary, compileNegation } from './arithmetic.ts';
import {
  compileCase,
  compileIndex,
  compileList,
  compileListComprehension,
  compileMap,
  compileMapProjection,
  compileQuantifier,
  compileReduce,
  compileSlice,
} from './collections.ts';
import { compileComparison } from './comparison.ts';
import { compileFunction } from './functions.ts';
import { compileHasLabels, compileIsNull, compileLogical, compileNot } from './logic.ts';
import { compilePathBuild } from './path.ts';
import { compilePlanSubquery } from './subquery.ts';
import { toValue } from './to-value.ts';

/** Compiles an expression. */
export function compileExpression(cg: Codegen, environment: Environment, expression: PlanExpression): Typed {
  switch (expression.kind) {
    case 'literal':
      return literal(cg, expression.value);
    case 'parameter':
      return parameter(cg, expression.name);
    case 'variable': {
      const typed = environment.get(expression.name);
      assert(typed !== undefined, `variable ${expression.name} is not in scope of the plan`);
      return typed;
    }
    case 'property':
      return compileProperty(cg, compileExpression(cg, environment, expression.subject), expression.key);
    case 'index':
      return compileIndex(cg, environment, expression);
    case 'slice':
      return compileSlice(cg, environment, expression);
    case 'list':
      return compileList(cg, environment, expression);
    case 'map':
      return compileMap(cg, environment, expression);
    case 'mapProjection':
      return compileMapProjection(cg, environment, expression);
    case 'unary': {
      const operand = compileExpression(cg, environment, expression.operand);
      if (expression.operator === 'not') return compileNot(cg, operand);
      if (expression.operator === '-') return compileNegation(cg, operand);
      return operand.type === 'any' || operand.type === 'string' || operand.type === 'boolean'
        ? any(`affirm(${toValue(operand)})`)
        : operand;
    }
    case 'arithmetic':
      return compileArithmetic(cg, environment, expression);
    case 'binary':
      return compileBinary(cg, environment, expression);
    case 'logical':
      return compileLogical(cg, environment, expression);
    case 'comparison':
      return compileComparison(cg, environment, expression);
    case 'isNull':
      return compileIsNull(cg, compileExpression(cg, environment, expression.operand), expression.negated);
    case 'nodeOrder': {
      const [low, high] = [expression.low, expression.high].map((each) => nodeOf(cg, environment, each.name));
      if (low == null || high == null) return NULL;
      return { type: 'boolean', code: `${low.code} < ${high.code}`, valid: null };
    }
    case 'hasLabels':
      return compileHasLabels(cg, environment, expression);
    case 'isTyped':
      return any(
        cg.f.local(
          'x',
          `values.isTyped(${toValue(compileExpression(cg, environment, expression.operand))}, ${cg.constant(expression.type)}, ` +
            `${expression.negated})`,
        ),
      );
    case 'isNormalized':
      return any(
        cg.f.local(
          'x',
          `values.isNormalized(${toValue(compileExpression(cg, environment, expression.operand))}, ` +
            `${cg.constant(expression.form)}, ${expression.negated})`,
        ),
      );
    case 'function':
      return compileFunction(cg, environment, expression);
    case 'case':
      return compileCase(cg, environment, expression);
    case 'listComprehension':
      return compileListComprehension(cg, environment, expression);
    case 'quantifier':
      return compileQuantifier(cg, environment, expression);
    case 'reduce':
      return compileReduce(cg, environment, expression);
    case 'planSubquery':
      return compilePlanSubquery(cg, environment, expression);
    case 'pathBuild':
      return compilePathBuild(cg, environment, expression.elements);
    case 'countStar':
    case 'patternComprehension':
    case 'patternExpression':
    case 'subquery':
      assert(false, `the planner left a ${expression.kind} expression`);
      break;
    default:
      return unreachable(expression, 'expression');
  }
}

/** Compiles an expression to JavaScript of its canonical value. */
export function compileValue(cg: Codegen, environment: Environment, expression: PlanExpression): string {
  return toValue(compileExpression(cg, environment, expression));
}

function literal(cg: Codegen, value: Value): Typed {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return { type: 'boolean', code: String(value), valid: null, hoisted: true };
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return { type: 'integer', code: value < 0 ? `(${value})` : String(value), valid: null, hoisted: true, most: Math.abs(value) };
  if (typeof value === 'bigint') return { type: 'integer', code: cg.constant(value), valid: null, hoisted: true };
  if (typeof value === 'number') return { type: 'float', code: cg.constant(value), valid: null, hoisted: true };
  if (value instanceof CypherFloat) return { type: 'float', code: cg.constant(value.value), valid: null, hoisted: true };
  if (typeof value === 'string') return { type: 'string', code: cg.constant(value), valid: null, hoisted: true };
  const shape = Array.isArray(value) ? 'list' : value instanceof Map ? 'map' : undefined;
  return { ...any(cg.constant(value), shape), hoisted: true };
}

function parameter(cg: Codegen, name: string): Typed {
  const code = cg.parameter(name);
  const type = cg.parameterType(name);
  switch (type) {
    case 'null':
      return NULL;
    case 'boolean':
    case 'integer':
    case 'string':
      return { type, code, valid: null, hoisted: true };
    case 'float':
    case 'node':
    case 'relationship':
    case 'any':
      return { ...any(code), hoisted: true };
    default:
      return unreachable(type, 'type');
  }
}
