/**
 * The Model Context Protocol: tools by the official client over both transports, what they may not do, and what they
 * are never asked by a well-behaved client.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { accessToken, identifyBy } from '../../src/base/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { MOST_ANSWER_BYTES } from '../../src/mcp/index.ts';
import { called, type Found, listed, startCommand, startHttp } from './mcp-bench.ts';

const NONE = new Map();
const GRAPH = [
  'CREATE FULLTEXT INDEX words FOR (n:Person) ON EACH [n.name, n.about]',
  'CREATE VECTOR INDEX meanings FOR (n:Person) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 3, ' +
    "`vector.similarity_function`: 'cosine'}}",
  'CREATE CONSTRAINT person_id FOR (n:Person) REQUIRE n.id IS UNIQUE',
  `CREATE (a:Person {id: 1, name: 'Ada', about: 'writes about engines', v: vector([1.0, 0.0, 0.0])}),
          (g:Person {id: 2, name: 'Grace', about: 'finds bugs in engines', v: vector([0.0, 1.0, 0.0])}),
          (a)-[:KNOWS {since: 1840}]->(g), (a)-[:\`WORKS AT\`]->(:City {name: 'London'})`,
];
const READING = ['get-schema', 'read-cypher', 'search', 'neighbours', 'list-gds-procedures'];

async function fill(engine: Engine): Promise<void> {
  for (const statement of GRAPH) await engine.execute(statement, NONE);
}

/** Asks for the answers of every tool, over any transport. */
async function useEveryTool(client: Client, names: readonly string[]): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [...names].sort());
  for (const { description, inputSchema, annotations } of tools) {
    assert.ok((description ?? '').length > 40);
    assert.equal(inputSchema.type, 'object');
    assert.equal(typeof annotations?.readOnlyHint, 'boolean');
  }
  const answer = async (name: string, given: Record<string, unknown> = {}): Promise<Found> => {
    const { text, isError } = await called(client, name, given);
    assert.equal(isError, false, `${name}: ${text}`);
    return JSON.parse(text) as Found;
  };
  const first = async (name: string, given: Record<string, unknown>): Promise<Found> => listed((await answer(name, given))['rows'])[0]!;
  const schema = await answer('get-schema');
  assert.deepEqual(
    listed(schema['labels']).map((each) => [each['label'], each['count']]),
    [
      ['City', 1],
      ['Person', 2],
    ],
  );
  const person = listed(listed(schema['labels'])[1]?.['properties']);
  assert.deepEqual(
    person.find((each) => String(each['name']) === 'name'),
    { name: 'name', seen: 2, types: ['STRING'], examples: ['Ada', 'Grace'] },
  );
  assert.deepEqual(
    listed(schema['relationship_types']).map((each) => [each['type'], each['connects']]),
    [
      ['KNOWS', [{ from: ['Person'], to: ['Person'], seen: 1 }]],
      ['WORKS AT', [{ from: ['Person'], to: ['City'], seen: 1 }]],
    ],
  );
  assert.deepEqual(
    listed(schema['indexes'])
      .map(({ name }) => String(name))
      .sort(),
    ['meanings', 'person_id', 'words'],
  );

  const rows = await answer('read-cypher', {
    query: 'MATCH (n:Person) WHERE n.id >= $least RETURN n.name AS name ORDER BY name',
    params: { least: 1 },
  });
  assert.deepEqual(rows['rows'], [{ name: 'Ada' }, { name: 'Grace' }]);
  assert.match(String((await answer('read-cypher', { query: 'EXPLAIN MATCH (n:Person) RETURN n' }))['plan']), /Person/);
  assert.match(String((await answer('read-cypher', { query: 'MATCH (n:Persn) RETURN n' }))['warnings']), /Persn/);

  assert.equal((await first('search', { fulltext_index: 'words', query: 'bugs' }))['properties']?.['name'], 'Grace');
  assert.equal((await first('search', { vector_index: 'meanings', vector: [0.9, 0.1, 0] }))['properties']?.['name'], 'Ada');
  const both = await answer('search', {
    vector_index: 'meanings',
    vector: [0.9, 0.1, 0],
    fulltext_index: 'words',
    query: 'engines',
    limit: 1,
  });
  assert.equal(both['row_count'], 1);

  const around = await answer('neighbours', { label: 'Person', property: 'id', value: 1 });
  assert.deepEqual(
    listed(around['rows'])
      .map((row) => [row['type'], row['direction']])
      .sort(),
    [
      ['KNOWS', 'outgoing'],
      ['WORKS AT', 'outgoing'],
    ],
  );
  const node = String(listed(around['rows'])[0]?.['node']);
  const typed = await first('neighbours', { id: node, types: ['WORKS AT'], direction: 'outgoing' });
  assert.deepEqual(typed['properties'], { name: 'London' });
  assert.deepEqual((await answer('neighbours', { id: node, direction: 'incoming' }))['rows'], []);
  const algorithms = await answer('list-gds-procedures', { name_contains: 'PAGERANK' });
  assert.ok(listed(algorithms['rows']).some(({ name }) => String(name) === 'gds.pageRank.stream'));

  const broken = await called(client, 'read-cypher', { query: 'MATCH (n:Person) RETRUN n' });
  assert.equal(broken.isError, true);
  assert.match(broken.text, /^SYNTAX_ERROR: .*\(line 1, column 18\)$/);
  for (const [name, given] of [
    ['read-cypher', {}],
    ['read-cypher', { query: 7 }],
    ['read-cypher', { query: 'RETURN 1', max_rows: 0 }],
    ['read-cypher', { query: 'RETURN 1', unknown: 1 }],
    ['search', { fulltext_index: 'words' }],
    ['search', { vector_index: 'meanings', vector: ['a'] }],
    ['neighbours', { label: 'Person' }],
    ['neighbours', { id: '', direction: 'up' }],
  ] as const) {
    const refused = await called(client, name, given);
    assert.match(refused.text, /^ARGUMENT_ERROR: /, name);
    assert.equal(refused.isError, true);
  }
  assert.match((await called(client, 'search', { fulltext_index: 'none', query: 'x' })).text, /^NOT_FOUND: /);
  await assert.rejects(client.callTool({ name: 'no-such-tool', arguments: {} }), /no tool/);
}

