/**
 * Statements over tables for which there is hardly any room: the answers that whole tables give, by pages that make
 * room for each other.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { type Engine, type EngineParts, openEngine } from './index.ts';

const LOCATION = { scheme: 'memory', name: 'few-pages', namespace: 'default' } as const;
const URI = 'memory://few-pages';
const PERSONS = 1_500;
after(() => dropMemoryStore(LOCATION));

/** Room for where each node stands and little more; and for a page or two. */
const FEW: EngineParts = { wholeTableRows: -1, availableMemory: () => 20_000, pageBytes: 8_000 };
const SPILLED: EngineParts = { ...FEW, spillAfterRows: 64 };

const setUp = write();

async function write(): Promise<void> {
  const engine = await openEngine(URI, {}, { artefactsFromRows: 0 });
  await engine.execute('CREATE INDEX FOR (p:Person) ON (p.id)', params({}));
  await engine.execute(
    'UNWIND range(0, $last) AS i CREATE (:Person {id: i, age: i * 7 % 50, name: "p" + i % 300, tags: [i % 3, "t"]})',
    params({ last: PERSONS - 1 }),
  );
  await engine.execute(
    'UNWIND range(1, 4) AS k MATCH (a:Person) MATCH (b:Person {id: (a.id * 7 + k * k * 31) % $count}) CREATE (a)-[:KNOWS {k: k, ' +
      'note: "n" + a.id % 90}]->(b)',
    params({ count: PERSONS }),
  );
  await engine.flush();
  await engine.compact();
  await engine.close();
}

function params(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values));
}

async function withReader<T>(parts: EngineParts, use: (engine: Engine) => Promise<T>): Promise<T> {
  await setUp;
  const engine = await openEngine(URI, { readOnly: true }, parts);
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

const QUESTIONS = [
  'MATCH (p:Person) RETURN p.age AS age, count(*) AS n, collect(p.name)[0..2] AS names ORDER BY age',
  'MATCH (p:Person) WHERE p.name ENDS WITH "7" RETURN count(*), min(p.id), max(p.name)',
  'MATCH ()-[r:KNOWS]->() RETURN r.note AS note, sum(r.k) AS k ORDER BY note',
  'MATCH ()-[r:KNOWS]->(q) WHERE r.k > 2 RETURN r.k, q.age, count(*) AS n ORDER BY r.k, q.age',
  'MATCH (p:Person)-[r:KNOWS]->(q) RETURN p.id, r.k, q.name ORDER BY q.name, p.id, r.k SKIP 700 LIMIT 40',
  'MATCH (p:Person)-[:KNOWS]->(q)-[:KNOWS]->(s) WHERE p.age < 4 RETURN s.age AS age, count(*) AS n ORDER BY age',
  'MATCH (p:Person)<-[:KNOWS]-(q) WITH p, count(*) AS n WHERE n > 5 MATCH (p)-[:KNOWS]->(s) RETURN p.id, n, collect(s.id) AS ' +
    'ids ORDER BY p.id',
  'MATCH (p:Person)-[:KNOWS]->(q) WITH DISTINCT q.name AS name, q.age AS age RETURN name, age ORDER BY name, age',
  'MATCH (p:Person) WITH p ORDER BY p.name, p.id LIMIT 25 MATCH (p)-[r:KNOWS]->(q) RETURN p, r, q ORDER BY p.id, r.k',
  'MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS {k: 3}]->(q {age: 9}) RETURN p.age AS age, count(q) AS n ORDER BY age',
  'MATCH (p:Person), (q:Person) WHERE p.age = 3 AND q.id = p.id * 2 RETURN p.id, q.name ORDER BY p.id',
  'MATCH (p:Person {age: 5}) RETURN p.id AS x UNION MATCH (p:Person {age: 6}) RETURN p.id + 1 AS x',
  'MATCH (p:Person) WHERE EXISTS { (p)-[:KNOWS]->(:Person {age: 11}) } RETURN count(p), sum(COUNT { (p)<-[:KNOWS]-() })',
  'MATCH (p:Person)-[:KNOWS*1..2]->(q) WHERE p.age = 1 RETURN count(*), count(DISTINCT q), sum(q.id)',
  'CALL { MATCH (p:Person) RETURN max(p.id) AS most } MATCH (q:Person) WHERE q.id > most - 20 RETURN q.id, q.tags ORDER BY q.id',
  'MATCH (p:Person) UNWIND p.tags AS tag RETURN tag, count(*) AS n ORDER BY n, tag',
];

for (const [name, parts] of Object.entries({ 'in memory': FEW, 'with files': SPILLED })) {
  test(`what few pages answer is what whole tables answer, ${name}`, async () => {
    for (const query of QUESTIONS) {
      const whole = await withReader({}, (engine) => engine.execute(query, params({})));
      await withReader(parts, async (engine) => {
        const { rows } = await engine.execute(query, params({}));
        assert.deepEqual(
          query.includes('UNION') ? rows.toSorted(byNumber) : rows,
          query.includes('UNION') ? whole.rows.toSorted(byNumber) : whole.rows,
          query,
        );
        assert.equal(engine.statistics().readsByPage, 1, query);
      });
    }
  });
}

function byNumber([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return Number(a) - Number(b);
}

test('pages leave for others, and take no more than they may', async () => {
  await withReader(FEW, async (engine) => {
    for (const query of QUESTIONS.slice(0, 6)) await engine.execute(query, params({}));
    const { pageEvictions, pageBytes, graphBytes } = engine.statistics();
    assert.ok(pageEvictions > 5, String(pageEvictions));
    assert.ok(pageBytes < 60_000, String(pageBytes));
    assert.ok(graphBytes < 20_000, String(graphBytes));
  });
});

test('rows are streamed as they are found, and a stream that is left ends', async () => {
  const query = 'MATCH (p:Person)-[r:KNOWS]->(q) RETURN p.id, q.name';
  const whole = await withReader({}, (engine) => engine.execute(query, params({})));
  await withReader(FEW, async (engine) => {
    const { batches } = await engine.stream(query, params({}));
    assert.deepEqual((await Array.fromAsync(batches)).flat(), whole.rows);
    const left = await engine.stream(query, params({}));
    for await (const batch of left.batches) {
      assert.ok(batch.length > 0);
      break;
    }
  });
});

test('several statements over pages run beside each other', async () => {
  const answers = await Promise.all(QUESTIONS.slice(0, 6).map((query) => withReader({}, (engine) => engine.execute(query, params({})))));
  await withReader(FEW, async (engine) => {
    const few = await Promise.all(QUESTIONS.slice(0, 6).map((query) => engine.execute(query, params({}))));
    for (const [i, { rows }] of few.entries()) assert.deepEqual(rows, answers[i]!.rows, QUESTIONS[i]);
  });
});

test('errors of a statement are told, limits of time hold, and what cannot begin again is refused with its size', async () => {
  await withReader(FEW, async (engine) => {
    await assert.rejects(engine.execute('MATCH (p:Person) RETURN sum(10 / (p.id - 900))', params({})), { code: 'ARITHMETIC_ERROR' });
    await assert.rejects(engine.execute('MATCH (p:Person)-[:KNOWS*1..9]->(q) RETURN sum(q.id)', params({}), { timeoutMs: 300 }), {
      code: 'QUERY_TIMEOUT',
    });
    await assert.rejects(engine.execute('MATCH (p:Person) WHERE rand() >= 0 RETURN sum(p.id), max(p.name)', params({})), {
      code: 'MEMORY_LIMIT',
      message: /take 1 MiB of memory/,
    });
  });
});
