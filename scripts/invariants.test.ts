/** Each invariant of safety is quoted by a module that keeps it and by a test that breaks it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Module, quotesOf, SAFETY } from './invariants.ts';

const ROOT = join(import.meta.dirname, '..');

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

test('each invariant of safety is kept by a module and held by a test', () => {
  const sources = modulesOf('src/**/*.ts');
  const tests = [...sources, ...modulesOf('test/**/*.test.ts')];
  for (const [invariant, meaning] of Object.entries(SAFETY)) {
    const found = { sources: quotesOf(invariant, sources).sources, tests: quotesOf(invariant, tests).tests };
    assert.ok(found.sources.length > 0, `${invariant} (${meaning}) is quoted by no module of src`);
    assert.ok(found.tests.length > 0, `${invariant} (${meaning}) is quoted by no test`);
  }
});
