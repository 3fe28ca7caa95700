/** Expressions as openCypher defines them, evaluated by walking the parser's tree. */
import type { ComparisonOperator, Expression, LabelExpression } from '../../../src/cypher/index.ts';
import {
  add,
  and,
  contains,
  divide,
  endsWith,
  equals,
  greaterThan,
  greaterThanOrEqual,
  isFloat,
  isInteger,
  lessThan,
  lessThanOrEqual,
  modulo,
  multiply,
  NodeValue,
  negate,
  not,
  or,
  power,
  RelationshipValue,
  startsWith,
  subscript,
  subtract,
  type Truth,
  truth,
  type Value,
  type ValueMap,
  xor,
} from '../../../src/value/index.ts';
import { type Context, extend, fault, type Row, Unknown } from './context.ts';
import { callFunction } from './functions.ts';
import { asList, concatenated, elementAt, elementsOf, isMember, sliced } from './lists.ts';
import { matchPatterns } from './patterns.ts';
import { component } from './points.ts';
import { textOfTemporal } from './texts.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

export function evaluate(expression: Expression, row: Row, context: Context): Value {
  const inner = (part: Expression): Value => evaluate(part, row, context);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'parameter':
      return context.parameters.get(expression.name) ?? null;
    case 'variable':
      return row.get(expression.name) ?? null;
    case 'property':
      return property(inner(expression.subject), expression.key, context);
    case 'index':
      return indexed(inner(expression.subject), inner(expression.index), context);
    case 'slice':
      return sliced(
        inner(expression.subject),
        expression.from === null ? undefined : inner(expression.from),
        expression.to === null ? undefined : inner(expression.to),
      );
    case 'list':
      return expression.items.map(inner);
    case 'map':
      return new Map(expression.entries.map(({ key, value }) => [key, inner(value)]));
    case 'mapProjection':
      return mapProjection(expression, row, context);
    case 'unary':
      return unary(expression, inner(expression.operand));
    case 'arithmetic':
      return arithmetic(expression, inner);
    case 'binary':
      return binary(expression, inner);
    case 'logical':
      return logical(expression, inner);
    case 'comparison':
      return comparisons(expression, inner);
    case 'isNull':
      return (inner(expression.operand) === null) !== expression.negated;
    case 'hasLabels':
      return hasLabels(inner(expression.subject), expression.labels, context);
    case 'function':
      return callFunction(expression, row, context);
    case 'case':
      return caseOf(expression, inner);
    case 'listComprehension':
      return listComprehension(expression, row, context);
    case 'quantifier':
      return quantifier(expression, row, context);
    case 'reduce':
      return reduce(expression, row, context);
    case 'patternExpression':
      return matchPatterns([expression.pattern], row, context).length > 0;
    case 'patternComprehension':
      return matchPatterns([expression.pattern], row, context)
        .filter((found) => expression.where === null || truth(evaluate(expression.where, found, context)) === true)
        .map((found) => evaluate(expression.projection, found, context));
    case 'subquery':
      return subquery(expression, row, context);
    case 'isTyped':
      return isTyped(expression, inner(expression.operand));
    default:
      throw new Unknown(`an expression of kind ${expression.kind}`);
  }
}

export function property(subject: Value, key: string, context: Context): Value {
  if (subject === null) return null;
  if (subject instanceof NodeValue) return context.graph.node(subject).properties.get(key) ?? null;
  if (subject instanceof RelationshipValue) return context.graph.relationship(subject).properties.get(key) ?? null;
  if (subject instanceof Map) return component(subject, key) ?? subject.get(key) ?? null;
  throw new Unknown('a property of something else');
}

function indexed(subject: Value, index: Value, context: Context): Value {
  if (subject instanceof NodeValue || subject instanceof RelationshipValue) {
    return typeof index === 'string' ? property(subject, index, context) : index === null ? null : fault('a property by something else');
  }
  const list = asList(subject);
  return list === null ? subscript(subject, index) : elementAt(list, index);
}

export function propertiesOf(subject: Value, context: Context): ValueMap | null {
  if (subject === null) return null;
  if (subject instanceof NodeValue) return new Map(context.graph.node(subject).properties);
  if (subject instanceof RelationshipValue) return new Map(context.graph.relationship(subject).properties);
  if (subject instanceof Map) return new Map(subject);
  return fault('properties of something else');
}

function mapProjection(expression: Of<'mapProjection'>, row: Row, context: Context): Value {
  const subject = evaluate(expression.subject, row, context);
  if (subject === null) return null;
  const map: ValueMap = expression.all ? propertiesOf(subject, context)! : new Map();
  for (const { key, value } of expression.entries) map.set(key, evaluate(value, row, context));
  return map;
}

function unary({ operator }: Of<'unary'>, operand: Value): Value {
  if (operator === 'not') return not(truth(operand));
  return operator === '-' ? negate(operand) : operand;
}

const ARITHMETIC: Partial<Record<Of<'arithmetic'>['operators'][number], (left: Value, right: Value) => Value>> = {
  '+': sum,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': modulo,
  '^': power,
};

function arithmetic({ operands, operators }: Of<'arithmetic'>, inner: (part: Expression) => Value): Value {
  return operands.slice(1).reduce((left, operand, i) => {
    const operation = ARITHMETIC[operators[i]!];
    if (operation === undefined) throw new Unknown(`the operator ${operators[i]}`);
    return operation(left, inner(operand));
  }, inner(operands[0]!));
}

