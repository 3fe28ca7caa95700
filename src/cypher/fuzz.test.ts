/**
 * Random input: whatever the text, the parser and the binder end soon, with an answer or with a fault of the user's;
 * never with one of ours. A failure prints the seed with which fast-check runs the case again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GraphDBError } from '../base/index.ts';
import { autoParameterize } from './auto-parameterize.ts';
import { analyze } from './binder/analyze.ts';
import { formatStatement } from './format/statement.ts';
import { parse } from './parser/parse.ts';
import { arbitraryStatement } from './testing/arbitrary-tree.ts';

const WORDS = (
  'MATCH OPTIONAL WITH RETURN WHERE CREATE MERGE SET REMOVE DETACH DELETE UNWIND AS ORDER BY SKIP LIMIT DISTINCT ' +
  'UNION ALL CALL YIELD FOREACH IN ON EXISTS COUNT COLLECT CASE WHEN THEN ELSE END AND OR XOR NOT IS NULL TRUE ' +
  'STARTS CONTAINS any reduce shortestPath SHORTEST SHOW INDEXES DROP INDEX CONSTRAINT FOR REQUIRE EXPLAIN LOAD ' +
  'CSV FROM TRANSACTIONS n a b x r p Person KNOWS count collect size name'
).split(' ');
const SIGNS = (
  "( ) [ ] { } < > - -- --> <-- -[ ]-> = <> <= >= =~ += + * / % ^ . .. , ; : :: | & ! $ $p $1 % ' \" ` 'text' " +
  '"t" `q` 0 1 42 1.5 .5 1e9 0x1F 0o7 9223372036854775808 // /* */ \\ # @ — \u0000 \ud800 é'
).split(' ');

const soup = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...SIGNS)), { maxLength: 60 }).map((tokens) => tokens.join(' '));

/** Anything but a fault of the user's fails the test. */
function outcome<T>(run: () => T): T | GraphDBError {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code === 'INTERNAL') throw error;
    assert(
      error.tck !== undefined && error.line !== undefined && error.line >= 1 && error.column !== undefined && error.column >= 1,
      error.message,
    );
    return error;
  }
}

test('token soup is read or refused', () => {
  fc.assert(
    fc.property(fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
      outcome(() => analyze(parse(text), text));
    }),
    { numRuns: 500 },
  );
});

test('statements with one token lost, doubled or changed are read or refused', () => {
  const change = fc.record({ place: fc.nat(), how: fc.constantFrom('lose', 'double', 'replace'), by: fc.constantFrom(...WORDS, ...SIGNS) });
  fc.assert(
    fc.property(arbitraryStatement, change, (statement, { place, how, by }) => {
      const tokens = formatStatement(statement).split(/\b/);
      const i = place % tokens.length;
      tokens.splice(i, 1, ...(how === 'lose' ? [] : how === 'double' ? [tokens[i]!, tokens[i]!] : [by]));
      const text = tokens.join('');
      outcome(() => analyze(parse(text), text));
    }),
    { numRuns: 200 },
  );
});

test('a statement binds the same with its literals lifted out', () => {
  fc.assert(
    fc.property(arbitraryStatement, (statement) => {
      const text = formatStatement(statement);
      const plain = outcome(() => analyze(statement, text));
      const lifted = outcome(() => analyze(autoParameterize(statement).statement, text));
      if (plain instanceof GraphDBError || lifted instanceof GraphDBError) {
        assert.deepEqual((lifted as GraphDBError).tck, (plain as GraphDBError).tck);
        return;
      }
      assert.deepEqual(lifted.columns, plain.columns);
      assert.deepEqual(lifted.variableTypes, plain.variableTypes);
    }),
    { numRuns: 200 },
  );
});

test('hostile nesting is refused, long flat text is not', () => {
  const deep = ['(', '[', '{a: ', 'NOT ', '-', '+ ', 'size(', 'CASE WHEN ', 'EXISTS { RETURN ', '[x IN ', 'n[', 'COUNT { MATCH (a {x: '];
  for (const opening of deep) {
    const fault = outcome(() => parse(`RETURN ${opening.repeat(20_000)}`));
    assert(fault instanceof GraphDBError && /nested too deeply/.test(fault.message), opening);
  }
  for (const chain of ['.a', '[0]', ' IS NULL', ' IN n', ' CONTAINS n']) {
    const fault = outcome(() => parse(`RETURN n${chain.repeat(20_000)} AS x`));
    assert(fault instanceof GraphDBError && /nested too deeply/.test(fault.message), chain);
  }
  for (const flat of [
    ' AND true',
    ' OR true',
    ' XOR true',
    ' = 1',
    ' < 1',
    ', 1',
    ' + 1',
    ' ^ 2',
    ' - 1 || 2 + 3',
    ' * 2 / 3 % 4',
    ' + 1 * 2',
  ])
    parse(`RETURN 1${flat.repeat(20_000)}`);
  parse(`MATCH ${'(a)-->(b), '.repeat(10_000)}(c) RETURN 1`);
});

test('a long text takes time in proportion: where it took its square, this would not end', { timeout: 60_000 }, () => {
  parse(`MATCH (n) WHERE ${'[n IN [(a)-->(b {x: [1, 2]}) | b.x] WHERE n:A | n] = (1 + 2) OR '.repeat(5_000)} true RETURN n`);
  parse(`RETURN ${'(a)-->(b) AND '.repeat(10_000)} [x IN [${'1, '.repeat(20_000)} 1] | x] = []`);
});