test('the official client over standard input and output, reading', { timeout: 60_000 }, async (context: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-mcp-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const store = `file://${folder}?ns=test`;
  const engine = await openEngine(store, { readWorkers: 0 });
  await fill(engine);
  const client = await startCommand(context, ['--store', store]);
  await useEveryTool(client, READING);
  // It reads beside the writer, which goes on.
  await engine.execute("CREATE (:City {name: 'Paris'})", NONE);
  await engine.close();
});

test('the official client over standard input and output, writing', { timeout: 60_000 }, async (context: TestContext) => {
  const client = await startCommand(context, ['--store', 'memory://mcp', '--write']);
  const write = async (query: string, params: Record<string, unknown> = {}) => {
    const { text, isError } = await called(client, 'write-cypher', { query, params });
    assert.equal(isError, false, text);
    return JSON.parse(text) as Found;
  };
  const created = await write('CREATE (n:New {big: $big, list: $list}) RETURN n.big AS big', { big: 2 ** 40, list: ['😀', ''] });
  assert.deepEqual(created['rows'], [{ big: 2 ** 40 }]);
  assert.equal(created['changed']?.['nodes_created'], 1);
  await write('MATCH (n) DETACH DELETE n');
  for (const statement of GRAPH) await write(statement);
  await useEveryTool(client, [...READING, 'write-cypher']);
});

