/** Every statement of the TCK: read, written back, bound, bound with its literals lifted; and every fault that it wants before run time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import type { BoundStatement, Statement } from './ast.ts';
import { autoParameterize } from './auto-parameterize.ts';
import { analyze } from './binder/analyze.ts';
import { formatStatement } from './format/statement.ts';
import { parse } from './parser/parse.ts';
import { featuresFolder, readStatements, type TckStatement } from './testing/tck-statements.ts';

const folder = featuresFolder();
const skip = folder === undefined ? 'no test data: set GRAPHDB_TEST_DATA' : false;
const statements = folder === undefined ? [] : readStatements(folder);

/** Told by the engine, who knows the parameters. */
const LATER = 'MissingParameter';

function bind(statement: Statement, { text, procedures }: TckStatement): BoundStatement {
  return analyze(statement, text, { procedures: (name) => procedures.get(name) });
}

function faultOf(statement: TckStatement): GraphDBError | null {
  try {
    bind(parse(statement.text), statement);
    return null;
  } catch (error) {
    assert(error instanceof GraphDBError, `${statement.where}: ${error}`);
    return error;
  }
}

test('statements without a fault at compile time are bound', { skip }, () => {
  const fine = statements.filter(({ fault }) => fault === null);
  assert(fine.length > 3000, 'the TCK is there');
  for (const statement of fine) assert.equal(faultOf(statement)?.message ?? null, null, `${statement.where}\n${statement.text}`);
});

test('faults at compile time are found and named as the TCK names them', { skip }, () => {
  const faulty = statements.filter(({ fault }) => fault !== null && fault.detail !== LATER);
  assert(faulty.length > 500, 'the TCK is there');
  for (const statement of faulty) {
    const found = faultOf(statement);
    if (found === null && statement.perhapsLater) continue;
    const { type, detail } = statement.fault!;
    const expected = { type, phase: 'compile time', detail: detail === '*' ? found?.tck?.detail : detail };
    assert.deepEqual(found?.tck, expected, `${statement.where}\n${statement.text}\n${found?.message}`);
    assert(found?.line !== undefined && found.column !== undefined, `${statement.where}: the fault has a place`);
  }
});

test('what is written back reads the same, and lifting literals changes nothing but them', { skip }, () => {
  for (const statement of statements) {
    let parsed: Statement;
    try {
      parsed = parse(statement.text);
    } catch {
      continue;
    }
    const canonical = formatStatement(parsed);
    assert.equal(formatStatement(parse(canonical)), canonical, statement.text);
    let plain: BoundStatement;
    try {
      plain = bind(parsed, statement);
    } catch {
      continue;
    }
    assert.deepEqual(bind(parse(canonical), { ...statement, text: canonical }).columns, plain.columns, statement.text);
    const lifted = bind(autoParameterize(parsed).statement, statement);
    assert.deepEqual(lifted.columns, plain.columns, statement.text);
    assert.deepEqual(lifted.variableTypes, plain.variableTypes, statement.text);
  }
});
