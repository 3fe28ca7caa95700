/** A graph behind a server that breaks off: what is known of a write then, and how statements and answers end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openEngine } from '../engine/index.ts';
import { RemoteGraph } from './index.ts';
import { mayWrite } from './may-write.ts';
import { planText } from './plan-text.ts';

const NONE = new Map();
const HEADER = '{"type":"header","columns":["x"]}\n';
const SUMMARY = '{"type":"summary","rows":1}\n';

async function graphOf(context: TestContext, listener: RequestListener, token?: string): Promise<RemoteGraph> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new RemoteGraph(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, token);
}

const breakOff = (response: ServerResponse): void => void response.destroy();

function refuse(response: ServerResponse): void {
  response.writeHead(503).end('{"error":"the store does not answer","code":"STORE_UNAVAILABLE"}');
}

test('a commit without an answer may be done, so it is not to be repeated', async (context) => {
  for (const answer of [breakOff, refuse]) {
    const graph = await graphOf(context, ({ url = '' }, response) => {
      if (url.endsWith('/commit')) answer(response);
      else response.end('{"id":"t"}');
    });
    const transaction = await graph.begin({ mode: 'write' });
    await assert.rejects(transaction.commit(), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true, retriable: false });
    await transaction.rollback();
  }
});

test('an answer says with any code that the outcome of a write is unknown', async (context) => {
  const graph = await graphOf(context, ({ url = '' }, response) => {
    if (url.endsWith('/v0/transactions')) response.end('{"id":"t"}');
    else response.writeHead(409).end('{"error":"another process writes","code":"WRITER_FENCED","outcome_unknown":true}');
  });
  const unknown = { code: 'WRITER_FENCED', outcomeUnknown: true, retriable: false };
  await assert.rejects((await graph.begin({ mode: 'write' })).commit(), unknown);
  await assert.rejects(graph.execute('CREATE (n) RETURN n AS x', NONE), unknown);
});

test('a statement that writes alone may be done if its answer is broken off; what reads, or was not sent, is not', async (context) => {
  for (const answer of [breakOff, refuse, (response: ServerResponse) => void response.end(HEADER)]) {
    const graph = await graphOf(context, ({ url = '' }, response) => {
      if (url.endsWith('/v0/transactions')) response.end('{"id":"t"}');
      else answer(response);
    });
    await assert.rejects(graph.execute('CREATE (n) RETURN n AS x', NONE), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
    await assert.rejects(graph.execute('MATCH (n) RETURN n AS x', NONE), { outcomeUnknown: false, retriable: true });
    const transaction = await graph.begin({ mode: 'write' });
    await assert.rejects(transaction.execute('CREATE (n) RETURN n AS x', NONE), { outcomeUnknown: false, retriable: true });
  }
  const nobody = new RemoteGraph('http://127.0.0.1:1', undefined);
  await assert.rejects(nobody.execute('CREATE (n)', NONE), { code: 'STORE_UNAVAILABLE', outcomeUnknown: false });
});

test('statements that may write are known by their words', () => {
  for (const query of ['create (n)', 'MATCH (n) SET n.x = 1', 'CALL p()', 'FOREACH (x IN [] | MERGE (n))', 'MATCH (n) DETACH\nDELETE n'])
    assert.ok(mayWrite(query), query);
  for (const query of ['MATCH (n) RETURN n.created', 'RETURN 1', 'SHOW INDEXES', 'MATCH (n:Set_) RETURN n.offset'])
    assert.ok(!mayWrite(query), query);
});

test('a stream that is left at its first batch ends the statement', async (context) => {
  const left = Promise.withResolvers<void>();
  const graph = await graphOf(context, (_request, response) => {
    response.on('close', left.resolve);
    response.write(`${HEADER}{"type":"row","row":{"x":1}}\n`);
  });
  const { batches } = await graph.stream('RETURN 1 AS x', NONE);
  for await (const batch of batches) {
    assert.deepEqual(batch, [[1]]);
    break;
  }
  await left.promise;
});

test('an answer is whole wherever its pieces end', async (context) => {
  const value = 'ä😀'.repeat(20);
  const bytes = Buffer.from(`${HEADER}{"type":"row","row":{"x":"${value}"}}\n\n${SUMMARY}`);
  const graph = await graphOf(context, async (_request, response) => {
    for (let at = 0; at < bytes.length; at += 7) {
      response.write(bytes.subarray(at, at + 7));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  assert.deepEqual((await graph.execute('RETURN 1 AS x', NONE)).rows, [[value]]);
});

test('answers of other servers, and answers that break off, are failures with a code', async (context) => {
  const page = await graphOf(context, (_request, response) => void response.end('<html>'));
  await assert.rejects(page.flush(), { code: 'STORE_UNAVAILABLE' });
  const broken = await graphOf(context, (_request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('{');
    setImmediate(() => response.destroy());
  });
  await assert.rejects(broken.flush(), { code: 'STORE_UNAVAILABLE' });
  await assert.rejects(broken.check(), { code: 'STORE_UNAVAILABLE' });
});

test('the plan of an answer is the text that a store shows', async () => {
  const engine = await openEngine('memory://plan-text');
  const statements = [
    'RETURN 1 AS x',
    'CREATE (:A)-[:R]->(:B)',
    'MATCH (a:A)-[:R]->(b) WHERE NOT EXISTS { (b)-[:S]->() } RETURN b, COUNT { (a)--() } AS n ORDER BY n LIMIT 3',
  ];
  for (const mode of ['EXPLAIN', 'PROFILE'])
    for (const statement of statements) {
      const { plan, planTree } = await engine.execute(`${mode} ${statement}`, NONE);
      assert.equal(planText(planTree!), plan);
    }
  await engine.close();
});

test('what is no URL of a server, or no token, is refused before a request; the token is not shown', async (context) => {
  for (const url of ['http://localhost:8080/?ns=prod', 'http://localhost:8080/#prod', 'http://localhost:99999', 'file:///data'])
    assert.throws(() => new RemoteGraph(url, undefined), { code: 'ARGUMENT_ERROR' }, url);
  for (const token of ['two\nlines', 'töken', 'two words'])
    assert.throws(
      () => new RemoteGraph('http://localhost:8080', token),
      ({ code, message }) => code === 'ARGUMENT_ERROR' && !message.includes(token),
    );
  const given: (string | undefined)[] = [];
  for (const token of ['', ' of-a-file\n']) {
    const graph = await graphOf(
      context,
      ({ headers }, response) => {
        given.push(headers.authorization);
        response.end('{}');
      },
      token,
    );
    await graph.check();
  }
  assert.deepEqual(given, [undefined, 'Bearer of-a-file']);
});

test('any limit of time is one that a timer can have', async (context) => {
  let requests = 0;
  const graph = await graphOf(context, (_request, response) => {
    requests++;
    response.end(HEADER + SUMMARY);
  });
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 1e12, 0, 60_000.5]) await graph.execute('RETURN 1 AS x', NONE, { timeoutMs });
  assert.equal(requests, 4);
  await assert.rejects(graph.execute('CREATE (n)', NONE, { timeoutMs: -1 }), { code: 'QUERY_TIMEOUT', outcomeUnknown: false });
  await assert.rejects(graph.execute('CREATE (n)', NONE, { signal: AbortSignal.abort() }), { code: 'CANCELLED', outcomeUnknown: false });
  assert.equal(requests, 4);
});

test('a place in an explained statement is that of its own text', async (context) => {
  const asked: string[] = [];
  const graph = await graphOf(context, async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    asked.push(JSON.parse(body).query);
    response.writeHead(400).end('{"error":"no","code":"SYNTAX_ERROR","line":2,"column":10}');
  });
  await assert.rejects(graph.explain('MATCH (n RETURN n'), { code: 'SYNTAX_ERROR', line: 1, column: 10 });
  assert.deepEqual(asked, ['EXPLAIN\nMATCH (n RETURN n']);
});

test('a transaction that has ended, or runs a statement, says so without a request', async (context) => {
  const asked: string[] = [];
  const held = Promise.withResolvers<ServerResponse>();
  const graph = await graphOf(context, ({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    if (url.endsWith('/cypher/stream')) held.resolve(response);
    else response.end('{"id":"t"}');
  });
  const transaction = await graph.begin({ mode: 'write' });
  const running = transaction.execute('CREATE (n)', NONE);
  await assert.rejects(transaction.commit(), { code: 'BAD_REQUEST' });
  (await held.promise).end(HEADER + SUMMARY);
  await running;
  await transaction.commit();
  const before = asked.length;
  await assert.rejects(transaction.execute('CREATE (n)', NONE), { code: 'BAD_REQUEST' });
  await assert.rejects(transaction.commit(), { code: 'BAD_REQUEST' });
  await transaction.rollback();
  assert.equal(asked.length, before);
});

test('close rolls back what has not ended and waits for what runs; later calls fail', async (context) => {
  const asked: string[] = [];
  const graph = await graphOf(context, ({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    response.end(url.endsWith('/cypher/stream') ? HEADER + SUMMARY : `{"id":"t${asked.length}"}`);
  });
  const ended = await graph.begin({ mode: 'write' });
  await ended.commit();
  await graph.begin({ mode: 'write' });
  let hasAnswer = false;
  void graph.execute('RETURN 1 AS x', NONE).then(() => {
    hasAnswer = true;
  });
  await graph.close();
  assert.ok(hasAnswer);
  assert.deepEqual(
    asked.filter((request) => request.startsWith('DELETE')),
    ['DELETE /v0/transactions/t3'],
  );
  const closed = { code: 'SHUTTING_DOWN', retriable: false };
  for (const call of [
    () => graph.execute('RETURN 1', NONE),
    () => graph.begin({ mode: 'read' }),
    () => graph.flush(),
    () => graph.compact(),
  ])
    await assert.rejects(call(), closed);
  await graph.close();
});
