/** The HTTP surface under random requests; more of them: `npm run fuzz:http`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzHttp } from './fuzz.ts';

test('no random request is answered with a 500, and all kinds of answers occur', async () => {
  const { statuses, faults } = await fuzzHttp({ seed: 20_261_121, requests: 1_500 });
  assert.deepEqual(faults, []);
  for (const status of [200, 400, 401, 404, 405, 415]) assert.ok(statuses.has(status), `no ${status}`);
});
