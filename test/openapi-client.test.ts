/** A client generated from the OpenAPI document, over the network: what the document says is enough to use the server. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import { accessToken, identifyBy, silentLogger } from '../src/base/index.ts';
import { openEngine } from '../src/engine/index.ts';
import { createHttpServer } from '../src/http/index.ts';
import { oneNamespace } from '../src/namespaces/index.ts';

interface Answer {
  readonly status: number;
  readonly data: unknown;
}

/** One method per operation: parameters of the path, body, settings of the request. */
type GeneratedClient = Record<
  'health' | 'version' | 'metrics' | 'openapi' | 'cypher' | 'cypherStream' | 'cypherArrow' | 'flush' | 'compact',
  (parameters: null, body: unknown, settings?: object) => Promise<Answer>
>;

test('a generated client runs every operation', async (context) => {
  const engine = await openEngine('memory://openapi-client', { flushIntervalMs: 0 });
  const identify = identifyBy(() => [accessToken('secret', 'write')]);
  const server = await createHttpServer({
    version: '0.3.0',
    logger: silentLogger,
    maxRequestBytes: 100_000,
    identify,
    metrics: { text: async () => 'graphdb_x 1\n', namespacesText: async () => '', namespaceText: async () => '' },
  });
  server.serve(oneNamespace(engine));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await server.stop({ graceMs: 0 });
    await engine.close();
  });

  const definition = (await (await fetch(`${url}/v0/openapi.json`)).json()) as Document;
  const generator = new OpenAPIClientAxios({ definition, withServer: { url }, axiosConfigDefaults: { validateStatus: () => true } });
  const client = (await generator.init()) as unknown as GeneratedClient;
  const settings = { headers: { Authorization: 'Bearer secret' } };

  const { data: health } = await client.health(null, undefined);
  assert.deepEqual([(health as { status: string }).status, (health as { role: string }).role], ['ok', 'writer']);
  assert.equal(((await client.version(null, undefined)).data as { version: string }).version, '0.3.0');
  assert.match(String((await client.metrics(null, undefined)).data), /graphdb_x 1/);
  assert.deepEqual((await client.openapi(null, undefined)).data, definition);

  const refused = await client.cypher(null, { query: 'RETURN 1 AS x' });
  assert.deepEqual([refused.status, (refused.data as { code: string }).code], [401, 'UNAUTHORIZED']);
  const written = await client.cypher(null, { query: 'CREATE (n:N {v: $v}) RETURN n.v AS v', params: { v: 7 } }, settings);
  assert.deepEqual([written.status, (written.data as { rows: unknown }).rows], [200, [{ v: 7 }]]);
  const typed = await client.cypher(null, { query: "RETURN date('2024-01-01') AS d", value_format: 'typed' }, settings);
  assert.deepEqual((typed.data as { rows: unknown }).rows, [{ d: { $: 'date', value: '2024-01-01' } }]);
  const wrong = await client.cypher(null, { query: 'RETURN x' }, settings);
  assert.deepEqual([wrong.status, wrong.data], [400, { ...(wrong.data as object), code: 'SEMANTIC_ERROR', line: 1, column: 8 }]);

  const lines = String((await client.cypherStream(null, { query: 'MATCH (n:N) RETURN n.v AS v' }, settings)).data)
    .trimEnd()
    .split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { type: string }).type),
    ['header', 'row', 'summary'],
  );
  const arrow = await client.cypherArrow(null, { query: 'RETURN 1 AS x' }, { ...settings, responseType: 'arraybuffer' });
  assert.equal(arrow.status, 200);
  const flushed = await client.flush(null, undefined, settings);
  assert.equal((flushed.data as { ssts_written: number }).ssts_written, 1);
  assert.equal((await client.compact(null, undefined, settings)).status, 200);
});
