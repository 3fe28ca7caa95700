/** Statements give way to the event loop where their work is done by functions, not by the loop around them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../base/index.ts';
import { type Engine, openEngine } from './index.ts';

const TEXT = 'ab '.repeat(200_000);
const TURNS = 40;

/** Each does its work in 64 rows or pieces, each of which takes longer than a slice of no time. */
const STATEMENTS: Readonly<Record<string, string>> = {
  'a function of a long text': `UNWIND range(1, 64) AS i WITH replace($text, 'b', toString(i)) AS x WHERE x = 'c' RETURN count(*)`,
  'a comparison of long texts': 'UNWIND range(1, 64) AS i WITH i WHERE $text < $other + i RETURN count(*)',
  'a regular expression': `UNWIND range(1, 64) AS i WITH i WHERE $text =~ '.*' + i RETURN count(*)`,
  'a comparison of long lists': 'UNWIND range(1, 64) AS i WITH i WHERE $list + i = $list + 0.5 RETURN count(*)',
  'a slice': 'UNWIND range(1, 64) AS i WITH $list[i..] AS part WHERE size(part) < 0 RETURN count(*)',
  'elements of a comprehension': `RETURN size([i IN range(1, 64) WHERE replace($text, 'b', toString(i)) = 'c'])`,
  'rows of a table': `MATCH (n:Row) WHERE replace($text, 'b', n.with) = 'c' RETURN count(*)`,
  'one call of a function in pieces': 'UNWIND [0] AS i WITH apoc.coll.frequencies($list + i) AS x RETURN size(x)',
  'one call of a function in pieces, of a parameter': 'RETURN size(apoc.coll.frequencies($list))',
  'keys of groups': 'UNWIND range(1, 64) AS i WITH [i] + $list AS key, count(*) AS c RETURN count(key)',
};

async function turnsDuring(engine: Engine, query: string): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const counting = (async () => {
    for (; isRunning; turns++) await nextTurn();
  })();
  const list = Array.from({ length: 200_000 }, (_, i) => i);
  const parameters = { text: TEXT, other: `${TEXT}c`, list };
  await engine.execute(query, new Map(Object.entries(parameters)));
  isRunning = false;
  await counting;
  return turns;
}

test('a statement whose functions use up its slice of time gives way at the next turn of its loop', async () => {
  const engine = await openEngine('memory://giving-way', { readWorkers: 0 }, { sliceMs: 0 });
  await engine.execute(`UNWIND range(1, 64) AS i CREATE (:Row {with: 'x'})`, new Map());
  for (const [name, query] of Object.entries(STATEMENTS)) {
    const turns = await turnsDuring(engine, query);
    assert.ok(turns >= TURNS, `${name}: ${turns} turns`);
  }
  await engine.close();
});

test('a function in pieces gives the same where nobody can give way', async () => {
  const engine = await openEngine('memory://in-closures', { readWorkers: 0 }, { sliceMs: 0 });
  const { rows } = await engine.execute(
    `WITH [3, 1, 3] AS list
     RETURN [x IN [list, [null], []] | [y IN apoc.coll.frequencies(x) | [y.item, y.count]]] AS counted,
       [x IN [list, null] | apoc.coll.isEqualCollection(x, [3, 3, 1])] AS equal, apoc.coll.duplicates(null) AS none`,
    new Map(),
  );
  assert.deepEqual(rows, [
    [
      [
        [
          [3, 2],
          [1, 1],
        ],
        [[null, 1]],
        [],
      ],
      [true, false],
      [],
    ],
  ]);
  await engine.close();
});
