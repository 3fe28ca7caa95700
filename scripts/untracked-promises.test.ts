/** Tests that node:test fails what it must where it follows no promise. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = `
  import { getTestContext, suite, test } from 'node:test';
  const show = (place) => console.log(place + ': ' + getTestContext()?.name);
  suite('outer', () => test('inner', async () => {
    show('at first');
    await null;
    show('behind await');
    Promise.reject(new Error('nobody awaits this'));
    await new Promise((resolve) => setTimeout(resolve));
  }));`;

test('tests know their suites, promises are not followed, and an error that nobody awaits fails the file', () => {
  const preload = join(import.meta.dirname, 'untracked-promises.ts');
  // Otherwise the process reports to the runner of this test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const argv = ['--import', preload, '--test-reporter=tap', '--input-type=module', '--eval', PROGRAM];
  const { stdout, status } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  assert.match(stdout, /^at first: inner$/m);
  assert.match(stdout, /^behind await: undefined$/m);
  assert.match(stdout, /^ {4}ok 1 - inner$/m);
  assert.match(stdout, /nobody awaits this/);
  assert.equal(status, 1);
});
