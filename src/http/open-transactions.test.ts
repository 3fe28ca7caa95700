/** Requests that meet at one transaction, and bodies that are read in one piece. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { GraphDBError, nextTurn, silentLogger } from '../base/index.ts';
import type { Engine } from '../engine/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { createFakeEngine } from './engine.fixture.ts';
import { createHttpServer } from './server.ts';

async function served(context: TestContext, engine: Engine) {
  const http = await createHttpServer({ version: 'x', maxRequestBytes: 2 ** 26, logger: silentLogger });
  http.serve(oneNamespace(engine));
  context.after(() => http.stop({ graceMs: 0 }));
  return async (method: 'POST' | 'DELETE', url: string, payload?: string) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await http.inject({ method, url, ...(payload === undefined ? {} : { headers, payload }) });
    const { id, code, status } = reply.json() as { id?: string; code?: string; status?: string };
    return { id, told: `${reply.statusCode} ${code ?? status}` };
  };
}

test('a rollback does not come before a commit under way, however many commits are asked for beside it', async (context) => {
  const stored = Promise.withResolvers<void>();
  let commits = 0;
  const engine = createFakeEngine();
  const ask = await served(context, {
    ...engine,
    begin: async () => ({
      execute: engine.execute,
      stream: engine.stream,
      commit: () => (commits++ === 0 ? stored.promise : Promise.reject(new GraphDBError('BAD_REQUEST', 'the transaction has ended'))),
      rollback: async () => {},
    }),
  });
  const { id } = await ask('POST', '/v0/transactions');
  const place = `/v0/transactions/${id}`;
  const first = ask('POST', `${place}/commit`);
  assert.equal((await ask('POST', `${place}/commit`)).told, '400 BAD_REQUEST');
  const undone = ask('DELETE', place);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  stored.resolve();
  assert.deepEqual([(await first).told, (await undone).told], ['200 committed', '404 NOT_FOUND']);
});

test('a body that is read in one piece is small: one that begins a transaction, a message of an agent', async (context) => {
  const ask = await served(context, createFakeEngine());
  const other = (length: number): string => JSON.stringify({ mode: 'read', other: 'x'.repeat(length) });
  assert.equal((await ask('POST', '/v0/transactions', other(1_000))).told, '200 undefined');
  assert.equal((await ask('POST', '/v0/transactions', other(10_000))).told, '413 PAYLOAD_TOO_LARGE');
  assert.equal((await ask('POST', '/mcp', other(1_000_000))).told, '200 undefined');
  assert.equal((await ask('POST', '/mcp', other(1_100_000))).told, '413 PAYLOAD_TOO_LARGE');
});
