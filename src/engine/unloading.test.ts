/** A graph gives back what it has in memory where statements need the room, and writes and reads go on as before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbage, sleep } from '../base/index.ts';
import { dropMemoryStore } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import type { Engine } from './index.ts';
import { type EngineOptions, type EngineParts, openEngine, ReadWorkers } from './index.ts';
import type { ServedGraph } from './statements/graph-version.ts';

const NONE: ReadonlyMap<string, Value> = new Map();
/** Rows of each label: no two of the three labels fit into `ROOM` beside each other. */
const ROWS = 20_000;
const TEXT = 'x'.repeat(100);
/** Bytes that are left to a process with an empty graph. */
const ROOM = 4.5 * 2 ** 20;
let names = 0;

/** A process whose memory is `ROOM`, of which the graph that is served takes what it says it takes. */
async function withEngine(
  options: EngineOptions,
  use: (engine: Engine, uri: string, open: (options?: EngineOptions) => Promise<Engine>) => Promise<void>,
  parts: EngineParts = {},
): Promise<void> {
  const name = `unloading-${++names}`;
  const uri = `memory://${name}?ns=test`;
  const opened: Engine[] = [];
  const open = async (of: EngineOptions = options): Promise<Engine> => {
    let engine: Engine | null = null;
    const availableMemory = (): number => ROOM - (engine?.statistics().graphBytes ?? 0);
    engine = await openEngine(uri, { readWorkers: 0, ...of }, { artefactsFromRows: 1e9, ...parts, availableMemory });
    opened.push(engine);
    return engine;
  };
  try {
    const filler = await openEngine(uri, { readWorkers: 0 }, { artefactsFromRows: 1e9 });
    for (const label of ['A', 'B', 'C']) {
      await filler.execute(`UNWIND range(1, ${ROWS}) AS k CREATE (:${label} {k: k, s: '${TEXT}' + k})`, NONE);
    }
    await filler.flush();
    await filler.close();
    await use(await open(), uri, open);
  } finally {
    for (const engine of opened) await engine.close();
    dropMemoryStore({ scheme: 'memory', name, namespace: 'test' });
  }
}

async function rowsOf(engine: Engine, query: string): Promise<readonly unknown[][]> {
  return (await engine.execute(query, NONE)).rows;
}

async function sumOf(engine: Engine, label: string): Promise<unknown> {
  const rows = await rowsOf(engine, `MATCH (n:${label}) WHERE n.s STARTS WITH 'x' RETURN count(n), sum(n.k)`);
  return rows[0]?.map(Number);
}

const WHOLE = [ROWS, (ROWS * (ROWS + 1)) / 2];

test('labels that do not fit beside each other are read one after the other', async () => {
  await withEngine({}, async (engine) => {
    for (const label of ['A', 'B', 'C', 'A']) assert.deepEqual(await sumOf(engine, label), WHOLE, label);
    assert.ok(engine.statistics().unloads >= 3);
    assert.ok(engine.statistics().graphBytes < ROOM);
  });
});

/** Returns a reference to the data of the graph that is served, which does not keep it in memory. */
function servedData(engine: Engine): WeakRef<object> {
  const { graph } = engine as unknown as { readonly graph: { readonly served: ServedGraph } }; // as: the engine that was opened, unwrapped
  return new WeakRef(graph.served.graph.data);
}

async function assertFreed(data: WeakRef<object>): Promise<void> {
  let isFreed = false;
  for (let look = 0; look < 20 && !isFreed; look++) {
    // What was dereferenced stays until the turn ends.
    await sleep(10);
    collectGarbage();
    await sleep(10);
    isFreed = data.deref() === undefined;
  }
  // Not `equal`, which would print all that is held.
  assert.ok(isFreed, 'it is still held');
}

