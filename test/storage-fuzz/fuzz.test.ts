/** The readers of manifest, WAL and SSTs under random damage; more of it: `npm run fuzz:storage`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadExamples } from './examples.ts';
import { fuzzCase, type Outcome } from './fuzz.ts';

const examples = await loadExamples();

async function results(cases: number, forged: boolean): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= cases; seed++) {
    const { damage, way, result, fault }: Outcome = await fuzzCase(examples, seed, forged);
    assert.equal(fault, null, `seed ${seed}: ${damage.how}; ${way}`);
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  return counts;
}

test('damage gives the right answer, or an error that names the damaged object', async () => {
  const counts = await results(120, false);
  assert.ok(counts.get('reported')! > 40 && counts.get('right')! > 10, 'both occur');
});

test('what a faulty writer would leave is refused or read, and does nothing else', async () => {
  const counts = await results(60, true);
  assert.ok(counts.get('reported')! > 15 && counts.get('right')! > 10, 'both occur');
});

test('codes of text beyond their dictionary are damage, found where they are read', async () => {
  const { damage, way, result, fault } = await fuzzCase(examples, 140545, true);
  assert.equal(fault, null, `${damage.how}; ${way}`);
  assert.equal(result, 'reported');
});
