import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../value/index.ts';
import type { Engine } from './api.ts';
import { type EngineOptions, openEngine } from './index.ts';

let stores = 0;

async function withEngine(run: (engine: Engine) => Promise<void>, options: EngineOptions = {}): Promise<void> {
  const engine = await openEngine(`memory://engine-test-${++stores}`, options);
  try {
    await run(engine);
  } finally {
    await engine.close();
  }
}

/** Statements may write nothing of what they hold to temporary files. */
const WITHOUT_FILES: EngineOptions = { cacheBytes: 0 };

const none: ReadonlyMap<string, Value> = new Map();
const rowsOf = async (engine: Engine, query: string, params = none): Promise<unknown[][]> => (await engine.execute(query, params)).rows;

test('a statement answers columns in order, and a write says what it changed', () =>
  withEngine(async (engine) => {
    const created = await engine.execute("CREATE (a:A {x: 1})-[:R {y: 2}]->(b:B:C) RETURN a.x AS x, 'k' AS k", none);
    assert.deepEqual(created.columns, ['x', 'k']);
    assert.deepEqual(created.rows, [[1, 'k']]);
    assert.deepEqual(created.writeOutcome, {
      nodesCreated: 2,
      edgesCreated: 1,
      nodesDeleted: 0,
      edgesDeleted: 0,
      propertiesSet: 2,
      labelsAdded: 3,
      labelsRemoved: 0,
    });
    const read = await engine.execute('MATCH (n) RETURN n.x AS x ORDER BY x', none);
    assert.deepEqual(read.rows, [[1], [null]]);
    assert.equal(read.writeOutcome, undefined);
  }));

test('a statement that fails leaves no trace', () =>
  withEngine(async (engine) => {
    await assert.rejects(engine.execute('UNWIND [1, 2, 0] AS d CREATE (:N {v: 10 / d})', none), { code: 'ARITHMETIC_ERROR' });
    assert.deepEqual(await rowsOf(engine, 'MATCH (n) RETURN count(n)'), [[0]]);
    await engine.execute('CREATE (:A)-[:R]->(:B)', none);
    await assert.rejects(engine.execute('MATCH (a:A) DELETE a', none), { code: 'CONSTRAINT_VIOLATION' });
    assert.deepEqual(await rowsOf(engine, 'MATCH (a:A)-[r]->(b) RETURN count(r)'), [[1]]);
  }));

test('a missing parameter is named', () =>
  withEngine(async (engine) => {
    await assert.rejects(engine.execute('RETURN $missing', none), { code: 'PARAMETER_MISSING', message: /\$missing/ });
  }));

test('what is kept of a statement between its runs is right for other parameters, after writes, and with and without an index', () =>
  withEngine(async (engine) => {
    await engine.execute("CREATE (:N {v: 1}), (:N {v: '1'}), (:N {v: 2.5}), (:N {v: true}), (:N)", none);
    const counts = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const v of [1, '1', 2.5, true, null, 2n ** 62n, 1]) {
        const params = new Map<string, Value>([
          ['unused', found.length % 2 === 0 ? 'a' : 1],
          ['v', v],
        ]);
        found.push((await rowsOf(engine, 'MATCH (n:N) WHERE n.v = $v RETURN count(n)', params))[0]![0]);
      }
      return found;
    };
    assert.deepEqual(await counts(), [1, 1, 1, 1, 0, 0, 1]);
    await engine.execute('CREATE (:N {v: 1}), (:N:M {v: 4611686018427387904})', none);
    assert.deepEqual(await counts(), [2, 1, 1, 1, 0, 1, 2]);
    await engine.execute('CREATE INDEX of_v FOR (n:N) ON (n.v)', none);
    assert.deepEqual(await counts(), [2, 1, 1, 1, 0, 1, 2]);
    await engine.execute('MATCH (n:M) SET n.v = 1', none);
    assert.deepEqual(await counts(), [3, 1, 1, 1, 0, 0, 3]);
    await engine.execute('DROP INDEX of_v', none);
    assert.deepEqual(await counts(), [3, 1, 1, 1, 0, 0, 3]);
    await engine.execute('MATCH (n:N) WHERE n.v = 1 DELETE n', none);
    assert.deepEqual(await counts(), [0, 1, 1, 1, 0, 0, 0]);
  }));

