/** The kernels that are committed are those of their texts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileText, kernelModules } from './kernels.ts';

const ROOT = join(import.meta.dirname, '..');

test('each module of a kernel is what its text compiles to (npm run build:kernels)', () => {
  const modules = kernelModules(ROOT);
  assert.ok(modules.length >= 3, `${modules.length} kernels`);
  for (const { path, text } of modules) assert.equal(readFileSync(join(ROOT, path), 'utf8'), text, path);
});

test('a text that is wrong is refused with its place', () => {
  assert.throws(() => compileText('wrong.wat', '(module\n  (func (result i32) (f64.const 1)))'), /wrong\.wat:2:\d+: error: type mismatch/);
});
