/**
 * The protocol to the letter, by a client without opinions: states, failures, pipelining, RESET, several results,
 * limits, who may come in.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessToken, identifyBy, silentLogger } from '../../src/base/index.ts';
import { type Answer, RawClient, type Version } from '../../src/bolt/raw-client.fixture.ts';
import type { Engine } from '../../src/engine/index.ts';
import { applyPolicy } from '../../src/server/statement-policy.ts';
import { type BenchOptions, type BoltBench, startBolt } from './bolt-bench.ts';

const ENDLESS = 'UNWIND range(1, 1000000000) AS x WITH x WHERE x % 2 = 3 RETURN x';
const SERVER_TIME_LIMIT = 'Neo.ClientError.Transaction.TransactionTimedOut';
const CLIENT_TIME_LIMIT = 'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration';

async function connected(context: TestContext, options: BenchOptions = {}, version?: Version): Promise<BoltBench & { client: RawClient }> {
  const bench = await startBolt(context, options);
  const client = await RawClient.ready(bench.url, version);
  context.after(() => client[Symbol.asyncDispose]());
  return { ...bench, client };
}

async function kinds(client: RawClient, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < count; i++) {
    const { records, answer } = await client.result();
    found.push(records.length > 0 ? `${records.length} ${answer?.kind}` : (answer?.kind ?? 'closed'));
  }
  return found;
}

function codeOf(answer: Answer | undefined): unknown {
  return answer?.kind === 'failure' ? answer.content['code'] : answer?.kind;
}

/** The code with which a statement fails; what it has begun is reset. */
async function failureOf(client: RawClient, query: string, extra: Record<string, unknown>): Promise<unknown> {
  const { run, pull } = await client.run(query, {}, extra);
  client.send('reset');
  assert.deepEqual(await kinds(client, 1), ['success']);
  return codeOf(run?.kind === 'failure' ? run : pull);
}

test('a failure is followed by IGNORED until RESET', async (context) => {
  const { client } = await connected(context);
  client.send('run', 'RETURN nothing', {}, {});
  client.send('pull', { n: -1 });
  client.send('run', 'RETURN 1', {}, {});
  client.send('begin', {});
  client.send('commit');
  client.send('route', {}, [], {});
  client.send('telemetry', 1);
  assert.deepEqual(await kinds(client, 1), ['failure']);
  assert.deepEqual(await kinds(client, 6), new Array(6).fill('ignored'));
  client.send('reset');
  client.send('run', 'RETURN 1', {}, {});
  client.send('pull', { n: -1 });
  assert.deepEqual(await kinds(client, 3), ['success', 'success', '1 success']);
});

test('what has no place in a state ends the connection', async (context) => {
  const misplaced: [string, (client: RawClient) => void][] = [
    ['PULL without a result', (client) => client.send('pull', { n: -1 })],
    ['COMMIT without a transaction', (client) => client.send('commit')],
    ['a second HELLO', (client) => client.send('hello', { scheme: 'none' })],
    ['LOGON without LOGOFF', (client) => client.send('logon', { scheme: 'none' })],
    ['an unknown message', (client) => client.write(Buffer.from([0, 2, 0xb0, 0x77, 0, 0]))],
    ['a message that is none', (client) => client.write(Buffer.from([0, 1, 0x01, 0, 0]))],
    ['a message of one byte too many', (client) => client.write(Buffer.from([0, 3, 0xb0, 0x0f, 0x01, 0, 0]))],
    ['PULL of nothing', (client) => client.send('pull', { n: 0 })],
    ['RUN without its options', (client) => client.write(Buffer.from([0, 4, 0xb2, 0x10, 0x80, 0xa0, 0, 0]))],
  ];
  const { url } = await startBolt(context);
  for (const [name, send] of misplaced) {
    await using client = await RawClient.ready(url);
    send(client);
    assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Request.InvalidFormat', name);
    assert.equal(await client.answer(), undefined, name);
  }
});

