/**
 * A refusal takes the same work whether or not the hidden namespace is there, by any door: no request to the store, and
 * nothing is opened. So its time tells nothing. Work is compared, not time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessToken, identifyBy } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { type NamespacesBench, startNamespaces } from './namespaces-bench.ts';

const HIDDEN = ['busy', 'shut', 'absent', 'no name/at all'];

const identify = identifyBy(() => [
  accessToken('root', 'admin', { name: 'root' }),
  accessToken('ada', 'admin', { namespaces: new Set(['a', 'a-absent']), name: 'ada' }),
]);

type Ask = (bench: NamespacesBench, name: string) => Promise<string>;

const byHttp =
  (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Ask =>
  async ({ http }, name) => {
    const headers = { authorization: 'Bearer ada', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const reply = await http.inject({ method, url: `/${encodeURIComponent(name)}${path}`, headers, ...payload });
    return `${reply.statusCode} ${reply.body}`;
  };

/** Sends a message of Bolt whose last field is a map, which names the database. */
const byBolt =
  (...[kind, ...fields]: Parameters<RawClient['send']>): Ask =>
  async ({ boltUrl }, db) => {
    await using client = await RawClient.ready(boltUrl, [5, 4], 'ada');
    client.send(kind, ...fields, { db });
    const answer = await client.answer();
    return `${answer?.kind} ${answer?.content['code']} ${answer?.content['message']}`;
  };

const toOwn =
  (command: string): Ask =>
  async ({ cypher }, name) => {
    const { status, body } = await cypher('/a', `${command.replace('$', `\`${name}\``)}`, { token: 'ada' });
    return `${status} ${body}`;
  };

const tool = (name: string, given: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });

const query = { query: 'MATCH (n) RETURN n' };
const DOORS: Readonly<Record<string, Ask>> = {
  cypher: byHttp('POST', '/v0/cypher', query),
  stream: byHttp('POST', '/v0/cypher/stream', query),
  arrow: byHttp('POST', '/v0/cypher/arrow', query),
  'a transaction': byHttp('POST', '/v0/transactions', { mode: 'write' }),
  'a statement of a transaction': byHttp('POST', '/v0/transactions/00ff/cypher', query),
  changes: byHttp('GET', '/v0/changes?from=earliest'),
  'changes that wait': byHttp('GET', '/v0/changes?from=current&wait=10s'),
  health: byHttp('GET', '/v0/health'),
  statements: byHttp('GET', '/v0/statements'),
  'ending a statement': byHttp('DELETE', '/v0/statements/busy-transaction-1'),
  flush: byHttp('POST', '/v0/admin/flush'),
  compact: byHttp('POST', '/v0/admin/compact'),
  'mcp tools': byHttp('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  'mcp get-schema': byHttp('POST', '/mcp', tool('get-schema', {})),
  'mcp read-cypher': byHttp('POST', '/mcp', tool('read-cypher', query)),
  'bolt run': byBolt('run', query.query, {}),
  'bolt begin': byBolt('begin'),
  'bolt route': byBolt('route', {}, []),
  'create database': toOwn('CREATE DATABASE $'),
  'create database if not exists': toOwn('CREATE DATABASE $ IF NOT EXISTS'),
  'drop database': toOwn('DROP DATABASE $'),
  'drop database if exists': toOwn('DROP DATABASE $ IF EXISTS'),
};

async function startWithHidden(context: Parameters<typeof startNamespaces>[0]): Promise<NamespacesBench> {
  const bench = await startNamespaces(context, { identify });
  for (const name of ['shut', 'busy', 'a']) {
    await bench.cypher('', `CREATE DATABASE ${name}`, { token: 'root' });
    await bench.cypher(`/${name}`, 'CREATE (:Thing)', { token: 'root' });
    if (name === 'shut') await bench.pass(400_000);
  }
  await bench.cypher('/a', 'MATCH (n) RETURN n', { token: 'ada' });
  assert.ok(!bench.open().includes('shut') && bench.open().includes('busy'));
  return bench;
}

test('by every door a hidden namespace is refused without a request or an opening, be it open, closed or absent', async (context) => {
  const bench = await startWithHidden(context);
  const open = bench.open();
  for (const [door, ask] of Object.entries(DOORS)) {
    const answers: string[] = [];
    for (const name of HIDDEN) {
      const before = bench.requests();
      answers.push((await ask(bench, name)).replaceAll(JSON.stringify(name).slice(1, -1), '<name>'));
      assert.equal(bench.requests() - before, 0, `${door} of ${name}: requests to the store`);
      assert.deepEqual(bench.open(), open, `${door} of ${name}: open namespaces`);
    }
    assert.equal(new Set(answers).size, 1, `${door}: ${answers.join('; ')}`);
    assert.doesNotMatch(answers[0]!, /^200|^success/, door);
  }
});

test('SHOW DATABASES makes as many requests as its caller has names, however many others there are', async (context) => {
  const bench = await startWithHidden(context);
  const list = async (): Promise<{ names: unknown[]; requests: number }> => {
    await bench.pass(100_000);
    await bench.cypher('/a', 'MATCH (n) RETURN n', { token: 'ada' });
    const before = bench.requests();
    const { rows } = await bench.cypher('/a', 'SHOW DATABASES YIELD name', { token: 'ada' });
    return { names: rows.map(({ name }) => name), requests: bench.requests() - before };
  };
  const few = await list();
  assert.deepEqual(few.names, ['a']);
  for (let i = 0; i < 20; i++) await bench.cypher('', `CREATE DATABASE \`more-${i}\``, { token: 'root' });
  for (let i = 0; i < 5; i++) await bench.cypher('', `DROP DATABASE \`more-${i}\``, { token: 'root' });
  assert.deepEqual(await list(), few);
});
