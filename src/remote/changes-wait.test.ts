/** Waiting for changes of a server longer than a request of HTTP may wait for its answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RemoteGraph } from './remote-graph.ts';

const NO_ROWS = '{"type":"header","columns":["id"]}\n{"type":"summary","rows":0,"elapsed_ms":0}\n';
const CURRENT = '{"type":"header","columns":["id"]}\n{"type":"row","row":{"id":"a"}}\n{"type":"summary","rows":1,"elapsed_ms":0}\n';

test('a long wait for changes consists of short ones, and may be without an end', async (context) => {
  const waits: string[] = [];
  const left = new AbortController();
  context.mock.method(globalThis, 'fetch', async (input: URL, { body = '' }: { body?: string }) => {
    if (input.pathname === '/v0/changes') {
      waits.push(input.searchParams.get('wait')!);
      if (waits.length === 2) left.abort();
    }
    left.signal.throwIfAborted();
    return new Response(body.includes('db.cdc.current') ? CURRENT : body === '' ? '' : NO_ROWS);
  });
  const graph = new RemoteGraph('http://127.0.0.1:1', undefined);
  const follow = async (): Promise<void> => {
    const changes = graph.changesBehind({ from: 'a', waitMs: Number.POSITIVE_INFINITY, signal: left.signal });
    for await (const rows of changes) assert.deepEqual(rows, []);
  };
  await assert.rejects(follow(), { code: 'CANCELLED' });
  assert.deepEqual(waits, ['60000ms', '60000ms']);
});
