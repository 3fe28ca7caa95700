/** A few rounds of what `npm run two-servers` does in full. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { twoServersRounds } from './rounds.ts';

test('two servers on one directory: the newer writes, the older reads, nothing is lost or doubled', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-two-servers-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const report = await twoServersRounds({
    store: `file://${folder}?ns=shared`,
    rounds: 3,
    clients: 8,
    seed: 7,
    log: (line) => t.diagnostic(line),
  });
  assert.deepEqual(report.faults, []);
  assert.ok(report.answered > 0 && report.fenced > 0, `${report.answered} answered, ${report.fenced} fenced`);
});
