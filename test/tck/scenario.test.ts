/** The runner itself, on engines that answer from a script: it passes what holds and fails what does not. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { GraphDBError } from '../../src/base/index.ts';
import type { StatementResult } from '../../src/engine/index.ts';
import type { Scenario } from './features.ts';
import { isClean, judge } from './known-failures.ts';
import { runAll } from './pool.ts';
import { runScenario } from './scenario.ts';
import { changesBetween, changesText, type Observation } from './side-effects.ts';
import type { ProcedureDefinition } from './table-procedure.ts';

type Rows = Pick<StatementResult, 'columns' | 'rows'>;
type Answer = Rows | Error;

/** A scenario from lines such as `executing query: | RETURN 1` (doc string) and tables given as arrays. */
function scenario(...steps: (string | [string, string] | [string, string[][]])[]): Scenario {
  const pickleSteps = steps.map((step, index) => {
    const [text, argument] = typeof step === 'string' ? [step, undefined] : step;
    return { id: String(index), astNodeIds: [], text, ...(argument !== undefined && { argument: argumentOf(argument) }) };
  });
  return { id: 'made up', folder: 'f', file: 'f.feature', line: 1, steps: pickleSteps };
}

function argumentOf(argument: string | string[][]) {
  if (typeof argument === 'string') return { docString: { content: argument } };
  return { dataTable: { rows: argument.map((row) => ({ cells: row.map((value) => ({ value })) })) } };
}

/** Runs on an engine that answers `query` with the next of `answers`, and the observing queries with `graphs`, two per observation. */
async function run(steps: Scenario, answers: readonly Answer[], graphs: readonly Rows[] = []) {
  const script = [...answers];
  const observations = [...graphs];
  let procedures: readonly ProcedureDefinition[] = [];
  const outcome = await runScenario(steps, {
    graphsFolder: '.',
    open: async (given) => {
      procedures = given;
      return {
        execute: async (query) => {
          const observing = query.includes('properties(');
          const answer = observing ? (observations.shift() ?? { columns: [], rows: [] }) : script.shift();
          if (answer instanceof Error) throw answer;
          return answer!;
        },
        close: async () => undefined,
      };
    },
  });
  return { ...outcome, procedures };
}

const one: Rows = { columns: ['x'], rows: [[1]] };
const expectsOne = scenario(
  'any graph',
  ['executing query:', 'RETURN 1 AS x'],
  ['the result should be, in any order:', [['x'], ['1']]],
  'no side effects',
);
const syntaxError = new GraphDBError('SYNTAX_ERROR', 'no', {
  tck: { type: 'SyntaxError', phase: 'compile time', detail: 'UndefinedVariable' },
});

test('passes what holds', async () => {
  assert.equal((await run(expectsOne, [one])).passed, true);
});

test('fails another value, another column, no row, an error', async () => {
  for (const answer of [
    { columns: ['x'], rows: [[2]] },
    { columns: ['y'], rows: [[1]] },
    { columns: ['x'], rows: [] },
    syntaxError,
    new TypeError('a bug'),
  ]) {
    assert.equal((await run(expectsOne, [answer])).passed, false);
  }
});

test('fails side effects that were not expected', async () => {
  const graph = (...rows: Rows['rows']): Rows => ({ columns: [], rows });
  const outcome = await run(expectsOne, [one], [graph(), graph(), graph(['n1', ['A'], new Map([['p', 1]])]), graph()]);
  assert.equal(outcome.passed, false);
  assert.equal(outcome.reason, 'side effects: expected none, got +labels 1, +nodes 1, +properties 1');
});

test('an expected error must come, with type, phase and detail', async () => {
  const expects = (text: string) => scenario('any graph', ['executing query:', 'RETURN y'], text);
  const right = 'a SyntaxError should be raised at compile time: UndefinedVariable';
  assert.equal((await run(expects(right), [syntaxError])).passed, true);
  assert.equal((await run(expects(right), [one])).passed, false);
  assert.equal((await run(expects(right), [new GraphDBError('SYNTAX_ERROR', 'unclassified')])).passed, false);
  assert.equal((await run(expects('a TypeError should be raised at compile time: UndefinedVariable'), [syntaxError])).passed, false);
  assert.equal((await run(expects('a SyntaxError should be raised at runtime: UndefinedVariable'), [syntaxError])).passed, false);
  assert.equal((await run(expects('a SyntaxError should be raised at compile time: NoVariablesInScope'), [syntaxError])).passed, false);
  assert.equal((await run(expects('a SyntaxError should be raised at any time: *'), [syntaxError])).passed, true);
});

