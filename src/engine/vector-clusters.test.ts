/**
 * Vector indexes whose rows are in clusters: exact scores, every write found at once, the answers of an exact search
 * within the recall (B9).
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore, type ObjectStore, openMemoryStore } from '../object-store/index.ts';
import { type CypherFloat, toNumber, type Value } from '../value/index.ts';
import { type Engine, type EngineOptions, openEngine } from './index.ts';

const PARTS = { artefactsFromRows: 0 } as const;
const DIMENSIONS = 24;
const COUNT = 3_000;

let made = 0;
const names: string[] = [];
after(() => {
  for (const name of names) dropMemoryStore({ scheme: 'memory', name, namespace: 'default' });
});

function freshUri(): string {
  const name = `vector-clusters-${++made}`;
  names.push(name);
  return `memory://${name}`;
}

function open(uri: string, options: EngineOptions = {}): Promise<Engine> {
  return openEngine(uri, options, PARTS);
}

/** Numbers from −1 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = (seed + 1) * 0x9e37_79b1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31;
  };
}

/** Near to one of twenty centres. */
function vectorOf(seed: number): Float32Array {
  const centre = numbersFrom(1_000_000 + (seed % 20));
  const own = numbersFrom(seed);
  return Float32Array.from({ length: DIMENSIONS }, () => centre() + own() * 0.4);
}

