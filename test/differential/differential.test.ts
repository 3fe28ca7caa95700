/** A short run of `npm run differential`, always of the same cases; and that it would see a difference. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPlantable } from '../support/planted.ts';
import { seededRandom } from '../support/random.ts';
import { noCounts } from './counts.ts';
import { modelOf, randomGraph } from './generate/graph.ts';
import { isolationCase } from './isolation.ts';
import { pairCase } from './pairs.ts';
import { findPlanted, MISTAKES } from './planted.ts';
import { ask, checkOne } from './questions.ts';
import { readCase } from './reads.ts';
import { readReport, updateReport } from './report.ts';
import { build, freshUri, open } from './stores.ts';
import { updateCase } from './updates.ts';
import { WAYS } from './ways.ts';

test('random queries answer the same in every way of asking', async () => {
  const counts = noCounts();
  for (let seed = 1; seed <= 5; seed++) {
    const failure = await readCase(seed, counts);
    assert(failure === null, failure === null ? '' : readReport(failure));
  }
  assert(counts.answered > counts.runs / 5, `hardly any query answers rows: ${JSON.stringify(counts)}`);
});

test('random updates leave the graph that the model has', async () => {
  const counts = noCounts();
  for (let seed = 1; seed <= 8; seed++) {
    const failure = await updateCase(seed, counts);
    assert(failure === null, failure === null ? '' : updateReport(failure));
  }
  assert(counts.cases.updates > 100 && counts.refused > 0, `hardly any statement was run: ${JSON.stringify(counts)}`);
});

test('statements that must agree do, over larger graphs', async () => {
  const counts = noCounts();
  for (let seed = 1; seed <= 4; seed++) assert.equal(await pairCase(seed, counts), null);
  assert(counts.answered > counts.runs / 4, `hardly any query answers rows: ${JSON.stringify(counts)}`);
});

test('readers that have begun see the graph of that moment', async () => {
  const counts = noCounts();
  for (let seed = 1; seed <= 3; seed++) assert.equal(await isolationCase(seed, counts), null);
  assert(counts.answered > counts.runs / 4, `hardly any reader ended with rows: ${JSON.stringify(counts)}`);
});

test('a store that differs by one property is found out', async () => {
  const spec = randomGraph(seededRandom(5));
  const engine = await open(freshUri());
  await build(spec, (query, params = new Map()) => engine.execute(query, params));
  const question = ask('MATCH (n) RETURN n', modelOf(spec), noCounts())!;
  assert.equal(await checkOne(question, WAYS[0]!, engine, noCounts()), null);
  await engine.execute('MATCH (n {k: 0}) SET n.i = 1000', new Map());
  assert.match((await checkOne(question, WAYS[0]!, engine, noCounts()))!, /a row that is not expected/);
  await engine.close();
});

test('mistakes that are planted fit the sources, and one of them is found', async () => {
  await assertPlantable(MISTAKES);
  assert(await findPlanted(MISTAKES.slice(0, 1)));
});
