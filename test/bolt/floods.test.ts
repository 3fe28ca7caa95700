/** S4: clients of Bolt that send more than is answered, guess credentials, or keep the writer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessToken, type Clock, GuessDelays, identifyBy, nextTurn, silentLogger } from '../../src/base/index.ts';
import { messageBytes, RawClient, TAGS } from '../../src/bolt/raw-client.fixture.ts';
import { applyPolicy } from '../../src/server/statement-policy.ts';
import { startBolt } from './bolt-bench.ts';

/** Messages that a flood begins with, and that it ends with when others still wait for all of it. */
const SMALLEST_FLOOD = 4_000;
const LARGEST_FLOOD = 1_024_000;

/**
 * Floods a server with a message until another client is served before all is answered. Floods grow, because a small
 * one can be over before the other client has shaken hands; whoever is served only behind a flood is so at any size.
 * Returns the kinds of all answers.
 */
async function flooded(url: string, client: RawClient, messages: readonly Buffer[]): Promise<Set<string | undefined>> {
  const unit = Buffer.concat(messages);
  const kinds = new Set<string | undefined>();
  for (let count = SMALLEST_FLOOD; count <= LARGEST_FLOOD; count *= 4) {
    client.write(Buffer.concat(Array<Buffer>(count / messages.length).fill(unit)));
    kinds.add((await client.answer())?.kind);
    await using other = await RawClient.ready(url);
    for (let i = 0; i < 3; i++) assert.equal((await other.run('RETURN 1')).pull?.kind, 'success');
    const early = client.waitingAnswers;
    for (let i = 1; i < count; i++) kinds.add((await client.answer())?.kind);
    if (early < count - 1) return kinds;
  }
  assert.fail('others waited for all of it');
}

test('floods of ignored messages, of RESETs and of statements leave others their turn, and are answered whole', async (context) => {
  const { url } = await startBolt(context);
  const run = messageBytes(TAGS.run, ['RETURN 1', {}, {}]);
  await using ignored = await RawClient.ready(url);
  ignored.send('run', 'RETURN', {}, {});
  assert.equal((await ignored.answer())?.kind, 'failure');
  assert.deepEqual(await flooded(url, ignored, [run]), new Set(['ignored']));
  await using resetting = await RawClient.ready(url);
  const kinds = await flooded(url, resetting, [messageBytes(TAGS.reset, [])]);
  assert.ok(kinds.has('success') && !kinds.has('failure'));
  await using asking = await RawClient.ready(url);
  const asked = await flooded(url, asking, [run, messageBytes(TAGS.discard, [{ n: -1 }])]);
  assert.deepEqual(asked, new Set(['success']));
});

test('a client that never reads is not read any more', async (context) => {
  const { url } = await startBolt(context);
  await using client = await RawClient.ready(url);
  client.socket.pause();
  // 4 KiB that ask for 16 KiB: 40 MB in all.
  const query = `RETURN reduce(s = 'x', i IN range(1, 14) | s + s) // ${'x'.repeat(4_000)}`;
  const statement = Buffer.concat([messageBytes(TAGS.run, [query, {}, {}]), messageBytes(TAGS.pull, [{ n: -1 }])]);
  for (let i = 0; i < 100; i++) client.write(Buffer.concat(Array<Buffer>(100).fill(statement)));
  await using other = await RawClient.ready(url);
  let unread: number;
  do {
    unread = client.socket.writableLength;
    for (let i = 0; i < 50; i++) await other.run('RETURN 1');
  } while (client.socket.writableLength !== unread);
  assert.ok(unread > 0, 'everything was read');
});

test('credentials that are guessed are answered later, or not at all', async (context) => {
  const slept: number[] = [];
  const wakeUps: (() => void)[] = [];
  let isHeld = false;
  const clock: Clock = {
    now: () => 0,
    sleep: (ms) => {
      slept.push(ms);
      return isHeld ? new Promise((resolve) => wakeUps.push(resolve)) : Promise.resolve();
    },
  };
  const { url } = await startBolt(context, {
    identify: identifyBy(() => [accessToken('right', 'write')]),
    guessDelays: new GuessDelays(clock, silentLogger),
  });
  const guess = async (): Promise<RawClient> => {
    const client = await RawClient.connect(url);
    await client.shakeHands([[5, 0]]);
    client.send('hello', { user_agent: 'raw/1', scheme: 'basic', credentials: 'wrong' });
    return client;
  };
  for (let i = 0; i < 12; i++) {
    await using client = await guess();
    assert.equal((await client.answer())?.content['code'], 'Neo.ClientError.Security.Unauthorized');
  }
  assert.deepEqual(slept, [100, 200]);
  isHeld = true;
  const waiting = await Promise.all(Array.from({ length: 16 }, guess));
  while (wakeUps.length < 16) await nextTurn();
  await using unanswered = await guess();
  assert.equal(await unanswered.answer(), undefined);
  await using welcome = await RawClient.ready(url, [5, 0], 'right');
  assert.equal((await welcome.run('RETURN 1')).pull?.kind, 'success', 'the right token does not wait');
  for (const wake of wakeUps) wake();
  for (const client of waiting) {
    assert.equal((await client.answer())?.kind, 'failure');
    await client[Symbol.asyncDispose]();
  }
});

test('a client that runs something all the time does not keep the writer from another one', async (context) => {
  const policy = { timeoutMs: 1_000, memoryBytes: 2 ** 26, slowMs: 0, logger: silentLogger };
  const { url } = await startBolt(context, { wrap: (engine) => applyPolicy(engine, policy) });
  await using holder = await RawClient.ready(url);
  holder.send('begin', {});
  assert.equal((await holder.answer())?.kind, 'success');
  await holder.run('CREATE (:Held)');
  await using other = await RawClient.ready(url);
  const waiting = other.run('CREATE (:Other)');
  let refused: Awaited<ReturnType<RawClient['run']>>;
  do refused = await holder.run('CREATE (:Held)');
  while (refused.run?.kind === 'success' && refused.pull?.kind === 'success');
  const failure = refused.run?.kind === 'success' ? refused.pull : refused.run;
  assert.equal(failure?.content['code'], 'Neo.ClientError.Transaction.TransactionTimedOut');
  assert.equal((await waiting).pull?.kind, 'success');
  holder.send('reset');
  assert.equal((await holder.answer())?.kind, 'success');
  assert.deepEqual(
    (await holder.run('MATCH (n) RETURN labels(n)')).records,
    [[['Other']]].map(([labels]) => [labels]),
  );
});

test('a large value leaves in pieces: it comes whole, others have their turn, and keep-alives stay outside', async (context) => {
  const { url } = await startBolt(context);
  await using client = await RawClient.ready(url);
  client.send('run', 'UNWIND [1, 2] AS x RETURN {a: [range(1, 3000000)], b: x} AS m', {}, {});
  client.send('pull', { n: -1 });
  assert.equal((await client.answer())?.kind, 'success');
  await using other = await RawClient.ready(url);
  assert.equal((await other.run('RETURN 1')).pull?.kind, 'success');
  assert.equal(client.waitingAnswers, 0, 'others waited for the value');
  const { records, answer } = await client.result();
  assert.equal(answer?.kind, 'success');
  for (const [i, [value]] of records.entries()) {
    const { a, b } = value as { a: number[][]; b: number };
    assert.deepEqual([b, a[0]?.length, a[0]?.[0], a[0]?.at(-1)], [i + 1, 3_000_000, 1, 3_000_000]);
  }
});