test('each version knows its own messages only', async (context) => {
  const { url } = await startBolt(context);
  for (const version of [
    [5, 0],
    [4, 4],
  ] as const) {
    for (const kind of ['logoff', 'telemetry'] as const) {
      await using client = await RawClient.ready(url, version);
      client.send(kind, ...(kind === 'telemetry' ? [1] : []));
      assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Request.InvalidFormat');
    }
  }
  await using client = await RawClient.ready(url);
  client.send('telemetry', 2);
  client.send('logoff');
  client.send('logon', { scheme: 'none' });
  assert.deepEqual(await kinds(client, 3), ['success', 'success', 'success']);
});

test('date-times in 4.4 are told in UTC when the client asks for it', async (context) => {
  const { url } = await startBolt(context);
  for (const utc of [false, true]) {
    await using client = await RawClient.connect(url);
    assert.deepEqual(await client.shakeHands([[4, 4]]), [4, 4]);
    client.send('hello', { user_agent: 'raw', scheme: 'none', patch_bolt: ['utc'].slice(utc ? 0 : 1) });
    assert.deepEqual((await client.answer())?.content['patch_bolt'], utc ? ['utc'] : undefined);
    const { records } = await client.run("RETURN datetime('1970-01-01T02:00+02:00') AS t");
    // The reader of parameters understands both forms: the value is the same, the bytes are not.
    assert.match(Buffer.concat(client.received).toString('hex'), utc ? /b34900/ : /b346c91c20/);
    assert.equal(records.length, 1);
  }
});

test('a token for reading reads, and is refused what writes', async (context) => {
  const { url } = await startBolt(context, { identify: identifyBy(() => [accessToken('reader', 'read'), accessToken('writer', 'write')]) });
  const enter = async (token: string) => {
    const client = await RawClient.connect(url);
    await client.shakeHands([[5, 4]]);
    client.send('hello', {});
    client.send('logon', { scheme: 'basic', principal: 'x', credentials: token });
    assert.deepEqual([(await client.answer())?.kind, (await client.answer())?.kind], ['success', 'success']);
    return client;
  };
  await using writer = await enter('writer');
  await writer.run('CREATE (:N)');
  await using reader = await enter('reader');
  assert.equal((await reader.run('MATCH (n) RETURN n')).records.length, 1);
  reader.send('run', 'MATCH (n) DELETE n', {}, {});
  assert.match(String(codeOf(await reader.answer())), /^Neo\.ClientError\.Security\.Forbidden$/);
  assert.equal((await writer.run('MATCH (n) RETURN n')).records.length, 1);
});

test('nobody comes in without the token, or reads more than a HELLO', async (context) => {
  const { url } = await startBolt(context, { identify: identifyBy(() => [accessToken('secret', 'write')]) });
  const refusals: Record<string, unknown>[] = [
    { scheme: 'none' },
    { scheme: 'basic', principal: 'neo4j', credentials: 'Secret' },
    { scheme: 'basic', principal: 'neo4j' },
    { scheme: 'kerberos', credentials: 'secret' },
    {},
  ];
  for (const auth of refusals) {
    for (const version of [
      [5, 4],
      [5, 0],
    ] as const) {
      await using client = await RawClient.connect(url);
      await client.shakeHands([version]);
      client.send('hello', version[1] === 0 ? auth : {});
      if (version[1] > 0) {
        assert.equal((await client.answer())?.kind, 'success');
        client.send('logon', auth);
      }
      assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Security.Unauthorized', JSON.stringify(auth));
      assert.equal(await client.answer(), undefined);
    }
  }
  await using early = await RawClient.connect(url);
  await early.shakeHands([[5, 4]]);
  early.send('hello', {});
  early.send('run', 'CREATE (:Sneaked)', {}, {});
  assert.equal((await early.answer())?.kind, 'success');
  assert.equal(codeOf(await early.answer()), 'Neo.ClientError.Request.InvalidFormat');
  await using large = await RawClient.connect(url);
  await large.shakeHands([[5, 4]]);
  large.send('hello', { user_agent: 'x'.repeat(100_000) });
  assert.equal(codeOf(await large.answer()), 'Neo.ClientError.Request.Invalid');
  await using bearer = await RawClient.connect(url);
  await bearer.shakeHands([[5, 4]]);
  bearer.send('hello', {});
  bearer.send('logon', { scheme: 'bearer', credentials: 'secret' });
  assert.deepEqual(await kinds(bearer, 2), ['success', 'success']);
  await using other = await RawClient.ready(url, [5, 4], 'secret');
  assert.deepEqual((await other.run('MATCH (n) RETURN count(n)')).records, [[0]]);
});

