/** Lowers expressions to SQL. Where SQL would answer otherwise than Cypher, it writes the difference out, or refuses with the place. */
import { unreachable } from '../base/index.ts';
import {
  type CaseExpression,
  type ComparisonChain,
  type Expression,
  type HasLabels,
  type LabelExpression,
  type Quantifier,
  walk,
} from '../cypher/index.ts';
import { CypherDate, isFloat, isInteger, type ResultValue, toNumber, type Value } from '../value/index.ts';
import { arithmetic, negate } from './arithmetic.ts';
import { comparison, equality } from './comparisons.ts';
import { entityOfValue } from './entities.ts';
import { callFunction } from './functions.ts';
import { comprehension, inList, itemAt, quantifiedList, reduced, sliced } from './lists.ts';
import { once } from './once.ts';
import type { Program } from './program.ts';
import type { Bindings, EntityBinding, PathBinding } from './scope.ts';
import { typed } from './typed.ts';
import { BOOLEAN, commonType, FLOAT, INTEGER, NULL, OPAQUE, type Place, type SqlExpression, type SqlType, STRING } from './types.ts';

/** The variables and parameters that an expression may mention. */
export interface Environment {
  readonly program: Program;
  readonly bindings: Bindings;
  /** SQL for expressions that were computed before, such as aggregates. */
  readonly known?: ReadonlyMap<Expression, SqlExpression>;
  /** Lowers EXISTS, and patterns that are used as predicates. */
  readonly exists: (environment: Environment, expression: Expression) => SqlExpression;
  /** Whether the expression is computed for each item of a list, where SQL has no subqueries. */
  readonly isWithinList?: true;
}

/** Lowers an expression. */
export function lower(environment: Environment, expression: Expression): SqlExpression {
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
      if (entity === null) throw program.refuse('a property of what is no variable of a pattern', expression);
      const column = entity.properties.get(expression.key);
      return column === undefined ? { sql: 'NULL', type: NULL } : { sql: column.name, type: column.type };
    }
    case 'list':
      return listOf(environment, expression.items, expression);
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
      if (environment.isWithinList) throw program.refuse('a subquery for each item of a list', expression);
      return environment.exists(environment, expression);
    case 'index':
      return itemAt(environment, expression);
    case 'slice':
      return sliced(environment, expression);
    case 'listComprehension':
      return comprehension(environment, expression);
    case 'reduce':
      return reduced(environment, expression);
    case 'map':
    case 'mapProjection':
    case 'isTyped':
    case 'isNormalized':
    case 'countStar':
    case 'patternComprehension':
      throw program.refuse(`an expression of the kind ${expression.kind}`, expression);
    default:
      return unreachable(expression, 'expression');
  }
}

/** Returns the node or relationship that a variable stands for; null: the expression is something else. */
export function entityOf(environment: Environment, expression: Expression): EntityBinding | null {
  const binding = expression.kind === 'variable' ? environment.bindings.get(expression.name) : undefined;
  if (binding?.kind === 'node' || binding?.kind === 'relationship') return binding;
  const value = binding?.kind === 'scalar' ? { sql: binding.column.name, type: binding.column.type } : itemOf(environment, expression);
  return value?.type.kind === 'entity' ? entityOfValue(environment.program, value.sql, value.type) : null;
}

/** Returns the item that an expression takes from a list; null: it is something else. */
function itemOf(environment: Environment, expression: Expression): SqlExpression | null {
  const takesOne =
    expression.kind === 'index' || (expression.kind === 'function' && ['head', 'last'].includes(expression.name.toLowerCase()));
  return takesOne && constantOf(environment.program, expression) === undefined ? lower(environment, expression) : null;
}

function pathOf({ bindings }: Environment, expression: Expression): PathBinding | null {
  const binding = expression.kind === 'variable' ? bindings.get(expression.name) : undefined;
  return binding?.kind === 'path' ? binding : null;
}

