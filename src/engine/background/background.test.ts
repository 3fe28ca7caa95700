/** Flushes, merges, collections and followers, by a clock of the test's own and a memory store whose requests are counted. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  dropMemoryStore,
  type FaultKind,
  type ObjectStore,
  openMemoryStore,
  type StoreRequest,
  withFaults,
} from '../../object-store/index.ts';
import { openNamespace } from '../../storage/index.ts';
import { type Engine, type EngineOptions, openEngine } from '../index.ts';
import { VirtualTime } from '../testing/virtual-time.ts';

const none = new Map();
const names: string[] = [];
after(() => {
  for (const name of names) dropMemoryStore({ scheme: 'memory', name, namespace: name });
});

type OnRequest = (request: StoreRequest) => FaultKind | null | Promise<FaultKind | null>;

/** One store, by one clock, and any number of engines over it. */
class Setting {
  readonly time = new VirtualTime();
  readonly name = `background-${names.length}`;
  readonly bucket: ObjectStore = openMemoryStore(
    { scheme: 'memory', name: this.name, namespace: this.name },
    { now: () => this.time.now() },
  );
  requests = 0;
  onRequest: OnRequest = () => null;

  constructor() {
    names.push(this.name);
  }

  open(options: EngineOptions = {}): Promise<Engine> {
    return openEngine(`memory://${this.name}`, options, {
      clock: this.time,
      schedule: this.time.schedule,
      // A file that is gone from the bucket is to be missed.
      sstCache: null,
      decorateStore: () =>
        withFaults(this.bucket, {
          random: () => 0,
          clock: this.time,
          onRequest: (request) => {
            this.requests++;
            return this.onRequest(request);
          },
        }),
    });
  }

  async keys(prefix = ''): Promise<string[]> {
    return (await this.bucket.list(prefix)).map(({ key }) => key);
  }

  /** Time passes, and what it sets off is done. */
  async advance(ms: number): Promise<void> {
    await this.time.advance(ms, settled);
    await settled();
  }
}

