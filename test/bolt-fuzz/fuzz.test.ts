/** The Bolt listener under random byte streams; more of them: `npm run fuzz:bolt`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzBolt } from './fuzz.ts';

test('no byte stream brings an internal fault, and all are over at the end', async () => {
  const { faults, streams, bytesReceived } = await fuzzBolt({ seed: 20_261_121, streams: 600 });
  assert.deepEqual(faults, []);
  assert.equal(streams, 600);
  assert.ok(bytesReceived > 10_000, 'some conversations must get somewhere');
});