test('nothing keeps what was given back in memory, neither the graph that was opened nor its successors', async () => {
  await withEngine({}, async (engine) => {
    for (const label of ['A', 'B', 'C', 'A']) {
      const former = servedData(engine);
      const before = engine.statistics().unloads;
      assert.deepEqual(await sumOf(engine, label), WHOLE, label);
      if (engine.statistics().unloads > before) await assertFreed(former);
    }
    assert.ok(engine.statistics().unloads >= 3);
  });
});

test('threads keep nothing of a graph that a transaction has read after it was given back', async () => {
  const workers = new ReadWorkers({ count: 1, firstSliceMs: 0 });
  await withEngine(
    {},
    async (engine) => {
      assert.deepEqual(await sumOf(engine, 'A'), WHOLE);
      const former = servedData(engine);
      const transaction = await engine.begin({ mode: 'read' });
      const count = "MATCH (n:A) WHERE n.s STARTS WITH 'x' RETURN count(n)";
      assert.deepEqual((await transaction.execute(count, NONE)).rows.flat().map(Number), [ROWS]);
      assert.deepEqual(await sumOf(engine, 'B'), WHOLE);
      assert.deepEqual((await transaction.execute(count, NONE)).rows.flat().map(Number), [ROWS]);
      await transaction.commit();
      await assertFreed(former);
    },
    { workers },
  );
  await workers.close();
});

/** Returns a reference to the data of an engine that has read in threads and was closed. */
async function dataOfClosed(uri: string, workers: ReadWorkers): Promise<WeakRef<object>> {
  const engine = await openEngine(uri, { readWorkers: 0, readOnly: true }, { workers });
  const reads = workers.reads;
  assert.deepEqual(await sumOf(engine, 'A'), WHOLE);
  assert.ok(workers.reads > reads);
  const data = servedData(engine);
  await engine.close();
  return data;
}

test('threads that several engines share keep nothing of one that was closed', async () => {
  const workers = new ReadWorkers({ count: 2, firstSliceMs: 0 });
  await withEngine({}, async (_engine, uri) => assertFreed(await dataOfClosed(uri, workers)));
  await workers.close();
});

test('what does not fit by itself is refused, and nothing is given back for it', async () => {
  await withEngine({}, async (engine) => {
    assert.deepEqual(await sumOf(engine, 'A'), WHOLE);
    const all = engine.execute("MATCH (n) WHERE n.s STARTS WITH 'x' RETURN count(n)", NONE);
    await assert.rejects(all, { code: 'MEMORY_LIMIT', message: /take \d+ MiB of memory, and \d+ MiB are left/ });
    assert.equal(engine.statistics().unloads, 0);
  });
});

test('what was written and not flushed is flushed before its memory is given back', async () => {
  await withEngine({ flushIntervalMs: 0 }, async (engine, _uri, open) => {
    await rowsOf(engine, "MATCH (a:A {k: 7}) SET a.s = 'x changed' CREATE (:D {of: a.k})");
    assert.ok(engine.statistics().unflushedCommits > 0);
    assert.deepEqual(await sumOf(engine, 'B'), WHOLE);
    assert.equal(engine.statistics().unloads, 1);
    assert.equal(engine.statistics().unflushedCommits, 0);
    await rowsOf(engine, "MATCH (d:D) SET d.also = 'afterwards'");
    assert.deepEqual(await rowsOf(engine, 'MATCH (d:D) RETURN d.also, count(*)').then((rows) => rows[0]?.[0]), 'afterwards');
    assert.deepEqual((await rowsOf(engine, "MATCH (a:A) WHERE a.s = 'x changed' RETURN a.k")).flat().map(Number), [7]);
    await engine.close();
    const again = await open();
    assert.deepEqual((await rowsOf(again, "MATCH (a:A) WHERE a.s = 'x changed' RETURN a.k")).flat().map(Number), [7]);
    assert.deepEqual(await rowsOf(again, 'MATCH (d:D) RETURN d.also').then((rows) => rows[0]?.[0]), 'afterwards');
  });
});

