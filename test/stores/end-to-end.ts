/**
 * A store from end to end, with real processes: servers that write, are killed and reopen, fence each other and follow,
 * the command line that backs up, inspects and reads older versions, and rounds of killing under load. Each test has a
 * namespace of its own.
 *
 * TEST_STORE_URI names a bucket that exists, the vendor's variables hold the credentials; TEST_STORE_KILLS says how
 * many rounds of killing. Started by scripts/test-stores.ts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openObjectStore, parseStorageUri } from '../../src/object-store/index.ts';
import { killRounds } from '../crash/kill-rounds.ts';
import { pauseRounds } from '../paused-writer/rounds.ts';
import { CLI } from '../support/programs.ts';
import { describe, type Reply, rowsOf, ServerProcess } from '../support/server-process.ts';

const KILLS = Number(process.env['TEST_STORE_KILLS'] ?? '5');
const PAUSES = KILLS;
const ROWS = 200;
const PATIENCE_MS = 20_000;
const COUNT = 'MATCH (n:Row) RETURN count(n) AS n';

test('what was answered is there after kill -9, flushed or not', async () => {
  const store = freshNamespace();
  await using first = await ServerProcess.start({ store, flushInterval: '0s' });
  await write(first, 0, ROWS);
  answered(await first.flush());
  await write(first, ROWS, 2 * ROWS);
  await first.kill();
  await using second = await ServerProcess.start({ store, flushInterval: '0s' });
  assert.deepEqual(
    await rowsOf(second, 'MATCH (n:Row)-[r:NEXT]->(m:Row) RETURN count(r) AS r, sum(m.key - n.key) AS d, max(m.text) AS t'),
    [{ r: 2 * ROWS - 2, d: 2 * ROWS - 2, t: 'text of 99 🦉' }],
  );
  await write(second, 2 * ROWS, 2 * ROWS + 1);
  assert.equal(await second.stop(), 0);
  assert.deepEqual(JSON.parse(await cli('inspect', '--store', store, '--verify', '--json')).problems, []);
  await using third = await ServerProcess.start({ store });
  assert.deepEqual(await rowsOf(third, COUNT), [{ n: 2 * ROWS + 1 }]);
});

test('the newer of two servers writes; the older is fenced and goes on reading', async () => {
  const store = freshNamespace();
  await using older = await ServerProcess.start({ store, flushInterval: '0s' });
  await write(older, 0, ROWS);
  await using newer = await ServerProcess.start({ store, flushInterval: '0s' });
  const refusal = await older.cypher('CREATE (:MustNotBeThere)');
  assert.ok(refusal.kind === 'refused' && refusal.status === 409 && refusal.code === 'WRITER_FENCED', describe(refusal));
  const flush = await older.flush();
  assert.ok(flush.kind === 'refused' && flush.status === 409, describe(flush));
  assert.equal((await older.health())?.role, 'reader');
  assert.deepEqual(await rowsOf(older, COUNT), [{ n: ROWS }]);
  await write(newer, ROWS, 2 * ROWS);
  await untilCount(older, 2 * ROWS);
  assert.deepEqual(await rowsOf(newer, 'MATCH (n:MustNotBeThere) RETURN count(n) AS n'), [{ n: 0 }]);
});

test('pages that a server has read are on its disk for the next one; namespaces do not mix, and damage does no harm', async (context) => {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'graphdb-pages-'));
  context.after(() => rm(cacheDirectory, { recursive: true }));
  const stores = [freshNamespace(), freshNamespace()];
  for (const [at, store] of stores.entries()) {
    await using server = await ServerProcess.start({ store, flushInterval: '0s' });
    await write(server, at * ROWS, (at + 1) * ROWS);
    answered(await server.flush());
    assert.equal(await server.stop(), 0);
  }
  const ask = async (at: number): Promise<{ hits: number; damaged: number; bytes: number }> => {
    await using server = await ServerProcess.start({ store: stores[at]!, readOnly: true, cacheDirectory });
    const [row] = await rowsOf(server, 'MATCH (n:Row) RETURN min(n.key) AS low, max(n.key) AS high, count(n.text) AS n');
    assert.deepEqual(row, { low: at * ROWS, high: (at + 1) * ROWS - 1, n: ROWS });
    const text = await (await fetch(`${server.address}/v0/metrics`)).text();
    const metric = (name: string): number => Number(new RegExp(`^graphdb_page_cache_${name} (\\d+)`, 'm').exec(text)?.[1]);
    assert.equal(await server.stop(), 0);
    return { hits: metric('hits_total'), damaged: metric('damaged_total'), bytes: metric('bytes') };
  };
  const isRemote = !stores[0]!.startsWith('file:');
  assert.equal((await ask(0)).hits, 0);
  assert.equal((await ask(1)).hits, 0);
  const again = await ask(0);
  assert.deepEqual([again.hits > 0, again.bytes > 0, again.damaged], [isRemote, isRemote, 0]);
  const files = await readdir(cacheDirectory, { recursive: true, withFileTypes: true });
  for (const file of files) if (file.isFile()) await writeFile(join(file.parentPath, file.name), 'damaged');
  assert.equal((await ask(0)).damaged > 0, isRemote);
  const described = JSON.parse(await cli('inspect', '--store', stores[1]!, '--json', '--cache-dir', cacheDirectory));
  assert.deepEqual([described.problems, described.pageCache.ranges > 0], [[], isRemote]);
});

test('a log object of another namespace, of the next number, epoch and sequence, is damage that is named', async () => {
  const [store, other] = [freshNamespace(), freshNamespace()];
  for (const [place, commits] of [
    [store, 3],
    [other, 4],
  ] as const) {
    await using server = await ServerProcess.start({ store: place, flushInterval: '0s' });
    for (let key = 0; key < commits; key++) answered(await server.cypher('CREATE (:Row {key: $key})', { key }));
    await server.kill();
  }
  const foreign = await openObjectStore(parseStorageUri(other));
  const { key } = (await foreign.list('wal/')).at(-1)!;
  assert.ok(await (await openObjectStore(parseStorageUri(store))).putIfAbsent(key, (await foreign.get(key))!), `${key} was there already`);
  const named = { stderr: new RegExp(`${key}.*put by writer`) };
  await assert.rejects(cli('run', '--store', store, COUNT), named);
  await using server = await ServerProcess.spawn({ store });
  await assert.rejects(server.ready(), new RegExp(key));
});

test('a read-only server follows the writer, through flush, compaction and a take-over', async (context) => {
  const store = freshNamespace();
  await using writer = await ServerProcess.start({ store, flushInterval: '0s' });
  await write(writer, 0, ROWS);
  await using reader = await ServerProcess.start({ store, readOnly: true });
  const refusal = await reader.cypher('CREATE (:MustNotBeThere)');
  assert.ok(refusal.kind === 'refused' && refusal.status === 403 && refusal.code === 'READ_ONLY', describe(refusal));
  const delaysMs: number[] = [];
  for (let step = 1; step <= 6; step++) {
    await write(writer, ROWS * step, ROWS * (step + 1));
    delaysMs.push(await untilCount(reader, ROWS * (step + 1)));
    if (step % 2 === 0) answered(await writer.flush());
    if (step % 3 === 0) answered(await writer.compact());
    await answers(reader, ROWS * (step + 1));
  }
  context.diagnostic(`a write shows on the reader after ${Math.max(...delaysMs).toFixed(0)} ms at most`);
  await writer.kill();
  await using successor = await ServerProcess.start({ store, flushInterval: '0s' });
  await write(successor, ROWS * 7, ROWS * 8);
  await untilCount(reader, ROWS * 8);
});

test('a version that is retained is read as it was; a backup goes to a folder and back', async (context) => {
  const store = freshNamespace();
  const restored = freshNamespace();
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-stores-'));
  context.after(() => rm(folder, { recursive: true }));
  await using server = await ServerProcess.start({ store, flushInterval: '0s' });
  await write(server, 0, ROWS);
  answered(await server.flush());
  const version = (await server.health())!.manifest_version;
  await write(server, ROWS, 2 * ROWS);
  answered(await server.flush());
  answered(await server.cypher('MATCH (n:Row) WHERE n.key < 10 DETACH DELETE n'));
  const before = ['run', '--store', store, '--format', 'csv', '--at-version', String(version), COUNT];
  assert.equal(await cli(...before), `n\r\n${ROWS}\r\n`);
  const copy = `file://${folder}?ns=copy`;
  await cli('backup', '--from', store, '--to', copy);
  await cli('backup', '--from', copy, '--to', restored);
  for (const place of [copy, restored]) {
    assert.deepEqual(JSON.parse(await cli('inspect', '--store', place, '--verify', '--json')).problems, []);
    await using other = await ServerProcess.start({ store: place });
    assert.deepEqual(await content(other), await content(server));
  }
});

test(`${KILLS} rounds of kill -9 under load lose nothing`, async (context) => {
  const { faults, ...figures } = await killRounds({
    store: freshNamespace(),
    rounds: KILLS,
    clients: 4,
    seed: Date.now() % 1_000_000,
    log: (line) => context.diagnostic(line),
  });
  context.diagnostic(JSON.stringify(figures));
  assert.deepEqual(faults, []);
  assert.ok(figures.answered > 0, 'no write was answered at all');
});

test(`${PAUSES} rounds in which the writer is paused with its clock, and taken over, lose nothing`, async (context) => {
  const { faults, ...figures } = await pauseRounds({
    store: freshNamespace(),
    rounds: PAUSES,
    seed: Date.now() % 1_000_000,
    log: (line) => context.diagnostic(line),
  });
  context.diagnostic(JSON.stringify(figures));
  assert.deepEqual(faults, []);
});

function freshNamespace(): string {
  const base = process.env['TEST_STORE_URI'];
  if (base === undefined) throw new Error('TEST_STORE_URI is not set; run npm run test:stores');
  return base.replace('ns=x', `ns=end-to-end-${randomUUID()}`);
}

/** Rows of these keys, each after the first linked to the one before, in three statements. */
async function write(server: ServerProcess, from: number, to: number): Promise<void> {
  const third = Math.ceil((to - from) / 3);
  for (let low = from; low < to; low += third) {
    const parameters = { low, high: Math.min(low + third, to) - 1 };
    answered(await server.cypher(`UNWIND range($low, $high) AS key CREATE (:Row {key: key, text: 'text of ' + key + ' 🦉'})`, parameters));
  }
  const link = 'MATCH (n:Row), (m:Row) WHERE n.key >= $from AND m.key = n.key + 1 AND m.key < $to CREATE (n)-[:NEXT]->(m)';
  answered(await server.cypher(link, { from, to }));
}

