/** The check for raw clocks, timers and randomness finds what it is there to find. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAmbientSources } from './ambient-sources.ts';

function check(path: string, text: string): string[] {
  return findAmbientSources([{ path, text }]);
}

const RAW: Readonly<Record<string, readonly string[]>> = {
  'base/clock.ts': [
    'const now = Date.now();',
    'const { now = Date.now } = options;',
    'const now = new Date();',
    'const now = Date();',
    'const since = performance.now();',
    'const since = process.hrtime.bigint();',
    "import { performance as p } from 'node:perf_hooks';",
  ],
  'base/timers.ts': [
    'setTimeout(work, 10);',
    'this.#timer = setInterval(work, 10).unref();',
    'setImmediate(() => work());',
    'clearTimeout(timer);',
    'globalThis.setTimeout(work, 10);',
    'const signal = AbortSignal.timeout(10);',
    "import { setTimeout as sleep } from 'node:timers/promises';",
    "const { setTimeout: sleep } = await import('timers/promises');",
  ],
  'base/random.ts': [
    'const { random = Math.random } = options;',
    "import { randomUUID } from 'node:crypto';",
    "import { createHash, randomBytes } from 'node:crypto';",
    '  randomFillSync as fill,',
    'const id = crypto.randomUUID();',
    'crypto.getRandomValues(bytes);',
  ],
};

test('each raw source is found, with its line and the module that has it instead', () => {
  for (const [owner, statements] of Object.entries(RAW)) {
    for (const statement of statements) {
      const found = check('engine/a.ts', `/** A file. */\n\n${statement}\n`);
      assert.equal(found.length, 1, statement);
      assert.match(found[0]!, new RegExp(`^src/engine/a\\.ts:3: .* is for src/${owner} alone$`), statement);
    }
  }
});

test('the owners, tests, fixtures and the folders for testing are free', () => {
  for (const path of [
    'base/clock.ts',
    'base/timers.ts',
    'base/random.ts',
    'engine/a.test.ts',
    'http/a.fixture.ts',
    'storage/testing/a.ts',
  ]) {
    assert.deepEqual(check(path, 'setTimeout(work, Date.now());'), [], path);
  }
  assert.equal(check('base/logging.ts', 'const now = Date.now();').length, 1);
});

test('comments, and names that only look alike, are no uses', () => {
  for (const line of [
    '/** Milliseconds of `performance.now()`. */',
    ' * Math.random() is not for secrets.',
    '// setTimeout(work, 10);',
    'const a = 1; // not Date.now()',
    "import { createHash } from 'node:crypto';",
    "const name = 'randomUUID';",
    'const date = new Date(milliseconds);',
    'socket.setTimeout(10);',
    'schedule.clearTimeout(timer);',
  ]) {
    assert.deepEqual(check('engine/a.ts', line), [], line);
  }
});
