/** Bookmarks over HTTP: a reader that follows waits for the commit that a bookmark names, whichever protocol gave it out. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../src/base/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { createHttpServer, type HttpServer } from '../../src/http/index.ts';
import { oneNamespace } from '../../src/namespaces/index.ts';
import { driverFor, startBolt } from './bolt-bench.ts';

async function cypher(server: HttpServer, query: string, bookmark?: string, path = '/v0/cypher') {
  const headers = { 'content-type': 'application/json', ...(bookmark === undefined ? {} : { 'graphdb-bookmark': bookmark }) };
  const reply = await server.inject({ method: 'POST', url: path, headers, payload: JSON.stringify({ query }) });
  return { status: reply.statusCode, body: reply.body, bookmark: reply.headers['graphdb-bookmark'] as string | undefined };
}

test('a write by HTTP or Bolt is seen by whoever brings its bookmark, on a reader too', async (context) => {
  const uri = 'memory://http-bookmarks';
  const { url, engine: writer } = await startBolt(context, { uri });
  const [writing, reading] = await Promise.all([httpServer(), httpServer()]);
  writing.serve(oneNamespace(writer));
  // It asks for news only when it is told that there are some.
  const reader = await openEngine(uri, { readOnly: true, pollIntervalMs: 0 });
  context.after(() => reader.close());
  reading.serve(oneNamespace(reader));
  const count = 'MATCH (n:Marked) RETURN count(n) AS n';

  const first = await cypher(writing, 'CREATE (:Marked)');
  assert.match(first.bookmark ?? '', /^graphdb:[^:]+:\d+$/);
  assert.equal((await cypher(writing, count)).bookmark, undefined);
  assert.equal((await cypher(reading, count)).body, '{"columns":["n"],"rows":[{"n":0}]}');
  assert.equal((await cypher(reading, count, first.bookmark)).body, '{"columns":["n"],"rows":[{"n":1}]}');

  const driver = driverFor(context, url);
  const session = driver.session();
  await session.run('CREATE (:Marked)');
  const [second = ''] = session.lastBookmarks();
  for (const path of ['/v0/cypher/stream', '/v0/cypher']) {
    assert.match((await cypher(reading, count, `${first.bookmark}, ${second}`, path)).body, /"n":2/);
  }
  const third = await cypher(writing, 'CREATE (:Marked)');
  const { records } = await driver.executeQuery(count, {}, { database: 'neo4j' });
  assert.equal(records[0]!.get('n').toNumber(), 3);
  const causal = driver.session({ bookmarks: third.bookmark ?? '' });
  assert.equal((await causal.run(count)).records[0]!.get('n').toNumber(), 3);
  await Promise.all([session.close(), causal.close()]);

  for (const [bookmark, message] of [
    ['nonsense', /no GraphDB has given out/],
    ['graphdb:other:1', /of the database/],
  ] as const) {
    const refused = await cypher(reading, count, bookmark);
    assert.equal(refused.status, 400);
    assert.match(refused.body, message);
  }

  async function httpServer(): Promise<HttpServer> {
    const server = await createHttpServer({ version: '0', logger: silentLogger, maxRequestBytes: 1_000_000 });
    context.after(() => server.stop({ graceMs: 0 }));
    return server;
  }
});
