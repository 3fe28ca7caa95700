/** Transactions of several statements over HTTP: what they see and show, who may use them, and how they end. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from '../src/library/index.ts';
import { type LaunchedServer, launchServer } from './server/launched-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-transactions-'));
let server: LaunchedServer;

before(async () => {
  const line = (token: string, role = 'writer') => `${createHash('sha256').update(token).digest('hex')} ${role} * ${token}\n`;
  writeFileSync(join(folder, 'tokens'), line('ada') + line('bob') + line('root', 'admin'));
  server = await launchServer([
    '--store',
    'memory://transactions',
    '--auth-tokens-file',
    join(folder, 'tokens'),
    '--bolt-listen',
    '127.0.0.1:0',
  ]);
});
after(async () => {
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly code?: string;
    readonly status?: string;
    readonly rows?: readonly Record<string, unknown>[];
  };
}

async function ask(method: string, path: string, body?: unknown, token = 'ada'): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const begin = async (mode?: string): Promise<string> =>
  (await ask('POST', '/v0/transactions', mode === undefined ? undefined : { mode })).body.id;
const count = async (path = '/v0/cypher'): Promise<unknown> =>
  (await ask('POST', path, { query: 'MATCH (n:T) RETURN count(n) AS n' })).body.rows?.[0]?.['n'];

test('a transaction shows its writes to itself, and to others after its commit', async () => {
  const reader = await begin('read');
  const id = await begin();
  const place = `/v0/transactions/${id}`;
  assert.equal((await ask('POST', `${place}/cypher`, { query: 'CREATE (:T)' })).status, 200);
  assert.deepEqual([await count(`${place}/cypher`), await count()], [1, 0]);
  assert.deepEqual((await ask('POST', `${place}/commit`)).body, { id, status: 'committed' });
  assert.deepEqual([await count(), await count(`/v0/transactions/${reader}/cypher`)], [1, 0]);
  assert.equal((await ask('POST', `${place}/commit`)).body.code, 'NOT_FOUND');
  assert.deepEqual((await ask('DELETE', `/v0/transactions/${reader}`)).body, { id: reader, status: 'rolled back' });
});

test('a rollback undoes it; a reader may not write; others are told that there is none', async () => {
  const id = await begin('write');
  assert.equal((await ask('POST', `/v0/transactions/${id}/cypher`, { query: 'CREATE (:T), (:T)' }, 'bob')).body.code, 'NOT_FOUND');
  await ask('POST', `/v0/transactions/${id}/cypher`, { query: 'CREATE (:T), (:T)' });
  const before = await count();
  await ask('DELETE', `/v0/transactions/${id}`);
  assert.equal(await count(), before);
  const reader = await begin('read');
  assert.equal((await ask('POST', `/v0/transactions/${reader}/cypher`, { query: 'CREATE (:T)' })).body.code, 'READ_ONLY');
  await ask('DELETE', `/v0/transactions/${reader}`);
  for (const body of [{ mode: 'both' }, ['read'], 1]) assert.equal((await ask('POST', '/v0/transactions', body)).body.code, 'BAD_REQUEST');
});

test('the next writer waits for the first, and an open transaction does not hold up the end of the server', async () => {
  const other = await launchServer(['--store', 'memory://ends']);
  const first = (await (await fetch(`${other.url}/v0/transactions`, { method: 'POST' })).json()) as { id: string };
  const second = fetch(`${other.url}/v0/transactions`, { method: 'POST' });
  await fetch(`${other.url}/v0/transactions/${first.id}`, { method: 'DELETE' });
  assert.equal((await second).status, 200);
  assert.equal(await other.end('SIGTERM'), 0);
});

test('databases tell the address of Bolt where it is', async () => {
  const { body } = await ask('POST', '/v0/cypher', { query: 'SHOW DATABASES YIELD address' });
  assert.deepEqual(body.rows, [{ address: new URL((await server.boltUrl) ?? '').host }]);
  const without = await launchServer(['--store', 'memory://no-bolt']);
  assert.deepEqual((await without.cypher('SHOW DATABASES YIELD address')).body.rows, [{ address: null }]);
  await without.end('SIGTERM');
});

/** Begins to read a result of a transaction. The function returned reads the rest, and returns the last line. */
async function stream(place: string, query: string): Promise<() => Promise<Record<string, unknown>>> {
  const headers = { authorization: 'Bearer ada', 'content-type': 'application/json' };
  const { body } = await fetch(`${server.url}${place}/cypher/stream`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? '';
  return async () => {
    for (let step = await reader.read(); !step.done; step = await reader.read()) text = (text + step.value).slice(-10_000);
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  };
}

for (const mode of ['read', 'write']) {
  for (const [method, end] of [
    ['DELETE', ''],
    ['POST', '/commit'],
  ] as const) {
    test(`a result that is being sent ends with an error at ${method} ${end} of a ${mode} transaction`, async () => {
      const place = `/v0/transactions/${await begin(mode)}`;
      // More than the buffers between server and client hold, so that the server waits for the client.
      const rest = await stream(place, 'UNWIND range(1, 400000) AS x RETURN x');
      await sleep(200);
      assert.equal((await ask(method, place + end)).status, 200);
      const last = await rest();
      assert.equal(last['type'], 'error', JSON.stringify(last));
      assert.match(String(last['error']), /^the transaction (has ended|was rolled back|was committed before all rows were read)$/);
    });
  }
}

test('a rollback stops the running statement', async () => {
  const place = `/v0/transactions/${await begin()}`;
  const running = ask('POST', `${place}/cypher`, { query: 'UNWIND range(1, 1000000000000) AS x RETURN count(x)' });
  await sleep(200);
  assert.equal((await ask('POST', `${place}/commit`)).body.code, 'BAD_REQUEST', 'a statement runs');
  assert.equal((await ask('DELETE', place)).status, 200);
  assert.equal((await running).body.code, 'CANCELLED');
});

test('a transaction whose commit fails is over, and the next writer has its turn', async () => {
  await ask('POST', '/v0/cypher', { query: 'CREATE CONSTRAINT must IF NOT EXISTS FOR (n:Must) REQUIRE n.k IS NOT NULL' }, 'root');
  const failing = async (): Promise<string> => {
    const place = `/v0/transactions/${await begin()}`;
    await ask('POST', `${place}/cypher`, { query: 'CREATE (:Must)' });
    return place;
  };
  const place = await failing();
  assert.equal((await ask('POST', `${place}/commit`)).body.code, 'CONSTRAINT_VIOLATION');
  assert.equal((await ask('POST', `${place}/commit`)).body.code, 'NOT_FOUND');
  const lost = await failing();
  assert.equal((await ask('POST', `${lost}/cypher`, { query: 'RETURN 1 / 0' })).body.code, 'ARITHMETIC_ERROR');
  assert.equal((await ask('POST', `${lost}/commit`)).body.code, 'BAD_REQUEST', 'its statement has rolled it back');
  assert.equal((await ask('POST', `${lost}/commit`)).body.code, 'NOT_FOUND');
  const { body } = await ask('GET', '/v0/statements');
  assert.deepEqual((body as unknown as { statements: unknown[] }).statements, []);
});

test('a commit that the server did not get leaves the transaction to be rolled back', async () => {
  let fails = true;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, options) => {
    if (!fails || !String(input).endsWith('/commit')) return fetch(input, options);
    fails = false;
    throw new TypeError('fetch failed');
  };
  try {
    await using db = await open(server.url, { token: 'ada' });
    const work = db.transaction((tx) => tx.query('CREATE (:Undelivered)'), { attempts: 1 });
    await assert.rejects(work, { code: 'STORE_UNAVAILABLE' });
    assert.equal((await db.query('CREATE (:Next) WITH 1 AS one MATCH (n:Undelivered) RETURN n', {}, { timeoutMs: 5_000 })).rows.length, 0);
    const tx = await db.begin();
    await tx.query('CREATE (:Delivered)');
    await Promise.all([tx.commit(), tx.rollback()]);
    assert.equal(await db.value('MATCH (n:Delivered) RETURN count(n)'), 1, 'a rollback behind a commit does nothing');
  } finally {
    globalThis.fetch = fetch;
  }
});