const BINARY: Partial<Record<Of<'binary'>['operator'], (left: Value, right: Value) => Value>> = {
  in: isMember,
  startsWith,
  endsWith,
  contains,
};

function sum(left: Value, right: Value): Value {
  const list = concatenated(left, right);
  if (list !== undefined) return list;
  if (typeof left === 'string') return add(left, textOfTemporal(right) ?? right);
  return typeof right === 'string' ? add(textOfTemporal(left) ?? left, right) : add(left, right);
}

function binary({ operator, left, right }: Of<'binary'>, inner: (part: Expression) => Value): Value {
  const operation = BINARY[operator];
  if (operation === undefined) throw new Unknown(`the operator ${operator}`);
  return operation(inner(left), inner(right));
}

function logical({ operator, operands }: Of<'logical'>, inner: (part: Expression) => Value): Truth {
  const combine = operator === 'and' ? and : operator === 'or' ? or : xor;
  return operands.map((operand) => truth(inner(operand))).reduce((left, right) => combine(left, right));
}

const COMPARISONS: Record<ComparisonOperator, (a: Value, b: Value) => Truth> = {
  '=': equals,
  '<>': (a, b) => not(equals(a, b)),
  '<': lessThan,
  '<=': lessThanOrEqual,
  '>': greaterThan,
  '>=': greaterThanOrEqual,
};

function comparisons({ operands, operators }: Of<'comparison'>, inner: (part: Expression) => Value): Truth {
  const values = operands.map(inner);
  return operators.map((operator, i) => COMPARISONS[operator](values[i]!, values[i + 1]!)).reduce((left, right) => and(left, right));
}

function hasLabels(subject: Value, labels: LabelExpression, context: Context): Truth {
  if (subject === null) return null;
  if (subject instanceof NodeValue) return matchesLabels(labels, context.graph.node(subject).labels);
  if (subject instanceof RelationshipValue) return matchesLabels(labels, new Set([context.graph.relationship(subject).type]));
  return fault('labels of something else');
}

export function matchesLabels(expression: LabelExpression, labels: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'labelName':
      return labels.has(expression.name);
    case 'labelWildcard':
      return labels.size > 0;
    case 'labelNot':
      return !matchesLabels(expression.operand, labels);
    case 'labelAnd':
      return expression.operands.every((operand) => matchesLabels(operand, labels));
    case 'labelOr':
      return expression.operands.some((operand) => matchesLabels(operand, labels));
    case 'labelDynamic':
      throw new Unknown('a label that is computed');
  }
}

function caseOf({ subject, branches, otherwise }: Of<'case'>, inner: (part: Expression) => Value): Value {
  const value = subject === null ? null : inner(subject);
  for (const { when, then } of branches) {
    const taken = subject === null ? truth(inner(when)) : equals(value, inner(when));
    if (taken === true) return inner(then);
  }
  return otherwise === null ? null : inner(otherwise);
}

function listComprehension(expression: Of<'listComprehension'>, row: Row, context: Context): Value {
  const list = elementsOf(evaluate(expression.list, row, context));
  if (list === null) return null;
  return list
    .map((item) => extend(row, expression.variable.name, item))
    .filter((inside) => expression.where === null || truth(evaluate(expression.where, inside, context)) === true)
    .map((inside) => evaluate(expression.projection ?? expression.variable, inside, context));
}

function quantifier(expression: Of<'quantifier'>, row: Row, context: Context): Truth {
  const list = elementsOf(evaluate(expression.list, row, context));
  if (list === null) return null;
  const truths = list.map((item) => truth(evaluate(expression.where!, extend(row, expression.variable.name, item), context)));
  const some = truths.filter((each) => each === true).length;
  const unknown = truths.includes(null);
  switch (expression.quantifier) {
    case 'all':
      return truths.includes(false) ? false : unknown ? null : true;
    case 'any':
      return some > 0 ? true : unknown ? null : false;
    case 'none':
      return some > 0 ? false : unknown ? null : true;
    case 'single':
      return some > 1 ? false : unknown ? null : some === 1;
  }
}

function reduce(expression: Of<'reduce'>, row: Row, context: Context): Value {
  const list = elementsOf(evaluate(expression.list, row, context));
  if (list === null) return null;
  let accumulator = evaluate(expression.initial, row, context);
  for (const item of list) {
    const inside = new Map(row).set(expression.accumulator.name, accumulator).set(expression.variable.name, item);
    accumulator = evaluate(expression.expression, inside, context);
  }
  return accumulator;
}

function subquery({ mode, query }: Of<'subquery'>, row: Row, context: Context): Value {
  const rows = context.runQuery(query, row);
  if (mode === 'exists') return rows.length > 0;
  return mode === 'count' ? rows.length : rows.map((found) => [...found.values()][0]!);
}

function isTyped({ type, negated }: Of<'isTyped'>, value: Value): boolean {
  if (value === null) return (!type.notNull as boolean) !== negated;
  const names: Record<string, (value: Value) => boolean> = {
    INTEGER: isInteger,
    FLOAT: isFloat,
    STRING: (each) => typeof each === 'string',
    BOOLEAN: (each) => typeof each === 'boolean',
  };
  const test = names[type.name];
  if (test === undefined || type.alternatives !== null) throw new Unknown(`the type ${type.name}`);
  return test(value) !== negated;
}
