/** `apoc.create.*`, with APOC's columns. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

test('nodes and relationships with computed labels, types and keys', async (context) => {
  const engine = await openEngine('memory://creating');
  context.after(() => engine.close());
  const rows = async (query: string): Promise<string[]> =>
    (await engine.execute(query, new Map())).rows.map((row) => row.map(literalText).join(' '));
  assert.deepEqual(await rows("CALL apoc.create.node(['Person', 'Actor'], {name: 'Tom'}) YIELD node RETURN labels(node), node.name"), [
    "['Person', 'Actor'] 'Tom'",
  ]);
  assert.deepEqual(await rows('CALL apoc.create.node([], null) YIELD node RETURN labels(node), properties(node)'), ['[] {}']);
  assert.deepEqual(
    await rows(
      "MATCH (a:Person), (b) WHERE a <> b CALL apoc.create.relationship(a, 'ACTED' + '_IN', {n: 1}, b) YIELD rel RETURN " +
        'type(rel), rel.n, startNode(rel) = a',
    ),
    ["'ACTED_IN' 1 true"],
  );
  assert.deepEqual(
    await rows("MATCH (n) WITH collect(n) AS all CALL apoc.create.setProperty(all, 'k' + 'ey', 7) YIELD node RETURN node.key"),
    ['7', '7'],
  );
  assert.deepEqual(await rows("MATCH (n:Person) CALL apoc.create.removeLabels(n, ['Actor', 'None']) YIELD node RETURN labels(node)"), [
    "['Person']",
  ]);
  assert.deepEqual(await rows("CALL apoc.create.setProperty(null, 'a', 1) YIELD node RETURN node"), []);
  for (const call of ["node([''], {})", "setProperty([1], 'a', 1)", "relationship(null, 'A', {}, null)"])
    await assert.rejects(rows(`CALL apoc.create.${call}`), { code: 'TYPE_ERROR' }, call);
});