test('messages are limited', async (context) => {
  const { url } = await startBolt(context, { maxMessageBytes: 10_000 });
  await using client = await RawClient.ready(url);
  assert.equal((await client.run('RETURN $x', { x: 'x'.repeat(9_000) })).pull?.kind, 'success');
  client.send('run', 'RETURN $x', { x: 'x'.repeat(11_000) }, {});
  assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Request.Invalid');
  assert.equal(await client.answer(), undefined);
});

test('strangers, torn messages and silent readers are not waited for', async (context) => {
  const { url } = await startBolt(context, { limits: { authenticationMs: 50, messageMs: 50, stallMs: 50 } });
  await using silent = await RawClient.connect(url);
  await using shaken = await RawClient.connect(url);
  await shaken.shakeHands([[5, 4]]);
  await using torn = await RawClient.ready(url);
  torn.write(Buffer.from([0, 50, 0xb1]));
  await using slow = await RawClient.ready(url);
  slow.send('run', "UNWIND range(1, 1000000) AS x RETURN x, 'some text to fill the pipes between us' AS text", {}, {});
  slow.send('pull', { n: -1 });
  await slow.answer();
  slow.socket.pause();
  for (const client of [silent, shaken, torn]) assert.equal(await client.answer(), undefined);
  await using idle = await RawClient.ready(url);
  await sleep(200);
  slow.socket.resume();
  const { answer } = await slow.result();
  assert.equal(answer, undefined, 'cut off before the end');
  assert.deepEqual((await idle.run('RETURN 1')).records, [[1]], 'a client that has nothing to say is welcome');
});

test('RESET stops what runs, and ignores what waits', async (context) => {
  const { client } = await connected(context);
  for (const inTransaction of [false, true]) {
    if (inTransaction) {
      client.send('begin', {});
      assert.deepEqual(await kinds(client, 1), ['success']);
    }
    client.send('run', ENDLESS, {}, {});
    client.send('pull', { n: -1 });
    client.send('run', 'RETURN 1', {}, {});
    assert.equal((await client.answer())?.kind, 'success');
    client.send('reset');
    assert.deepEqual(await kinds(client, 3), ['failure', 'ignored', 'success']);
  }
  client.send('reset');
  client.send('reset');
  assert.deepEqual(await kinds(client, 2), ['success', 'success']);
  assert.deepEqual((await client.run('CREATE (n) RETURN 1')).records, [[1]], 'the writer is free');
});

test('a RESET that comes with the greeting does not undo it', async (context) => {
  const { url } = await startBolt(context);
  await using client = await RawClient.connect(url);
  await client.shakeHands([[5, 4]]);
  client.socket.cork();
  client.send('hello', {});
  client.send('logon', { scheme: 'none' });
  client.send('reset');
  client.socket.uncork();
  assert.deepEqual(await kinds(client, 3), ['success', 'success', 'success']);
});

test('a client that goes away leaves nothing behind', async (context) => {
  const { url, client } = await connected(context);
  const gone = await RawClient.ready(url);
  gone.send('begin', {});
  gone.send('run', 'CREATE (:Lost)', {}, {});
  gone.send('run', ENDLESS, {}, {});
  gone.send('pull', { n: -1 });
  assert.deepEqual(await kinds(gone, 3), ['success', 'success', 'success']);
  gone.socket.destroy();
  assert.equal((await client.run('CREATE (:Kept)')).pull?.kind, 'success');
  assert.deepEqual((await client.run('MATCH (n) RETURN labels(n)')).records, [[['Kept']]]);
});

