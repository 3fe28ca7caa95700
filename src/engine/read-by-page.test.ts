/** Short reads of what is not in memory: by the pages that they touch, with the answers that whole tables give. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore, type ObjectStore } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { type Engine, type EngineParts, openEngine } from './index.ts';

const LOCATION = { scheme: 'memory', name: 'read-by-page', namespace: 'default' } as const;
const URI = 'memory://read-by-page';
const PERSONS = 400;
after(() => dropMemoryStore(LOCATION));

const setUp = write();

async function write(): Promise<void> {
  const engine = await openEngine(URI, {}, { artefactsFromRows: 0 });
  for (const index of ['(p:Person) ON (p.id)', '(p:Person) ON (p.name, p.id)', '(p:Person) ON (p.name)', '()-[r:KNOWS]-() ON (r.note)'])
    await engine.execute(`CREATE INDEX FOR ${index}`, params({}));
  await engine.execute(
    'UNWIND range(0, $last) AS i CREATE (:Person {id: i, name: "p" + i, tags: [i, "t"]})',
    params({ last: PERSONS - 1 }),
  );
  const knows =
    'UNWIND range(1, 3) AS k MATCH (a:Person) MATCH (b:Person {id: (a.id * 7 + k * 31) % $count}) CREATE (a)-[:KNOWS {k: k, ' +
    'note: "n" + a.id}]->(b)';
  await engine.execute(knows, params({ count: PERSONS }));
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

const BY_PAGE: EngineParts = { wholeTableRows: -1 };
const START = 'MATCH (a:Person) WHERE elementId(a) = $id ';
const READS = [
  'RETURN a',
  'RETURN a.name, a.tags, a.missing',
  'MATCH (a)-[r:KNOWS]->(b) RETURN r, b.name ORDER BY b.id, elementId(r)',
  'MATCH (a)<-[r:KNOWS]-(b) RETURN r.note, b ORDER BY b.id, elementId(r)',
  'MATCH (a)-[:KNOWS]-(b) RETURN count(*), count(DISTINCT b.id % 5), sum(b.id)',
  'MATCH p = (a)-[:KNOWS*1..3]->(b) RETURN length(p), count(*), min(b.id) ORDER BY length(p)',
  'MATCH (a)-[:KNOWS]->()-[:KNOWS]->(c) RETURN DISTINCT c.id ORDER BY c.id',
  'OPTIONAL MATCH (a)-[r:KNOWS {k: 9}]->(b) RETURN r, b.name ORDER BY b.id, elementId(r)',
  'RETURN COUNT { (a)-[:KNOWS]-() } AS degree, EXISTS { (a)-[:KNOWS]->(:Person {id: 1}) } AS knows',
  'MATCH p = SHORTEST 1 (a)-[:KNOWS]->+(b:Person {id: 4}) RETURN length(p)',
];

test('what is read by page is what whole tables say', async () => {
  for (const read of READS) {
    const query = START + read;
    for (const id of ['n0', 'n7', `n${PERSONS - 1}`, `n${PERSONS + 5}`]) {
      const whole = await withReader({}, (engine) => engine.execute(query, params({ id })));
      const byPage = await withReader(BY_PAGE, async (engine) => {
        const answer = await engine.execute(query, params({ id }));
        assert.equal(engine.statistics().readsByPage, 1, query);
        return answer;
      });
      assert.deepEqual(byPage.rows, whole.rows, query);
    }
  }
});

test('declared indexes are asked in the bucket', async () => {
  const seeks = [
    'MATCH (a:Person {id: $k}) RETURN a',
    'MATCH (a:Person {id: $k, name: "p" + $k}) RETURN a.tags',
    'MATCH (a:Person) WHERE a.id IN [$k, 3, $k + 1] RETURN a.name ORDER BY a.id',
    'MATCH (a:Person) WHERE $k <= a.id < $k + 5 RETURN a.name ORDER BY a.id',
    'MATCH (a:Person) WHERE a.name STARTS WITH "p" + $k RETURN a.id ORDER BY a.id',
    'MATCH (a:Person {id: $k})-[:KNOWS]->(b) RETURN b.name ORDER BY b.id',
    'MATCH (a:Person {id: $k}), (b:Person {id: $k + 1}) RETURN a.name, b.name',
    'MATCH (a)-[r:KNOWS {note: "n" + $k}]->(b) RETURN r.k, a.id, b.id ORDER BY r.k',
  ];
  for (const query of seeks) {
    for (const k of [0, 17, PERSONS, 2.5]) {
      const whole = await withReader({}, (engine) => engine.execute(query, params({ k })));
      await withReader(BY_PAGE, async (engine) => {
        assert.deepEqual((await engine.execute(query, params({ k }))).rows, whole.rows, query);
        assert.equal(engine.statistics().readsByPage, 1, query);
      });
    }
  }
});

test('rows are streamed likewise', async () => {
  await withReader(BY_PAGE, async (engine) => {
    const { batches } = await engine.stream(`${START}MATCH (a)-[:KNOWS]->(b) RETURN b.id ORDER BY b.id`, params({ id: 'n1' }));
    const rows = (await Array.fromAsync(batches)).flat();
    assert.deepEqual(rows, [[38], [69], [100]]);
    assert.equal(engine.statistics().readsByPage, 1);
  });
});

test('an error of the statement is told, one that zeros make is not', async () => {
  await withReader(BY_PAGE, async (engine) => {
    const divide = `${START}MATCH (a)-[r:KNOWS]->(b) RETURN 10 / (b.id - $less) AS x`;
    assert.equal((await engine.execute(divide, params({ id: 'n1', less: 0 }))).rows.length, 3);
    await assert.rejects(engine.execute(divide, params({ id: 'n1', less: 38 })), { code: 'ARITHMETIC_ERROR' });
    await assert.rejects(engine.execute(`${START}RETURN a.name.x`, params({ id: 'n1' })), { code: 'TYPE_ERROR' });
  });
});

test('what is read often comes into memory, and is read there from then on', async () => {
  await withReader(BY_PAGE, async (engine) => {
    const query = `${START}MATCH (a)-[:KNOWS]->(b) RETURN b.id ORDER BY b.id`;
    for (let before = -1; engine.statistics().readsByPage !== before; ) {
      before = engine.statistics().readsByPage;
      assert.deepEqual((await engine.execute(query, params({ id: 'n1' }))).rows, [[38], [69], [100]]);
    }
    assert.ok(engine.statistics().readsByPage > 8);
  });
});

/** A store in which the pages of artefacts are not what was written. */
function damaging(store: ObjectStore): ObjectStore {
  return Object.assign(Object.create(store) as ObjectStore, {
    async readInto(key: string, offset: number, target: Uint8Array): Promise<number | null> {
      const length = await store.readInto(key, offset, target);
      if (key.endsWith('.artefact')) target[0]! ^= 1;
      return length;
    },
    get: (key: string) => store.get(key),
    getRange: (key: string, offset: number, length: number) => store.getRange(key, offset, length),
    list: (prefix: string) => store.list(prefix),
    size: (key: string) => store.size(key),
    close: () => store.close(),
  });
}