/** All that goes on without time passing. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

async function create(engine: Engine, count: number, from = 0): Promise<void> {
  for (let i = from; i < from + count; i++) await engine.execute('CREATE (:N {v: $v})', new Map([['v', i]]));
}

async function values(engine: Engine): Promise<unknown[]> {
  return (await engine.execute('MATCH (n:N) RETURN n.v AS v ORDER BY v', none)).rows.map(([v]) => v);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test('a database that is idle makes no requests, and sets no timers', async () => {
  const setting = new Setting();
  const engine = await setting.open();
  await create(engine, 3);
  await setting.advance(3_600_000);
  const { requests } = setting;
  await setting.advance(10 * 3_600_000);
  assert.deepEqual([setting.requests - requests, setting.time.scheduled], [0, 0]);
  assert.deepEqual([(await setting.keys('data/')).length, (await setting.keys('wal/')).length], [1, 0]);
  await engine.close();
});

test('what is written is flushed some time later, merged when it has gathered, and the old goes after its grace time', async () => {
  const setting = new Setting();
  const engine = await setting.open({ flushIntervalMs: 30_000, graceMs: 600_000, retainVersions: 2 });
  for (let round = 0; round < 10; round++) {
    await create(engine, 2, 2 * round);
    await setting.advance(30_000);
  }
  const flushes = (await setting.keys('data/')).length;
  assert.ok(flushes >= 10, `one file per flush, and what they were merged into: ${flushes}`);
  assert.ok((await setting.keys('wal/')).length < 20, 'the log goes sooner');
  await setting.advance(700_000);
  await setting.advance(700_000);
  const left = await setting.keys('data/');
  assert.ok(left.length <= 6, String(left));
  assert.deepEqual(await values(engine), range(20));
  await engine.close();
  const again = await setting.open();
  assert.deepEqual(await values(again), range(20));
  await again.close();
});

test('the log’s size calls for a flush too, and writers wait when it is far too long', async () => {
  const setting = new Setting();
  const engine = await setting.open({ flushIntervalMs: 0, flushBytes: 4_000, stallBytes: 8_000 });
  const release = Promise.withResolvers<void>();
  let waiting = false;
  setting.onRequest = async ({ operation, key }) => {
    if (operation !== 'putIfAbsent' || !key.startsWith('data/')) return null;
    waiting = true;
    await release.promise;
    return null;
  };
  const big = new Map([['text', 'x'.repeat(1_000)]]);
  let answered = 0;
  const writes = range(20).map(() => engine.execute('CREATE (:N {text: $text})', big).then(() => answered++));
  for (let i = 0; i < 10; i++) await setting.advance(1);
  assert.ok(waiting, 'a flush runs');
  assert.ok(answered >= 4 && answered < 20, `${answered} were answered`);
  await assert.rejects(engine.execute('CREATE (:N)', none, { timeoutMs: 20 }), { code: 'QUERY_TIMEOUT' });
  release.resolve();
  await Promise.all(writes);
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n)', none)).rows, [[20]]);
  await engine.close();
});

test('so does the number of its objects', async () => {
  const setting = new Setting();
  const engine = await setting.open({ flushIntervalMs: 0, flushObjects: 50 });
  await create(engine, 40);
  await setting.advance(0);
  assert.equal((await setting.keys('data/')).length, 0);
  await create(engine, 20, 40);
  await setting.advance(0);
  assert.equal((await setting.keys('data/')).length, 1);
  assert.deepEqual(await values(engine), range(60));
  await engine.close();
});

test('a long log that opening finds is flushed at once, so that the next opening need not read it', async () => {
  const setting = new Setting();
  const killed = await setting.open({ flushIntervalMs: 0 });
  await create(killed, 300);
  const reads = await walReads(setting, async () => {
    const engine = await setting.open({ flushIntervalMs: 0 });
    await setting.advance(0);
    assert.deepEqual(await values(engine), range(300));
  });
  assert.ok(reads > 300, `${reads} objects were read`);
  const readsAgain = await walReads(setting, async () => {
    const engine = await setting.open({ flushIntervalMs: 0 });
    assert.deepEqual(await values(engine), range(300));
    await engine.close();
  });
  assert.ok(readsAgain < 3, `${readsAgain} objects were read again`);
});

test('a short log that opening finds waits for its time', async () => {
  const setting = new Setting();
  const killed = await setting.open({ flushIntervalMs: 0 });
  await create(killed, 10);
  const engine = await setting.open({ flushIntervalMs: 30_000 });
  await setting.advance(29_999);
  assert.equal((await setting.keys('data/')).length, 0);
  await setting.advance(1);
  assert.equal((await setting.keys('data/')).length, 1);
  await engine.close();
});

test('openings that write nothing leave no log that grows', async () => {
  const setting = new Setting();
  for (let opening = 0; opening < 300; opening++) await (await setting.open()).close();
  const reads = await walReads(setting, async () => (await setting.open()).close());
  assert.ok(reads <= 256, `${reads} objects were read`);
});

test('a namespace that is only ever opened for a moment stays small', async () => {
  const setting = new Setting();
  const rounds = 300;
  for (let round = 0; round < rounds; round++) {
    const engine = await setting.open({ flushIntervalMs: 0, pollIntervalMs: 0 });
    await create(engine, 1, round);
    await engine.close();
    setting.time.leap(60_000);
  }
  const left = await setting.keys();
  // Without collections: 900.
  assert.ok(left.length < 500, `${left.length} objects`);
  const engine = await setting.open();
  assert.deepEqual(await values(engine), range(rounds));
  await engine.close();
});

async function walReads(setting: Setting, work: () => Promise<void>): Promise<number> {
  let reads = 0;
  setting.onRequest = ({ operation, key }) => {
    if (operation === 'get' && key.startsWith('wal/')) reads++;
    return null;
  };
  await work();
  return reads;
}

test('writers are told when the flush that they wait for fails, and go on when it succeeds again', async () => {
  const setting = new Setting();
  const engine = await setting.open({ flushIntervalMs: 0, flushBytes: 1_000, stallBytes: 1_000 });
  setting.onRequest = ({ operation, key }) => (operation === 'putIfAbsent' && key.startsWith('data/') ? 'refused' : null);
  const big = new Map([['text', 'x'.repeat(2_000)]]);
  await engine.execute('CREATE (:N {text: $text})', big);
  await assert.rejects(engine.execute('CREATE (:N)', none), { code: 'OVERLOADED' });
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n)', none)).rows, [[1]]);
  setting.onRequest = () => null;
  await engine.execute('CREATE (:N)', none);
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n)', none)).rows, [[2]]);
  await engine.close();
});

test('a flush that fails in the background is tried again', async () => {
  const setting = new Setting();
  const engine = await setting.open({ flushIntervalMs: 1_000 });
  setting.onRequest = ({ operation, key }) => (operation === 'putIfAbsent' && !key.startsWith('wal/') ? 'refused' : null);
  await create(engine, 1);
  await setting.advance(2_000);
  assert.equal((await setting.keys('data/')).length, 0);
  setting.onRequest = () => null;
  await setting.advance(120_000);
  assert.equal((await setting.keys('data/')).length, 1);
  await engine.close();
});

test('compact flushes, merges everything and removes the log; a reader and a fenced writer refuse it', async () => {
  const setting = new Setting();
  const engine = await setting.open({ flushIntervalMs: 0 });
  for (let round = 0; round < 3; round++) {
    await create(engine, 2, 2 * round);
    await engine.flush();
  }
  await create(engine, 2, 6);
  await setting.advance(11 * 60_000);
  const outcome = await engine.compact();
  assert.deepEqual(
    [outcome.sstsWritten, outcome.tablesMerged, outcome.sstsRemoved, outcome.sstsAdded, outcome.rowsWritten],
    [1, 1, 4, 1, 8],
  );
  assert.equal(outcome.manifestVersion, engine.status().manifestVersion);
  assert.deepEqual(await setting.keys('wal/'), []);
  const again = await engine.compact();
  assert.deepEqual([again.tablesMerged, again.rowsWritten], [0, 0]);
  assert.deepEqual(await values(engine), range(8));
  const reader = await setting.open({ readOnly: true });
  await assert.rejects(reader.compact(), { code: 'READ_ONLY' });
  const rival = await setting.open();
  await create(rival, 1, 8);
  await assert.rejects(engine.execute('CREATE (:N)', none), { code: 'WRITER_FENCED' });
  await assert.rejects(engine.compact(), { code: 'WRITER_FENCED' });
  await Promise.all([engine.close(), reader.close(), rival.close()]);
});

test('what a merge has replaced is not asked for any more, while other tables are still being merged', async () => {
  const setting = new Setting();
  const first = await setting.open({ flushIntervalMs: 0 });
  for (let v = 0; v < 2; v++) {
    await first.execute('CREATE (:N {v: $v}), (:M {v: $v})', new Map([['v', v]]));
    await first.flush();
  }
  await first.close();
  const files = await setting.keys('data/');
  const engine = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  setting.onRequest = async ({ operation, key }) => {
    if (operation === 'putIfAbsent' && key.startsWith('data/') && ++uploads === 2) await held.promise;
    return null;
  };
  const compaction = engine.compact();
  while (uploads < 2) await setting.advance(0);
  // A flush of another table, after which what nobody needs is removed.
  await engine.execute('CREATE (:Other)', none);
  await engine.flush();
  const remaining = async (): Promise<string[]> => (await setting.keys('data/')).filter((key) => files.includes(key));
  while ((await remaining()).length === files.length) await setting.advance(60_000);
  assert.equal((await remaining()).length, 2);
  for (const label of ['N', 'M'])
    assert.deepEqual((await engine.execute(`MATCH (n:${label}) SET n.w = n.v RETURN n.w`, none)).rows.flat(), [0, 1], label);
  held.resolve();
  assert.equal((await compaction).tablesMerged, 2);
  await engine.close();
});

test('closing flushes what would be long to read again, and only that', async () => {
  const setting = new Setting();
  const small = await setting.open({ flushIntervalMs: 0 });
  await create(small, 3);
  await small.close();
  assert.deepEqual(await setting.keys('data/'), []);
  const many = await setting.open({ flushIntervalMs: 0 });
  await create(many, 260, 3);
  await many.close();
  assert.equal((await setting.keys('data/')).length, 1);
  const again = await setting.open();
  assert.deepEqual(await values(again), range(263));
  await again.close();
});

test('a reader follows commits, flushes and merges, and knows a table from files that it has never seen', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  await create(writer, 3);
  await writer.execute("CREATE (:M {w: 1, t: 'x'}), (:M {w: 2, t: 'y'})", none);
  await writer.flush();
  const reader = await setting.open({ readOnly: true });
  assert.deepEqual(await values(reader), range(3));
  await create(writer, 2, 3);
  await setting.advance(1_000);
  assert.deepEqual(await values(reader), range(5));
  await writer.execute('MATCH (m:M {w: 1}) DELETE m', none);
  await writer.execute("CREATE (:M {w: 3, t: 'z'})", none);
  await writer.flush();
  await setting.advance(1_000);
  await writer.compact();
  await create(writer, 1, 5);
  await setting.advance(1_000);
  assert.deepEqual(await values(reader), range(6));
  assert.deepEqual((await reader.execute('MATCH (m:M) RETURN m.w, m.t ORDER BY m.w', none)).rows, [
    [2, 'y'],
    [3, 'z'],
  ]);
  await setting.advance(31_000);
  assert.equal(reader.status().manifestVersion, writer.status().manifestVersion);
  await assert.rejects(reader.execute('CREATE (:N)', none), { code: 'READ_ONLY' });
  await Promise.all([writer.close(), reader.close()]);
});

test('a reader that was left behind begins again, also when a statement meets the missing files first', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  await create(writer, 3);
  await writer.flush();
  const reader = await setting.open({ readOnly: true, pollIntervalMs: 0 });
  const transaction = await reader.begin({ mode: 'read' });
  await create(writer, 2, 3);
  await writer.compact();
  await create(writer, 1, 5);
  await writer.compact();
  assert.deepEqual(await values(reader), range(6));
  await assert.rejects(transaction.execute('MATCH (n:N) RETURN n.v', none), {
    code: 'STORE_UNAVAILABLE',
    message: /^what is read here is manifest version 2, made 0 s ago and no longer kept; begin again/,
  });
  await transaction.rollback();
  const stream = await reader.stream('MATCH (n:N) RETURN n.v', none);
  let rows = 0;
  for await (const batch of stream.batches) rows += batch.length;
  assert.equal(rows, 6);
  await Promise.all([writer.close(), reader.close()]);
});

test('a read that misses a file begins again where newer files have come while it waited for another one', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  const createBoth = async (v: number): Promise<void> =>
    void (await writer.execute('CREATE (:N {v: $v}), (:M {v: $v})', new Map([['v', v]])));
  await createBoth(0);
  await writer.flush();
  const reader = await setting.open({ readOnly: true });
  const files = await setting.keys('data/');
  let waiting = 0;
  const gates = files.map(() => Promise.withResolvers<void>());
  setting.onRequest = async ({ key }) => {
    const at = files.indexOf(key);
    if (at >= 0 && waiting < files.length) {
      waiting++;
      await gates[at]!.promise;
    }
    return null;
  };
  const reading = reader.execute('MATCH (n:N), (m:M) RETURN n.v + m.v AS sum ORDER BY sum', none);
  while (waiting < files.length) await setting.advance(0);
  await createBoth(1);
  await setting.advance(1_000);
  await writer.compact();
  assert.deepEqual(
    (await setting.keys('data/')).filter((key) => files.includes(key)),
    [],
  );
  // The first file is missed before the reader knows of newer ones, the other one after that.
  gates[0]!.resolve();
  await setting.advance(0);
  const before = reader.status().manifestVersion;
  await setting.advance(60_000);
  assert.ok(reader.status().manifestVersion > before);
  gates[1]!.resolve();
  assert.deepEqual((await reading).rows, [[0], [1], [1], [2]]);
  await Promise.all([writer.close(), reader.close()]);
});

test('a file that is missing though its version is kept is damage, to a transaction as well', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0 });
  await create(writer, 3);
  const { manifestVersion: version } = await writer.flush();
  const openings: EngineOptions[] = [{ readOnly: true }, { version }, {}];
  const [file] = await setting.keys('data/');
  for (const options of openings) {
    const engine = await setting.open(options);
    const transaction = await engine.begin({ mode: 'read' });
    const bytes = await setting.bucket.get(file!);
    await setting.bucket.delete(file!);
    const damage = { code: 'CORRUPTION', message: new RegExp(`${file}: it is missing`) };
    await assert.rejects(values(engine), damage);
    await assert.rejects(transaction.execute('MATCH (n:N) RETURN n.v', none), damage);
    await setting.bucket.putIfAbsent(file!, bytes!);
    assert.deepEqual(await values(engine), range(3));
    await engine.close();
  }
  await writer.close();
});

test('a reader that begins again while files go takes the manifest that has come since', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  await create(writer, 3);
  await writer.flush();
  const reader = await setting.open({ readOnly: true, pollIntervalMs: 0 });
  await create(writer, 2, 3);
  await writer.compact();
  await writer.execute('MATCH (n:N {v: 0}) SET n.v = 100', none);
  const compactions = [1, 2];
  setting.onRequest = async ({ operation, key }) => {
    // The reader is on its way to the files of the newest manifest, for what the last commit changes.
    if (operation !== 'get' || !key.startsWith('data/') || compactions.length === 0) return null;
    const nth = compactions.shift() as number;
    setting.onRequest = () => null;
    await create(writer, 1, 4 + nth);
    await writer.compact();
    await writer.execute('MATCH (n:N {v: 1}) SET n.w = $nth', new Map([['nth', nth]]));
    return null;
  };
  const found = await values(reader);
  assert.deepEqual([compactions, found], [[2], [1, 2, 3, 4, 5, 100]]);
  await Promise.all([writer.close(), reader.close()]);
});

test('a reader that meets a missing file in the middle of commits begins again with all of them', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  await create(writer, 3);
  await writer.flush();
  await create(writer, 2, 3);
  const reader = await setting.open({ readOnly: true });
  // Both are in no file of what the merge publishes; the first needs none, the second one that is gone by then.
  setting.onRequest = async ({ operation, key }) => {
    if (operation === 'get' && key.startsWith('data/')) {
      setting.onRequest = () => null;
      await writer.execute('CREATE (:M {w: 1})', none);
      await writer.execute('MATCH (n:N {v: 0}) SET n.v = 100', none);
    }
    return null;
  };
  await writer.compact();
  await setting.advance(1_000);
  assert.deepEqual(await values(reader), [1, 2, 3, 4, 100]);
  assert.deepEqual((await reader.execute('MATCH (m:M) RETURN m.w', none)).rows, [[1]]);
  await create(writer, 1, 5);
  await setting.advance(1_000);
  assert.deepEqual(await values(reader), [1, 2, 3, 4, 5, 100]);
  await Promise.all([writer.close(), reader.close()]);
});

test('a reader asks less often while nothing comes and while the store fails, and still sees a write within a second', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0 });
  const reader = await setting.open({ readOnly: true });
  const { requests } = setting;
  for (let i = 0; i < 100; i++) await setting.advance(100);
  const asked = setting.requests - requests;
  assert.ok(asked >= 20 && asked <= 40, `${asked} requests in 10 seconds, two at a time`);
  setting.onRequest = ({ operation, key }) => (operation === 'get' && key.startsWith('manifest/') ? 'refused' : null);
  await create(writer, 1);
  for (let i = 0; i < 20; i++) await setting.advance(100);
  assert.deepEqual(await values(reader), []);
  setting.onRequest = () => null;
  for (let i = 0; i < 110; i++) await setting.advance(100);
  await create(writer, 1, 1);
  for (let i = 0; i < 10; i++) await setting.advance(100);
  assert.deepEqual(await values(reader), range(2));
  await Promise.all([writer.close(), reader.close()]);
});

test('a writer that was fenced follows its successor', async () => {
  const setting = new Setting();
  const former = await setting.open({ flushIntervalMs: 0 });
  await create(former, 2);
  const successor = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
  await create(successor, 1, 2);
  const writes = await Promise.allSettled([create(former, 1, 90), create(former, 1, 91), create(former, 1, 92)]);
  assert.deepEqual(
    writes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'answered')),
    ['WRITER_FENCED', 'WRITER_FENCED', 'WRITER_FENCED'],
  );
  assert.equal(former.status().role, 'reader');
  await setting.advance(1_000);
  assert.deepEqual(await values(former), range(3));
  await create(successor, 1, 3);
  await successor.compact();
  await create(successor, 1, 4);
  await setting.advance(1_000);
  assert.deepEqual(await values(former), range(5));
  await assert.rejects(former.flush(), { code: 'WRITER_FENCED' });
  await Promise.all([former.close(), successor.close()]);
});

test('a retained version is read as it was', async () => {
  const setting = new Setting();
  const writer = await setting.open({ flushIntervalMs: 0, graceMs: 0, retainVersions: 2 });
  await create(writer, 2);
  const { manifestVersion: version } = await writer.flush();
  await create(writer, 1, 2);
  const past = await setting.open({ version });
  await writer.flush();
  assert.deepEqual([await values(past), past.status().manifestVersion, past.status().role], [range(2), version, 'reader']);
  await assert.rejects(past.execute('CREATE (:N)', none), { code: 'READ_ONLY' });
  const late = await setting.open({ version });
  await writer.compact();
  await create(writer, 1, 3);
  await writer.compact();
  await assert.rejects(values(late), { code: 'NOT_FOUND', message: new RegExp(`no manifest version ${version}`) });
  await assert.rejects(setting.open({ version: 99 }), { code: 'NOT_FOUND' });
  await Promise.all([writer.close(), past.close(), late.close()]);
});

test('a reader takes in more commits at once than a call takes arguments', async () => {
  const name = 'many-commits-at-once';
  names.push(name);
  const writer = await openNamespace(openMemoryStore({ scheme: 'memory', name, namespace: name }), { name });
  const reader = await openEngine(`memory://${name}?ns=${name}`, { readOnly: true, pollIntervalMs: 0 });
  const changes = Uint8Array.of(1);
  const appended: Promise<void>[] = [];
  for (let sequence = 1; sequence <= 150_000; sequence++) appended.push(writer.append({ sequence, changes }));
  await Promise.all(appended);
  await reader.reach(150_000, { timeoutMs: 60_000 });
  assert.equal(reader.status().sequence, 150_000);
  await reader.close();
  await writer.close();
});