test('a transaction sees its own writes, others see them when it is committed, and nobody when it is rolled back', () =>
  withEngine(async (engine) => {
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute('CREATE (:T {v: 1})', none);
    await transaction.execute('MATCH (t:T) SET t.v = t.v + 1', none);
    assert.deepEqual((await transaction.execute('MATCH (t:T) RETURN t.v', none)).rows, [[2]]);
    assert.deepEqual(await rowsOf(engine, 'MATCH (t:T) RETURN count(t)'), [[0]]);
    await transaction.commit();
    assert.deepEqual(await rowsOf(engine, 'MATCH (t:T) RETURN t.v'), [[2]]);
    const other = await engine.begin({ mode: 'write' });
    await other.execute('MATCH (t:T) SET t.v = 99 CREATE (:T {v: 100})', none);
    await other.rollback();
    assert.deepEqual(await rowsOf(engine, 'MATCH (t:T) RETURN t.v'), [[2]]);
    await assert.rejects(other.execute('RETURN 1', none), { code: 'BAD_REQUEST' });
  }));

test('M2: a read transaction stays on its snapshot and refuses writes', () =>
  withEngine(async (engine) => {
    await engine.execute('CREATE (:T {v: 1})', none);
    const reader = await engine.begin({ mode: 'read' });
    await engine.execute('MATCH (t:T) SET t.v = 2 CREATE (:T {v: 3})', none);
    assert.deepEqual((await reader.execute('MATCH (t:T) RETURN t.v ORDER BY t.v', none)).rows, [[1]]);
    await assert.rejects(reader.execute('CREATE (:T)', none), { code: 'READ_ONLY' });
    await reader.commit();
    assert.deepEqual(await rowsOf(engine, 'MATCH (t:T) RETURN t.v ORDER BY t.v'), [[2], [3]]);
  }));

test('writes of many callers take turns, and each is there once', () =>
  withEngine(async (engine) => {
    await engine.execute('CREATE (:Counter {v: 0})', none);
    await Promise.all(Array.from({ length: 50 }, () => engine.execute('MATCH (c:Counter) SET c.v = c.v + 1', none)));
    assert.deepEqual(await rowsOf(engine, 'MATCH (c:Counter) RETURN c.v'), [[50]]);
  }));

test('Q3: a statement that never ends is stopped by its time limit, and by its caller', () =>
  withEngine(async (engine) => {
    const endless = 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN count(*)';
    await assert.rejects(engine.execute(endless, none, { timeoutMs: 50 }), { code: 'QUERY_TIMEOUT' });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(engine.execute(endless, none, { signal: controller.signal }), { code: 'CANCELLED' });
    const write = 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b CREATE (:N)';
    await assert.rejects(engine.execute(write, none, { timeoutMs: 50 }), { code: 'QUERY_TIMEOUT' });
    assert.deepEqual(await rowsOf(engine, 'MATCH (n) RETURN count(n)'), [[0]]);
    await engine.execute('CREATE (:Next)', none);
    assert.deepEqual(await rowsOf(engine, 'MATCH (n) RETURN labels(n)'), [[['Next']]]);
  }));

test('waiting for the turn to write counts against the time limit', () =>
  withEngine(async (engine) => {
    const holder = await engine.begin({ mode: 'write' });
    await assert.rejects(engine.execute('CREATE (:N)', none, { timeoutMs: 20 }), { code: 'QUERY_TIMEOUT' });
    const controller = new AbortController();
    const waiting = engine.execute('CREATE (:N)', none, { signal: controller.signal });
    controller.abort();
    await assert.rejects(waiting, { code: 'CANCELLED' });
    await holder.rollback();
    await engine.execute('CREATE (:N)', none, { timeoutMs: 1000 });
    assert.deepEqual(await rowsOf(engine, 'MATCH (n) RETURN count(n)'), [[1]]);
  }));