test('an error that no step looks at fails the scenario', async () => {
  assert.equal((await run(scenario('any graph', ['executing query:', 'RETURN y']), [syntaxError])).passed, false);
  const twice = scenario('any graph', ['executing query:', 'a'], ['executing control query:', 'b'], 'the result should be empty');
  assert.equal((await run(twice, [syntaxError, { columns: [], rows: [] }])).passed, false);
});

test('an error must leave no trace', async () => {
  const graph = (...rows: Rows['rows']): Rows => ({ columns: [], rows });
  const expects = scenario(
    'any graph',
    ['executing query:', 'RETURN y'],
    'a SyntaxError should be raised at compile time: UndefinedVariable',
  );
  assert.equal((await run(expects, [syntaxError], [graph(), graph(), graph(['n1', [], new Map()]), graph()])).passed, false);
});

test('an unknown step fails', async () => {
  assert.equal((await run(scenario('any graph', 'something else should happen'), [])).passed, false);
});

test('hands procedures to the engine', async () => {
  const declared = scenario(
    [
      'there exists a procedure test.my.proc(in :: INTEGER?) :: (a :: STRING?, b :: FLOAT?) :',
      [
        ['in', 'a', 'b'],
        ['1', "'x'", '0.5'],
      ],
    ],
    ['executing query:', 'CALL test.my.proc(1)'],
    'the result should be empty',
  );
  const { procedures } = await run(declared, [{ columns: [], rows: [] }]);
  const [procedure] = procedures;
  assert.equal(procedure?.name, 'test.my.proc');
  assert.deepEqual(procedure.inputs, [{ name: 'in', type: 'INTEGER?' }]);
  assert.deepEqual(procedure.outputs, [
    { name: 'a', type: 'STRING?' },
    { name: 'b', type: 'FLOAT?' },
  ]);
  assert.deepEqual(procedure.rows, [[1, 'x', 0.5]]);
});

test('side effects count labels once and a changed property twice', () => {
  const observation = (nodes: string[], labels: string[], properties: string[]): Observation => ({
    nodes: new Set(nodes),
    relationships: new Set(),
    labels: new Set(labels),
    properties: new Set(properties),
  });
  const before = observation(['1'], ['A'], ['1 p 1']);
  assert.equal(changesText(changesBetween(before, observation(['1', '2'], ['A'], ['1 p 2']))), '+nodes 1, +properties 1, -properties 1');
  assert.equal(changesText(changesBetween(before, before)), 'none');
});

test('a scenario that hangs or kills its thread is reported, and the next one runs', async () => {
  const program = new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id }) => {
      if (id === 'hangs') for (;;);
      if (id === 'dies') process.exit(3);
      if (id === 'throws') throw new Error('a bug');
      parentPort.postMessage({ id, passed: true, reason: '', details: '' });
    });`,
  );
  const scenarios = ['hangs', 'fine', 'dies', 'throws', 'fine too'].map((id): Scenario => ({ ...expectsOne, id }));
  const outcomes = await runAll(scenarios, { threads: 2, limitMs: 500, graphsFolder: '.', readsInWorker: false, program });
  assert.deepEqual(
    outcomes.map(({ id, passed }) => [id, passed]),
    [
      ['hangs', false],
      ['fine', true],
      ['dies', false],
      ['throws', false],
      ['fine too', true],
    ],
  );
  assert.match(outcomes[0]!.reason, /^HANG/);
  assert.match(outcomes[2]!.reason, /ended with status 3/);
  assert.match(outcomes[3]!.reason, /a bug/);
});

test('the list of known failures is strict both ways', () => {
  const outcome = (id: string, passed: boolean) => ({ id, passed, reason: '', details: '' });
  const outcomes = [outcome('a', true), outcome('b', false)];
  assert.equal(isClean(judge(outcomes, new Set(['b']), true)), true);
  assert.deepEqual(
    judge(outcomes, new Set(), true).unexpectedFailures.map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(judge(outcomes, new Set(['a', 'b']), true).unexpectedPasses, ['a']);
  assert.deepEqual(judge(outcomes, new Set(['b', 'gone']), true).unknown, ['gone']);
  assert.equal(isClean(judge(outcomes, new Set(['b', 'gone']), true)), false);
});