test('GOODBYE ends what runs, and the connection', async (context) => {
  const { url, client } = await connected(context);
  await using leaving = await RawClient.ready(url);
  leaving.send('begin', {});
  leaving.send('run', ENDLESS, {}, {});
  leaving.send('pull', { n: -1 });
  assert.deepEqual(await kinds(leaving, 2), ['success', 'success']);
  leaving.send('goodbye');
  while ((await leaving.answer()) !== undefined);
  assert.equal((await client.run('CREATE (:Kept)')).pull?.kind, 'success');
});

test('several results of one transaction are read in turns', async (context) => {
  const { client } = await connected(context);
  client.send('begin', { mode: 'r' });
  client.send('run', 'UNWIND range(1, 5) AS x RETURN x', {}, {});
  client.send('run', 'UNWIND range(11, 13) AS x RETURN x', {}, {});
  await client.answer();
  assert.equal((await client.answer())?.content['qid'], 0);
  assert.equal((await client.answer())?.content['qid'], 1);
  const pull = async (n: number, qid?: number) => {
    client.send('pull', { n, ...(qid === undefined ? {} : { qid }) });
    const { records, answer } = await client.result();
    return [records.flat(), answer?.content['has_more'] ?? false];
  };
  assert.deepEqual(await pull(2, 0), [[1, 2], true]);
  assert.deepEqual(await pull(2), [[11, 12], true], 'without an id the last is meant');
  assert.deepEqual(await pull(3, 0), [[3, 4, 5], false], 'it is known that there are no more');
  client.send('discard', { n: 1, qid: 1 });
  assert.equal((await client.answer())?.content['has_more'], undefined);
  client.send('commit');
  assert.match(String((await client.answer())?.content['bookmark']), /^graphdb:/);
  client.send('begin', {});
  client.send('run', 'RETURN 1', {}, {});
  client.send('pull', { n: -1, qid: 7 });
  assert.deepEqual(await kinds(client, 3), ['success', 'success', 'failure']);
});

test('a transaction that nobody uses, or that takes too long, ends and lets the writer go', async (context) => {
  const { url, client } = await connected(context, { limits: { idleWriteMs: 50 } });
  await using other = await RawClient.ready(url);
  client.send('begin', {});
  client.send('run', 'CREATE (:Lost)', {}, {});
  assert.deepEqual(await kinds(client, 2), ['success', 'success']);
  assert.equal((await other.run('CREATE (:Kept)')).pull?.kind, 'success');
  client.send('commit');
  assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Transaction.TransactionTimedOut');
  client.send('reset');
  client.send('begin', { tx_timeout: 30 });
  client.send('run', ENDLESS, {}, {});
  client.send('pull', { n: -1 });
  assert.deepEqual(await kinds(client, 3), ['success', 'success', 'success']);
  assert.equal(codeOf(await client.answer()), CLIENT_TIME_LIMIT);
  client.send('reset');
  client.send('run', ENDLESS, {}, { tx_timeout: 30 });
  client.send('pull', { n: -1 });
  assert.deepEqual(await kinds(client, 2), ['success', 'success']);
  assert.equal(codeOf(await client.answer()), CLIENT_TIME_LIMIT);
  client.send('reset');
  assert.deepEqual(await kinds(client, 1), ['success']);
  assert.deepEqual((await client.run('MATCH (n) RETURN labels(n)')).records, [[['Kept']]]);
});

