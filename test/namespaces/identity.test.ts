/**
 * Who may do what, by every door: roles and kinds of statements, callers and namespaces at random, revoked tokens,
 * limits, the audit log.
 */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccessToken, accessToken, CallerLimits, identifyBy, type Role } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { AuditLog } from '../../src/server/identity/audit-log.ts';
import { watchNamespaces } from '../../src/server/identity/watched-namespaces.ts';
import { seededRandom } from '../support/random.ts';
import { type NamespacesBench, startNamespaces } from './namespaces-bench.ts';

const ROLES: readonly Role[] = ['reader', 'writer', 'admin', 'read', 'write'];

/** A kind of statement, one of it that changes nothing that others need, and the roles that may run it. */
const KINDS: Readonly<Record<string, { readonly query: string; readonly roles: readonly Role[] }>> = {
  read: { query: 'MATCH (n:Seen) RETURN count(n) AS n', roles: ROLES },
  'read procedure': { query: 'CALL db.labels() YIELD label RETURN count(label) AS n', roles: ROLES },
  explain: { query: 'EXPLAIN CREATE (:X)', roles: ROLES },
  'show databases': { query: 'SHOW DATABASES', roles: ROLES },
  'show indexes': { query: 'SHOW INDEXES', roles: ROLES },
  create: { query: 'CREATE (:X)', roles: ['writer', 'admin', 'write'] },
  'create in a subquery': { query: 'CALL { CREATE (:X) RETURN 1 AS one } RETURN one', roles: ['writer', 'admin', 'write'] },
  'update that finds nothing': { query: 'MATCH (n:Nothing) SET n.a = 1', roles: ['writer', 'admin', 'write'] },
  'delete by foreach': { query: 'MATCH (n:X) FOREACH (x IN [n] | DELETE x)', roles: ['writer', 'admin', 'write'] },
  'writing procedure': { query: "CALL apoc.merge.node(['X'], {id: -1})", roles: ['writer', 'admin', 'write'] },
  profile: { query: 'PROFILE CREATE (:X)', roles: ['writer', 'admin', 'write'] },
  schema: { query: 'CREATE INDEX x IF NOT EXISTS FOR (n:X) ON (n.a)', roles: ['admin', 'write'] },
  'schema procedure': { query: 'CALL apoc.schema.assert({}, {}, false)', roles: ['admin', 'write'] },
  'drop schema': { query: 'DROP INDEX none IF EXISTS', roles: ['admin', 'write'] },
  settings: { query: 'SHOW SETTINGS YIELD name RETURN count(*) AS n', roles: ['admin', 'write'] },
  'create database': { query: 'CREATE DATABASE a IF NOT EXISTS', roles: ['admin'] },
  'drop database': { query: 'DROP DATABASE none IF EXISTS', roles: ['admin'] },
};

type Ask = (bench: NamespacesBench, token: string, query: string) => Promise<'done' | string>;

const byHttp =
  (endpoint: string): Ask =>
  async ({ http }, token, query) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const reply = await http.inject({ method: 'POST', url: `/a/v0/cypher${endpoint}`, headers, payload: JSON.stringify({ query }) });
    return reply.statusCode === 200 ? 'done' : `${reply.statusCode} ${(reply.json() as { code: string }).code}`;
  };

async function byBolt({ boltUrl }: NamespacesBench, token: string, query: string, inTransaction: boolean): Promise<string> {
  await using client = await RawClient.ready(boltUrl, [5, 4], token);
  if (inTransaction) {
    client.send('begin', { db: 'a' });
    assert.equal((await client.answer())?.kind, 'success');
  }
  client.send('run', query, {}, inTransaction ? {} : { db: 'a' });
  const answer = await client.answer();
  if (answer?.kind !== 'success') return String(answer?.content['code']);
  client.send('pull', { n: -1 });
  const pulled = (await client.result()).answer;
  if (inTransaction) {
    client.send('commit');
    await client.answer();
  }
  return pulled?.kind === 'success' ? 'done' : String(pulled?.content['code']);
}

const DOORS: Readonly<Record<string, { readonly ask: Ask; readonly refusal: string }>> = {
  http: { ask: byHttp(''), refusal: '403 FORBIDDEN' },
  stream: { ask: byHttp('/stream'), refusal: '403 FORBIDDEN' },
  arrow: { ask: byHttp('/arrow'), refusal: '403 FORBIDDEN' },
  bolt: { ask: (bench, token, query) => byBolt(bench, token, query, false), refusal: 'Neo.ClientError.Security.Forbidden' },
  transaction: { ask: (bench, token, query) => byBolt(bench, token, query, true), refusal: 'Neo.ClientError.Security.Forbidden' },
};

