/** Messages of agents: whole numbers as limits, notifications without answers, lines in pieces. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openEngine } from '../engine/index.ts';
import { McpServer, serveMcpStdio } from './index.ts';

async function started(context: TestContext, store: string): Promise<McpServer> {
  const engine = await openEngine(store);
  context.after(() => engine.close());
  return new McpServer({ graph: engine, mayWrite: false });
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

test('a limit of rows is a whole number', async (context) => {
  const server = await started(context, 'memory://mcp-limit');
  const rowsOf = async (max_rows: number): Promise<string | null> => {
    const params = { name: 'read-cypher', arguments: { query: 'UNWIND range(1, 9) AS x RETURN x', max_rows } };
    return server.answer(JSON.stringify({ ...CALL, params }));
  };
  assert.match((await rowsOf(2.5)) ?? '', /ARGUMENT_ERROR: the argument .*max_rows.* must be an integer/);
  assert.match((await rowsOf(2)) ?? '', /row_count\\":2,/);
});

test('a notification has no answer, whatever is wrong with it', async (context) => {
  const server = await started(context, 'memory://mcp-notification');
  const { id: _id, ...notification } = CALL;
  assert.equal(await server.answer(JSON.stringify({ ...notification, params: { name: 'none' } })), null);
  assert.match((await server.answer(JSON.stringify({ ...CALL, params: { name: 'none' } }))) ?? '', /"id":1,"error"/);
});

test('messages are lines wherever their pieces end', async (context) => {
  const server = await started(context, 'memory://mcp-lines');
  const bytes = Buffer.from(['{"jsonrpc":"2.0","id":"ä😀","method":"ping"}', '', '{"jsonrpc":"2.0","id":2,"method":"ping"}'].join('\n'));
  for (const size of [1, 7, bytes.length]) {
    const input = new PassThrough();
    const output = new PassThrough();
    const serving = serveMcpStdio(server, { input, output });
    for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
    input.end();
    await serving;
    output.end();
    const ids = (await text(output))
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly id: unknown }).id);
    assert.deepEqual(ids.map(String).toSorted(), ['2', 'ä😀']);
  }
});
