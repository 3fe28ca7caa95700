/**
 * Lists and maps that hold one value many times: as a tree, they are larger than any memory, and whoever walks them as
 * one must know that before.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from './index.ts';

const DOUBLED = 'reduce(l = [1], x IN range(1, 60) | [l, l])';
const DOUBLED_MAP = 'reduce(m = {k: 1}, x IN range(1, 60) | {k: m, j: m})';

const USES = [
  'RETURN $',
  'RETURN [$, 1]',
  'RETURN {a: $}',
  'UNWIND [1, 2] AS i RETURN $ AS l, i ORDER BY i',
  'RETURN collect($)',
  'WITH $ AS a RETURN a = a',
  'WITH $ AS a RETURN a < a',
  'WITH $ AS a RETURN a IN [a]',
  'WITH $ AS a RETURN DISTINCT a',
  'WITH $ AS a RETURN a, count(*)',
  'WITH $ AS a RETURN count(DISTINCT a)',
  'WITH $ AS a UNWIND [a, a] AS b RETURN b ORDER BY b',
  'WITH $ AS a UNWIND [a, a] AS b RETURN max(b)',
  'WITH $ AS a UNWIND [a, a] AS b RETURN b UNION UNWIND [1] AS b RETURN b',
  'WITH $ AS a RETURN valueType(a)',
  'WITH $ AS a RETURN a IS :: LIST<INTEGER>',
  'WITH $ AS a RETURN CASE a WHEN a THEN 1 ELSE 2 END',
  'WITH $ AS a RETURN all(x IN [a] WHERE x = a)',
  'WITH $ AS a CREATE (n {v: a}) RETURN n',
  'WITH $ AS a MATCH (n {v: a}) RETURN n',
];

test('a value that would be too large as a tree is refused before it is walked', async () => {
  const engine = await openEngine('memory://shared-values');
  for (const value of [DOUBLED, DOUBLED_MAP]) {
    for (const use of USES) {
      const query = use.replaceAll('$', value);
      await assert.rejects(engine.execute(query, new Map(), { timeoutMs: 60_000 }), { code: 'MEMORY_LIMIT' }, query);
    }
  }
  const doubling = Array.from({ length: 60 }, () => 'WITH [l, l] AS l').join(' ');
  await assert.rejects(engine.execute(`WITH [1] AS l ${doubling} RETURN l = l`, new Map()), { code: 'MEMORY_LIMIT' });
  await engine.close();
});