test('damaged artefacts cost time, and change no answer', async () => {
  const query = `${START}MATCH (a)<-[:KNOWS]-(b) RETURN b.id ORDER BY b.id`;
  const whole = await withReader({}, (engine) => engine.execute(query, params({ id: 'n1' })));
  await withReader({ ...BY_PAGE, sstCache: null, decorateStore: damaging }, async (engine) => {
    assert.deepEqual((await engine.execute(query, params({ id: 'n1' }))).rows, whole.rows);
    assert.equal(engine.statistics().readsByPage, 0);
  });
});

/** Writes since the graph was flushed and merged; a reader takes them from the log. */
const WRITES_SINCE = [
  'CREATE (:Person {id: 1000, name: "p17"})',
  'UNWIND range(1001, 1040) AS i CREATE (:Person {id: i, name: "later" + i, tags: []})',
  'MATCH (a:Person {id: 7}), (b:Person {id: 1001}) CREATE (a)-[:KNOWS {k: 1, note: "n7"}]->(b), (b)-[:KNOWS {k: 2, note: "late"}]->(a)',
  'MATCH (a:Person) WHERE a.id IN [0, 7, 399] MATCH (b:Person) WHERE b.id IN [3, 1002] CREATE (a)-[:KNOWS {k: 5, note: "n" + a.id}]->(b)',
  'MATCH (a:Person {id: 7}) CREATE (a)-[:KNOWS {k: 6, note: "loop"}]->(a)',
];

const SEEKS_SINCE = [
  'MATCH (a:Person {id: $k}) RETURN a ORDER BY elementId(a)',
  'MATCH (a:Person {name: "p" + $k}) RETURN a.id ORDER BY a.id',
  'MATCH (a:Person {id: $k, name: "later" + $k}) RETURN a.tags ORDER BY elementId(a)',
  'MATCH (a:Person) WHERE $k <= a.id < $k + 5 RETURN a.name ORDER BY a.id, elementId(a)',
  'MATCH (a:Person) WHERE 397 <= a.id < 1003 RETURN a.name ORDER BY a.id, elementId(a) LIMIT $k',
  'MATCH (a:Person) WHERE a.name STARTS WITH "later" RETURN a.id ORDER BY a.id LIMIT $k',
  'MATCH (a:Person {id: $k})-[r:KNOWS]->(b) RETURN r, b.name ORDER BY b.id, elementId(r)',
  'MATCH (a)-[r:KNOWS {note: "n" + $k}]->(b) RETURN r.k, a.id, b.id ORDER BY elementId(r)',
];

