/** A quarter of an hour of what `npm run endurance` does for a day. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Look, simulateDay } from './day.ts';

test('a thousand small commits leave no thousand objects, while they go on and after a compaction', async () => {
  const looks: Look[] = [];
  const report = await simulateDay({ commits: 1_000, intervalMs: 864, looks: 10, log: (look) => looks.push(look) });
  assert.deepEqual(report.answer, report.expected);
  const { manifests, walObjects, files } = report.end;
  assert.ok(walObjects === 0 && manifests <= 10 && files <= 40, JSON.stringify(report.end));
  assert.ok(report.mostObjects < 300, `${report.mostObjects} objects at once`);
  assert.ok(
    looks.every((look) => look.walObjects < 200),
    'the log goes while commits come',
  );
});
