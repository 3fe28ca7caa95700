/** Indexes that nobody declared: when they come and go, and that whoever asks gets the same answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Value } from '../../value/index.ts';
import { type Engine, type EngineOptions, type EngineParts, openEngine } from '../index.ts';

const none = new Map<string, Value>();
const NODES = 6000;
/** A scan of all nodes pays for a fifth of an index. */
const FEW = { leastNodes: 1000, rowCost: 5 };
const LOOK_UP = 'MATCH (p:P {k: $x}) RETURN p.name AS name';

let names = 0;
const freshUri = (): string => `memory://automatic-${++names}`;

async function filled(
  options: EngineOptions = {},
  automaticIndexes: EngineParts['automaticIndexes'] = FEW,
  uri = freshUri(),
): Promise<Engine> {
  const engine = await openEngine(uri, { flushIntervalMs: 0, ...options }, { automaticIndexes });
  await engine.execute(
    `UNWIND range(0, ${NODES - 1}) AS i CREATE (:P {k: i, k2: i, k3: i, name: 'name ' + i, kind: i % 3, mostly: CASE WHEN i % 2 ` +
      `= 0 THEN 'x' ELSE i END})`,
    none,
  );
  return engine;
}

const at = (x: Value): Map<string, Value> => new Map([['x', x]]);

async function lookUp(engine: Pick<Engine, 'execute'>, times: number, query = LOOK_UP): Promise<void> {
  for (let i = 0; i < times; i++) await engine.execute(query, at(i));
}

/** An index is filled in these. */
async function turns(count = 10): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

async function made(engine: Engine, query = LOOK_UP): Promise<void> {
  await lookUp(engine, 6, query);
  await turns();
}

async function planOf(engine: Pick<Engine, 'execute'>, query = LOOK_UP): Promise<string> {
  return (await engine.execute(`EXPLAIN ${query}`, at(1))).plan!;
}

test('an index is made when look-ups have scanned as much as it costs, and not before', async () => {
  const engine = await filled();
  await lookUp(engine, 5);
  await turns();
  assert.equal(engine.statistics().automaticIndexes, 0);
  assert.match(await planOf(engine), /NodeByLabelScan/);
  await made(engine);
  assert.equal(engine.statistics().automaticIndexes, 1);
  assert.match(await planOf(engine), /NodeIndexSeek +p:P\(k\) automatic WHERE k = \$x/);
  assert.match((await engine.execute(`PROFILE ${LOOK_UP}`, at(1))).plan!, /p:P\(k\) automatic/);
  assert.deepEqual((await engine.execute(LOOK_UP, at(17))).rows, [['name 17']]);
  assert.deepEqual((await engine.execute(LOOK_UP, at(null))).rows, []);
  assert.deepEqual((await engine.execute('MATCH (p:P) WHERE p.k IN $x RETURN p.name AS name', at([3, 99_999, 4]))).rows, [
    ['name 3'],
    ['name 4'],
  ]);
  assert.doesNotMatch(await planOf(engine, 'MATCH (p:P) WHERE p.k > $x RETURN p.name'), /Index/);
  assert.deepEqual((await engine.execute('SHOW INDEXES', none)).rows, []);
  assert.ok(engine.statistics().automaticIndexSeeks >= 2 && engine.statistics().automaticIndexBytes > 0);
  await engine.close();
});

test('it is filled between turns of the event loop', async () => {
  const engine = await filled();
  await engine.execute('UNWIND range(1, 20000) AS i CREATE (:P {k: -i})', none);
  await lookUp(engine, 5);
  let taken = 0;
  const statement = lookUp(engine, 1);
  while (engine.statistics().automaticIndexes === 0) {
    await turn();
    taken++;
  }
  await statement;
  assert.ok(taken >= 6, `${taken} turns for 26,000 rows`);
  await engine.close();
});

test('look-ups in lists, of joins and of MERGE pay too', async () => {
  for (const query of [
    'MATCH (p:P) WHERE p.k IN [$x, -1] RETURN p.name',
    'MATCH (p:P) WHERE p.k = $x AND p.kind < 5 RETURN p.name',
    'UNWIND [$x, $x + 1] AS x MATCH (p:P {k: x}) RETURN p.name',
    'MERGE (p:P {k: $x}) RETURN p.name',
  ]) {
    const engine = await filled();
    await made(engine, query);
    await made(engine, query);
    assert.match(await planOf(engine, query), /NodeIndexSeek +p:P\(k\) automatic/, query);
    await engine.close();
  }
});

test('none is made where many nodes have the same value, nor where none has one', async () => {
  const engine = await filled();
  for (const key of ['kind', 'mostly', 'nowhere']) await made(engine, `MATCH (p:P {${key}: $x}) RETURN p.name`);
  assert.equal(engine.statistics().automaticIndexes, 0);
  await engine.close();
});

test('the one that was asked longest ago makes room', async () => {
  const bytes = 500_000;
  const engine = await filled({}, { ...FEW, bytes });
  const by = (key: string): string => `MATCH (p:P {${key}: $x}) RETURN p.name`;
  const has = async (...keys: string[]): Promise<void> => {
    for (const key of ['k', 'k2', 'k3']) assert.equal(/automatic/.test(await planOf(engine, by(key))), keys.includes(key), key);
    assert.ok(engine.statistics().automaticIndexBytes <= bytes);
  };
  await made(engine, by('k'));
  await made(engine, by('k2'));
  await has('k', 'k2');
  await lookUp(engine, 1, by('k'));
  await made(engine, by('k3'));
  await has('k', 'k3');
  // What is not made makes no room.
  await made(engine, by('mostly'));
  await has('k', 'k3');
  assert.equal(engine.statistics().automaticIndexesDropped, 1);
  await lookUp(engine, 4, by('k2'));
  await turns();
  await has('k', 'k3');
  await engine.close();
});