test('a statement that writes gets the room that it needs, and other writers wait for nothing longer than that', async () => {
  await withEngine({}, async (engine) => {
    assert.deepEqual(await sumOf(engine, 'A'), WHOLE);
    const updates = rowsOf(engine, "MATCH (b:B) WHERE b.s STARTS WITH 'x' AND b.k <= 3 SET b.t = b.k RETURN count(*)");
    const created = Promise.all(Array.from({ length: 20 }, (_, i) => rowsOf(engine, `CREATE (:E {i: ${i}})`)));
    assert.deepEqual((await updates).flat().map(Number), [3]);
    await created;
    assert.deepEqual((await rowsOf(engine, 'MATCH (e:E) RETURN count(e), count(DISTINCT e.i)')).flat().map(Number), [20, 20]);
  });
});

test('rows of a statement that runs are those of its graph, though that is given back meanwhile', async () => {
  await withEngine({}, async (engine) => {
    const { batches } = await engine.stream("MATCH (a:A) WHERE a.s STARTS WITH 'x' RETURN a.k", NONE);
    let rows = 0;
    for await (const batch of batches) {
      if (rows === 0) {
        assert.deepEqual(await sumOf(engine, 'B'), WHOLE);
        assert.equal(engine.statistics().unloads, 1);
      }
      rows += batch.length;
    }
    assert.equal(rows, ROWS);
  });
});

test('a transaction that is open keeps its graph; a statement outside of it is told within its time', async () => {
  await withEngine({}, async (engine) => {
    assert.deepEqual(await sumOf(engine, 'A'), WHOLE);
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute('CREATE (:D)', NONE);
    const inside = engine.begin({ mode: 'read' });
    const other = engine.execute("MATCH (n:B) WHERE n.s STARTS WITH 'x' RETURN count(n)", NONE, { timeoutMs: 100 });
    await assert.rejects(other, { code: 'QUERY_TIMEOUT' });
    await (await inside).commit();
    await transaction.commit();
    assert.deepEqual(await sumOf(engine, 'B'), WHOLE);
    assert.deepEqual((await rowsOf(engine, 'MATCH (d:D) RETURN count(d)')).flat().map(Number), [1]);
  });
});

test('a follower, and a reader of a retained version, give back what they have loaded', async () => {
  await withEngine({}, async (writer, _uri, open) => {
    const follower = await open({ readOnly: true });
    const { manifestVersion } = writer.status();
    for (const label of ['A', 'B', 'C']) assert.deepEqual(await sumOf(follower, label), WHOLE, label);
    await rowsOf(writer, 'CREATE (:D)');
    await follower.reach(writer.status().sequence, { timeoutMs: 10_000 });
    assert.deepEqual((await rowsOf(follower, 'MATCH (d:D) RETURN count(d)')).flat().map(Number), [1]);
    assert.ok(follower.statistics().unloads >= 2);
    const pinned = await open({ version: manifestVersion });
    for (const label of ['A', 'B', 'C']) assert.deepEqual(await sumOf(pinned, label), WHOLE, label);
    assert.ok(pinned.statistics().unloads >= 2);
  });
});

test('writing goes on beyond what memory holds', async () => {
  await withEngine({ flushIntervalMs: 0 }, async (engine) => {
    for (let round = 0; round < 8; round++) {
      await rowsOf(engine, `UNWIND range(1, ${ROWS}) AS k CREATE (:W {k: k, round: ${round}, s: '${TEXT}' + k})`);
      await engine.flush();
    }
    // What a flush has written is given back behind its answer.
    while (engine.statistics().graphBytes >= ROOM) await sleep(1);
    assert.ok(engine.statistics().unloads >= 1);
    const counts = await rowsOf(engine, 'MATCH (w:W) RETURN count(w)');
    assert.deepEqual(counts.flat().map(Number), [8 * ROWS]);
  });
});
