/** A few seconds of it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { soak } from './soak.ts';

test('a mixed load brings no answer that is not called for', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-soak-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const { requests, faults, samples } = await soak({ store: `file://${folder}?ns=soak`, seconds: 4, clients: 4, seed: 1, log: () => {} });
  assert.deepEqual(faults, []);
  assert.ok((requests.get('read: 200') ?? 0) > 0 && (requests.get('write: 200') ?? 0) > 0 && samples.length > 0);
});