test('roles, kinds of statements and doors: each is allowed or forbidden as the role says, the second time too', async (context) => {
  const tokens = [...ROLES.map((role) => accessToken(role, role)), accessToken('root', 'admin')];
  const bench = await startNamespaces(context, { identify: identifyBy(() => tokens) });
  await bench.cypher('', 'CREATE DATABASE a', { token: 'root' });
  await bench.cypher('/a', 'CREATE (:Seen)', { token: 'root' });
  for (const [door, { ask, refusal }] of Object.entries(DOORS)) {
    for (const [kind, { query, roles }] of Object.entries(KINDS)) {
      for (const role of ROLES) {
        const expected = roles.includes(role) ? 'done' : refusal;
        assert.equal(await ask(bench, role, query), expected, `${role}, ${kind}, ${door}`);
      }
    }
    for (const what of ['flush', 'compact']) {
      for (const role of ROLES) {
        const reply = await bench.http.inject({ method: 'POST', url: `/a/v0/admin/${what}`, headers: { authorization: `Bearer ${role}` } });
        assert.equal(reply.statusCode, ['admin', 'write'].includes(role) ? 200 : 403, `${role}, ${what}`);
      }
    }
  }
});

/** Returns all that can be learned of an answer about another namespace, but the name that was asked. */
function shape({ status, body }: { readonly status: number; readonly body: string }, name: string): string {
  return `${status} ${body.replaceAll(name, '<name>')}`;
}

test('callers and namespaces at random: nothing of what a caller may not see, not even whether it is there', async (context) => {
  const seed = 20_261_123;
  const random = seededRandom(seed);
  const { pick } = random;
  const names = Array.from({ length: 6 }, (_, i) => `ns${i}`);
  const absent = ['gone0', 'gone1'];
  const callers = Array.from({ length: 12 }, (_, i) => ({
    token: `caller${i}`,
    role: pick<Role>(['reader', 'writer', 'admin']),
    sees: new Set([...names, ...absent].filter(() => random.chance(0.4))),
  }));
  const tokens: AccessToken[] = callers.map(({ token, role, sees }) => accessToken(token, role, { namespaces: sees }));
  tokens.push(accessToken('root', 'admin'));
  const bench = await startNamespaces(context, { identify: identifyBy(() => tokens) });
  const rows = new Map<string, number>();
  for (const name of names) {
    await bench.cypher('', `CREATE DATABASE ${name}`, { token: 'root' });
    await bench.cypher(`/${name}`, `CREATE (:Secret_${name} {of: '${name}'})`, { token: 'root' });
    rows.set(name, 1);
  }
  const refusals = new Map<string, string>();
  for (let i = 0; i < 1_500; i++) {
    const { token, role, sees } = pick(callers);
    const name = pick([...names, ...absent]);
    const what = pick(['read', 'write', 'list', 'labels', 'health', 'metrics', 'create', 'drop'] as const);
    const told = `seed ${seed}, step ${i}: ${role} of ${[...sees]} asks ${name} for ${what}`;
    if (what === 'list') {
      if (!sees.has(name) || absent.includes(name)) continue;
      const { rows: listed } = await bench.cypher(`/${name}`, 'SHOW DATABASES YIELD name', { token });
      assert.deepEqual(
        listed.map(({ name: each }) => each),
        names.filter((each) => sees.has(each)),
        told,
      );
      continue;
    }
    if (what === 'health' || what === 'metrics') {
      const reply = await bench.http.inject({ url: `/${name}/v0/${what}`, headers: { authorization: `Bearer ${token}` } });
      if (what === 'metrics') continue;
      if (!sees.has(name)) assert.equal(reply.statusCode, 403, told);
      else assert.equal(reply.statusCode, absent.includes(name) ? 404 : 200, told);
      continue;
    }
    const query = {
      read: 'MATCH (n) RETURN count(n) AS n',
      write: `CREATE (:Secret_${name} {of: '${name}'})`,
      labels: 'CALL db.labels() YIELD label RETURN label',
      create: `CREATE DATABASE ${name} IF NOT EXISTS`,
      drop: `EXPLAIN DROP DATABASE ${name}`,
    }[what];
    const path = what === 'create' ? '/ns0' : `/${name}`;
    if (what === 'create' && (absent.includes(name) || !sees.has('ns0'))) continue;
    const answer = await bench.cypher(path, query, { token });
    if (!sees.has(name)) {
      assert.equal(answer.status, 403, told);
      const known = refusals.get(`${what} ${role}`) ?? shape(answer, name);
      refusals.set(`${what} ${role}`, known);
      assert.equal(shape(answer, name), known, `${told}: the same whether or not it is there`);
      assert.doesNotMatch(answer.body, /Secret_/, told);
    } else if (absent.includes(name)) assert.equal(answer.status, 404, told);
    else if (what === 'write' && role === 'reader') assert.equal(answer.code, 'FORBIDDEN', told);
    else if (what === 'create' && role !== 'admin') assert.equal(answer.code, 'FORBIDDEN', told);
    else {
      assert.equal(answer.status, 200, told);
      if (what === 'write') rows.set(name, rows.get(name)! + 1);
      if (what === 'read') assert.deepEqual(answer.rows, [{ n: rows.get(name) }], told);
      if (what === 'labels') assert.deepEqual(answer.rows, [{ label: `Secret_${name}` }], told);
    }
  }
});

