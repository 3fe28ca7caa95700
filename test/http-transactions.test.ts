/** Transactions of several statements over HTTP: what they see and show, who may use them, and how they end. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type LaunchedServer, launchServer } from './server/launched-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-transactions-'));
let server: LaunchedServer;

before(async () => {
  const line = (token: string) => `${createHash('sha256').update(token).digest('hex')} writer * ${token}\n`;
  writeFileSync(join(folder, 'tokens'), line('ada') + line('bob'));
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
