/** Bodies of failures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError, silentLogger } from '../base/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { createFakeEngine } from './engine.fixture.ts';
import { createHttpServer } from './server.ts';

test('a write that may be done or not is told by the body and by the last line of a stream; any other failure is not', async () => {
  const http = await createHttpServer({ version: 'x', maxRequestBytes: 1_000, logger: silentLogger });
  let outcomeUnknown = true;
  const engine = createFakeEngine({
    execute: () => {
      throw new GraphDBError('STORE_UNAVAILABLE', 'no answer', { outcomeUnknown });
    },
  });
  const refused = (): Promise<never> => Promise.reject(new GraphDBError('WRITER_FENCED', 'another', { outcomeUnknown }));
  const begin = async () => ({ execute: engine.execute, stream: engine.stream, commit: refused, rollback: async () => {} });
  http.serve(oneNamespace({ ...engine, begin }));
  const ask = async (url: string, body: object = {}): Promise<Record<string, unknown>> => {
    const reply = await http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    return JSON.parse(reply.body.trimEnd().split('\n').at(-1)!) as Record<string, unknown>;
  };
  for (outcomeUnknown of [true, false]) {
    const alone = { error: 'no answer', code: 'STORE_UNAVAILABLE', ...(outcomeUnknown ? { outcome_unknown: true } : {}) };
    assert.deepEqual(await ask('/v0/cypher', { query: 'CREATE (n)' }), alone);
    assert.deepEqual(await ask('/v0/cypher/arrow', { query: 'CREATE (n)' }), alone);
    const { code, outcome_unknown } = await ask('/v0/cypher/stream', { query: 'CREATE (n)' });
    assert.deepEqual([code, outcome_unknown], ['STORE_UNAVAILABLE', outcomeUnknown ? true : undefined]);
    const { id } = await ask('/v0/transactions');
    const commit = await ask(`/v0/transactions/${id}/commit`);
    assert.deepEqual([commit.code, commit.outcome_unknown], ['WRITER_FENCED', outcomeUnknown ? true : undefined]);
  }
  await http.stop({ graceMs: 0 });
});