test('public routes say nothing of namespaces, whoever asks, and whether or not they are there', async (context) => {
  const bench = await startNamespaces(context, { identify: identifyBy(() => [accessToken('root', 'admin')]) });
  await bench.cypher('', 'CREATE DATABASE hidden', { token: 'root' });
  for (const route of ['health', 'metrics', 'version', 'openapi.json', 'cypher', 'nothing']) {
    const answers = await Promise.all(
      ['hidden', 'absent'].map(async (name) => {
        const { statusCode, body, headers } = await bench.http.inject({ url: `/${name}/v0/${route}` });
        return `${statusCode} ${body.replaceAll(name, '<name>')} ${headers['www-authenticate']}`;
      }),
    );
    assert.equal(answers[0], answers[1], route);
  }
  assert.equal((await bench.http.inject({ url: '/hidden/v0/health' })).statusCode, 401);
  assert.equal((await bench.http.inject({ url: '/v0/health' })).statusCode, 200);
});

test('a revoked token ends what it holds: statements over HTTP, transactions and sessions of Bolt', {
  timeout: 60_000,
}, async (context) => {
  let tokens = [accessToken('one', 'writer'), accessToken('two', 'writer')];
  const bench = await startNamespaces(context, { identify: identifyBy(() => tokens) });
  const url = await bench.http.listen({ host: '127.0.0.1', port: 0 });
  await using one = await RawClient.ready(bench.boltUrl, [5, 4], 'one');
  await using idle = await RawClient.ready(bench.boltUrl, [5, 4], 'one');
  await using two = await RawClient.ready(bench.boltUrl, [5, 4], 'two');
  one.send('begin', {});
  assert.equal((await one.answer())?.kind, 'success');
  const endless = 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a WHERE a < 0 RETURN count(*) AS n';
  const running = fetch(`${url}/v0/cypher`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
    body: JSON.stringify({ query: endless }),
  });
  await sleep(200);
  tokens = tokens.slice(1);
  assert.equal((await running).status, 401);
  one.send('run', 'CREATE (:Late)', {}, {});
  const answer = await one.answer();
  assert.ok(answer === undefined || answer.content['code'] === 'Neo.ClientError.Security.TokenExpired', JSON.stringify(answer));
  while (!idle.isClosed) await sleep(20);
  assert.deepEqual((await two.run('MATCH (n:Late) RETURN count(n)')).records, [[0]], 'the other token goes on, and the writer is free');
  await two.run('CREATE (:Kept)');
});