const params = (values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> => new Map(Object.entries(values));

async function rowsOf(engine: Engine, query: string, values: Readonly<Record<string, Value>> = {}): Promise<readonly (readonly Value[])[]> {
  return (await engine.execute(query, params(values))).rows as Value[][]; // as: no large values are asked for
}

async function createDocuments(engine: Engine, from: number, to: number): Promise<void> {
  const rows = Array.from(
    { length: to - from },
    (_, i) =>
      new Map<string, Value>([
        ['i', from + i],
        ['e', vectorOf(from + i)],
        ['tenth', (from + i) % 10],
      ]),
  );
  await engine.execute('UNWIND $rows AS row CREATE (d:Document) SET d = row', params({ rows }));
}

const INDEX = 'CREATE VECTOR INDEX documents FOR (d:Document) ON d.e WITH [d.tenth]';

async function written(options: string = ''): Promise<string> {
  const uri = freshUri();
  const engine = await open(uri);
  await engine.execute(`${INDEX} ${options}`, params({}));
  await createDocuments(engine, 0, COUNT);
  await engine.flush();
  await engine.compact();
  await engine.close();
  return uri;
}

const CALL =
  'CALL db.index.vector.queryNodes("documents", $k, $q, $options) YIELD node, score RETURN node.i AS i, score ORDER BY score DESC, i';

function search(engine: Engine, q: Float32Array, { k = 10, options = {} }: { k?: number; options?: Record<string, Value> } = {}) {
  return rowsOf(engine, CALL, { k, q, options: new Map(Object.entries(options)) });
}

/** The share of the exact answers that a search gives; all scores must be exact. */
async function recallOf(engine: Engine, options: Record<string, Value> = {}, k = 10): Promise<number> {
  let [found, wanted] = [0, 0];
  for (let seed = 0; seed < 30; seed++) {
    const q = vectorOf(500_000 + seed);
    const exact = await search(engine, q, { k, options: { ...options, recall: 1 } });
    const approximate = await search(engine, q, { k, options });
    assert.equal(approximate.length, exact.length, 'as many rows as there are');
    const scores = new Map(exact.map(([i, score]) => [i, score]));
    for (const [i, score] of approximate) {
      if (!scores.has(i!)) continue;
      assert.deepEqual(scores.get(i!), score);
      found++;
    }
    wanted += exact.length;
  }
  return found / wanted;
}

/** How a search was answered, as PROFILE tells. */
async function workOf(engine: Engine, procedure = 'queryNodes("documents"'): Promise<string> {
  const query = `PROFILE CALL db.index.vector.${procedure}, 10, $q) YIELD score RETURN count(*)`;
  const { plan } = await engine.execute(query, params({ q: vectorOf(1) }));
  return /\[(index .*)\]/.exec(plan ?? '')?.[1] ?? 'none';
}

async function percentOf(engine: Engine): Promise<number> {
  const [row] = await rowsOf(engine, 'SHOW VECTOR INDEXES YIELD populationPercent');
  return toNumber(row![0] as CypherFloat); // as: SHOW tells a Float
}

for (const similarity of ['cosine', 'euclidean']) {
  test(`clusters find what an exact search finds, ${similarity}`, async () => {
    const uri = await written(`OPTIONS {indexConfig: {\`vector.similarity_function\`: '${similarity}'}}`);
    const engine = await open(uri);
    assert.ok((await recallOf(engine)) >= 0.95);
    assert.ok((await recallOf(engine, { filter: [['tenth', '=', 3]] })) >= 0.95);
    assert.equal(await percentOf(engine), 100);
    assert.match(await workOf(engine), /clusters, .* 0 other rows compared, recall estimate (?:0\.9|1)/);
    await engine.close();
  });
}

test('k rows come whenever k qualify', async () => {
  const engine = await open(await written());
  const q = vectorOf(7);
  assert.equal((await search(engine, q, { k: COUNT + 10 })).length, COUNT);
  assert.equal((await search(engine, q, { k: 500, options: { filter: [['tenth', '=', 3]] } })).length, COUNT / 10);
  assert.equal((await search(engine, q, { k: 5, options: { filter: [['tenth', '=', 11]] } })).length, 0);
  await engine.close();
});

test('each write is found by the next statement', async () => {
  const engine = await open(await written());
  const q = Float32Array.from({ length: DIMENSIONS }, (_, i) => (i % 2 === 0 ? 5 : -5));
  await search(engine, q);
  const best = async (): Promise<Value> => (await search(engine, q, { k: 1 }))[0]![0]!;
  await engine.execute('MATCH (d:Document {i: 17}) SET d.e = $q', params({ q }));
  assert.equal(await best(), 17);
  await engine.execute('CREATE (:Document {i: -1, e: $q})', params({ q: q.map((each) => each * 2) }));
  assert.deepEqual((await search(engine, q, { k: 2 })).map(([i]) => i).sort(), [-1, 17]);
  await engine.execute('MATCH (d:Document) WHERE d.i IN [17, -1] DETACH DELETE d', params({}));
  const rest = await search(engine, q, { k: 20 });
  assert.ok(rest.every(([i]) => i !== 17 && i !== -1));
  await engine.execute('MATCH (d:Document {i: 18}) REMOVE d.e', params({}));
  assert.equal((await search(engine, vectorOf(18), { k: COUNT })).length, COUNT - 2);
  await engine.close();
});

test('clusters come with a flush to the process that wrote the rows', async () => {
  const engine = await open(freshUri());
  await engine.execute(INDEX, params({}));
  await createDocuments(engine, 0, COUNT);
  assert.equal(await percentOf(engine), 100, 'nothing is to be built');
  await engine.flush();
  await engine.compact();
  assert.match(await workOf(engine), / 0 other rows compared/);
  await engine.execute('MATCH (d:Document) WHERE d.i % 3 = 0 SET d.e = $q', params({ q: vectorOf(3) }));
  assert.ok((await recallOf(engine)) >= 0.95);
  await createDocuments(engine, COUNT, COUNT + 500);
  await engine.flush();
  assert.ok((await recallOf(engine)) >= 0.95);
  await engine.compact();
  // Those are the former versions of what was changed, which nobody sees any more.
  assert.match(await workOf(engine), / 1000 other rows compared/);
  assert.ok((await recallOf(engine)) >= 0.95);
  await engine.close();
});

test('relationships, and several labels', async () => {
  const engine = await open(freshUri());
  await engine.execute('CREATE VECTOR INDEX links FOR ()-[r:LINK]-() ON (r.e)', params({}));
  await engine.execute('CREATE VECTOR INDEX both FOR (n:A|B) ON (n.e)', params({}));
  const rows = Array.from(
    { length: COUNT },
    (_, i) =>
      new Map<string, Value>([
        ['i', i],
        ['e', vectorOf(i)],
      ]),
  );
  await engine.execute('UNWIND $rows AS row CREATE (a:A)-[r:LINK]->(b:B) SET a = row, b = row, r = row', params({ rows }));
  await engine.flush();
  await engine.compact();
  const q = vectorOf(123);
  const exact = { k: 10, q, options: new Map<string, Value>([['recall', 1]]) };
  const near = { k: 10, q, options: new Map<string, Value>() };
  const links =
    'CALL db.index.vector.queryRelationships("links", $k, $q, $options) YIELD relationship AS r, score RETURN r.i, score ORDER ' +
    'BY score DESC, r.i';
  const both =
    'CALL db.index.vector.queryNodes("both", $k, $q, $options) YIELD node AS n, score RETURN n.i, labels(n), score ORDER BY ' +
    'score DESC, n.i, labels(n)';
  for (const query of [links, both]) {
    const [one, other] = [await rowsOf(engine, query, exact), await rowsOf(engine, query, near)];
    assert.deepEqual(other[0], one[0]);
    assert.equal(other.length, 10);
  }
  for (const procedure of ['queryRelationships("links"', 'queryNodes("both"'])
    assert.match(await workOf(engine, procedure), / 0 other rows compared/);
  await engine.execute('MATCH ()-[r:LINK {i: 5}]->() SET r.e = $q', params({ q }));
  assert.deepEqual((await rowsOf(engine, links, { ...near, k: 2 })).map(([i]) => i).sort(), [123, 5].sort());
  await engine.close();
});

/** The keys of a store that hold artefacts, and the store. */
async function artefactsOf(uri: string): Promise<{ readonly store: ObjectStore; readonly keys: readonly string[] }> {
  const store = openMemoryStore({ scheme: 'memory', name: uri.slice('memory://'.length), namespace: 'default' });
  const keys: string[] = [];
  for (const { key } of await store.list('')) if (key.endsWith('.artefact')) keys.push(key);
  return { store, keys };
}

test('answers are the same whatever becomes of artefacts', async () => {
  for (let seed = 0; seed < 4; seed++) {
    const uri = await written();
    const { store, keys } = await artefactsOf(uri);
    assert.ok(keys.length > 0);
    const random = numbersFrom(seed);
    for (const key of keys) if (random() > -0.5) await store.delete(key);
    const engine = await open(uri);
    assert.ok((await recallOf(engine)) >= 0.95);
    await engine.compact();
    await engine.close();
    const again = await open(uri);
    assert.ok((await recallOf(again)) >= 0.95);
    await again.close();
  }
});

test('a cold search reads pages, and finds what whole tables say', async () => {
  const uri = await written();
  const whole = await open(uri);
  const cold = await openEngine(uri, { readOnly: true }, { ...PARTS, wholeTableRows: -1 });
  for (let seed = 0; seed < 5; seed++) {
    const q = vectorOf(700_000 + seed);
    const [exact, found] = [await search(whole, q, { options: { recall: 1 } }), await search(cold, q)];
    const scores = new Map(exact.map(([i, score]) => [i, score]));
    assert.equal(found.length, 10);
    assert.ok(found.filter(([i]) => scores.has(i!)).length >= 8);
    for (const [i, score] of found) if (scores.has(i!)) assert.deepEqual(score, scores.get(i!));
  }
  assert.equal(cold.statistics().readsByPage, 5);
  await whole.close();
  await cold.close();
});