test('a statement that would need too much memory is refused, and the engine lives on', () =>
  withEngine(async (engine) => {
    for (const query of [
      'UNWIND range(1, 10000000) AS x RETURN collect(x)',
      'UNWIND range(1, 10000000) AS x RETURN x',
      'UNWIND range(1, 10000000) AS x WITH x ORDER BY x DESC RETURN x LIMIT 1000000',
      'UNWIND range(1, 10000000) AS x RETURN x % 1000000 AS k, count(*)',
      'UNWIND range(1, 10000000) AS x RETURN DISTINCT x',
      'RETURN size([x IN range(1, 1000000) | x])',
    ]) {
      await assert.rejects(engine.execute(query, none, { memoryBytes: 1_000_000 }), { code: 'MEMORY_LIMIT' }, query);
    }
    assert.deepEqual(await rowsOf(engine, 'RETURN 1'), [[1]]);
  }, WITHOUT_FILES));

test('the memory of long values counts, wherever they are kept', () =>
  withEngine(async (engine) => {
    const text = 'toUpper($text + toString(i))';
    const params = new Map([['text', 'x'.repeat(100_000)]]);
    for (const query of [
      `UNWIND range(1, 300) AS i RETURN ${text} AS t`,
      `UNWIND range(1, 300) AS i RETURN size(collect(${text}))`,
      `UNWIND range(1, 300) AS i RETURN size(collect({map: [${text}]}))`,
      `UNWIND range(1, 300) AS i WITH ${text} AS t ORDER BY size(t), t RETURN count(t)`,
      `UNWIND range(1, 300) AS i WITH ${text} AS t ORDER BY size(t), t LIMIT 200 RETURN collect(size(t))`,
      `UNWIND range(1, 300) AS i RETURN DISTINCT ${text} AS t`,
      `UNWIND range(1, 300) AS i WITH DISTINCT ${text} AS t RETURN count(t)`,
      `UNWIND range(1, 300) AS i RETURN count(DISTINCT ${text})`,
      `UNWIND range(1, 300) AS i RETURN ${text} AS t, count(*)`,
      `RETURN size([i IN range(1, 300) | ${text}])`,
      `RETURN size(reduce(l = [], i IN range(1, 300) | l + [${text}]))`,
    ]) {
      await assert.rejects(engine.execute(query, params, { memoryBytes: 10_000_000 }), { code: 'MEMORY_LIMIT' }, query);
    }
    // What rows share is there once, and what is no longer kept does not count.
    for (const query of [
      'WITH range(1, 20000) AS l UNWIND l AS x WITH x, l ORDER BY -x WHERE l[x - 1] = x RETURN count(*) AS c',
      'WITH range(1, 20000) AS l, $text AS t UNWIND l AS x WITH x, l, t ORDER BY -x WHERE l[x - 1] = x AND t STARTS WITH "xx" ' +
        'RETURN count(*) AS c',
      'UNWIND range(1, 20000) AS x WITH x, size([i IN range(1, 3) | toUpper($text)]) AS s WHERE s = 3 RETURN count(*) AS c',
    ]) {
      assert.deepEqual((await engine.execute(query, params, { memoryBytes: 10_000_000 })).rows, [[20_000]], query);
    }
    const stream = await engine.stream(`UNWIND range(1, 300) AS i RETURN ${text} AS t`, params, { memoryBytes: 10_000_000 });
    let most = 0;
    for await (const batch of stream.batches) most = Math.max(most, batch.length);
    assert.ok(most < 50, `${most} long rows in one batch`);
  }, WITHOUT_FILES));

test('a statement that cannot be planned is refused, whatever its length', () =>
  withEngine(async (engine) => {
    await engine.execute('CREATE (:A)-[:R]->(:B)', none);
    assert.deepEqual(await rowsOf(engine, `MATCH ()${'--()'.repeat(40)} RETURN count(*)`), [[0]]);
    const long = [
      `MATCH ()${'--()'.repeat(2000)} RETURN count(*)`,
      `${'MATCH (n) WITH n '.repeat(5000)}RETURN n`,
      `RETURN ${'1 + '.repeat(100_000)}1`,
      `${'CALL { '.repeat(1000)}RETURN 1 AS x${' } RETURN x'.repeat(1000)}`,
      `${Array.from({ length: 2000 }, (_, i) => `MATCH (n${i}:A)`).join(' ')} RETURN count(*)`,
      `${Array.from({ length: 1000 }, (_, i) => `OPTIONAL MATCH (n${i}:A)`).join(' ')} RETURN count(*)`,
      `${Array.from({ length: 1000 }, (_, i) => `UNWIND [1] AS x${i}`).join(' ')} RETURN x1`,
      `MATCH (n:A) WHERE ${Array.from({ length: 2000 }, (_, i) => `n.x <> ${i}`).join(' AND ')} RETURN n`,
    ];
    await assert.rejects(engine.execute(long[0]!, none), { code: 'UNSUPPORTED' });
    for (const query of long) {
      const answer = await engine.execute(query, none).catch((error: Error) => error);
      assert.ok(!(answer instanceof Error) || answer.name === 'GraphDBError', String(answer));
    }
    assert.deepEqual(await rowsOf(engine, 'RETURN 1'), [[1]]);
  }));

