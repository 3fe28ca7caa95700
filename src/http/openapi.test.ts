/** The OpenAPI document is one, and describes the endpoints that are there: each, and no other. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { accessToken, ERROR_CODES, identifyBy, silentLogger } from '../base/index.ts';
import type { TransactionDescription } from '../engine/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { createFakeEngine } from './engine.fixture.ts';
import { createHttpServer } from './server.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: unknown[];
  readonly responses: Record<string, { description: string; content?: Record<string, unknown> }>;
}

interface Description {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

/** Its path is that of the description. */
const OPEN: TransactionDescription = {
  id: '{id}',
  database: 'neo4j',
  namespace: 'default',
  username: 'ada',
  protocol: 'http',
  requestId: 'r',
  clientAddress: null,
  metadata: new Map(),
  startedAtMs: 0,
  elapsedMs: 1,
  terminated: null,
  statement: null,
};

async function start() {
  const identify = identifyBy(() => [accessToken('secret', 'write')]);
  const options = {
    version: '0.3.0',
    logger: silentLogger,
    maxRequestBytes: 1_000,
    identify,
    metrics: { text: async () => 'x 1\n', namespacesText: async () => 'y 1\n', namespaceText: async () => '' },
    transactions: { list: () => [OPEN], terminate: () => [{ id: OPEN.id, username: OPEN.username }] },
  };
  const server = await createHttpServer(options);
  server.serve(oneNamespace(createFakeEngine({ execute: () => ({ columns: ['a'], rows: [[1]] }) })));
  const reply = await server.inject({ url: '/v0/openapi.json' });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'application/json');
  return { server, description: reply.json() as Description };
}

test('it is an OpenAPI 3.1 document', async () => {
  const { description } = await start();
  const outcome = await new Validator().validate(description as never);
  assert.deepEqual(outcome.valid ? [] : outcome.errors, []);
  assert.match(description.openapi, /^3\.1\./);
});

test('what it describes is there, with the access and the type that it says', async () => {
  const { server, description } = await start();
  const operations = Object.entries(description.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ url, method, operation })),
  );
  let transaction = '';
  for (const { url, method, operation } of operations) {
    const runs = /\/cypher(?:$|\/)/.test(url);
    const request = {
      // Those of a transaction come behind its beginning; the last one ends another.
      url: url.startsWith('/v0/transactions') ? url.replace('{id}', transaction) : url,
      method: method.toUpperCase() as 'GET' | 'POST',
      ...(runs ? { headers: { 'content-type': 'application/json' }, payload: '{"query":"q"}' } : {}),
    };
    const isPublic = operation.security?.length === 0;
    assert.equal((await server.inject(request)).statusCode, isPublic ? 200 : 401, url);
    const reply = await server.inject({ ...request, headers: { ...request.headers, authorization: 'Bearer secret' } });
    assert.equal(reply.statusCode, 200, `${url} ${reply.body}`);
    const type = String(reply.headers['content-type']).split(';')[0];
    assert.deepEqual(Object.keys(operation.responses['200']?.content ?? {}), [type], url);
    if (operation.operationId === 'begin') transaction = (reply.json() as { id: string }).id;
    if (operation.operationId === 'commit') {
      const another = await server.inject({ url: '/v0/transactions', method: 'POST', headers: { authorization: 'Bearer secret' } });
      transaction = (another.json() as { id: string }).id;
    }
  }
});

test('every endpoint of the server is described', async () => {
  const { server, description } = await start();
  // Pages for people are no part of the API.
  const api = server
    .paths()
    .filter((path) => path.startsWith('/v0/'))
    .map((path) => path.replace(/:(\w+)/g, '{$1}'));
  assert.deepEqual(Object.keys(description.paths).sort(), api);
});

test('each status lists the codes that have it', async () => {
  const { description } = await start();
  const responses = description.paths['/v0/cypher']?.['post']?.responses ?? {};
  for (const [code, { httpStatus }] of Object.entries(ERROR_CODES)) {
    if (responses[httpStatus] !== undefined) assert.ok(responses[httpStatus].description.split(', ').includes(code), code);
  }
});
