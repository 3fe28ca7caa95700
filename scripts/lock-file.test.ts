/** package-lock.json is whole, so that `npm ci` takes it, and what completes it knows platforms by their names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LockFile, missingEntries } from './lock-file.ts';

test('package-lock.json has every optional package', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as LockFile;
  assert.deepEqual([...missingEntries(lock).keys()], [], 'run: node scripts/complete-lock-file.ts');
});

test('a missing package gets version, platform and kind', () => {
  const missing = missingEntries({
    packages: {
      'node_modules/tool': {
        dev: true,
        optionalDependencies: { '@a/cli-linux-x64-musl': '1.0.0', '@a/binding-win32-arm64-msvc': '1.0.0', '@a/there': '1.0.0' },
      },
      'node_modules/@a/there': { version: '1.0.0' },
    },
  });
  assert.deepEqual(Object.fromEntries(missing), {
    'node_modules/@a/cli-linux-x64-musl': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['musl'], dev: true, optional: true },
    'node_modules/@a/binding-win32-arm64-msvc': { version: '1.0.0', os: ['win32'], cpu: ['arm64'], dev: true, optional: true },
  });
});
