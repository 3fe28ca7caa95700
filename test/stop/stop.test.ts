/** The small form of `npm run stop`: no operator and no function of growing cost lacks a shape, and a few shapes run on a small graph. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { engineFlags } from '../../src/base/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { csvFolderOf, makeCsvFiles, makeGraph, storeOf } from './graph.ts';
import { faultsOf, type Limits, type Run } from './limits.ts';
import { sendRandom } from './random.ts';
import { allShapes, LINEAR_FUNCTIONS, OPERATOR_SHAPES, type Shape } from './shapes/index.ts';
import { Trial } from './trial.ts';

const SHARE = 0.02;
/** Behind them everything but the machine is quick. */
const LIMITS: Limits = { timeoutMs: 300, memoryMiB: 64, workers: 0 };

const FEW = [
  'argument: subquery of nothing',
  'labelScan: scan for each row',
  'filter: nothing passes',
  'unwind: nested',
  'aggregate: many groups',
  'delete: relationships',
];

const SHAPES = allShapes();

let planner: Engine;
let switchedPlanner: Engine;

/** The plan, by an engine over a small graph in memory. */
function explain({ statement, switches }: Shape): Promise<string> {
  return (switches === undefined ? planner : switchedPlanner).explain(statement);
}

before(async () => {
  await makeGraph('memory://stop-shapes', SHARE);
  planner = await openEngine('memory://stop-shapes', { flushIntervalMs: 0 });
  const flags = engineFlags(Object.assign({}, ...SHAPES.map(({ switches }) => switches)));
  switchedPlanner = await openEngine('memory://stop-shapes', { flushIntervalMs: 0 }, { flags });
});

after(async () => {
  await switchedPlanner.close();
  await planner.close();
});

test('there are at least 200 shapes, each with a name of its own', () => {
  const names = SHAPES.map(({ name }) => name);
  assert.ok(names.length >= 200, `${names.length}`);
  assert.equal(new Set(names).size, names.length);
});

/** How long those of planning take is for `npm run stop` to say. */
test('each shape is a statement that can be planned', async () => {
  for (const shape of SHAPES) {
    if (shape.mayBeRefused !== true && !shape.name.startsWith('planning')) await assert.doesNotReject(explain(shape), shape.name);
  }
});

test('each operator stands in the plan of one of its shapes', async () => {
  for (const [kind, { shownAs, shapes }] of Object.entries(OPERATOR_SHAPES)) {
    const plans = await Promise.all(shapes.map(explain));
    assert.ok(
      plans.some((plan) => plan.includes(shownAs)),
      `${kind}: no plan has ${shownAs}:\n${plans.join('\n')}`,
    );
  }
});

test('each function whose cost grows with an argument is called by a shape of its own', () => {
  const names = SHAPES.map(({ name }) => name);
  for (const { name } of LINEAR_FUNCTIONS)
    assert.ok(
      names.some((shape) => shape.startsWith(`function: ${name} `)),
      name,
    );
});

test('faults are told from what limits allow', () => {
  const good: Run = {
    status: 504,
    outcome: 'QUERY_TIMEOUT',
    answerMs: 540,
    answerBytes: 0,
    healthP99Ms: 90,
    healthWorstMs: 240,
    machineMs: 0,
    machineFactor: 1,
    grownMiB: 300,
    keptMiB: 60,
    alive: true,
    end: '',
  };
  const faults = (changes: Partial<Run>, workers = 2): string[] => faultsOf({ ...good, ...changes }, { ...LIMITS, workers }, false);
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ answerMs: 560 }), ['late']);
  assert.deepEqual(faults({ answerMs: 560, machineFactor: 2 }), []);
  assert.deepEqual(faults({ healthP99Ms: 110 }), ['health']);
  assert.deepEqual(faults({ healthP99Ms: 110 }, 0), []);
  assert.deepEqual(faults({ healthWorstMs: 260 }, 0), ['health']);
  assert.deepEqual(faults({ grownMiB: 330 }), ['memory']);
  assert.deepEqual(faults({ keptMiB: 70 }), ['kept']);
  assert.deepEqual(faults({ outcome: 'INTERNAL' }), ['internal']);
  assert.deepEqual(faults({ outcome: 'SYNTAX_ERROR' }), ['wrong shape']);
  assert.deepEqual(faults({ outcome: 'no answer', alive: false }), ['ended']);
  assert.deepEqual(faults({ outcome: 'stuck', alive: false, answerMs: 9_999 }), ['stuck']);
});

test('a few shapes are answered in time, and the server is as it was', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-stop-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await makeGraph(storeOf(folder), SHARE);
  await makeCsvFiles(csvFolderOf(folder), SHARE);
  const trial = new Trial(folder, LIMITS);
  try {
    for (const name of FEW) {
      const shape = SHAPES.find((each) => each.name === name);
      assert.ok(shape !== undefined, name);
      // The machine that runs all tests is busy: times are those of `npm run stop`.
      const run = await trial.run(shape);
      assert.deepEqual(
        faultsOf(run, LIMITS, false).filter((fault) => fault !== 'health' && fault !== 'late'),
        [],
        `${name}: ${JSON.stringify(run)}`,
      );
      assert.ok(run.healthWorstMs > 0, 'the health was looked at');
    }
  } finally {
    await trial.close();
  }
});

test('random statements are sent, and answered in all ways', async () => {
  const { statements, outcomes } = await sendRandom({ statements: 60, seed: 3, workers: 0, timeoutMs: 50, memoryMiB: 4, log: () => {} });
  assert.equal(statements, 60);
  assert.ok((outcomes.get('ok') ?? 0) > 30, JSON.stringify([...outcomes]));
  assert.equal(outcomes.get('INTERNAL'), undefined);
});
