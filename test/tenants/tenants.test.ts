/** Callers of one server see their own namespaces and nothing of others; the planted leaks still fit their files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPlantable } from '../support/planted.ts';
import { LEAKS } from './planted.ts';
import { runTenants } from './tenants.ts';

test('no answer has anything of a namespace that its caller may not see', async () => {
  const { kinds, leaks } = await runTenants({ seed: 7, requests: 3_000, namespaces: 6, callers: 12, log: () => {} });
  assert.deepEqual(leaks, []);
  for (const [kind, { answered, refused }] of kinds) {
    // There is no statement of the id that is to be stopped.
    if (kind !== 'own terminate') assert.ok(answered > 0, `${kind}: ${answered} answered`);
    if (!kind.startsWith('public')) assert.ok(refused > 0, `${kind}: ${refused} refused`);
  }
});

test('the planted leaks fit', () => assertPlantable(LEAKS));
