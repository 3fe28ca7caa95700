/** A few rounds of what `npm run paused` does in full. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pauseRounds } from './rounds.ts';

test('B10: a writer that was paused with its clock loses nothing, and deceives nobody', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-paused-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const report = await pauseRounds({ store: `file://${folder}?ns=paused`, rounds: 4, seed: 3, log: (line) => t.diagnostic(line) });
  assert.deepEqual(report.faults, []);
  assert.equal(report.fenced, 44);
});
