/** Every way in which a turn to write ends, or is never had: each leaves the lock to the next writer, and to nobody twice. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { finish } from '../../base/index.ts';
import { openGraphStore } from '../../graph/index.ts';
import { openMemoryStore, withFaults } from '../../object-store/index.ts';
import { openNamespace } from '../../storage/index.ts';
import { openEngine } from '../index.ts';
import { Committer } from './committer.ts';
import { type Backlog, WriteGate } from './write-gate.ts';
import { type WriterTurn, WriterTurns } from './writer-turn.ts';

const NONE = new Map();
let stores = 0;

/** One namespace, with a store whose log can be made to fail, and a backlog that can be made too long. */
class Setting implements Backlog {
  readonly uri = { scheme: 'memory', name: `writer-turn-${++stores}`, namespace: 'n' } as const;
  refuseLog = false;
  isTooLong = false;
  workOff: () => Promise<void> = () => new Promise(() => {});

  async open(context: TestContext, readOnly = false): Promise<WriterTurns> {
    const store = withFaults(openMemoryStore(this.uri), {
      random: () => 0,
      onRequest: ({ operation, key }) => (this.refuseLog && operation === 'putIfAbsent' && key.startsWith('wal/') ? 'refused' : null),
      clock: { now: () => 0, sleep: async () => {} },
    });
    const namespace = await openNamespace(store, { name: 'n', readOnly, clock: { now: () => 0, sleep: async () => {} } });
    context.after(() => namespace.close());
    const graph = await openGraphStore(namespace, { adjacency: true });
    const gate = new WriteGate();
    gate.add(this);
    const committer = new Committer({
      graph: () => graph,
      namespace,
      readOnly,
      logger: undefined,
      now: () => 0,
      onDurable: () => {},
      onFenced: () => {},
      onTakenBack: () => {},
    });
    return new WriterTurns(committer, gate);
  }
}

function begun(turns: WriterTurns): WriterTurn {
  const turn = turns.beginAtOnce();
  assert.ok(turn !== null, 'nobody has to be waited for');
  return turn;
}

function change({ transaction }: WriterTurn): void {
  transaction.createNode([transaction.internLabel('N')], [], [], null);
}

/** The lock is free, and one writer has it at a time. */
function assertFree(turns: WriterTurns): void {
  const turn = begun(turns);
  assert.equal(turns.beginAtOnce(), null);
  turn.rollback();
  assert.equal(turns.waitingWriters, 0);
}

test('a commit ends the turn before it is durable, with changes and without', async (context) => {
  const turns = await new Setting().open(context);
  for (const [hasChanges, hasWritten] of [
    [true, true],
    [false, true],
    [false, false],
  ] as const) {
    const turn = begun(turns);
    if (hasChanges) change(turn);
    const durable = turn.commit(hasWritten);
    const next = begun(turns);
    turn.rollback();
    assert.equal(turns.beginAtOnce(), null, 'the turn of the next writer');
    await durable;
    next.rollback();
    assertFree(turns);
  }
});

test('a rollback ends the turn once: that of a turn which is over takes nothing from the next', async (context) => {
  const turns = await new Setting().open(context);
  const former = begun(turns);
  change(former);
  former.rollback();
  const next = begun(turns);
  former.rollback();
  assert.equal(turns.beginAtOnce(), null);
  assert.throws(() => former.transaction, /no transaction open/);
  assert.equal(next.transaction.hasChanges, false);
  next.rollback();
  assertFree(turns);
});

test('a commit that the log refuses ends the turn, and the next writer finds nothing of it', async (context) => {
  const setting = new Setting();
  const turns = await setting.open(context);
  setting.refuseLog = true;
  const turn = begun(turns);
  change(turn);
  await assert.rejects(turn.commit(true), { code: 'STORE_UNAVAILABLE' });
  turn.rollback();
  setting.refuseLog = false;
  assert.equal(turns.beginAtOnce(), null, 'memory is brought in step with the log first');
  const next = await turns.begin(undefined);
  assert.equal(next.transaction.view.nodeCount, 0);
  next.rollback();
  assertFree(turns);
});

test('a writer that is fenced ends its turn, and whoever comes after it is refused without waiting', async (context) => {
  const setting = new Setting();
  const turns = await setting.open(context);
  await setting.open(context);
  const turn = begun(turns);
  change(turn);
  await assert.rejects(turn.commit(true), { code: 'WRITER_FENCED' });
  await assert.rejects(turns.begin(undefined), { code: 'WRITER_FENCED' });
  assert.equal(await turns.whileIdle(async () => 'free'), 'free');
  assert.throws(() => turns.beginAtOnce(), { code: 'WRITER_FENCED' });
  assert.equal(await turns.during(() => 'free'), 'free');
});

test('a reader is refused, and leaves the lock free', async (context) => {
  const setting = new Setting();
  await setting.open(context);
  const turns = await setting.open(context, true);
  assert.throws(() => turns.beginAtOnce(), { code: 'READ_ONLY' });
  await assert.rejects(turns.begin(undefined), { code: 'READ_ONLY' });
  assert.equal(await turns.during(() => 'free'), 'free');
});

test('whoever gives up waiting for the lock leaves it to those behind', async (context) => {
  const turns = await new Setting().open(context);
  const holder = begun(turns);
  const stop = new AbortController();
  const leaving = assert.rejects(turns.begin(stop.signal), { code: 'CANCELLED' });
  const staying = turns.begin(undefined);
  assert.equal(turns.waitingWriters, 2);
  stop.abort();
  await leaving;
  assert.equal(turns.waitingWriters, 1);
  await assert.rejects(turns.begin(AbortSignal.abort()), { code: 'CANCELLED' });
  holder.rollback();
  (await staying).rollback();
  assertFree(turns);
});