test('a script of thousands of CREATE clauses is one statement like any other', () =>
  withEngine(async (engine) => {
    const script = Array.from(
      { length: 3000 },
      (_, i) => `CREATE (n${i}:N {i: ${i}})${i === 0 ? '' : ` CREATE (n${i - 1})-[:R]->(n${i})`}`,
    );
    await engine.execute(script.join('\n'), none);
    assert.deepEqual(await rowsOf(engine, 'MATCH (a)-[:R]->(b) WHERE b.i = a.i + 1 RETURN count(*)'), [[2999]]);
    await engine.execute('UNWIND [1, 2] AS x CREATE (:M) CREATE (:K {seen: COUNT { MATCH (:M) }})', none);
    assert.deepEqual(await rowsOf(engine, 'MATCH (k:K) RETURN k.seen'), [[2], [2]]);
  }));

test('the time limit of a statement holds while it is prepared, however it is asked', () =>
  withEngine(async (engine) => {
    const many = (item: (i: number) => string): string => Array.from({ length: 3000 }, (_, i) => item(i)).join(', ');
    const options = { timeoutMs: 0.001 };
    const late = { code: 'QUERY_TIMEOUT' };
    const explain = `EXPLAIN MATCH (n) RETURN ${many((i) => `n.p${i} AS c${i}`)}`;
    await assert.rejects(engine.execute(explain, none, options), late);
    await assert.rejects(engine.stream(explain, none, options), late);
    await assert.rejects(engine.execute(`EXPLAIN CREATE ${many((i) => `(:A {i: ${i}})`)}`, none, options), late);
    for (const mode of ['read', 'write'] as const) {
      const transaction = await engine.begin({ mode });
      await assert.rejects(transaction.execute(explain, none, options), late);
      await transaction.rollback();
    }
    assert.equal((await engine.execute(explain, none)).rows.length, 1);
  }));

test('IN over lists of many thousands of numbers and of names', () =>
  withEngine(async (engine) => {
    await engine.execute('UNWIND range(1, 20000) AS i CREATE (:P {i: i, name: "n" + i})', none);
    const odd = Array.from({ length: 20_000 }, (_, i) => 2 * i + 1);
    const params = new Map<string, Value>([
      ['numbers', odd],
      ['names', odd.map((i) => `n${i}`)],
    ]);
    assert.deepEqual(await rowsOf(engine, 'MATCH (p:P) WHERE p.i IN $numbers AND p.name IN $names RETURN count(*)', params), [[10_000]]);
  }));

test('a value that is too large for the machine is refused', () =>
  withEngine(async (engine) => {
    const query = "RETURN size(reduce(s = 'xxxxxxxxxxxxxxxx', j IN range(1, 40) | s + s)) AS x";
    await assert.rejects(engine.execute(query, none), { code: 'MEMORY_LIMIT' });
    await assert.rejects(
      async () => {
        for await (const _ of (await engine.stream(query, none)).batches) assert.fail('it has no rows');
      },
      { code: 'MEMORY_LIMIT' },
    );
  }));

test('memory that a row needed is free for the next one', () =>
  withEngine(async (engine) => {
    await engine.execute('UNWIND range(1, 300) AS i CREATE (:N {i: i})', none);
    for (const query of [
      'MATCH (n:N) OPTIONAL MATCH (m:N) WHERE m.i < 50 WITH n, m WHERE m.i = 7 RETURN count(*) AS c',
      'MATCH (n:N) CALL { WITH n MATCH (m:N) WITH m ORDER BY m.i DESC RETURN m.i AS i } WITH i WHERE i = 7 RETURN count(*) AS c',
      'MATCH (n:N) CALL { WITH n MATCH (m:N) RETURN m.i % 100 AS k, count(*) AS x } WITH k WHERE k = 7 RETURN count(*) AS c',
      'MATCH (n:N) CALL { WITH n MATCH (m:N) RETURN DISTINCT m.i AS i } WITH i WHERE i = 7 RETURN count(*) AS c',
      'MATCH (n:N) WHERE EXISTS { MATCH (m:N) WITH DISTINCT m.i AS i WHERE i > 250 RETURN i } RETURN count(*) AS c',
    ]) {
      assert.deepEqual((await engine.execute(query, none, { memoryBytes: 200_000 })).rows, [[300]], query);
    }
  }));

