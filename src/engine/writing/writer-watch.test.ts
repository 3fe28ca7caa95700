/** A writer that is taken over while it is idle, or only reads: what it answers then. By a clock of the test's own. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore, type ObjectStore, openMemoryStore, withFaults } from '../../object-store/index.ts';
import { type Engine, type EngineOptions, type EngineParts, openEngine } from '../index.ts';
import { VirtualTime } from '../testing/virtual-time.ts';

const none = new Map();
const names: string[] = [];
after(() => {
  for (const name of names) dropMemoryStore({ scheme: 'memory', name, namespace: name });
});

class Setting {
  readonly time = new VirtualTime();
  readonly name = `writer-watch-${names.length}`;
  readonly bucket: ObjectStore = openMemoryStore(
    { scheme: 'memory', name: this.name, namespace: this.name },
    { now: () => this.time.now() },
  );
  requests = 0;
  isDown = false;

  constructor() {
    names.push(this.name);
  }

  open(options: EngineOptions = {}): Promise<Engine> {
    const parts: EngineParts = {
      clock: this.time,
      schedule: this.time.schedule,
      decorateStore: () =>
        withFaults(this.bucket, {
          random: () => 0,
          clock: this.time,
          onRequest: () => {
            this.requests++;
            return this.isDown ? new Promise(() => {}) : null;
          },
        }),
    };
    return openEngine(`memory://${this.name}`, { flushIntervalMs: 0, ...options }, parts);
  }
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

async function valuesOf(engine: Engine): Promise<unknown[]> {
  return (await engine.execute('MATCH (n:N) RETURN n.v AS v ORDER BY v', none)).rows.map(([v]) => v);
}

/** An idle writer with one node, and the successor that has made a second one. */
async function takenOver(setting: Setting): Promise<{ former: Engine; successor: Engine }> {
  const former = await setting.open();
  await former.execute('CREATE (:N {v: 1})', none);
  const successor = await setting.open();
  await successor.execute('CREATE (:N {v: 2})', none);
  return { former, successor };
}

const EMPTY_WRITES = [
  'MERGE (n:N {v: 1}) RETURN n.v AS v',
  'MATCH (n:N {v: 7}) SET n.w = 1',
  'MATCH (n:N {v: 7}) DETACH DELETE n',
  'MATCH (n:N) REMOVE n.absent',
  'UNWIND [] AS x CREATE (:N {v: x})',
  'FOREACH (x IN [] | CREATE (:N {v: x}))',
  'MATCH (n:Absent) CALL (n) { SET n.w = 1 } IN TRANSACTIONS',
  'CREATE INDEX n_v IF NOT EXISTS FOR (n:N) ON (n.v)',
  'DROP INDEX absent IF EXISTS',
];

for (const query of EMPTY_WRITES) {
  test(`a writer that was taken over while idle does not answer a write that changes nothing: ${query}`, async () => {
    const setting = new Setting();
    const former = await setting.open();
    await former.execute('CREATE INDEX n_v FOR (n:N) ON (n.v)', none);
    await former.execute('CREATE (:N {v: 1})', none);
    await former.execute(query, none);
    await setting.open();
    await assert.rejects(former.execute(query, none), { code: 'WRITER_FENCED' });
    assert.equal(former.status().role, 'reader');
  });
}

test('nor a transaction that writes and changes nothing, a flush or a merge; one that only reads is answered', async () => {
  for (const what of ['transaction', 'flush', 'compact'] as const) {
    const { former: idle } = await takenOver(new Setting());
    const transaction = await idle.begin({ mode: 'write' });
    assert.equal((await transaction.execute('MATCH (n:N) RETURN n', none)).rows.length, 1);
    await transaction.commit();
    const writing = await idle.begin({ mode: 'write' });
    await writing.execute('MERGE (n:N {v: 1})', none);
    const answer = what === 'transaction' ? writing.commit() : writing.rollback().then(() => idle[what]());
    await assert.rejects(answer, { code: 'WRITER_FENCED' });
  }
});

