/** Numbers in the answers of tools: as the statement gave them, however long the row that they stand in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../engine/index.ts';
import { McpServer } from '../mcp-server.ts';

test('Integers beyond 2^53 and Floats keep their digits in short rows, in long rows and as examples of the schema', async (context) => {
  const graph = await openEngine('memory://mcp-exact-numbers', { readWorkers: 0, flushIntervalMs: 0 });
  context.after(() => graph.close());
  const server = new McpServer({ graph, mayWrite: false });
  const textOf = async (name: string, given: unknown): Promise<string> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { result } = JSON.parse((await server.answer(JSON.stringify(message)))!) as { result: { content: { text: string }[] } };
    return result.content[0]!.text;
  };
  const numbers = '9007199254740993 AS id, 1.0 AS float, [-9223372036854775808] AS list';
  const exact = '"id":9007199254740993,"float":1.0,"list":[-9223372036854775808]';
  const long = "reduce(text = '', i IN range(1, 2000) | text + 'x') AS text";
  assert.ok((await textOf('read-cypher', { query: `RETURN ${numbers}` })).includes(exact));
  assert.ok((await textOf('read-cypher', { query: `RETURN ${numbers}, ${long}` })).includes(exact));
  const vector = await textOf('read-cypher', { query: `RETURN [i IN range(1, 500) | 9007199254740992 + i] AS v` });
  assert.match(vector, /\[9007199254740993,9007199254740994,9007199254740995,"… \(500 items\)"\]/);
  await graph.execute('CREATE (:Big {id: 9007199254740993, float: 2.0})', new Map());
  const schema = await textOf('get-schema', {});
  assert.match(schema, /"examples":\[9007199254740993\]/);
  assert.match(schema, /"examples":\[2\.0\]/);
});
