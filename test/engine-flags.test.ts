/** Switches of the engine change speed and memory, never an answer; and each of them does something. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type EngineFlags, engineFlags } from '../src/base/index.ts';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';
import { seededRandom } from './support/random.ts';

const none: ReadonlyMap<string, Value> = new Map();
const NODES = 12;

const QUERIES = [
  'MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN a.k, b.k, c.k',
  'MATCH (a)-[r:R]->(b)-[:R]->(c)<-[s:R]-(a) RETURN a.k, c.k, type(r), s.w',
  'MATCH (a)-[:R]->(b)-[:S]->(c)-[:R]->(a) WHERE c.i > 0 RETURN a.i, count(*)',
  'MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(d)-[:R]->(a), (a)-[:R]->(c) RETURN a.k, d.k',
  'MATCH (a)-[:R]-(b)-[:R]-(c)-[:R]-(a) RETURN count(*)',
  'MATCH (a)-[:R]->(b)-[:S]->(c) RETURN c.i, count(*), min(c.k), count(DISTINCT c)',
  'MATCH (a)-[:R]->(b)<-[:S]-(c)-[:R]->(d) RETURN d.k, count(*)',
  'MATCH (a:A)-[:R]->(b)-[:S]->(c)-[:T]->(d) WHERE d.i < 3 RETURN count(*)',
  'MATCH (a)-[:R]->(b)-[:S]->(c) RETURN b.k, count(*), max(a.i)',
  'MATCH (a)-[:S]->(b)-[:T]->(c)-[:R]->(d) RETURN d.i, count(*), min(d.k)',
  'MATCH (a)-[:R]->(b) RETURN a, b',
  'MATCH p = (a {k: 1})-[:R*1..3]->(b) RETURN p',
  'MATCH (a {k: 1}), (b {k: 2}) MATCH p = shortestPath((a)-[:R*]-(b)) RETURN length(p)',
];

const SETTINGS: readonly Partial<EngineFlags>[] = [
  { factorize: true },
  { factorize: true, wcoj: true },
  { adjacency: false },
  { nodeCache: false },
];

const open = (uri: string, flags: Partial<EngineFlags> = {}): Promise<Engine> =>
  openEngine(uri, { flushIntervalMs: 0 }, { flags: { ...engineFlags({}), ...flags } });

async function randomGraph(uri: string, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const engine = await open(uri);
  for (let k = 0; k < NODES; k++) await engine.execute(`CREATE (:${random.pick(['A', 'B'])} {k: ${k}, i: ${random.between(0, 4)}})`, none);
  for (let r = 0; r < 8 * NODES; r++) {
    const [from, to] = [random.between(0, NODES - 1), random.between(0, NODES - 1)];
    const type = random.pick(['R', 'R', 'S', 'T']);
    await engine.execute(`MATCH (a {k: ${from}}), (b {k: ${to}}) CREATE (a)-[:${type} {w: ${r}}]->(b)`, none);
  }
  await engine.flush();
  await engine.close();
}

async function answers(engine: Engine): Promise<string[]> {
  const found: string[] = [];
  for (const query of QUERIES) {
    const { rows } = await engine.execute(query, none);
    const lines = rows.map((row) => JSON.stringify(row, (_, value: unknown) => (value instanceof Map ? [...value] : value)));
    found.push(`${query}\n${lines.sort().join('\n')}`);
  }
  return found;
}

test('answers are the same with every switch, as stored and after writes', async () => {
  for (const seed of [1, 2]) {
    const uri = `memory://engine-flags-${seed}`;
    await randomGraph(uri, seed);
    for (const change of [
      null,
      'MATCH (a {k: 3}), (b {k: 4}) CREATE (a)-[:R {w: -1}]->(b)',
      'MATCH ()-[r:R]->() WHERE r.w % 5 = 0 DELETE r',
    ]) {
      const engine = await open(uri);
      if (change !== null) await engine.execute(change, none);
      const expected = await answers(engine);
      await engine.close();
      for (const flags of SETTINGS) {
        const switched = await open(uri, flags);
        assert.deepEqual(await answers(switched), expected, JSON.stringify(flags));
        await switched.close();
      }
    }
  }
});

test('a cycle folds into one MultiwayJoin, and rows are factorized, only where they are asked for', async () => {
  const uri = 'memory://engine-flags-plan';
  await randomGraph(uri, 1);
  const planOf = async (flags: Partial<EngineFlags>, query: string): Promise<string> => {
    const engine = await open(uri, flags);
    const { plan } = await engine.execute(`EXPLAIN ${query}`, none);
    await engine.close();
    return JSON.stringify(plan);
  };
  const triangle = 'MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN a, b, c';
  assert.doesNotMatch(await planOf({}, triangle), /MultiwayJoin/);
  const folded = await planOf({ factorize: true, wcoj: true }, triangle);
  assert.equal(folded.split('MultiwayJoin').length, 2);
  assert.doesNotMatch(folded, /Expand\(Into\)/);
  const path = 'MATCH (a)-[:S]->(b)-[:T]->(c)-[:R]->(d) RETURN d.i, count(*), min(d.k)';
  assert.equal((await planOf({}, path)).split('Aggregation').length, 2);
  assert.equal((await planOf({ factorize: true }, path)).split('Aggregation').length, 3);
});

test('variables of the environment: anything but 0 and OFF enables, and WCOJ needs FACTORIZE', () => {
  assert.deepEqual(engineFlags({}), { adjacency: true, nodeCache: true, factorize: false, wcoj: false, profileDump: false });
  assert.equal(engineFlags({ GRAPHDB_WCOJ: '1' }).wcoj, false);
  assert.equal(engineFlags({ GRAPHDB_WCOJ: '1', GRAPHDB_FACTORIZE: 'yes' }).wcoj, true);
  assert.equal(engineFlags({ GRAPHDB_ADJACENCY: 'off' }).adjacency, false);
  assert.equal(engineFlags({ GRAPHDB_NODE_CACHE: '0' }).nodeCache, false);
  assert.equal(engineFlags({ GRAPHDB_PROFILE_DUMP: 'ON' }).profileDump, true);
});

test('without a node cache every row has a node of its own', async () => {
  const uri = 'memory://engine-flags-nodes';
  await randomGraph(uri, 1);
  for (const nodeCache of [true, false]) {
    const engine = await open(uri, { nodeCache });
    const { rows } = await engine.execute('MATCH (a {k: 1}) UNWIND [1, 2] AS i RETURN a, i', none);
    assert.equal(rows[0]![0] === rows[1]![0], nodeCache);
    await engine.close();
  }
});

test('GRAPHDB_PROFILE_DUMP tells the stages of each statement on stderr', async () => {
  const program = `
    import { openEngine } from ${JSON.stringify(new URL('../src/engine/index.ts', import.meta.url).href)};
    const engine = await openEngine('memory://dump', {});
    await engine.execute('CREATE (:A {secret: $p})', new Map([['p', 'hidden']]));
    await engine.execute('MATCH (a:A) RETURN a', new Map());
    for await (const rows of (await engine.stream('MATCH (a:A) RETURN count(*)', new Map())).batches) void rows;
    await engine.close();`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, GRAPHDB_PROFILE_DUMP: '1' },
  });
  const dumps = stderr
    .split('\n')
    .filter((line) => line.startsWith('{"profile"'))
    .map((line) => JSON.parse(line) as { profile: string; ms: object; rows: number });
  assert.deepEqual(
    dumps.map(({ profile, ms, rows }) => [profile, Object.keys(ms), rows]),
    [
      ['CREATE (:A {secret: $p})', ['prepare', 'load', 'run', 'commit'], 0],
      ['MATCH (a:A) RETURN a', ['prepare', 'load', 'run'], 1],
      ['MATCH (a:A) RETURN count(*)', ['prepare', 'load', 'run'], 1],
    ],
  );
  assert.doesNotMatch(stderr, /hidden/);
});
