/** Lowers functions that mean the same in SQL. */
import type { Expression, FunctionCall } from '../cypher/index.ts';
import type { Program } from './program.ts';
import type { EntityBinding } from './scope.ts';
import { typed } from './typed.ts';
import { commonType, FLOAT, INTEGER, NULL, type SqlExpression, type SqlType, STRING } from './types.ts';

/** A call of a function, and how to lower its arguments. */
export interface Call {
  readonly program: Program;
  readonly call: FunctionCall;
  readonly valueOf: (argument: Expression) => SqlExpression;
  /** Returns the node or relationship that an argument stands for; null: it is something else. */
  readonly entityOf: (argument: Expression) => EntityBinding | null;
}

type Lowering = (environment: Call, call: FunctionCall) => SqlExpression;

function refused({ program }: Call, call: FunctionCall): Error {
  return program.refuse(`${call.name}() of such arguments`, call);
}

/** The white space of Cypher's trim(); that of SQL removes spaces alone. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const trim: Lowering = (environment, call) => {
  const { dialect } = environment.program;
  const [text, characters = { sql: dialect.text(WHITE_SPACE), type: STRING }] = call.arguments.map(environment.valueOf);
  if (text!.type.kind === 'null' || characters.type.kind === 'null') return { sql: 'NULL', type: NULL };
  if (text!.type.kind !== 'string' || characters.type.kind !== 'string') throw refused(environment, call);
  return { sql: dialect.trim(text!.sql, characters.sql), type: STRING };
};

/** Makes the lowering of a function of one node or relationship. */
const ofEntity =
  (write: (entity: EntityBinding) => SqlExpression | null): Lowering =>
  (environment, call) => {
    const entity = environment.entityOf(call.arguments[0]!);
    const found = entity === null ? null : write(entity);
    if (found === null) throw refused(environment, call);
    return found;
  };

const identifier = ofEntity(({ id }) => ({ sql: id, type: STRING }));

const size: Lowering = (environment, call) => {
  const argument = environment.valueOf(call.arguments[0]!);
  if (argument.type.kind === 'null') return { sql: 'NULL', type: NULL };
  if (argument.type.kind !== 'list') throw refused(environment, call);
  return { sql: `CAST(${environment.program.dialect.size(argument.sql)} AS BIGINT)`, type: INTEGER };
};

const coalesce: Lowering = (environment, call) => {
  const values = call.arguments.map(environment.valueOf);
  const type = values.reduce<SqlType | null>((common, value) => (common === null ? null : commonType(common, value.type)), NULL);
  if (type === null) throw refused(environment, call);
  return { sql: `coalesce(${values.map((value) => typed(environment.program, value, type)).join(', ')})`, type };
};

const toText: Lowering = (environment, call) => {
  const argument = environment.valueOf(call.arguments[0]!);
  const { kind } = argument.type;
  if (kind === 'null') return { sql: 'NULL', type: NULL };
  if (kind !== 'integer' && kind !== 'string' && kind !== 'boolean') throw refused(environment, call);
  return { sql: `CAST(${argument.sql} AS ${environment.program.dialect.typeName(STRING)})`, type: STRING };
};

const absolute: Lowering = (environment, call) => {
  const argument = environment.valueOf(call.arguments[0]!);
  if (argument.type.kind === 'null') return { sql: 'NULL', type: NULL };
  if (argument.type.kind !== 'integer' && argument.type.kind !== 'float') throw refused(environment, call);
  return { sql: `abs(${argument.sql})`, type: argument.type };
};

const FUNCTIONS: ReadonlyMap<string, Lowering> = new Map<string, Lowering>([
  ['id', identifier],
  ['elementid', identifier],
  ['labels', ofEntity(({ kind, labels }) => (kind === 'node' ? { sql: labels, type: { kind: 'list', item: STRING } } : null))],
  ['type', ofEntity(({ kind, labels }) => (kind === 'relationship' ? { sql: labels, type: STRING } : null))],
  ['size', size],
  ['coalesce', coalesce],
  ['tostring', toText],
  ['abs', absolute],
  ['trim', trim],
]);

/** Lowers a call of a function. */
export function callFunction(environment: Call): SqlExpression {
  const { call } = environment;
  const lowering = FUNCTIONS.get(call.name.toLowerCase());
  if (lowering === undefined || call.distinct) throw environment.program.refuse(`the function ${call.name}()`, call);
  return lowering(environment, call);
}

// ---------------------------------------------------------------- aggregates

/** The argument of an aggregate. */
export interface AggregateArgument {
  readonly program: Program;
  readonly call: FunctionCall;
  /** The argument; for a node or relationship its identifier. */
  readonly argument: SqlExpression;
}

/** Lowers an aggregate over the rows of a group. */
export function aggregate({ program, call, argument }: AggregateArgument): SqlExpression {
  const distinct = call.distinct ? 'DISTINCT ' : '';
  const { sql, type } = argument;
  const name = call.name.toLowerCase();
  switch (name) {
    case 'count':
      return { sql: `count(${distinct}${sql})`, type: INTEGER };
    case 'sum':
      if (type.kind !== 'integer') break;
      return { sql: `CAST(coalesce(sum(${distinct}${sql}), 0) AS BIGINT)`, type: INTEGER };
    case 'avg':
      if (type.kind !== 'integer') break;
      // The exact sum is rounded once, as Cypher does.
      return {
        sql: `(CAST(CAST(sum(${distinct}${sql}) AS BIGINT) AS DOUBLE) / nullif(CAST(count(${distinct}${sql}) AS DOUBLE), 0))`,
        type: FLOAT,
      };
    case 'min':
    case 'max':
      if (type.kind !== 'integer' && type.kind !== 'string' && type.kind !== 'date') break;
      return { sql: `${name}(${sql})`, type };
    case 'collect':
      if (type.kind === 'null' || type.kind === 'opaque' || type.kind === 'list') break;
      return { sql: program.dialect.collect(sql, call.distinct), type: { kind: 'list', item: type } };
  }
  throw program.refuse(`the aggregate ${call.name}() of ${type.kind}`, call);
}