test("a time limit is told by whose it was: a statement has the shorter one, a transaction the client's in all", async (context) => {
  const limited = async (statementMs: number) => {
    const wrap = (engine: Engine): Engine =>
      applyPolicy(engine, { timeoutMs: statementMs, memoryBytes: 2 ** 30, slowMs: 0, logger: silentLogger });
    return (await connected(context, { limits: { statementMs, idleWriteMs: 5_000 }, wrap })).client;
  };
  const none = await limited(0);
  const short = await limited(60);
  const long = await limited(60_000);
  const inTransaction = async (client: RawClient, extra: Record<string, unknown>) => {
    client.send('begin', extra);
    assert.deepEqual(await kinds(client, 1), ['success']);
    return failureOf(client, ENDLESS, {});
  };
  const writing = ENDLESS.replace(/RETURN .*/, 'CREATE (:Endless)');
  for (const query of [ENDLESS, writing]) {
    assert.equal(await failureOf(none, query, { tx_timeout: 30 }), CLIENT_TIME_LIMIT);
    assert.equal(await failureOf(short, query, { tx_timeout: 30 }), CLIENT_TIME_LIMIT);
    assert.equal(await failureOf(long, query, { tx_timeout: 30 }), CLIENT_TIME_LIMIT);
    assert.equal(await failureOf(short, query, { tx_timeout: 60 }), SERVER_TIME_LIMIT);
    assert.equal(await failureOf(short, query, { tx_timeout: 30_000 }), SERVER_TIME_LIMIT);
    assert.equal(await failureOf(short, query, { tx_timeout: 0 }), SERVER_TIME_LIMIT);
    assert.equal(await failureOf(short, query, {}), SERVER_TIME_LIMIT);
  }
  assert.equal(await inTransaction(none, { tx_timeout: 30 }), CLIENT_TIME_LIMIT);
  assert.equal(await inTransaction(short, { tx_timeout: 20 }), CLIENT_TIME_LIMIT);
  assert.equal(await inTransaction(short, { tx_timeout: 30_000 }), SERVER_TIME_LIMIT);
  assert.equal(await inTransaction(short, {}), SERVER_TIME_LIMIT);
  assert.equal(await inTransaction(long, { tx_timeout: 30 }), CLIENT_TIME_LIMIT);
  // One that waits: nothing runs when its time is over.
  for (const last of ['run', 'commit', 'rollback'] as const) {
    long.send('begin', { tx_timeout: 30 });
    assert.deepEqual(await kinds(long, 1), ['success']);
    await sleep(60);
    if (last === 'run') long.send('run', 'RETURN 1', {}, {});
    else long.send(last);
    const answer = await long.answer();
    if (last === 'rollback') assert.equal(answer?.kind, 'success');
    else assert.equal(codeOf(answer), CLIENT_TIME_LIMIT);
    long.send('reset');
    assert.deepEqual(await kinds(long, 1), ['success']);
  }
});

test('the time of a large message that fails before its statement runs is not that of a later statement', async (context) => {
  const { client } = await connected(context, { limits: { statementMs: 100 } });
  const { run } = await client.run('RETURN $text', { text: 'x'.repeat(100_000) }, { db: 'nowhere' });
  assert.equal(codeOf(run), 'Neo.ClientError.Database.DatabaseNotFound');
  client.send('reset');
  assert.deepEqual(await kinds(client, 1), ['success']);
  await sleep(150);
  assert.deepEqual((await client.run('RETURN 1')).records, [[1]]);
});

test('the wait for the turn to write is part of the time that the client gives', async (context) => {
  const { url, client } = await connected(context);
  client.send('begin', {});
  assert.deepEqual(await kinds(client, 1), ['success']);
  await using other = await RawClient.ready(url);
  other.send('begin', { tx_timeout: 30 });
  assert.equal(codeOf(await other.answer()), CLIENT_TIME_LIMIT);
  other.send('reset');
  other.send('run', 'CREATE (:Late)', {}, { tx_timeout: 30 });
  assert.deepEqual(await kinds(other, 1), ['success']);
  assert.equal(codeOf(await other.answer()), CLIENT_TIME_LIMIT);
});