/** Writes that also change relationships that were there. */
const CHANGES_SINCE = [
  'MATCH (a:Person {id: 7})-[r:KNOWS]->(b) WHERE b.id > 100 SET r.note = "changed", r.k = 9',
  'MATCH (a:Person {id: 1})-[r:KNOWS]->() DELETE r',
  'MATCH (a:Person {id: 0})<-[r:KNOWS]-() DELETE r',
  'MATCH (a:Person {id: 3}) SET a.name = "p17", a.id = 1001',
  'MATCH (a:Person {id: 17}) DETACH DELETE a',
  'MATCH (a:Person {id: 1005}) SET a.id = 3',
];

test('what was written since is read beside the pages', async () => {
  await withWrites(WRITES_SINCE, checkSeeks);
});

test('what later files hold is read beside the pages', async () => {
  await withWrites(CHANGES_SINCE, async (engine) => {
    await engine.flush();
    await checkSeeks();
    for (const text of WRITES_SINCE) await engine.execute(text, params({}));
    await checkSeeks();
    await engine.flush();
    await checkSeeks();
  });
});

async function checkSeeks(): Promise<void> {
  const query = async (parts: EngineParts, text: string, values: Readonly<Record<string, Value>>) => {
    const engine = await openEngine(URI, { readOnly: true }, parts);
    try {
      return { rows: (await engine.execute(text, params(values))).rows, byPage: engine.statistics().readsByPage };
    } finally {
      await engine.close();
    }
  };
  const asked = [
    ...READS.flatMap((read) => ['n0', 'n1', 'n7', 'n17', 'n399', 'n401'].map((id) => [START + read, { id }] as const)),
    ...SEEKS_SINCE.flatMap((seek) => [1, 3, 7, 17, 1000, 1001].map((k) => [seek, { k }] as const)),
  ];
  for (const [text, values] of asked) {
    const whole = await query({}, text, values);
    const byPage = await query(BY_PAGE, text, values);
    assert.deepEqual(byPage.rows, whole.rows, text);
    assert.equal(byPage.byPage, 1, text);
  }
}

test('what later files replace is so whether it is read by page or was loaded behind that', async () => {
  await withWrites(CHANGES_SINCE, async (writer) => {
    await writer.flush();
    await withReader(BY_PAGE, async (engine) => {
      const seen = new Set<string>();
      for (let reads = 0; reads < 40; reads++) {
        for (const id of ['n0', 'n1', 'n7']) {
          const { rows } = await engine.execute(`${START}RETURN COUNT { (a)-[:KNOWS]-() }, COUNT { (a)<-[:KNOWS]-() }`, params({ id }));
          const ends = await engine.execute(
            `${START}MATCH (a)-[r:KNOWS]-(b) RETURN b.id, r.note ORDER BY elementId(r), b.id`,
            params({ id }),
          );
          assert.equal(ends.rows.length, rows[0]![0], 'degree');
          seen.add(JSON.stringify([id, rows, ends.rows]));
        }
      }
      assert.equal(seen.size, 3);
      const { readsByPage } = engine.statistics();
      assert.ok(readsByPage > 8 && readsByPage < 200, String(readsByPage));
    });
  });
});

test('without memory for whole tables, statements read pages, and what can only be read whole is told what it needs', async () => {
  await withReader({ ...BY_PAGE, availableMemory: () => 12_000 }, async (engine) => {
    for (let reads = 0; reads < 20; reads++) {
      const { rows } = await engine.execute(`${START}MATCH (a)-[:KNOWS]->(b) RETURN count(b)`, params({ id: 'n2' }));
      assert.deepEqual(rows, [[3]]);
    }
    assert.equal(engine.statistics().readsByPage, 20);
    const sum = 'MATCH ()-[r:KNOWS]->() RETURN sum(r.k)';
    const whole = await withReader({}, (reader) => reader.execute(sum, params({})));
    assert.deepEqual((await engine.execute(sum, params({}))).rows, whole.rows);
    assert.equal(engine.statistics().readsByPage, 21);
    await assert.rejects(engine.execute('MATCH (a:Person)-[r:KNOWS]->() WHERE rand() >= 0 RETURN sum(a.id)', params({})), {
      code: 'MEMORY_LIMIT',
      message: /take 1 MiB of memory/,
    });
  });
});

/** Writes what stays in the log. The tests before have read the graph without it. */
async function withWrites(writes: readonly string[], use: (engine: Engine) => Promise<void>): Promise<void> {
  await setUp;
  const engine = await openEngine(URI, { flushIntervalMs: 0 }, { artefactsFromRows: 100 });
  try {
    for (const text of writes) await engine.execute(text, params({}));
    await use(engine);
  } finally {
    await engine.close();
  }
}
