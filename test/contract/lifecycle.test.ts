/** Starting, stopping, being fenced, and clients that go away. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { ask, cypher, metric, runToEnd, serve, temporaryStore, until } from './outside.ts';

const ENDLESS = 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a WHERE a < 0 RETURN count(*) AS n';

test('wrong usage ends with 2, a start that fails with 1, each with a line of its own', async () => {
  const quiet = { RUST_LOG: 'off' };
  const taken = await serve(['--store', 'memory://x']);
  const nobody = `s3://bucket?ns=x&region=auto&endpoint=http://127.0.0.1:${await freePort()}&allow_http=true`;
  const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
  const starts: readonly [args: string[], env: Record<string, string>, status: number, line: RegExp][] = [
    [[], {}, 2, /no store: give --store <uri> or set GRAPHDB_STORE/],
    [['--store', 'memory://x', '--nonsense'], {}, 2, /--nonsense/],
    [['--store', 'memory://x', '--listen', new URL(taken.url).host], {}, 1, /cannot listen on .*another process has that port/],
    [
      ['--store', 'file:///dev/null/nowhere?ns=x', '--listen', '127.0.0.1:0'],
      {},
      1,
      /cannot open the store file:\/\/\/dev\/null\/nowhere\?ns=x/,
    ],
    [['--store', nobody, '--listen', '127.0.0.1:0'], credentials, 1, /cannot open the store s3:/],
  ];
  for (const [args, env, expected, line] of starts) {
    const { status, stdout, stderr } = await runToEnd(args, { ...quiet, ...env });
    assert.deepEqual([status, stdout], [expected, ''], stderr);
    assert.match(stderr.trimEnd(), line);
    assert.doesNotMatch(stderr.trimEnd(), /\n/);
  }
});

test('--help and --version are answers', async () => {
  assert.equal((await runToEnd(['--help'])).status, 0);
  assert.deepEqual(await runToEnd(['--version']), { status: 0, stdout: '0.3.0\n', stderr: '' });
});

test('a fenced server reads on as a reader, and answers writes, flush and compact with 409', async () => {
  const store = temporaryStore();
  const former = await serve(['--store', store]);
  await cypher(former, 'CREATE (:N)');
  const next = await serve(['--store', store]);
  assert.equal((await cypher(next, 'CREATE (:N)')).status, 200);
  const refused = await cypher(former, 'CREATE (:N)');
  assert.deepEqual([refused.status, refused.json.code], [409, 'WRITER_FENCED']);
  const { status, json } = await ask(former, 'GET', '/v0/health');
  assert.deepEqual([status, json.status, json.role], [200, 'ok', 'reader']);
  assert.equal(await metric(former, 'graphdb_writer'), 0);
  for (const path of ['/v0/admin/flush', '/v0/admin/compact']) assert.equal((await ask(former, 'POST', path)).json.code, 'WRITER_FENCED');
  assert.equal((await cypher(former, 'MATCH (n:N) RETURN count(n) AS n')).status, 200);
});

test('an answered write is durable', async () => {
  const store = temporaryStore();
  const first = await serve(['--store', store]);
  assert.equal((await cypher(first, 'CREATE (:N)')).status, 200);
  await first.end('SIGKILL');
  assert.deepEqual((await cypher(await serve(['--store', store]), 'MATCH (n:N) RETURN count(n) AS n')).json.rows, [{ n: 1 }]);
});

test('a client that goes away cancels its statement', async () => {
  const server = await serve(['--store', 'memory://gone']);
  for (const path of ['/v0/cypher', '/v0/cypher/stream', '/v0/cypher/arrow']) {
    const client = new AbortController();
    const asked = fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: ENDLESS }),
      signal: client.signal,
    }).then((answer) => answer.text());
    const inFlight = () => metric(server, 'graphdb_queries_in_flight{protocol="http"}');
    await until('it runs', async () => (await inFlight()) === 1);
    client.abort();
    await assert.rejects(asked);
    await until('it has ended', async () => (await inFlight()) === 0);
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal}: what runs is finished, what comes is SHUTTING_DOWN, the store is left clean, the exit status is 0`, async () => {
    const store = temporaryStore();
    const server = await serve(['--store', store]);
    await cypher(server, 'CREATE (:N)');
    const { hostname, port } = new URL(server.url);
    const late = connect(Number(port), hostname);
    const body = '{"query":"RETURN 1 AS x"}';
    late.write(`POST /v0/cypher HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
    const runs = fetch(`${server.url}/v0/cypher/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'UNWIND range(1, 300000) AS a RETURN a' }),
    });
    const reader = (await runs).body!.getReader(); // not null: it has begun
    server.child.kill(signal);
    await until('it takes no more connections', () =>
      ask(server, 'GET', '/v0/health').then(
        () => false,
        () => true,
      ),
    );
    late.write(body);
    const refused = await text(late);
    assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n[\s\S]*"code":"SHUTTING_DOWN"/);
    let last = '';
    for (let step = await reader.read(); !step.done; step = await reader.read())
      last = (last + Buffer.from(step.value).toString()).slice(-200);
    assert.match(last, /"type":"summary","rows":300000/);
    if (server.child.exitCode === null) await once(server.child, 'exit');
    assert.equal(server.child.exitCode, 0);
    assert.deepEqual((await cypher(await serve(['--store', store]), 'MATCH (n:N) RETURN count(n) AS n')).json.rows, [{ n: 1 }]);
  });
}
