/** Each invariant of ARCHITECTURE.md has a mistake that can be planted, and a test whose name is there. `npm run invariants` runs them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { invariantsOf } from '../../scripts/invariants.ts';
import { assertPlantable, runTestWithMistake } from '../support/planted.ts';
import { MISTAKES } from './mistakes.ts';

const ROOT = join(import.meta.dirname, '../..');

test('each invariant has a planted mistake, and each mistake fits its file and names tests', async () => {
  const invariants = invariantsOf(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));
  assert.deepEqual([...new Set(MISTAKES.map(({ invariant }) => invariant))].sort(), [...invariants.keys()].sort());
  await assertPlantable(MISTAKES);
  for (const { name, test: path, only = '' } of MISTAKES) {
    const names = readFileSync(join(ROOT, path), 'utf8').matchAll(/\btest\(\s*(['`])(.*?)\1/gs);
    assert.ok(
      names.some(([, , each]) => each!.includes(only)),
      `"${name}" names no test of ${path}`,
    );
  }
});

test('a planted mistake is found by its test, and nothing is found where none is planted', async () => {
  const mistake = MISTAKES.find(({ invariant }) => invariant === 'B2')!;
  assert.equal((await runTestWithMistake(mistake, mistake)).failed, true);
  assert.equal((await runTestWithMistake({ ...mistake, wrong: mistake.right }, mistake)).failed, false);
});