test('what may write is known from the statement, and refused where only reading was asked for', async (context) => {
  const { client } = await connected(context);
  client.send('run', 'CREATE (:N)', {}, { mode: 'r' });
  assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Statement.AccessMode');
  client.send('reset');
  client.send('begin', { mode: 'r' });
  assert.deepEqual(await kinds(client, 2), ['success', 'success']);
  client.send('run', 'CREATE (:N)', {}, {});
  assert.equal(codeOf(await client.answer()), 'Neo.ClientError.Statement.AccessMode');
  client.send('reset');
  assert.deepEqual(await kinds(client, 1), ['success']);
  assert.deepEqual((await client.run('MATCH (n:N) RETURN count(n)', {}, { mode: 'w' })).records, [[0]]);
});

test('databases, users and bookmarks that are not of here are refused', async (context) => {
  const { client } = await connected(context);
  const refused: [Record<string, unknown>, string][] = [
    [{ db: 'other' }, 'Neo.ClientError.Database.DatabaseNotFound'],
    [{ imp_user: 'alice' }, 'Neo.ClientError.Security.Forbidden'],
    [{ bookmarks: ['FB:kcwQ'] }, 'Neo.ClientError.Transaction.InvalidBookmark'],
    [{ bookmarks: ['graphdb:elsewhere:1'] }, 'Neo.ClientError.Transaction.InvalidBookmark'],
  ];
  for (const [extra, code] of refused) {
    client.send('run', 'RETURN 1', {}, extra);
    assert.equal(codeOf(await client.answer()), code);
    client.send('reset');
    client.send('begin', extra);
    await client.answer();
    assert.equal(codeOf(await client.answer()), code);
    client.send('reset');
    await client.answer();
  }
  for (const db of ['neo4j', 'NEO4J', 'system', 'default', null]) {
    assert.equal((await client.run('RETURN 1', {}, { db })).pull?.kind, 'success');
  }
});

test('warnings can be turned off', async (context) => {
  const { client } = await connected(context);
  const told = async (extra: Record<string, unknown>) =>
    (await client.run('MATCH (n:Nobody) RETURN n', {}, extra)).pull?.content['notifications'] !== undefined;
  assert.equal(await told({}), true);
  assert.equal(await told({ notifications_minimum_severity: 'INFORMATION' }), true);
  assert.equal(await told({ notifications_minimum_severity: 'OFF' }), false);
  assert.equal(await told({ notifications_disabled_categories: ['UNRECOGNIZED'] }), false);
  assert.equal(await told({ notifications_disabled_categories: ['HINT'] }), true);
  const { pull } = await client.run('CREATE INDEX ON :Old(key)');
  const [deprecated] = (pull?.content['notifications'] ?? []) as (Map<string, unknown> | { category: string })[];
  const category = deprecated instanceof Map ? deprecated.get('category') : deprecated?.category;
  assert.equal(category, 'DEPRECATION');
});

test('a thousand pipelined statements are answered in order', async (context) => {
  const { client } = await connected(context);
  for (let i = 0; i < 3_000; i++) {
    client.send('run', 'RETURN $i', { i }, {});
    client.send('pull', { n: -1 });
  }
  for (let i = 0; i < 3_000; i++) {
    assert.equal((await client.answer())?.kind, 'success');
    assert.deepEqual((await client.result()).records, [[i]]);
  }
});

test('a server that stops lets transactions end, for a while', async (context) => {
  const { server, client, url } = await connected(context);
  await using held = await RawClient.ready(url);
  client.send('begin', {});
  assert.deepEqual(await kinds(client, 1), ['success']);
  held.send('run', ENDLESS, {}, {});
  held.send('pull', { n: -1 });
  assert.deepEqual(await kinds(held, 1), ['success']);
  const stopped = server.stop({ graceMs: 300 });
  client.send('run', 'CREATE (:Saved)', {}, {});
  client.send('pull', { n: -1 });
  client.send('commit');
  assert.deepEqual(await kinds(client, 2), ['success', 'success']);
  assert.notEqual((await client.answer())?.kind, 'failure');
  assert.equal(codeOf((await held.result()).answer), 'Neo.TransientError.General.DatabaseUnavailable');
  await stopped;
  await assert.rejects(RawClient.connect(url));
});
