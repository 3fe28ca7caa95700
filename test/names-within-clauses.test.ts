/** Names that a clause gives and reads itself: paths and relationships of CREATE and MERGE, and columns in aggregates of ORDER BY. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/library/index.ts';

let databases = 0;

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const db = await open(`memory://names-within-clauses-${++databases}`);
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

const rowsOf = async (db: Database, query: string): Promise<unknown> => (await db.query(query)).rows.map((row) => Object.values(row));

test('ON CREATE and ON MATCH read the path of their MERGE', async () => {
  await withDatabase(async (db) => {
    const merge =
      'MERGE p = (a:A {x: 1})-[:R]->(b:B) ON CREATE SET b.made = length(p) ' +
      'ON MATCH SET b.found = [n IN nodes(p) | labels(n)[0]] RETURN b.made, b.found';
    assert.deepEqual(await rowsOf(db, merge), [[1, null]]);
    assert.deepEqual(await rowsOf(db, `${merge}, length(p)`), [[1, ['A', 'B'], 1]]);
    const known =
      'MATCH (a:A) UNWIND [1, 2] AS i MERGE p = (a)-[:S]->(c:C {i: i}) ON CREATE SET c += {n: size(nodes(p))} RETURN c.n, length(p)';
    assert.deepEqual(await rowsOf(db, known), [
      [2, 1],
      [2, 1],
    ]);
    const counted = 'MERGE p = (a:A {x: 1}) ON MATCH SET a.c = COUNT { MATCH (n) WHERE n IN nodes(p) } RETURN a.c';
    assert.deepEqual(await rowsOf(db, counted), [[1]]);
    await db.query('FOREACH (i IN [1, 2] | MERGE p = (d:D {i: i})-[:R]->(e:E) ON CREATE SET d.l = length(p), e.l = length(p) + i)');
    assert.deepEqual(await rowsOf(db, 'MATCH (d:D)-->(e:E) RETURN d.l, e.l ORDER BY d.i'), [
      [1, 2],
      [1, 3],
    ]);
  });
});

test('a pattern of CREATE reads paths and relationships of the patterns before it', async () => {
  await withDatabase(async (db) => {
    const create = 'CREATE p = (a:A)-[r:R {w: 5}]->(b:A), q = (b)-[:S {l: length(p), w: r.w}]->(:C), (d:D {l: length(p) + length(q)})';
    assert.deepEqual(await rowsOf(db, `UNWIND [1, 2] AS i ${create} RETURN length(q), relationships(q)[0].l, relationships(q)[0].w, d.l`), [
      [1, 1, 5, 2],
      [1, 1, 5, 2],
    ]);
    assert.deepEqual(await rowsOf(db, 'MATCH (n) RETURN count(*), COUNT { ()-->() }'), [[8, 4]]);
    await db.query('FOREACH (i IN [1, 2] | CREATE p = (:E)-[:R]->(:E), (:F {l: length(p)}))');
    assert.deepEqual(await rowsOf(db, 'MATCH (f:F) RETURN f.l'), [[1], [1]]);
  });
});

test('a node of CREATE reads no relationship of its own pattern, which is created later', async () => {
  await withDatabase(async (db) => {
    for (const query of [
      'CREATE (a:A)-[r:R {w: 5}]->(b:B {w: r.w})',
      'CREATE (a:A)-[r:R {w: 5}]->(b)-[:R]->(c:C {w: r.w})',
      'CREATE (a:A)-[r:R {w: "X"}]->(b:$(r.w))',
      'CREATE (a:A)-[r:R]->(b:B {w: COUNT { ()-[r]->() }})',
    ])
      await assert.rejects(db.query(query), { code: 'SEMANTIC_ERROR', message: /`r` is not defined here: the nodes of a pattern/ }, query);
  });
});

test('an aggregate of ORDER BY takes the variables from before the columns', async () => {
  await withDatabase(async (db) => {
    const sorted: readonly (readonly [returned: string, rows: unknown])[] = [
      ['RETURN sum(x) AS x ORDER BY sum(x)', [[6]]],
      ['RETURN sum(x) AS x, max(x) AS y ORDER BY sum(x) + max(x)', [[6, 3]]],
      [
        'RETURN x % 2 AS k, sum(x) AS x ORDER BY sum(x) DESC',
        [
          [1, 4],
          [0, 2],
        ],
      ],
      [
        'RETURN x % 2 AS k, count(*) AS x ORDER BY x DESC',
        [
          [1, 2],
          [0, 1],
        ],
      ],
      [
        'RETURN x AS k, count(*) AS c ORDER BY max(x) DESC',
        [
          [3, 1],
          [2, 1],
          [1, 1],
        ],
      ],
      ['RETURN x, count(*) AS c ORDER BY max(x + 1) DESC LIMIT 1', [[3, 1]]],
      [
        'WITH x % 2 AS k, collect(x) AS x ORDER BY size(collect(x)) RETURN k, x',
        [
          [0, [2]],
          [1, [1, 3]],
        ],
      ],
      [
        'RETURN x AS y, count(*) AS x ORDER BY count(*), -max(x) LIMIT 1 UNION RETURN 1 AS y, 2 AS x',
        [
          [3, 1],
          [1, 2],
        ],
      ],
    ];
    for (const [returned, rows] of sorted) assert.deepEqual(await rowsOf(db, `UNWIND [1, 2, 3] AS x ${returned}`), rows, returned);
    for (const returned of [
      'RETURN x % 2 AS k, count(*) AS c ORDER BY max(k)',
      'RETURN x % 2 AS k, count(*) AS c ORDER BY max(c)',
      'RETURN count(*) AS c ORDER BY count(c)',
      'WITH x, count(*) AS c ORDER BY collect(c + 1) RETURN x',
    ])
      await assert.rejects(
        db.query(`UNWIND [1, 2, 3] AS x ${returned}`),
        { code: 'SEMANTIC_ERROR', message: /is a column here, and an aggregate takes the variables from before/ },
        returned,
      );
    await assert.rejects(db.query('UNWIND [1, 2, 3] AS x RETURN x % 2 AS x, count(*) AS c ORDER BY max(x)'), { code: 'SEMANTIC_ERROR' });
  });
});