async function content(server: ServerProcess): Promise<unknown> {
  return [
    await rowsOf(server, 'MATCH (n:Row) RETURN n.key AS key, n.text AS text ORDER BY key'),
    await rowsOf(server, 'MATCH (n:Row)-[:NEXT]->(m) RETURN n.key AS n, m.key AS m ORDER BY n'),
  ];
}

async function answers(server: ServerProcess, rows: number): Promise<void> {
  assert.deepEqual(await rowsOf(server, 'MATCH (n:Row) RETURN count(n.text) AS n, count(DISTINCT n.key) AS k'), [{ n: rows, k: rows }]);
}

/** @returns milliseconds until the server showed so many rows */
async function untilCount(server: ServerProcess, count: number): Promise<number> {
  const start = performance.now();
  for (;;) {
    const [row] = await rowsOf(server, COUNT);
    if (row?.['n'] === count) return performance.now() - start;
    if (performance.now() - start > PATIENCE_MS) assert.fail(`after ${PATIENCE_MS} ms there are ${row?.['n']} rows, not ${count}`);
    await sleep(10);
  }
}

function answered(reply: Reply): void {
  assert.equal(reply.kind, 'answered', describe(reply));
}

async function cli(...parameters: string[]): Promise<string> {
  return (await promisify(execFile)(CLI, parameters, { maxBuffer: 1 << 28 })).stdout;
}