test('whoever waits for a backlog waits without the lock, and can give up or be refused', async (context) => {
  const setting = new Setting();
  const turns = await setting.open(context);
  setting.isTooLong = true;
  assert.equal(turns.beginAtOnce(), null);
  const stop = new AbortController();
  const leaving = assert.rejects(turns.begin(stop.signal), { code: 'CANCELLED' });
  assert.equal(await turns.during(() => 'free'), 'free');
  stop.abort();
  await leaving;
  setting.workOff = async () => {
    throw new Error('the flush failed');
  };
  await assert.rejects(turns.begin(undefined), /the flush failed/);
  setting.workOff = async () => {
    setting.isTooLong = false;
  };
  (await turns.begin(undefined)).rollback();
  assertFree(turns);
});

test('batches keep the turn, and a next one that is not begun ends it', async (context) => {
  const setting = new Setting();
  const turns = await setting.open(context);
  const turn = begun(turns);
  change(turn);
  await turn.commitBatch();
  assert.equal(turns.beginAtOnce(), null);
  await turn.next(undefined);
  assert.equal(turn.transaction.view.nodeCount, 1);
  change(turn);
  turn.rollbackBatch();
  assert.equal(turns.beginAtOnce(), null);
  setting.isTooLong = true;
  const stop = new AbortController();
  const next = assert.rejects(turn.next(stop.signal), { code: 'CANCELLED' });
  stop.abort();
  await next;
  setting.isTooLong = false;
  const other = begun(turns);
  turn.rollback();
  assert.equal(turns.beginAtOnce(), null, 'the turn of another');
  other.rollback();
  assertFree(turns);
});

test('a batch that the log refuses leaves the turn to be taken back', async (context) => {
  const setting = new Setting();
  const turns = await setting.open(context);
  const turn = begun(turns);
  change(turn);
  setting.refuseLog = true;
  await assert.rejects(turn.commitBatch(), { code: 'STORE_UNAVAILABLE' });
  setting.refuseLog = false;
  turn.rollbackBatch();
  await turn.next(undefined);
  assert.equal(turn.transaction.view.nodeCount, 0);
  turn.rollback();
  assertFree(turns);
});

test('work that borrows the lock gives it back, whether it succeeds or not', async (context) => {
  const turns = await new Setting().open(context);
  const failing = async (): Promise<never> => {
    throw new Error('no');
  };
  await assert.rejects(turns.during(failing), /no/);
  await assert.rejects(turns.whileIdle(failing), /no/);
  await turns.drain();
  assertFree(turns);
});

for (const [name, query, code] of [
  ['meets its time limit', 'UNWIND range(1, 100000000) AS i CREATE (:N)', 'QUERY_TIMEOUT'],
  ['breaks a constraint', 'UNWIND [1, 1] AS k CREATE (:Key {k: k})', 'CONSTRAINT_VIOLATION'],
  ['fails by its values', 'CREATE (:N {x: 1 / 0})', 'ARITHMETIC_ERROR'],
  ['lacks a parameter', 'CREATE (:N {x: $x})', 'PARAMETER_MISSING'],
  ['is not allowed to write', 'CREATE (:N)', 'READ_ONLY'],
] as const) {
  test(`a statement that ${name} lets the next writer go on, alone and in a transaction`, async () => {
    const engine = await openEngine(`memory://writer-turn-${++stores}`, { flushIntervalMs: 0 });
    await engine.execute('CREATE CONSTRAINT FOR (n:Key) REQUIRE n.k IS UNIQUE', NONE);
    const options = { timeoutMs: code === 'QUERY_TIMEOUT' ? 20 : 60_000, access: code === 'READ_ONLY' ? 'read' : 'write' } as const;
    await assert.rejects(engine.execute(query, NONE, options), { code });
    await engine.execute('CREATE (:Kept)', NONE, { timeoutMs: 60_000 });
    const transaction = await engine.begin({ mode: 'write', timeoutMs: 60_000 });
    const ended = transaction.execute(query, NONE, options).then(() => transaction.commit());
    await assert.rejects(ended, { code });
    await engine.execute('CREATE (:Kept)', NONE, { timeoutMs: 60_000 });
    assert.deepEqual((await engine.execute('MATCH (n) RETURN labels(n)[0], count(*)', NONE)).rows, [['Kept', 2]]);
    assert.equal(engine.statistics().waitingWriters, 0);
    await engine.close();
  });
}

test('a commit whose constraints take longer to check than its time is taken back, and leaves the lock free', async (context) => {
  const turns = await new Setting().open(context);
  const first = begun(turns);
  const definition = { name: 'c', entity: 'node', labelOrType: 'N', keys: ['k'], kind: 'exists' } as const;
  assert.equal(finish(first.transaction.createConstraint(definition)), true);
  await first.commit(true);
  for (const [time, code] of [
    [{ deadline: 0, signal: null }, 'QUERY_TIMEOUT'],
    [{ deadline: Number.POSITIVE_INFINITY, signal: AbortSignal.abort() }, 'CANCELLED'],
  ] as const) {
    const late = begun(turns);
    const key = late.transaction.internKey('k');
    const label = late.transaction.internLabel('N');
    for (let i = 0; i < 10_000; i++) late.transaction.createNode([label], [key], [i], null);
    await assert.rejects(late.commit(true, time), { code });
    assertFree(turns);
  }
});