test('over HTTP: roles decide, and the tool that writes is there only where the server and the token allow it', {
  timeout: 60_000,
}, async (context) => {
  const identify = identifyBy(() => [accessToken('reads', 'reader'), accessToken('writes', 'writer')]);
  const bench = await startHttp(context, { identify, mayWrite: true });
  await fill(bench.engine);
  await useEveryTool(await bench.connect('reads'), READING);
  const writer = await bench.connect('writes');
  await useEveryTool(writer, [...READING, 'write-cypher']);
  assert.equal((await called(writer, 'write-cypher', { query: 'CREATE (:City)' })).isError, false);
  assert.match((await called(writer, 'write-cypher', { query: 'CREATE INDEX i FOR (n:City) ON (n.name)' })).text, /^FORBIDDEN: /);
  await assert.rejects(bench.connect('wrong'));
  const closed = await startHttp(context, { identify, mayWrite: false });
  await fill(closed.engine);
  await useEveryTool(await closed.connect('writes'), READING);
});

/** Statements that change data, indexes, databases or what others run. */
const CHANGES: readonly string[] = [
  'CREATE (:X)',
  'MERGE (:X {a: 1})',
  'MATCH (n) SET n.a = 1',
  'MATCH (n) REMOVE n.name',
  'MATCH (n) DETACH DELETE n',
  'FOREACH (i IN [1] | CREATE (:X))',
  'CALL { CREATE (:X) } RETURN 1',
  'CALL { CREATE (:X) } IN TRANSACTIONS',
  'MATCH (n) CALL (n) { SET n.a = 1 } IN TRANSACTIONS OF 1 ROWS RETURN n',
  'CREATE INDEX x FOR (n:X) ON (n.a)',
  'DROP INDEX words',
  'CREATE CONSTRAINT x FOR (n:X) REQUIRE n.a IS UNIQUE',
  'DROP CONSTRAINT person_id',
  'CREATE DATABASE other',
  'DROP DATABASE neo4j IF EXISTS',
  "TERMINATE TRANSACTIONS 'x'",
  "CALL apoc.merge.node(['X'], {a: 1})",
  "CALL apoc.create.node(['X'], {a: 1})",
  'CALL apoc.schema.assert({}, {}, true)',
  "CALL gds.pageRank.write({nodeProjection: 'Person', relationshipProjection: 'KNOWS'}, {writeProperty: 'x'})",
  'PROFILE CREATE (:X)',
  '/* read only */ CREATE (:X) RETURN 1',
  'CYPHER runtime=interpreted CREATE (:X)',
  'RETURN 1 AS one UNION CREATE (:X) RETURN 1 AS one',
  'OPTIONAL MATCH (n:None) CREATE (:X)',
];

test('200 attempts to write where only reading is allowed change nothing', { timeout: 120_000 }, async (context) => {
  const bench = await startHttp(context);
  await fill(bench.engine);
  const client = await bench.connect();
  const state = async (): Promise<string> => {
    const shown = await Promise.all(
      [
        'MATCH (n) RETURN count(n), sum(size(keys(n)))',
        'SHOW INDEXES YIELD name',
        'SHOW CONSTRAINTS YIELD name',
        'SHOW DATABASES YIELD name',
      ].map((query) => bench.engine.execute(query, NONE)),
    );
    return JSON.stringify(shown.map(({ rows }) => rows));
  };
  const before = await state();
  const { sequence } = bench.engine.status();
  let attempts = 0;
  const attempt = async (name: string, given: Record<string, unknown>): Promise<void> => {
    attempts++;
    await client.callTool({ name, arguments: given }).catch(() => undefined);
  };
  for (const change of CHANGES) {
    const { isError } = await called(client, 'read-cypher', { query: change });
    assert.equal(isError, true, change);
    attempts++;
    await attempt('write-cypher', { query: change });
    await attempt('read-cypher', { query: 'RETURN $p AS p', params: { p: change } });
    const closed = `x\`) WITH 1 AS one ${change} //`;
    await attempt('neighbours', { label: closed, property: 'id', value: 1 });
    await attempt('neighbours', { label: 'Person', property: `id\`}) ${change} //`, value: change });
    await attempt('neighbours', { id: change, types: [`KNOWS\`]-() ${change} //`, change] });
    await attempt('search', { fulltext_index: `words', 'x') YIELD node ${change} //`, query: `ada' ${change} //` });
    await attempt('list-gds-procedures', { name_contains: `' ${change} //` });
  }
  assert.ok(attempts >= 200, `${attempts}`);
  assert.equal(await state(), before);
  assert.equal(bench.engine.status().sequence, sequence);
});