test('a transaction that waits for the writer can be terminated, and does not come to its turn', async () => {
  const writer = await begin();
  const waiting = ask('POST', '/v0/transactions');
  const listed = async (): Promise<readonly { id: string }[]> =>
    ((await ask('GET', '/v0/statements')).body as unknown as { statements: { id: string }[] }).statements;
  for (let tries = 0; (await listed()).length < 2 && tries < 100; tries++) await sleep(20);
  const { id } = (await listed()).at(-1)!;
  assert.equal((await ask('DELETE', `/v0/statements/${id}`)).body.status, 'terminated');
  const { status, body } = await waiting;
  assert.deepEqual([status, body.code], [499, 'CANCELLED']);
  await ask('POST', `/v0/transactions/${writer}/commit`);
  assert.equal((await ask('POST', '/v0/cypher', { query: 'CREATE (:Free)' })).status, 200);
  assert.deepEqual(await listed(), []);
});

test('a commit whose answer is lost is not done again', async (context) => {
  const { port } = new URL(server.url);
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    let isLost = false;
    client.on('data', (bytes) => {
      isLost ||= /^POST \S*\/commit /.test(bytes.toString('latin1'));
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (isLost ? client.destroy() : client.write(bytes)));
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const])
      one.on('error', () => {}).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  context.after(() => proxy.close());
  await using direct = await open(server.url, { token: 'ada' });
  await using db = await open(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, { token: 'ada' });
  const done = db.transaction((tx) => tx.query('CREATE (:Lost)'));
  await assert.rejects(done, { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
  assert.equal(await direct.value('MATCH (n:Lost) RETURN count(n)'), 1);
});
