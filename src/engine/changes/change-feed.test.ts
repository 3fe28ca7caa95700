/** Changes as db.cdc tells them: events, order, ids to resume from, retention, followers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../base/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { type Engine, openEngine } from '../index.ts';

const none = new Map<string, never>();
const captured = { changeRetentionMs: 60_000, flushIntervalMs: 0 };
let stores = 0;
const freshUri = (): string => `memory://change-feed-${++stores}`;

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

function plain(value: ResultValue): Plain {
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, each]) => [key, plain(each)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? String(value) : (value as Plain);
}

interface Change {
  readonly id: string;
  readonly txId: number;
  readonly seq: number;
  readonly metadata: Record<string, Plain>;
  readonly event: Record<string, Plain>;
}

async function idOf(engine: Engine, which: 'earliest' | 'current'): Promise<string> {
  const { rows } = await engine.execute(`CALL db.cdc.${which}()`, none);
  return rows[0]![0] as string;
}

async function changesSince(engine: Engine, from: string, selectors: Plain[] = []): Promise<Change[]> {
  const params = new Map<string, never>([
    ['from', from as never],
    ['selectors', deep(selectors) as never],
  ]);
  const { columns, rows } = await engine.execute('CALL db.cdc.query($from, $selectors)', params);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, plain(row[index]!)])) as unknown as Change);
}

function deep(value: Plain): unknown {
  if (Array.isArray(value)) return value.map(deep);
  if (value !== null && typeof value === 'object') return new Map(Object.entries(value).map(([key, each]) => [key, deep(each)]));
  return value;
}

const run = (engine: Engine, ...statements: string[]): Promise<void> =>
  statements.reduce((before, statement) => before.then(() => engine.execute(statement, none)).then(() => undefined), Promise.resolve());

test('events have the states before and after, in the order that a copy can follow', async () => {
  const engine = await openEngine(freshUri(), captured);
  const from = await idOf(engine, 'current');
  await run(
    engine,
    "CREATE (a:Person {_id: 'ada', name: 'Ada', born: 1815})-[:KNOWS {since: 1833}]->(b:Person {name: 'Charles'})",
    "MATCH (a {_id: 'ada'}) SET a.born = null, a.name = 'Ada King', a:Countess",
    'MATCH ()-[k:KNOWS]->() SET k.since = 1834',
    "MATCH (b {name: 'Charles'}) DETACH DELETE b",
  );
  const changes = await changesSince(engine, from);
  assert.deepEqual(
    changes.map(({ event: { elementId, operation, eventType }, seq }) => [elementId, eventType, operation, seq]),
    [
      ['ada', 'n', 'c', 0],
      ['n1', 'n', 'c', 1],
      ['r0', 'r', 'c', 2],
      ['ada', 'n', 'u', 0],
      ['r0', 'r', 'u', 0],
      ['r0', 'r', 'd', 0],
      ['n1', 'n', 'd', 1],
    ],
  );
  assert.deepEqual(changes[3]!.event, {
    elementId: 'ada',
    eventType: 'n',
    operation: 'u',
    labels: ['Person'],
    keys: {},
    state: {
      before: { labels: ['Person'], properties: { name: 'Ada', born: 1815 } },
      after: { labels: ['Countess', 'Person'], properties: { name: 'Ada King' } },
    },
  });
  assert.deepEqual(changes[5]!.event, {
    elementId: 'r0',
    eventType: 'r',
    operation: 'd',
    type: 'KNOWS',
    start: { elementId: 'ada', labels: ['Countess', 'Person'], keys: {} },
    end: { elementId: 'n1', labels: ['Person'], keys: {} },
    keys: [],
    state: { before: { properties: { since: 1834 } }, after: null },
  });
  const { metadata } = changes[0]!;
  assert.deepEqual([metadata['captureMode'], metadata['connectionType'], metadata['executingUser']], ['FULL', 'embedded', null]);
  assert.match(String(metadata['txCommitTime']), /^\d{4}-\d\d-\d\dT.*Z$/);
  await engine.close();
});

test('each id is a place to go on from, within a commit too', async () => {
  const engine = await openEngine(freshUri(), captured);
  const from = await idOf(engine, 'earliest');
  await run(
    engine,
    'UNWIND range(1, 700) AS i CREATE (:A {i: i})',
    'CREATE (:B)',
    'CREATE INDEX FOR (b:B) ON (b.x)',
    'MATCH (a:A {i: 3}) SET a.i = 0',
  );
  const all = await changesSince(engine, from);
  assert.equal(all.length, 702);
  for (const at of [0, 255, 256, 698, 699, 700, 701]) {
    const rest = await changesSince(engine, all[at]!.id);
    assert.deepEqual(rest, all.slice(at + 1), `behind change ${at}`);
  }
  assert.deepEqual(await changesSince(engine, await idOf(engine, 'current')), []);
  assert.deepEqual(await changesSince(engine, ''), []);
  await engine.close();
});

test('what is as it was, and what came and went, is no change', async () => {
  const engine = await openEngine(freshUri(), captured);
  await run(engine, 'CREATE (:A {x: 1})');
  const from = await idOf(engine, 'current');
  await run(engine, 'MATCH (a:A) SET a.x = 2 SET a.x = 1', 'CREATE (b:B) DELETE b', 'MATCH (a:A) SET a.x = 1.0');
  const changes = await changesSince(engine, from);
  assert.deepEqual(
    changes.map(({ event }) => event['operation']),
    ['u'],
    '1.0 is not 1',
  );
  await engine.close();
});

test('selectors', async () => {
  const engine = await openEngine(freshUri(), captured);
  await run(
    engine,
    'CREATE CONSTRAINT FOR (p:Person) REQUIRE (p.name) IS NODE KEY',
    'CREATE CONSTRAINT FOR ()-[k:KNOWS]-() REQUIRE (k.no) IS RELATIONSHIP KEY',
  );
  const from = await idOf(engine, 'current');
  await run(
    engine,
    "CREATE (:Person {name: 'a', age: 1})-[:KNOWS {no: 7}]->(:Person:Dog {name: 'b'})",
    "MATCH (a:Person {name: 'a'}) SET a.age = 2, a.town = 'x'",
    'MATCH (d:Dog) REMOVE d:Dog',
    "MATCH ({name: 'a'})-[k:KNOWS]->() SET k.w = 1",
  );
  const found = async (...selectors: Plain[]): Promise<Plain[]> =>
    (await changesSince(engine, from, selectors)).map(({ event, txId }) => `${event['eventType']}${event['operation']}${txId}`);
  const all = ['nc3', 'nc3', 'rc3', 'nu4', 'nu5', 'ru6'];
  assert.deepEqual(await found(), all);
  assert.deepEqual(await found({ select: 'e' }), all);
  assert.deepEqual(await found({ select: 'n', operation: 'u' }, { select: 'r', operation: 'c' }), ['rc3', 'nu4', 'nu5']);
  assert.deepEqual(await found({ select: 'n', labels: ['Person', 'Dog'] }), ['nc3', 'nu5']);
  assert.deepEqual(await found({ select: 'n', key: { name: 'a' } }), ['nc3', 'nu4']);
  assert.deepEqual(await found({ select: 'e', changesTo: ['age', 'town'] }), ['nu4']);
  assert.deepEqual(await found({ select: 'n', elementId: 'n1' }), ['nc3', 'nu5']);
  assert.deepEqual(await found({ select: 'r', type: 'KNOWS', start: { key: { name: 'a' } }, end: { labels: ['Dog'] } }), ['rc3']);
  assert.deepEqual(await found({ select: 'r', end: { key: { name: 'b' } } }), ['rc3', 'ru6']);
  assert.deepEqual(await found({ select: 'r', key: { no: 7 }, operation: 'u' }), ['ru6']);
  assert.deepEqual(await found({ select: 'e', executingUser: 'nobody' }), []);
  for (const wrong of [{}, { select: 'x' }, { select: 'n', type: 'T' }, { select: 'n', labels: 'A' }, { select: 'e', operation: 'x' }, 1])
    await assert.rejects(changesSince(engine, from, [wrong as Plain]), isCode('ARGUMENT_ERROR'), JSON.stringify(wrong));
  await engine.close();
});

function isCode(code: string) {
  return (error: unknown): boolean => error instanceof GraphDBError && error.code === code;
}

test('a namespace that captures nothing says how to turn it on', async () => {
  const engine = await openEngine(freshUri(), { flushIntervalMs: 0 });
  for (const call of ['current()', 'earliest()', "query('x')"])
    await assert.rejects(engine.execute(`CALL db.cdc.${call}`, none), (error: unknown) => {
      assert.ok(error instanceof GraphDBError);
      assert.deepEqual([error.code, error.neo4jCode], ['UNSUPPORTED', 'Neo.ClientError.ChangeDataCapture.Disabled']);
      return error.message.includes('--cdc-retention');
    });
  await engine.close();
});

test('capture is a fact of the namespace: who opens it without the setting goes on with it', async () => {
  const uri = freshUri();
  const first = await openEngine(uri, captured);
  const from = await idOf(first, 'current');
  await run(first, 'CREATE (:A {x: 1})');
  await first.close();
  const second = await openEngine(uri, { flushIntervalMs: 0 });
  await run(second, 'MATCH (a:A) SET a.x = 2');
  await second.flush();
  await second.compact();
  const changes = await changesSince(second, from);
  assert.deepEqual(
    changes.map(({ event }) => event['operation']),
    ['c', 'u'],
  );
  const follower = await openEngine(uri, { readOnly: true });
  assert.deepEqual(await changesSince(follower, from), changes, 'a follower tells the same');
  await run(second, 'MATCH (a:A) DELETE a');
  await follower.reach(second.status().sequence, { timeoutMs: 5_000 });
  assert.deepEqual(await changesSince(follower, changes[1]!.id), await changesSince(second, changes[1]!.id));
  await follower.close();
  await second.close();
  const off = await openEngine(uri, { changeRetentionMs: 0, flushIntervalMs: 0 });
  await assert.rejects(changesSince(off, from), isCode('UNSUPPORTED'));
  await run(off, 'CREATE (:B)');
  await off.close();
  const again = await openEngine(uri, captured);
  await assert.rejects(changesSince(again, from), isCode('GONE'), 'what happened meanwhile was not captured');
  await run(again, 'CREATE (:C)');
  assert.equal((await changesSince(again, await idOf(again, 'earliest'))).length, 1);
  await again.close();
});

test('ids that nobody gave out are gone', async () => {
  const engine = await openEngine(freshUri(), captured);
  await run(engine, 'CREATE (:A)');
  const current = await idOf(engine, 'current');
  const parts = current.split('.');
  const future = [parts[0], 'zz', ...parts.slice(2)].join('.');
  for (const id of ['nonsense', 'ffffffffffffffff.1.0.1.1.0', future, `${current}.1`])
    await assert.rejects(changesSince(engine, id), isCode('GONE'), id);
  await engine.close();
});

test('a follower that lags has nothing yet behind a commit that it has not followed', async () => {
  const uri = freshUri();
  const engine = await openEngine(uri, captured);
  const follower = await openEngine(uri, { readOnly: true, pollIntervalMs: 0 });
  await run(engine, 'CREATE (:A), (:A)');
  const created = await changesSince(engine, await idOf(engine, 'earliest'));
  for (const { id } of created) assert.deepEqual(await changesSince(follower, id), [], id);
  await follower.reach(engine.status().sequence, { timeoutMs: 5_000 });
  const [first, last] = created.map(({ id }) => id);
  assert.deepEqual(await changesSince(follower, first!), created.slice(1));
  assert.deepEqual(await changesSince(follower, last!), []);
  await follower.close();
  await engine.close();
});
