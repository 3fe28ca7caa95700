/** OPTIONAL CALL { … } IN TRANSACTIONS keeps the rows for which the subquery has none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import type { ResultValue } from '../../src/value/index.ts';

test('OPTIONAL CALL in transactions keeps the rows for which the subquery has none', async (context) => {
  const engine = await openEngine('memory://optional-batches');
  context.after(() => engine.close());
  const rows = async (query: string): Promise<ResultValue[][]> => (await engine.execute(query, new Map())).rows;
  const optional = 'UNWIND [1, 2, 3] AS i OPTIONAL CALL (i) { WITH i WHERE i <> 2 UNWIND range(1, i) AS z RETURN z, 6 / (i - 1) AS q }';
  assert.deepEqual(await rows(`${optional} IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE REPORT STATUS AS s RETURN i, z, s.committed`), [
    [1, null, false],
    [2, null, true],
    [3, 1, true],
    [3, 2, true],
    [3, 3, true],
  ]);
  assert.deepEqual(await rows('UNWIND [1, 2] AS i OPTIONAL CALL (i) { MATCH (n:None) RETURN n } IN TRANSACTIONS RETURN i, n'), [
    [1, null],
    [2, null],
  ]);
});