test('snapshots and transactions see what is theirs, whatever comes and goes', async () => {
  const engine = await filled();
  const before = await engine.begin({ mode: 'read' });
  assert.deepEqual((await before.execute(LOOK_UP, at(1))).rows, [['name 1']]);
  await made(engine);
  const reading = await engine.begin({ mode: 'read' });
  const rows = async (where: Pick<Engine, 'execute'>, x: Value): Promise<unknown> => (await where.execute(LOOK_UP, at(x))).rows;
  assert.match(await planOf(reading), /automatic/);
  await engine.execute('CREATE (:P:Q {k: 6999})', none);
  const writing = await engine.begin({ mode: 'write' });
  await writing.execute("MATCH (p:P {k: 1}) SET p.k = 2, p.name = 'other'", none);
  await writing.execute("CREATE (:P {k: 3, name: 'new'})", none);
  assert.deepEqual(await rows(writing, 3), [['name 3'], ['new']]);
  await writing.execute("MATCH (p:P {name: 'new'}) SET p.k = 4", none);
  await writing.execute('MATCH (p:P {k: 5}) DELETE p', none);
  await writing.execute('CREATE (:P:Q {k: 7000})', none);
  assert.deepEqual([await rows(writing, 1), await rows(writing, 5), await rows(writing, 3)], [[], [], [['name 3']]]);
  assert.deepEqual(await rows(writing, 2), [['other'], ['name 2']]);
  assert.deepEqual(await rows(writing, 4), [['name 4'], ['new']]);
  assert.deepEqual([await rows(engine, 1), await rows(engine, 5), await rows(reading, 2)], [[['name 1']], [['name 5']], [['name 2']]]);
  await writing.rollback();
  // They take the places of what was taken back.
  await engine.execute("CREATE (:Q {k: 8000, name: 'labelled'})", none);
  await engine.execute('MATCH (q:Q {k: 8000}) SET q:P', none);
  assert.deepEqual([await rows(engine, 7000), await rows(engine, 8000)], [[], [['labelled']]]);
  await engine.execute("CREATE (:P {k: 4, name: 'newer'})", none);
  assert.deepEqual(
    [await rows(engine, 4), await rows(reading, 4), await rows(before, 4)],
    [[['name 4'], ['newer']], [['name 4']], [['name 4']]],
  );
  await engine.execute('CREATE INDEX FOR (p:P) ON (p.k)', none);
  assert.equal(engine.statistics().automaticIndexes, 0);
  assert.doesNotMatch(await planOf(engine), /automatic/);
  assert.deepEqual(
    [await rows(engine, 4), await rows(reading, 4), await rows(before, 4)],
    [[['name 4'], ['newer']], [['name 4']], [['name 4']]],
  );
  await reading.rollback();
  await before.rollback();
  await engine.close();
});

test('one that grew by changes only is dropped', async () => {
  const engine = await filled();
  await made(engine);
  for (let i = 0; i < 30; i++) {
    await engine.execute('MATCH (p:P) SET p.k = p.k + 10000', none);
    await lookUp(engine, 1);
  }
  await lookUp(engine, 256);
  await turns();
  assert.ok(engine.statistics().automaticIndexesDropped >= 1);
  await engine.close();
});

test('look-ups of threads pay, and threads make use of it', async () => {
  const engine = await filled({ readWorkers: 1 });
  const query = 'MATCH (p:P {k: $x}) UNWIND range(1, 200000) AS i WITH p.name AS name, i WHERE i > 199999 RETURN name';
  for (let i = 0; i < 8; i++) assert.deepEqual((await engine.execute(query, at(i))).rows, [[`name ${i}`]]);
  await turns();
  assert.match(await planOf(engine, query), /automatic/);
  const { workerReads } = engine.statistics();
  for (let i = 0; i < 8; i++) assert.deepEqual((await engine.execute(query, at(i))).rows, [[`name ${i}`]]);
  assert.ok(engine.statistics().workerReads > workerReads);
  await engine.close();
});

test('a reader that follows, and one of an older version, make their own', async () => {
  const uri = freshUri();
  const writer = await filled({}, FEW, uri);
  await writer.flush();
  const version = writer.status().manifestVersion;
  await writer.execute("CREATE (:P {k: 1, name: 'later'})", none);
  await writer.flush();
  const [following, older] = await Promise.all([
    openEngine(uri, { readOnly: true }, { automaticIndexes: FEW }),
    openEngine(uri, { readOnly: true, version }, { automaticIndexes: FEW }),
  ]);
  for (const engine of [following, older]) {
    await made(engine);
    assert.match(await planOf(engine), /automatic/);
  }
  assert.deepEqual((await following.execute(LOOK_UP, at(1))).rows, [['name 1'], ['later']]);
  assert.deepEqual((await older.execute(LOOK_UP, at(1))).rows, [['name 1']]);
  await writer.execute("CREATE (:P {k: 1, name: 'last'})", none);
  await following.reach(writer.status().sequence, { timeoutMs: 10_000 });
  assert.deepEqual((await following.execute(LOOK_UP, at(1))).rows, [['name 1'], ['later'], ['last']]);
  for (const engine of [following, older, writer]) await engine.close();
});