/** Returns the SQL of a condition. @throws UNSUPPORTED when the expression is not a Boolean */
export function boolean(program: Program, { sql, type }: SqlExpression, at: Place): string {
  if (type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  if (type.kind !== 'boolean') throw program.refuse(`a condition that is ${type.kind}`, at);
  return sql;
}

/** Returns the value of an expression that does not depend on the graph; undefined: it is not known. */
export function constantOf({ constants }: Program, expression: Expression): ResultValue | undefined {
  return expression.kind === 'variable' ? constants.variables.get(expression.name) : constants.values.get(expression);
}

/** Lowers a value that the engine has computed. A value without a type in SQL becomes text. */
export function constant(program: Program, value: ResultValue, at: Place): SqlExpression {
  if (Array.isArray(value)) {
    const items = value.map((item) => constant(program, item, at));
    const isPlain = items.every(({ type }) => type.kind !== 'opaque') && items.reduce<SqlType | null>(itemType, NULL) !== null;
    if (isPlain) return combined(program, items, at);
  } else if (value instanceof CypherDate) return dateLiteral(program, value);
  else if (value === null || typeof value !== 'object' || isFloat(value)) return literal(program, value, at);
  return { sql: program.dialect.text(program.opaqueText(value)), type: OPAQUE };
}

const itemType = (type: SqlType | null, each: SqlExpression): SqlType | null => (type === null ? null : commonType(type, each.type));

/** Lowers a date. Only years of four digits are dates in both dialects; other dates become text. */
function dateLiteral(program: Program, value: CypherDate): SqlExpression {
  const text = value.toString();
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith('0000')) return { sql: `CAST('${text}' AS DATE)`, type: { kind: 'date' } };
  return { sql: program.dialect.text(program.opaqueText(value)), type: OPAQUE };
}

/** Lowers a literal. */
export function literal(program: Program, value: Value, at: Place): SqlExpression {
  if (value === null) return { sql: 'NULL', type: NULL };
  if (typeof value === 'boolean') return { sql: value ? 'TRUE' : 'FALSE', type: BOOLEAN };
  if (typeof value === 'string') {
    if (value.includes('\0')) throw program.refuse('a text with the character NUL', at);
    return { sql: program.dialect.text(value), type: STRING };
  }
  if (isInteger(value)) return { sql: `CAST(${value < 0 ? `'${value}'` : value} AS BIGINT)`, type: INTEGER };
  if (isFloat(value)) return { sql: `CAST('${floatText(toNumber(value))}' AS DOUBLE)`, type: FLOAT };
  if (Array.isArray(value))
    return combined(
      program,
      value.map((item) => literal(program, item, at)),
      at,
    );
  throw program.refuse('a literal or parameter of this type', at);
}

/** Formats a Float as both dialects read it. */
function floatText(number: number): string {
  return Object.is(number, -0) ? '-0.0' : String(number);
}

function listOf(environment: Environment, items: readonly Expression[], at: Place): SqlExpression {
  return combined(
    environment.program,
    items.map((item) => lower(environment, item)),
    at,
  );
}

function combined(program: Program, items: readonly SqlExpression[], at: Place): SqlExpression {
  const item = items.reduce<SqlType | null>((type, each) => (type === null ? null : commonType(type, each.type)), NULL);
  if (item === null) throw program.refuse('a list of values of several types', at);
  if (item.kind === 'opaque') throw program.refuse('a list of values that are only passed on', at);
  const type: SqlType = { kind: 'list', item };
  const list = program.dialect.list(items.map((each) => typed(program, each, item)));
  return { sql: `CAST(${list} AS ${program.dialect.typeName(type)})`, type };
}