test('limits of a token: statements at a time and requests each second, by either protocol', async (context) => {
  const tokens = [accessToken('one', 'writer'), accessToken('two', 'writer')];
  let nowMs = 0;
  const limits = new CallerLimits({ statementsAtOnce: 2, requestsPerSecond: 5 }, () => nowMs);
  const bench = await startNamespaces(context, {
    identify: identifyBy(() => tokens),
    wrap: (namespaces, protocol) => watchNamespaces(namespaces, { protocol, limits, audit: null }),
  });
  const status = async (token: string) => (await bench.cypher('', 'RETURN 1 AS x', { token })).status;
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) statuses.push(await status('one'));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
  assert.equal(await status('two'), 200, 'each token by itself');
  nowMs += 400;
  assert.deepEqual([await status('one'), await status('one'), await status('one')], [200, 200, 429]);
  nowMs += 10_000;
  await using a = await RawClient.ready(bench.boltUrl, [5, 4], 'one');
  await using b = await RawClient.ready(bench.boltUrl, [5, 4], 'one');
  for (const client of [a, b]) {
    client.send('begin', { mode: 'r' });
    assert.equal((await client.answer())?.kind, 'success');
  }
  assert.equal(await status('one'), 429, 'two transactions are open');
  const refused = await bench.http.inject({
    method: 'POST',
    url: '/v0/cypher',
    headers: { authorization: 'Bearer one', 'content-type': 'application/json' },
    payload: '{"query":"RETURN 1 AS x"}',
  });
  assert.deepEqual([(refused.json() as { code: string }).code, refused.headers['retry-after']], ['RATE_LIMITED', '1']);
  a.send('rollback');
  await a.answer();
  assert.equal(await status('one'), 200);
});

interface Line {
  readonly event: string;
  readonly who: string | null;
  readonly namespace: string | null;
  readonly result: string;
  readonly kind?: string | null;
  readonly statement?: string;
  readonly changed?: Record<string, number>;
  readonly rows?: number;
  readonly request_id: string;
  readonly protocol: string;
  readonly time: string;
  readonly ms?: number;
}

function auditing(context: TestContext) {
  let text = '';
  const output = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const audit = new AuditLog(output, () => 0);
  const limits = new CallerLimits({ statementsAtOnce: 0, requestsPerSecond: 0 });
  const tokens = [accessToken('secret-token', 'writer', { name: 'ada', namespaces: new Set(['default']) })];
  const started = startNamespaces(context, {
    identify: identifyBy(() => tokens),
    wrap: (namespaces, protocol) => watchNamespaces(namespaces, { protocol, limits, audit }),
    onRefused: ({ requestId, address }) =>
      audit.refused({ requestId, protocol: 'http', who: null, namespace: null, address, result: 'UNAUTHORIZED' }),
  });
  return {
    started,
    text: () => text,
    lines: (): Line[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line])),
  };
}

test('the audit log: a line for each statement and each refusal, and never a parameter, a text or a token', async (context) => {
  const { started, text, lines } = auditing(context);
  const { cypher, boltUrl } = await started;
  const token = 'secret-token';
  await cypher('', 'CREATE (:N {v: $v})', { token, params: { v: 'private' } });
  await cypher('', "MATCH (n:N {v: 'private'}) RETURN n.v AS v", { token });
  await cypher('', 'CREATE INDEX FOR (n:N) ON (n.v)', { token });
  await cypher('', 'RETURN', { token });
  await cypher('/other', 'RETURN 1 AS x', { token });
  await cypher('', 'RETURN 1 AS x', { token: 'wrong-token' });
  await using client = await RawClient.ready(boltUrl, [5, 4], token);
  await client.run('UNWIND range(1, 3) AS x CREATE (:N) RETURN x');
  const told = lines().map(({ event, who, namespace, result, kind, rows, protocol }) => [
    event,
    who,
    namespace,
    result,
    kind,
    rows,
    protocol,
  ]);
  assert.deepEqual(told, [
    ['statement', 'ada', 'default', 'ok', 'write', 0, 'http'],
    ['statement', 'ada', 'default', 'ok', 'read', 1, 'http'],
    ['statement', 'ada', 'default', 'FORBIDDEN', null, 0, 'http'],
    ['statement', 'ada', 'default', 'SYNTAX_ERROR', null, 0, 'http'],
    ['refused', 'ada', 'other', 'FORBIDDEN', undefined, undefined, 'http'],
    ['refused', null, null, 'UNAUTHORIZED', undefined, undefined, 'http'],
    ['statement', 'ada', 'default', 'ok', 'read-write', 3, 'bolt'],
  ]);
  assert.equal(lines()[0]!.changed?.['nodesCreated'], 1);
  assert.match(lines()[0]!.statement!, /^[0-9a-f]{64}$/);
  assert.equal(new Set(lines().map((line) => line.request_id)).size, lines().length);
  assert.ok(lines().every(({ time }) => time === '1970-01-01T00:00:00.000Z'));
  for (const secret of ['private', 'secret-token', 'wrong-token', 'MATCH', 'CREATE']) assert.ok(!text().includes(secret), secret);
});