test('answers are cut at a megabyte or at their rows, and say so', { timeout: 60_000 }, async (context) => {
  const bench = await startHttp(context);
  const client = await bench.connect();
  const cut = async (query: string, max_rows?: number) => {
    const { text } = await called(client, 'read-cypher', { query, ...(max_rows === undefined ? {} : { max_rows }) });
    assert.ok(Buffer.byteLength(JSON.stringify(text)) <= MOST_ANSWER_BYTES);
    return JSON.parse(text) as Found;
  };
  const byRows = await cut('UNWIND range(1, 101) AS i RETURN i');
  assert.deepEqual([byRows['row_count'], byRows['truncated']], [100, true]);
  assert.match(String(byRows['note']), /100 rows.*LIMIT/);
  assert.equal((await cut('UNWIND range(1, 100) AS i RETURN i'))['truncated'], undefined);
  const byBytes = await cut(`UNWIND range(1, 9000) AS i RETURN '${'"'.repeat(500)}' AS quotes`, 10_000);
  assert.match(String(byBytes['note']), /1 MB/);
  assert.ok(Number(byBytes['row_count']) > 200);
  const shortened = await cut("RETURN range(1, 1000) AS numbers, reduce(t = '', i IN range(1, 3000) | t + 'long 😀 ') AS text");
  assert.deepEqual(listed(shortened['rows'])[0]?.['numbers'], [1, 2, 3, '… (1000 items)']);
  assert.match(String(shortened['note']), /shortened/);
  // An endless statement ends with its rows, not with its time.
  assert.equal((await cut('UNWIND range(1, 1000000000) AS i RETURN i', 5))['row_count'], 5);
});

test('messages that are none, and those of strangers', { timeout: 60_000 }, async (context) => {
  const bench = await startHttp(context);
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${bench.url}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : (JSON.parse(text) as Found) };
  };
  const code = async (body: string): Promise<unknown> => (await post(body)).body?.['error']?.['code'];
  assert.equal(await code('{"jsonrpc":'), -32700);
  assert.equal(await code('[]'), -32600);
  assert.equal(await code('[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), -32600);
  assert.equal(await code('{"id":1,"method":"ping"}'), -32600);
  assert.equal(await code('{"jsonrpc":"2.0","id":{},"method":"ping"}'), -32600);
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"method":"resources/list"}'), -32601);
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}'), -32602);
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}'), -32602);
  assert.equal(await code(`${'['.repeat(200_000)}`), -32700);
  assert.deepEqual((await post('{"jsonrpc":"2.0","id":"😀","method":"ping"}')).body, { jsonrpc: '2.0', id: '😀', result: {} });
  assert.deepEqual(await post('{"jsonrpc":"2.0","method":"notifications/initialized"}'), { status: 202, body: null });
  assert.deepEqual(await post('{"jsonrpc":"2.0","id":1,"result":{}}'), { status: 202, body: null });
  const initialize = (version: string) =>
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version } }));
  assert.equal((await initialize('2024-11-05')).body?.['result']?.['protocolVersion'], '2024-11-05');
  assert.equal((await initialize('1999-01-01')).body?.['result']?.['protocolVersion'], '2025-06-18');

  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  assert.equal((await post(ping, { origin: 'http://evil.example' })).status, 403);
  assert.equal((await post(ping, { origin: 'null' })).status, 403);
  assert.equal((await post(ping, { origin: 'http://localhost:3000' })).status, 200);
  assert.equal((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
  assert.equal((await post(ping, { 'mcp-protocol-version': '2025-06-18' })).status, 200);
  assert.equal((await fetch(`${bench.url}/mcp`)).status, 405);
  assert.equal(
    (await fetch(`${bench.url}/other/mcp`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: ping })).status,
    404,
  );
});
