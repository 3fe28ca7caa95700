/** Lowers functions that mean the same in SQL. */
import type { Expression, FunctionCall } from '../../cypher/index.ts';
import { once } from '../once.ts';
import type { Program } from '../program.ts';
import type { EntityBinding, PathBinding } from '../scope.ts';
import { typed } from '../typed.ts';
import { commonType, INTEGER, NULL, type SqlExpression, type SqlType, STRING } from '../types.ts';

/** A call of a function, and how to lower its arguments. */
export interface Call {
  readonly program: Program;
  readonly call: FunctionCall;
  readonly valueOf: (argument: Expression) => SqlExpression;
  /** Returns the node or relationship that an argument stands for; null: it is something else. */
  readonly entityOf: (argument: Expression) => EntityBinding | null;
  /** Returns the path that an argument stands for; null: it is something else. */
  readonly pathOf: (argument: Expression) => PathBinding | null;
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
  if (argument.type.kind === 'string')
    return {
      sql: `CAST(${environment.program.dialect.name === 'spark' ? 'char_length' : 'length'}(${argument.sql}) AS BIGINT)`,
      type: INTEGER,
    };
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

/** Makes the lowering of head() or last(). */
const end =
  (which: 'first' | 'last'): Lowering =>
  (environment, call) => {
    const { program } = environment;
    const list = environment.valueOf(call.arguments[0]!);
    if (list.type.kind === 'null') return { sql: 'NULL', type: NULL };
    if (list.type.kind !== 'list') throw refused(environment, call);
    const place = which === 'first' ? () => '0' : (of: string) => `(CAST(${program.dialect.size(of)} AS BIGINT) - 1)`;
    return { sql: once(program, [list.sql], (sql) => program.dialect.item(sql!, place(sql!))), type: list.type.item };
  };

/** Makes the lowering of a function of a path. */
const ofPath =
  (write: (path: PathBinding) => SqlExpression | null): Lowering =>
  (environment, call) => {
    const path = environment.pathOf(call.arguments[0]!);
    const found = path === null ? null : write(path);
    if (found === null) throw refused(environment, call);
    return found;
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
  ['head', end('first')],
  ['last', end('last')],
  ['length', ofPath(({ length }) => ({ sql: length, type: INTEGER }))],
  ['nodes', ofPath(({ nodes }) => nodes)],
  ['relationships', ofPath(({ relationships }) => relationships)],
]);

/** Lowers a call of a function. */
export function callFunction(environment: Call): SqlExpression {
  const { call } = environment;
  const lowering = FUNCTIONS.get(call.name.toLowerCase());
  if (lowering === undefined || call.distinct) throw environment.program.refuse(`the function ${call.name}()`, call);
  return lowering(environment, call);
}
