/**
 * GET /v0/changes from outside: lines, waiting, refusals; and a copy of the graph that follows it through kills,
 * take-overs, flushes and merges.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import neo4j from 'neo4j-driver';
import { ask, cypher, serve } from '../contract/outside.ts';
import { type LaunchedServer, launchServer } from '../server/launched-server.ts';
import { seededRandom } from '../support/random.ts';
import { type Change, Replica } from '../support/replica.ts';
import { randomUpdate } from './random-updates.ts';

const DAY = new Date(2024, 1, 29);

interface Changes {
  readonly status: number;
  readonly from: string;
  readonly code: string | undefined;
  readonly lines: readonly Change[];
}

async function changes(
  server: { readonly url: string },
  query = '',
  { token, path = '' }: { token?: string; path?: string } = {},
): Promise<Changes> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, headers: answered, body, json } = await ask(server, 'GET', `${path}/v0/changes${query}`, { headers });
  if (status !== 200) return { status, from: '', code: json.code, lines: [] };
  assert.equal(answered['content-type'], 'application/x-ndjson');
  const lines = body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Change);
  return { status, from: String(answered['graphdb-changes-from']), code: undefined, lines };
}

function folder(context: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'graphdb-changes-'));
  context.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('lines have the members of rows of db.cdc.query, and each id is a place to go on from', async () => {
  const server = await serve(['--store', 'memory://feed-lines', '--cdc-retention', '1h']);
  const current = await changes(server, '?from=current');
  assert.deepEqual([current.status, current.lines], [200, []]);
  await cypher(server, "CREATE (:P {_id: 'p', big: 9223372036854775807, f: 1.0, d: date('2024-02-29')})-[:R]->(:Q)");
  const { lines } = await changes(server, `?from=${current.from}`);
  assert.deepEqual(
    lines.map((line) => Object.keys(line)),
    Array(3).fill(['id', 'txId', 'seq', 'metadata', 'event']),
  );
  assert.deepEqual(
    lines.map(({ event }) => event.elementId),
    ['p', 'n1', 'r0'],
  );
  const raw = (await ask(server, 'GET', `/v0/changes?from=${current.from}`)).body;
  assert.match(raw, /"properties":\{"big":9223372036854775807,"f":1\.0,"d":"2024-02-29"\}/);
  assert.deepEqual((await changes(server, `?from=${lines[1]!.id}`)).lines, lines.slice(2));
  assert.deepEqual((await changes(server)).lines, lines, 'from the earliest where nothing is said');
  const { metadata } = lines[0]!;
  assert.deepEqual([metadata['executingUser'], metadata['connectionType'], metadata['captureMode']], ['everyone', 'http', 'FULL']);
});

test('metadata of transactions of drivers stands with their changes, also after a restart, and can be selected by', {
  timeout: 60_000,
}, async (context) => {
  const store = `file://${folder(context)}?ns=told`;
  const args = ['--store', store, '--cdc-retention', '1h'];
  const first = await serve([...args, '--bolt-listen', '127.0.0.1:0']);
  const driver = neo4j.driver((await first.boltUrl)!, neo4j.auth.basic('neo4j', ''));
  const session = driver.session();
  await session.run('CREATE (:A)', {}, { metadata: { app: 'ledger', job: { run: neo4j.int(7) } } });
  await session.executeWrite((tx) => tx.run('CREATE (:B)'), { metadata: { app: 'import', at: neo4j.types.Date.fromStandardDate(DAY) } });
  await session.run('CREATE (:C)');
  await session.close();
  await driver.close();
  const told = [{ app: 'ledger', job: { run: 7 } }, { app: 'import', at: '2024-02-29' }, {}];
  const metadataOf = ({ lines }: Changes): unknown[] => lines.map(({ metadata }) => metadata['txMetadata']);
  assert.deepEqual(metadataOf(await changes(first)), told);
  await first.end('SIGKILL');
  const second = await serve(args);
  assert.deepEqual(metadataOf(await changes(second)), told);
  const selected =
    "CALL db.cdc.query($from, [{select: 'n', txMetadata: {app: 'import'}}]) YIELD event RETURN event.state.after.labels AS labels";
  const { from } = await changes(second);
  assert.deepEqual((await second.cypher(selected, { from })).body.rows, [{ labels: ['B'] }]);
});

test('wait: the answer comes with the first change, or empty when the time is over', async () => {
  const server = await serve(['--store', 'memory://feed-wait', '--cdc-retention', '1h']);
  const { from } = await changes(server, '?from=current');
  const waiting = changes(server, `?from=${from}&wait=30s`);
  await sleep(50);
  await cypher(server, 'CREATE INDEX FOR (n:X) ON (n.x)');
  await cypher(server, 'CREATE (:X)');
  const { lines } = await waiting;
  assert.deepEqual(
    lines.map(({ event }) => event.operation),
    ['c'],
  );
  const empty = await changes(server, `?from=${lines[0]!.id}&wait=20ms`);
  assert.deepEqual([empty.status, empty.lines], [200, []]);
});

test('refusals: 400 for parameters and where nothing is captured, 410 for ids that are not known, 401 and 403', async (context) => {
  const off = await serve(['--store', 'memory://feed-off']);
  const { status, json } = await ask(off, 'GET', '/v0/changes');
  assert.deepEqual([status, json.code], [400, 'UNSUPPORTED']);
  assert.match(json.error, /--cdc-retention/);
  const place = folder(context);
  const hash = (token: string): string => createHash('sha256').update(token).digest('hex');
  const tokens = join(place, 'tokens');
  writeFileSync(tokens, `${hash('reads-a')} reader a\n`);
  const store = `file://${join(place, 'store')}`;
  const server = await serve(['--store', store, '--cdc-retention', '1h', '--auth-token', 'root', '--auth-tokens-file', tokens]);
  const root = { token: 'root', path: '/a' };
  for (const name of ['a', 'b'])
    await ask(server, 'POST', '/v0/cypher', { body: { query: `CREATE DATABASE ${name}` }, headers: { authorization: 'Bearer root' } });
  await ask(server, 'POST', '/a/v0/cypher', { body: { query: 'CREATE (:InA)' }, headers: { authorization: 'Bearer root' } });
  const [line] = (await changes(server, '', { token: 'reads-a', path: '/a' })).lines;
  assert.equal(line!.event.operation, 'c');
  for (const path of ['/b', '', '/none'])
    assert.deepEqual(await changes(server, '', { token: 'reads-a', path }), { status: 403, from: '', code: 'FORBIDDEN', lines: [] });
  assert.equal((await changes(server, '', { path: '/a' })).status, 401);
  assert.equal((await changes(server, '', { ...root, path: '/none' })).status, 404);
  for (const query of ['?from=nonsense', `?from=${line!.id}0`, '?from=%00', '?from=%E2%82%AC', '?from=a%0d%0ax:%20y'])
    assert.deepEqual((await changes(server, query, root)).code, 'GONE', query);
  assert.deepEqual((await changes(server, `?from=${line!.id}`, { ...root, path: '/b' })).code, 'GONE', 'an id of another namespace');
  for (const query of ['?wait=soon', '?from=a&from=b', '?value_format=other'])
    assert.deepEqual((await changes(server, query, root)).code, 'ARGUMENT_ERROR', query);
});

test('what is older than the retention is gone, after a flush and a merge; who is up to date goes on', async (context) => {
  const store = `file://${folder(context)}?ns=old`;
  const server = await serve(['--store', store, '--cdc-retention', '1s', '--flush-interval', '0s']);
  const { from: before } = await changes(server, '?from=earliest');
  for (let i = 0; i < 5; i++) await cypher(server, `CREATE (:X {i: ${i}})`);
  const { lines } = await changes(server, `?from=${before}`);
  assert.equal(lines.length, 5);
  await sleep(1_200);
  await ask(server, 'POST', '/v0/admin/compact');
  assert.equal((await changes(server, `?from=${before}`)).code, 'GONE');
  assert.equal((await changes(server, `?from=${lines[2]!.id}`)).code, 'GONE');
  assert.deepEqual((await changes(server, `?from=${lines[4]!.id}`)).lines, [], 'nothing has been missed');
  assert.deepEqual((await changes(server)).lines, []);
  await cypher(server, 'CREATE (:Y)');
  assert.equal((await changes(server, `?from=${lines[4]!.id}`)).lines.length, 1);
});

const ROUNDS = Number(process.env['GRAPHDB_CHANGE_ROUNDS'] ?? 4);
const SEED = Number(process.env['GRAPHDB_CHANGE_SEED'] ?? 1);

test(`a copy that follows is the graph, through ${ROUNDS} kills and take-overs (GRAPHDB_CHANGE_SEED=${SEED})`, async (context) => {
  const random = seededRandom(SEED);
  const store = `file://${folder(context)}?ns=copied`;
  const servers: LaunchedServer[] = [];
  context.after(() => servers.forEach(({ child }) => child.kill('SIGKILL')));
  const start = async (...more: string[]): Promise<LaunchedServer> => {
    const server = await launchServer(['--store', store, '--flush-interval', random.pick(['200ms', '1s', '0s']), ...more]);
    servers.push(server);
    return server;
  };
  let writer = await start('--cdc-retention', '1h');
  const follower = await start('--read-only');
  const replica = new Replica((await changes(writer, '?from=earliest')).from);
  let number = 0;
  let isResumed = false;
  const followFrom = async (server: LaunchedServer, wait: string): Promise<void> => {
    const { code, lines } = await changes(server, `?from=${replica.lastId}&wait=${wait}`);
    assert.equal(code, undefined);
    for (const line of lines) replica.apply(line, isResumed);
    isResumed = false;
  };
  for (let round = 1; round <= ROUNDS; round++) {
    let isOver = false;
    const source = random.chance(0.5) ? follower : writer;
    const following = (async () => {
      // The answer of a server that is killed may end in the middle of a line: who reads it goes on from the last whole one.
      while (!isOver) await followFrom(source, '200ms').catch(() => sleep(20));
    })();
    const writing = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const answer = await cypher(writer, randomUpdate(random, ++number)).catch(() => null);
        if (answer === null || answer.status >= 500 || answer.json.code === 'WRITER_FENCED') await sleep(20);
        if (random.chance(0.02)) await ask(writer, 'POST', random.pick(['/v0/admin/flush', '/v0/admin/compact'])).catch(() => null);
      }
    });
    await sleep(random.between(300, 900));
    const former = writer;
    if (random.chance(0.5)) former.child.kill('SIGKILL');
    // Who takes over says nothing of changes: the namespace does.
    writer = await start();
    isOver = true;
    await Promise.all([...writing, following]);
    former.child.kill('SIGKILL');
    isResumed = true;
  }
  const rows = async (query: string) => (await cypher(writer, query)).json.rows;
  await cypher(writer, 'CREATE (:Last)');
  while (![...replica.nodes.values()].some(({ labels }) => labels.includes('Last'))) await followFrom(writer, '1s');
  assert.deepEqual(await replica.differences(rows), []);
  assert.ok(replica.applied > 100, `${replica.applied} changes`);
  const fresh = new Replica((await changes(follower, '?from=earliest')).from);
  // The follower may lag.
  while (fresh.lastId !== replica.lastId)
    for (const line of (await changes(follower, `?from=${fresh.lastId}&wait=1s`)).lines) fresh.apply(line);
  assert.deepEqual(await fresh.differences(rows), [], 'all changes from the beginning make the graph');
});