function comparisonChain(environment: Environment, { operands, operators, span }: ComparisonChain): SqlExpression {
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

/** Lowers IN item by item, since lists of SQL do not answer null for a null among their items. */
function membership(environment: Environment, left: Expression, right: Expression): SqlExpression {
  const items = writtenItems(environment, right);
  const subject = lower(environment, left);
  if (items === null) return inList(environment, subject, lower(environment, right), right);
  if (items.length === 0) return { sql: 'FALSE', type: BOOLEAN };
  const { program } = environment;
  const any = (value: string): string =>
    `(${items.map((item) => equality(program, { ...subject, sql: value }, item, right)).join(' OR ')})`;
  return {
    sql: items.some(({ sql }) => sql.includes('SELECT')) ? any(subject.sql) : once(program, [subject.sql], (value) => any(value!)),
    type: BOOLEAN,
  };
}

/** Returns the items of a list that is a constant, a parameter or written out, which may be of several types; null: it is none of these. */
function writtenItems(environment: Environment, list: Expression): SqlExpression[] | null {
  const { program } = environment;
  if (list.kind === 'list') return list.items.map((item) => lower(environment, item));
  const computed = constantOf(program, list);
  if (Array.isArray(computed)) return computed.map((item) => constant(program, item, list));
  const value = list.kind === 'parameter' ? program.parameter(list.name) : list.kind === 'literal' ? list.value : null;
  if (!Array.isArray(value)) return null;
  return value.map((item) => literal(program, item, list));
}

/** Lowers a quantifier: the conditions of all items, joined as Cypher joins them. */
function quantified(environment: Environment, expression: Quantifier): SqlExpression {
  const { program } = environment;
  const { quantifier, variable, list, where } = expression;
  const items = writtenItems(environment, list);
  if (items === null) return quantifiedList(environment, expression);
  const conditions = items.map((item) => {
    if (where === null) return boolean(program, item, expression);
    const binding = { kind: 'scalar', column: { name: item.sql, type: item.type } } as const;
    return boolean(
      program,
      lower({ ...environment, bindings: new Map([...environment.bindings, [variable.name, binding]]) }, where),
      where,
    );
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

function hasLabels(environment: Environment, { subject, labels }: HasLabels): SqlExpression {
  const entity = entityOf(environment, subject);
  if (entity === null) throw environment.program.refuse('labels of what is no variable of a pattern', subject);
  return { sql: labelCondition(environment.program, entity, labels), type: BOOLEAN };
}

/** Returns the condition that an entity has labels. */
export function labelCondition(program: Program, entity: EntityBinding, labels: LabelExpression): string {
  const { dialect } = program;
  const each = (operand: LabelExpression): string => labelCondition(program, entity, operand);
  switch (labels.kind) {
    case 'labelName':
      return entity.kind === 'node'
        ? dialect.contains(entity.labels, dialect.text(labels.name))
        : `(${entity.labels} = ${dialect.text(labels.name)})`;
    case 'labelWildcard':
      return entity.kind === 'node' ? `(${dialect.size(entity.labels)} > 0)` : `(${entity.labels} IS NOT NULL)`;
    case 'labelNot':
      return `(NOT ${each(labels.operand)})`;
    case 'labelAnd':
      return `(${labels.operands.map(each).join(' AND ')})`;
    case 'labelOr':
      return `(${labels.operands.map(each).join(' OR ')})`;
    case 'labelDynamic':
      throw program.refuse('a label that is computed', labels);
    default:
      return unreachable(labels, 'label expression');
  }
}

function caseExpression(environment: Environment, expression: CaseExpression): SqlExpression {
  const { program } = environment;
  const { subject, branches, otherwise } = expression;
  const values = [...branches.map(({ then }) => then), ...(otherwise === null ? [] : [otherwise])].map((value) =>
    lower(environment, value),
  );
  const type = values.reduce<SqlType | null>((common, value) => (common === null ? null : commonType(common, value.type)), NULL);
  if (type === null) throw program.refuse('CASE with values of several types', expression);
  const tested = subject === null ? null : lower(environment, subject);
  const parts = branches.map(({ when }, index) => {
    const condition = lower(environment, when);
    const isMatch = tested === null ? boolean(program, condition, when) : equality(program, tested, condition, when);
    return `WHEN ${isMatch} THEN ${typed(program, values[index]!, type)}`;
  });
  const rest = otherwise === null ? '' : ` ELSE ${typed(program, values.at(-1)!, type)}`;
  return { sql: `(CASE ${parts.join(' ')}${rest} END)`, type };
}

/** Returns the variables that expressions mention and that are bound outside of them. */
export function mentioned(bindings: Bindings, trees: readonly (Expression | null | object)[]): Set<string> {
  const found = new Set<string>();
  for (const tree of trees) {
    if (tree === null) continue;
    walk(tree as Expression, (node) => {
      const each = node as Expression;
      if (each.kind === 'variable' && bindings.has(each.name)) found.add(each.name);
      return undefined;
    });
  }
  return found;
}
