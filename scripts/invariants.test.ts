/** Each invariant of ARCHITECTURE.md is quoted by a module that keeps it and by a test that breaks it, and no other is quoted. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { invariantsOf, type Module, quotedNumbers, quotesOf } from './invariants.ts';

const ROOT = join(import.meta.dirname, '..');
const INVARIANTS = invariantsOf(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));

function modulesOf(pattern: string): Module[] {
  return globSync(pattern, { cwd: ROOT }).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

test('quotes are told by whole numbers, of modules and of tests', () => {
  const modules = [
    { path: 'src/a.ts', text: '// S1: it holds' },
    { path: 'src/b.ts', text: '// S12, S' },
    { path: 'src/a.test.ts', text: '/** S1 */' },
  ];
  assert.deepEqual(quotesOf('S1', modules), { sources: ['src/a.ts'], tests: ['src/a.test.ts'] });
  assert.deepEqual(quotesOf('S2', modules), { sources: [], tests: [] });
});

test('invariants are read from tables, and quotes from comments and messages', () => {
  assert.deepEqual(
    [...invariantsOf('| B1 | It holds |\n|---|---|\n| word | B2 |\n| M10 | So does this |')],
    [
      ['B1', 'It holds'],
      ['M10', 'So does this'],
    ],
  );
  const quoting = { path: 'src/a.ts', text: "/** Kept (B3–B5, M1).\n * - Q2: so.\n */ fail('S9: no'); const S8 = B7; // 2015-Q6" };
  assert.deepEqual([...quotedNumbers([quoting])], ['B3', 'B5', 'M1', 'Q2', 'S9']);
});

test('each invariant is kept by a module and held by a test, and each that is quoted is listed', () => {
  const sources = modulesOf('src/**/*.ts');
  const tests = [...sources, ...modulesOf('test/**/*.test.ts')];
  assert.ok(INVARIANTS.size > 20, `${INVARIANTS.size} invariants`);
  for (const [invariant, sentence] of INVARIANTS) {
    const found = { sources: quotesOf(invariant, sources).sources, tests: quotesOf(invariant, tests).tests };
    assert.ok(found.sources.length > 0, `${invariant} (${sentence}) is quoted by no module of src`);
    assert.ok(found.tests.length > 0, `${invariant} (${sentence}) is quoted by no test`);
  }
  for (const number of quotedNumbers(tests))
    assert.ok(INVARIANTS.has(number), `${number} is quoted, and stands in no table of ARCHITECTURE.md`);
});