test('a transaction that is open when its writer is found to be taken over is ended, and holds up no reads', async () => {
  const setting = new Setting();
  const { former } = await takenOver(setting);
  const transaction = await former.begin({ mode: 'write' });
  await transaction.execute('CREATE (:N {v: 3})', none);
  const stream = await transaction.stream('MATCH (n:N) RETURN n.v', none);
  const batches = stream.batches[Symbol.asyncIterator]();
  setting.time.leap(4_000);
  assert.deepEqual(await valuesOf(former), [1, 2]);
  await assert.rejects(batches.next(), { code: 'WRITER_FENCED' });
  await assert.rejects(transaction.execute('MATCH (n:N) RETURN n', none), { code: 'WRITER_FENCED' });
  await assert.rejects(transaction.commit(), { code: 'WRITER_FENCED' });
  await transaction.rollback();
  await former.close();
});

test('a flush with nothing to flush is refused by a writer that was taken over', async () => {
  const setting = new Setting();
  const former = await setting.open();
  assert.equal((await former.flush()).sstsWritten, 0);
  await setting.open();
  await assert.rejects(former.flush(), { code: 'WRITER_FENCED' });
  assert.equal(former.status().role, 'reader');
});

test('reads of a writer that was taken over follow: at once when the last look is long ago, else with the next read', async () => {
  const setting = new Setting();
  const { former } = await takenOver(setting);
  setting.time.leap(4_000);
  assert.deepEqual([await valuesOf(former), former.status().role], [[1, 2], 'reader']);

  const soon = new Setting();
  const { former: other } = await takenOver(soon);
  soon.time.leap(1_500);
  assert.deepEqual(await valuesOf(other), [1]);
  await settled();
  assert.deepEqual([await valuesOf(other), other.status().role], [[1, 2], 'reader']);
});

test('so do streams, read transactions and the status', async () => {
  for (const read of [
    async (engine: Engine) => (await Array.fromAsync((await engine.stream('MATCH (n:N) RETURN n.v', none)).batches)).flat().length,
    async (engine: Engine) => (await (await engine.begin({ mode: 'read' })).execute('MATCH (n:N) RETURN n', none)).rows.length,
    async (engine: Engine) => ((await engine.freshStatus()).role === 'reader' ? 2 : 1),
  ]) {
    const setting = new Setting();
    const { former } = await takenOver(setting);
    setting.time.leap(4_000);
    assert.equal(await read(former), 2);
  }
});

test('a writer that is still the writer looks once a second while it is read, and not while it is idle', async () => {
  const setting = new Setting();
  const engine = await setting.open();
  await engine.execute('CREATE (:N {v: 1})', none);
  await valuesOf(engine);
  const before = setting.requests;
  for (let step = 0; step < 100; step++) {
    setting.time.leap(100);
    await valuesOf(engine);
    await settled();
  }
  assert.ok(setting.requests - before >= 8 && setting.requests - before <= 10, `${setting.requests - before} requests`);
  const idle = setting.requests;
  setting.time.leap(3_600_000);
  await settled();
  assert.equal(setting.requests, idle);
});

test('a clock that was set back makes the next read look', async () => {
  const setting = new Setting();
  const { former } = await takenOver(setting);
  setting.time.leap(-3_600_000);
  assert.deepEqual(await valuesOf(former), [1, 2]);
});

test('a store that does not answer holds a read up for a second, and is waited for by later ones no longer', async () => {
  const setting = new Setting();
  const engine = await setting.open();
  await engine.execute('CREATE (:N {v: 1})', none);
  await valuesOf(engine);
  setting.isDown = true;
  setting.time.leap(10_000);
  const answer = valuesOf(engine);
  let isAnswered = false;
  void answer.then(() => {
    isAnswered = true;
  });
  await settled();
  assert.equal(isAnswered, false);
  await setting.time.advance(1_000, settled);
  assert.deepEqual(await answer, [1]);
});