test('a stream hands on batches, and stops when its reader does', () =>
  withEngine(async (engine) => {
    const stream = await engine.stream('UNWIND range(1, 5000) AS x RETURN x', none);
    let rows = 0;
    for await (const batch of stream.batches) rows += batch.length;
    assert.equal(rows, 5000);
    assert.equal(stream.summary().rows, 5000);
    const endless = await engine.stream('UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y RETURN x', none);
    for await (const batch of endless.batches) {
      assert.ok(batch.length > 0);
      break;
    }
  }));

test('what was written is there after a flush and after opening again, and a second writer fences the first', async () => {
  const uri = `memory://engine-test-${++stores}`;
  const first = await openEngine(uri);
  await first.execute("CREATE (:P {name: 'a', _id: 'id-a'})-[:R {w: 1.5}]->(:P {name: 'b'})", none);
  const flushed = await first.flush();
  assert.equal(flushed.sstsWritten, 2);
  await first.execute("MATCH (p {name: 'a'}) SET p.name = 'A'", none);
  const second = await openEngine(uri);
  assert.deepEqual(await rowsOf(second, 'MATCH (p)-[r:R]->(q) RETURN p.name, p._id, r.w, q.name'), [['A', 'id-a', 1.5, 'b']]);
  assert.ok(second.status().epoch > first.status().epoch);
  await assert.rejects(first.execute('CREATE (:P)', none), { code: 'WRITER_FENCED' });
  await assert.rejects(first.execute('CREATE (:P)', none), { code: 'WRITER_FENCED' });
  assert.equal(first.status().role, 'reader');
  assert.deepEqual(await rowsOf(first, 'MATCH (p:P) RETURN count(p)'), [[2]]);
  await second.execute('CREATE (:P {name: $name})', new Map([['name', 'c']]));
  await first.close();
  await second.close();
  const reader = await openEngine(uri, { readOnly: true });
  assert.deepEqual(await rowsOf(reader, 'MATCH (p:P) RETURN p.name ORDER BY p.name'), [['A'], ['b'], ['c']]);
  await assert.rejects(reader.execute('CREATE (:P)', none), { code: 'READ_ONLY' });
  await reader.close();
});

test('batches of CALL … IN TRANSACTIONS are commits of their own', () =>
  withEngine(async (engine) => {
    const failing = 'UNWIND range(1, 10) AS x CALL { WITH x CREATE (:B {v: 100 / (8 - x)}) } IN TRANSACTIONS OF 3 ROWS';
    await assert.rejects(engine.execute(failing, none), { code: 'ARITHMETIC_ERROR' });
    assert.deepEqual(await rowsOf(engine, 'MATCH (b:B) RETURN count(b)'), [[6]]);
    const lenient = 'UNWIND range(1, 10) AS x CALL { WITH x CREATE (:C {v: 100 / (8 - x)}) } IN TRANSACTIONS OF 3 ROWS ON ERROR CONTINUE';
    await engine.execute(lenient, none);
    assert.deepEqual(await rowsOf(engine, 'MATCH (c:C) RETURN count(c)'), [[7]]);
  }));

