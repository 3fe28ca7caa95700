/** LIMIT behind the ORDER BY … LIMIT of an earlier clause: each counts for itself, whatever lies between them in the plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from './index.ts';

const FIRST = ['WITH x ORDER BY x', 'WITH DISTINCT x ORDER BY x', 'WITH x, count(*) AS c ORDER BY x', 'WITH DISTINCT x'];
const SECOND = [
  'RETURN x',
  'RETURN x + 0 AS x',
  'RETURN DISTINCT x',
  'RETURN x ORDER BY x',
  'WITH x',
  'WITH DISTINCT x',
  "RETURN x, 'a' AS a",
];

test('the smaller of two limits decides, in whichever clause it stands', async () => {
  const engine = await openEngine('memory://nested-limits');
  for (const first of FIRST) {
    for (const second of SECOND) {
      for (const [one, other] of [
        [4, 2],
        [2, 4],
        [3, 3],
      ] as const) {
        const last = second.startsWith('WITH') ? ' RETURN x' : '';
        const query = `UNWIND range(1, 9) AS x ${first} LIMIT ${one} ${second} LIMIT ${other}${last}`;
        const { rows } = await engine.execute(query, new Map());
        assert.equal(rows.length, Math.min(one, other), query);
      }
    }
  }
  await engine.close();
});
