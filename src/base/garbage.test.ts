/** Memory that was given up is collected once it is much, and not before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { KnownGarbage } from './garbage.ts';

test('much shared memory that was given up is collected, little is not', async () => {
  const garbage = new KnownGarbage();
  const holder = new WeakRef(new SharedArrayBuffer(1024));
  await turn();
  garbage.add(2 ** 20);
  garbage.collectIfMuch();
  assert.notEqual(holder.deref(), undefined);
  await turn();
  garbage.add(2 ** 25);
  garbage.collectIfMuch();
  assert.equal(holder.deref(), undefined);
});