test('a batch that cannot be committed leaves no trace, not in the counts either, and the others go on', () =>
  withEngine(async (engine) => {
    await engine.execute('CREATE CONSTRAINT FOR (u:U) REQUIRE u.x IS UNIQUE', none);
    await engine.execute('CREATE (:N {i: 1})-[:R]->(:M), (:N {i: 2})', none);
    const statuses = async (batches: string, list: string): Promise<unknown> => {
      const options = 'IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE REPORT STATUS AS s';
      const query = `UNWIND ${list} AS i CALL (i) { ${batches} } ${options} RETURN collect(s.committed)`;
      const { rows, writeOutcome } = await engine.execute(query, none);
      return [rows[0]![0], writeOutcome!.nodesCreated, writeOutcome!.nodesDeleted];
    };
    assert.deepEqual(await statuses('CREATE (:U {x: i})', '[1, 1, 2]'), [[true, false, true], 2, 0]);
    assert.deepEqual(await statuses('MATCH (n:N {i: i}) DELETE n', '[1, 2]'), [[false, true], 0, 1]);
    assert.deepEqual(await statuses('CREATE (:C {i: i}) RETURN 1 / i AS x', '[0, 1]'), [[false, true], 1, 0]);
    assert.deepEqual(await rowsOf(engine, 'MATCH (n:N|U|C) RETURN labels(n)[0], coalesce(n.i, n.x) ORDER BY labels(n)[0], n.x'), [
      ['C', 1],
      ['N', 1],
      ['U', 1],
      ['U', 2],
    ]);
    const batches = 'CALL (i) { CREATE (:D {i: i}) } IN TRANSACTIONS';
    for (const query of [`CREATE (:E) WITH 1 AS i ${batches}`, `UNWIND [1] AS i CALL (i) { ${batches} } IN TRANSACTIONS`]) {
      await assert.rejects(engine.execute(query, none), { code: 'SYNTAX_ERROR', message: /cannot stand/ }, query);
    }
    const transaction = await engine.begin({ mode: 'write' });
    const inTransaction = `UNWIND [1] AS i ${batches} ON ERROR CONTINUE`;
    await assert.rejects(transaction.execute(inTransaction, none), { code: 'SEMANTIC_ERROR' });
    assert.deepEqual(await rowsOf(engine, 'MATCH (n:D|E) RETURN count(n)'), [[0]]);
  }));

test('names and strings of the user never become code', () =>
  withEngine(async (engine) => {
    const nasty = [
      "'; process.exit(1); //",
      `\`\${process.exit(1)}\``,
      '*/ process.exit(1) /*',
      '\n});process.exit(1);({',
      '__proto__',
      'constructor',
      '\u2028',
    ];
    for (const text of nasty) {
      const name = `\`${text.replaceAll('`', '``')}\``;
      const literal = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
      await engine.execute(`CREATE (${name}:${name} {${name}: ${literal}})-[:${name}]->()`, none);
      const found = await engine.execute(
        `MATCH (${name}:${name})-[r:${name}]->() WHERE ${name}.${name} = $${name} RETURN ${name}.${name} AS ${name}, r`,
        new Map([[text, text]]),
      );
      assert.deepEqual(found.columns, [text, 'r']);
      assert.equal(found.rows.length, 1);
      assert.equal(found.rows[0]![0], text);
    }
  }));

test('a search for shortest paths lets others run, can be cancelled, and finds paths that are longer than the stack is deep', async () => {
  const engine = await openEngine('memory://shortest', { readWorkers: 0, flushIntervalMs: 0 });
  await engine.execute('UNWIND range(0, 40000) AS i CREATE (:L {i: i})', new Map());
  await engine.execute('MATCH (a:L), (b:L {i: a.i + 1}) CREATE (a)-[:N]->(b)', new Map());
  const ends = 'MATCH (a:L {i: 0}), (b:L {i: 40000})';
  const { rows } = await engine.execute(`${ends} MATCH p = allShortestPaths((a)-[:N*]->(b)) RETURN length(p)`, new Map());
  assert.deepEqual(rows, [[40_000]]);
  // 2 to the power of 40 of them.
  await engine.execute('UNWIND range(0, 39) AS i CREATE (:D {i: i})-[:U]->(x:X {i: i}), (:Y {i: i})', new Map());
  await engine.execute('MATCH (d:D), (y:Y {i: d.i}) CREATE (d)-[:U]->(y)', new Map());
  await engine.execute('MATCH (x:X|Y), (d:D {i: x.i + 1}) CREATE (x)-[:U]->(d)', new Map());
  const stop = new AbortController();
  const all = 'MATCH (a:D {i: 0}), (b:D {i: 39}) MATCH p = allShortestPaths((a)-[:U*]->(b)) RETURN count(p)';
  const running = engine.execute(all, new Map(), { signal: stop.signal });
  setImmediate(() => stop.abort());
  await assert.rejects(running, { code: 'CANCELLED' });
  await engine.close();
});
