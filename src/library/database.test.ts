/** The library on a real engine in memory: results, streams, transactions, options, errors. */
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { type TestContext, test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import { type Database, float, Node, open, Path, type QueryResult, Relationship } from './index.ts';

let stores = 0;

async function openMemory(context: TestContext): Promise<Database> {
  const db = await open(`memory://library-${++stores}`);
  context.after(() => db.close());
  return db;
}

test('a query answers columns, rows and what it wrote', async (context) => {
  const db = await openMemory(context);
  const written = await db.query('CREATE (p:Person {name: $name}) RETURN p.name AS name', { name: 'Ada' });
  assert.deepEqual(written.columns, ['name']);
  assert.deepEqual(written.rows, [{ name: 'Ada' }]);
  assert.deepEqual([written.writeOutcome?.nodesCreated, written.writeOutcome?.propertiesSet], [1, 1]);
  const read = await db.query('MATCH (p:Person) RETURN p.name AS name');
  assert.deepEqual({ ...read }, { columns: ['name'], rows: [{ name: 'Ada' }] });
  assert.deepEqual((await db.query('MATCH (p:Person) RETURN p.name AS name, p.missing AS missing')).rows, [{ name: 'Ada', missing: null }]);
});

test('values keep their kind on the way in and out', async (context) => {
  const db = await openMemory(context);
  const params = { i: 1, f: float(1), big: 2n ** 62n, list: [1, 'x', null], map: { a: { b: true } } };
  const { rows } = await db.query(
    'RETURN $i / 2 AS half, $f / 2 AS floatHalf, $big AS big, $list AS list, $map AS map, date("2024-02-29") AS date, 2.0 AS two',
    params,
  );
  const { date, ...row } = rows[0] ?? {};
  assert.deepEqual(row, { half: 0, floatHalf: 0.5, big: 2n ** 62n, list: [1, 'x', null], map: { a: { b: true } }, two: 2 });
  assert.equal((await db.query('RETURN $date = date("2024-02-29") AS same', { date: date as never })).rows[0]?.same, true);
});

test('entities are instances of the exported classes', async (context) => {
  const db = await openMemory(context);
  await db.query("CREATE (:A {_id: 'a', n: 1})-[:T {w: 0.5}]->(:B {_id: 'b'})");
  const { rows } = await db.query('MATCH path = (a:A)-[r:T]->(b) RETURN a, r, path');
  const { a, r, path } = rows[0] ?? {};
  assert(a instanceof Node && r instanceof Relationship && path instanceof Path);
  assert.deepEqual([a.id, a.labels, a.properties], ['a', ['A'], { n: 1 }]);
  assert.deepEqual([r.type, r.sourceId, r.targetId, r.properties], ['T', 'a', 'b', { w: 0.5 }]);
  assert.deepEqual(
    path.nodes.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.deepEqual(path.relationships, [r]);
});

test('a stream gives rows as they come and can be left', async (context) => {
  const db = await openMemory(context);
  const seen: unknown[] = [];
  for await (const row of db.stream('UNWIND range(1, $n) AS i RETURN i', { n: 10_000 })) {
    seen.push(row.i);
    if (seen.length === 3) break;
  }
  assert.deepEqual(seen, [1, 2, 3]);
  let sum = 0;
  for await (const row of db.stream('UNWIND range(1, 10000) AS i RETURN i')) sum += row.i as number;
  assert.equal(sum, 50_005_000);
});

test('a transaction takes effect as a whole, or not at all', async (context) => {
  const db = await openMemory(context);
  const count = async () => (await db.query('MATCH (n) RETURN count(*) AS n')).rows[0]?.n;
  const first = await db.begin({ mode: 'write' });
  await first.query('CREATE (:N)');
  assert.deepEqual((await first.query('MATCH (n) RETURN count(*) AS n')).rows, [{ n: 1 }]);
  assert.equal(await count(), 0, 'others do not see it yet');
  await first.commit();
  assert.equal(await count(), 1);

  const second = await db.begin({ mode: 'write' });
  await second.query('CREATE (:N)');
  await second.rollback();
  assert.equal(await count(), 1);

  {
    await using left = await db.begin();
    await left.query('MATCH (n) DELETE n');
  }
  assert.equal(await count(), 1, 'left without a commit');
});

test('failures are GraphDBErrors with a code, and a failed statement leaves no trace', async (context) => {
  const db = await openMemory(context);
  const failing: [string, string][] = [
    ['RETURN', 'SYNTAX_ERROR'],
    ['RETURN x', 'SEMANTIC_ERROR'],
    ['RETURN $missing', 'PARAMETER_MISSING'],
    ['RETURN 1 / 0', 'ARITHMETIC_ERROR'],
    ['UNWIND [1, 0] AS i CREATE (:N {v: 1 / i})', 'ARITHMETIC_ERROR'],
  ];
  for (const [query, code] of failing) {
    await assert.rejects(db.query(query), (error) => error instanceof GraphDBError && error.code === code, query);
  }
  assert.deepEqual((await db.query('MATCH (n) RETURN count(*) AS n')).rows, [{ n: 0 }]);
  await assert.rejects(open('nowhere://x'), { code: 'ARGUMENT_ERROR' });
});

test('a statement stops by time-out and by signal', async (context) => {
  const db = await openMemory(context);
  const endless = 'UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a WHERE a < 0 RETURN count(*)';
  await assert.rejects(db.query(endless, {}, { timeoutMs: 50 }), { code: 'QUERY_TIMEOUT' });
  await assert.rejects(db.query(endless, {}, { signal: AbortSignal.timeout(50) }), { code: 'CANCELLED' });
  await assert.rejects(db.query('RETURN 1', {}, { signal: AbortSignal.abort() }), { code: 'CANCELLED' });
});

test('compact merges what flushes wrote, and an older version is still there to be read', async () => {
  const uri = `memory://library-${++stores}`;
  await using db = await open(uri);
  await db.query('CREATE (:N {v: 1})');
  const { manifestVersion: version } = await db.flush();
  await db.query('CREATE (:N {v: 2})');
  const compacted = await db.compact();
  assert.deepEqual([compacted.sstsWritten, compacted.tablesMerged, compacted.sstsAdded, compacted.rowsWritten], [1, 1, 1, 2]);
  await using past = await open(uri, { version });
  assert.deepEqual((await past.query('MATCH (n:N) RETURN n.v AS v')).rows, [{ v: 1 }]);
  await assert.rejects(past.query('CREATE (:N)'), { code: 'READ_ONLY' });
});

test('flush tells what it wrote; closing twice is fine', async () => {
  const db = await open(`memory://library-${++stores}`);
  await db.query('CREATE (:N)');
  const flushed = await db.flush();
  assert.ok(flushed.sstsWritten >= 1);
  await db.close();
  await db.close();
  await using again = await open(`memory://library-${stores}`);
  assert.deepEqual((await again.query('MATCH (n) RETURN count(*) AS n')).rows, [{ n: 1 }], 'the same name is the same store');
});

test('a transaction streams what it has written, and rows may have a type of the program', async () => {
  await using db = await open('memory://library-transaction-stream');
  await using tx = await db.begin();
  await tx.query('UNWIND range(1, 3) AS x CREATE (:N {x: x})');
  const seen: number[] = [];
  for await (const { x } of tx.stream<{ x: number }>('MATCH (n:N) RETURN n.x AS x ORDER BY x')) seen.push(x);
  assert.deepEqual(seen, [1, 2, 3]);
  const { rows } = await db.query<{ n: number }>('MATCH (n:N) RETURN count(n) AS n');
  assert.equal(rows[0]?.n.toFixed(), '0');
});

test('rows are the same when a statement has a function of its own for them', async (context) => {
  const db = await openMemory(context);
  const statement =
    'UNWIND range(1, 300) AS i RETURN i AS `__proto__`, toString(i) AS `2`, [i, null] AS list, 0.5 * i AS half, null AS ' +
    'nothing, {a: i} AS `1`';
  const [first, second] = [await db.query(statement), await db.query(statement)];
  assert.deepEqual(second, first);
  assert.deepEqual(Object.keys(second.rows[299]!), Object.keys(first.rows[299]!));
  assert.equal(Object.getPrototypeOf(second.rows[0]), Object.prototype);
  assert.deepEqual(Object.entries(second.rows[1]!).toSorted(), [
    ['1', { a: 2 }],
    ['2', '2'],
    ['__proto__', 2],
    ['half', 1],
    ['list', [2, null]],
    ['nothing', null],
  ]);
});

test('a statement reads what it has written, row by row', async (context) => {
  const db = await openMemory(context);
  await db.query('CREATE CONSTRAINT FOR (p:P) REQUIRE p.id IS UNIQUE');
  const { rows } = await db.query(
    'UNWIND [1, 2, 1, 2, 3] AS id MERGE (p:P {id: id}) ON CREATE SET p.n = 1 ON MATCH SET p.n = p.n + 1 CREATE (p)-[r:R {n: ' +
      'p.n}]->(:Q) RETURN id, p.n AS n, r.n AS at, COUNT { (p)-->() } AS out',
  );
  const seen = rows.map(({ id, at }) => [id, at]);
  assert.deepEqual(seen, [
    [1, 2],
    [2, 2],
    [1, 2],
    [2, 2],
    [3, 1],
  ]);
  assert.deepEqual((await db.query('MATCH (p:P) RETURN p.id AS id, p.n AS n, COUNT { (p)-->() } AS out ORDER BY id')).rows, [
    { id: 1, n: 2, out: 2 },
    { id: 2, n: 2, out: 2 },
    { id: 3, n: 1, out: 1 },
  ]);
});

test('strings that are read again are those of the snapshot', async (context) => {
  const db = await openMemory(context);
  await db.query('UNWIND range(0, 9) AS i CREATE (:P {i: i, name: "name " + i})');
  const names = async (on: Pick<Database, 'query'>): Promise<unknown> =>
    (await on.query('MATCH (p:P) RETURN p.name AS name ORDER BY p.i')).rows.map(({ name }) => name);
  const before = Array.from({ length: 10 }, (_, i) => `name ${i}`);
  assert.deepEqual(await names(db), before);
  const transaction = await db.begin();
  for (const round of [1, 2]) {
    await transaction.query('MATCH (p:P) SET p.name = "round " + $round + " " + p.i', { round });
    assert.deepEqual(
      await names(transaction),
      Array.from({ length: 10 }, (_, i) => `round ${round} ${i}`),
    );
    assert.deepEqual(await names(db), before);
  }
  await transaction.rollback();
  await db.query('MATCH (p:P) SET p.name = "later " + p.i');
  assert.deepEqual(
    await names(db),
    Array.from({ length: 10 }, (_, i) => `later ${i}`),
  );
});

test('a short read of what is in memory makes one promise: that of its answer', async () => {
  await using db = await open('memory://one-promise');
  await db.query("CREATE (:A {k: 1, name: 'one'})");
  const read = (): Promise<QueryResult> => db.query('MATCH (a:A) WHERE a.k = $k RETURN a.name AS name LIMIT 3', { k: 1 });
  await read();
  let promises = 0;
  const hook = createHook({ init: (_id, type) => void (promises += type === 'PROMISE' ? 1 : 0) }).enable();
  const answer = read();
  hook.disable();
  assert.equal(promises, 1);
  assert.deepEqual((await answer).rows, [{ name: 'one' }]);
  await assert.rejects(db.query('RETURN 1 / 0'), { code: 'ARITHMETIC_ERROR' });
  await assert.rejects(db.query('RETURN $k', { k: Symbol('no value') as never }), { code: 'ARGUMENT_ERROR' });
});

test('options are settings: a part of the engine that is given among them is not taken', async () => {
  const decorateStore = (): never => {
    throw new Error('a part of the engine');
  };
  const options: object = { flushIntervalMs: 0, decorateStore, flags: null, clock: null };
  await using db = await open(`memory://library-${++stores}`, options);
  assert.deepEqual((await db.query('RETURN 1 AS x')).rows, [{ x: 1 }]);
});

test('what types do not allow is refused with a code', async (context) => {
  const db = await openMemory(context);
  const refused = { code: 'ARGUMENT_ERROR' };
  for (const query of [undefined, 5, null]) {
    await assert.rejects(db.query(query as never), refused);
    await assert.rejects(
      db
        .stream(query as never)
        [Symbol.asyncIterator]()
        .next(),
      refused,
    );
  }
  for (const timeoutMs of [Number.NaN, '5']) await assert.rejects(db.query('RETURN 1', {}, { timeoutMs: timeoutMs as never }), refused);
  await assert.rejects(db.query('RETURN 1', 'x' as never), refused);
  await assert.rejects(db.begin({ mode: 'x' as never }), refused);
  for (const options of [
    { flushIntervalMs: 'x' as never },
    { readWorkers: -1 },
    { changeRetentionMs: Number.NaN },
    { version: '1' as never },
  ])
    await assert.rejects(open(`memory://library-${++stores}`, options), refused);
});

test('a stream that is read on after close fails', async () => {
  const db = await open(`memory://library-${++stores}`);
  const rows = db.stream('UNWIND range(1, 1000000) AS x RETURN x')[Symbol.asyncIterator]();
  assert.deepEqual((await rows.next()).value, { x: 1 });
  await db.close();
  await assert.rejects(
    async () => {
      while (!(await rows.next()).done);
    },
    { code: 'SHUTTING_DOWN', retriable: false },
  );
});

test('nothing of a closed database is tried again', async () => {
  const db = await open(`memory://library-${++stores}`);
  await db.close();
  const closed = { code: 'SHUTTING_DOWN', retriable: false };
  let attempts = 0;
  const work = () => {
    attempts++;
  };
  await assert.rejects(db.transaction(work), closed);
  assert.equal(attempts, 0);
  for (const call of [() => db.query('RETURN 1'), () => db.begin({ mode: 'read' }), () => db.begin(), () => db.flush(), () => db.compact()])
    await assert.rejects(call(), closed);
});
