/** Rows that are read inside transactions, what is told of statements, and waiting for commits of others. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ErrorCode, GraphDBError } from '../../base/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { Engine, StatementStream } from '../api.ts';
import { openEngine } from '../open.ts';

const NONE = new Map();
let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://transactions-${databases++}`, { flushIntervalMs: 0 });
  context.after(() => engine.close());
  await engine.execute('UNWIND range(1, 5000) AS x CREATE (:N {x: x})', NONE);
  return engine;
}

async function firstBatch(stream: StatementStream): Promise<ResultValue[][]> {
  const step = await stream.batches[Symbol.asyncIterator]().next();
  return step.value ?? [];
}

async function countOf(stream: StatementStream): Promise<number> {
  let count = 0;
  for await (const batch of stream.batches) count += batch.length;
  return count;
}

const failsWith = (code: ErrorCode) => (error: GraphDBError) => error.code === code;

test('rows of a write transaction show nothing of what comes after their statement', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  const before = await transaction.stream('MATCH (n:N) RETURN n.x AS x ORDER BY x', NONE);
  const first = await firstBatch(before);
  await transaction.execute('MATCH (n:N) WHERE n.x > 10 DETACH DELETE n', NONE);
  const after = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
  assert.equal(await countOf(after), 10);
  assert.equal(first.length + (await countOf(before)), 5000);
  assert.equal(before.summary().rows, 5000);
  await transaction.commit();
  assert.deepEqual((await engine.execute('MATCH (n) RETURN count(n)', NONE)).rows, [[10]]);
});

test('a failing row takes the write transaction back, and lets the writer go', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute('CREATE (:Lost)', NONE);
  const failing = await transaction.stream('MATCH (n:N) RETURN 1 / (n.x - 3000)', NONE);
  await assert.rejects(countOf(failing), failsWith('ARITHMETIC_ERROR'));
  await assert.rejects(transaction.commit(), failsWith('BAD_REQUEST'));
  const { rows } = await engine.execute('CREATE (:Kept) WITH 1 AS one MATCH (n:Lost) RETURN n', NONE);
  assert.deepEqual(rows, []);
});

test('statements and rows that are being found wait for each other', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  const { batches } = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
  const rows = batches[Symbol.asyncIterator]();
  const steps = [rows.next(), transaction.execute('CREATE (:M)', NONE), rows.next()] as const;
  const [first, , second] = await Promise.all(steps);
  let count = [first, second].reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  for (let step = rows.next(); !(await step).done; step = rows.next()) {
    await transaction.execute('CREATE (:M)', NONE);
    count += (await step).value?.length ?? 0;
  }
  assert.equal(count, 5000);
  const late = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
  const found = late.batches[Symbol.asyncIterator]().next();
  await transaction.commit();
  assert.ok(((await found).value?.length ?? 0) > 0);
  assert.ok(((await engine.execute('MATCH (m:M) RETURN count(m)', NONE)).rows[0]![0] as number) >= 1);
});

test('no statement gets into a transaction that is being committed', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  const left = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
  await firstBatch(left);
  const committing = transaction.commit();
  await assert.rejects(transaction.execute('MATCH (n:N) SET n.y = 1', NONE), failsWith('BAD_REQUEST'));
  await committing;
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n.y)', NONE)).rows, [[0]]);
});

test('a transaction that is rolled back while a statement runs ends with the statement, and lets the writer go', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  const running = transaction.execute('MATCH (n:N), (m:N {x: 1}) SET n.y = m.x', NONE);
  await assert.rejects(transaction.commit(), failsWith('BAD_REQUEST'));
  await transaction.rollback();
  await transaction.rollback();
  await running;
  assert.deepEqual((await engine.execute('CREATE (:Kept) WITH 1 AS one MATCH (n:N) RETURN count(n.y)', NONE)).rows, [[0]]);
});

test('closing takes back the write transaction that nobody ended, and whoever waits for its turn is told', async () => {
  const name = `memory://transactions-${databases++}`;
  const engine = await openEngine(name, { flushIntervalMs: 0 });
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute('CREATE (:Lost)', NONE);
  const waiting = assert.rejects(engine.begin({ mode: 'write' }), failsWith('SHUTTING_DOWN'));
  const write = engine.execute('CREATE (:Kept)', NONE);
  await engine.close();
  await Promise.all([waiting, write]);
  await assert.rejects(transaction.commit(), failsWith('BAD_REQUEST'));
  const again = await openEngine(name, { flushIntervalMs: 0 });
  assert.deepEqual((await again.execute('MATCH (n) RETURN labels(n)[0]', NONE)).rows, [['Kept']]);
  await again.close();
});

test('rows of a read transaction come from its snapshot, several results at once, and fail once it has ended', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'read' });
  await engine.execute('MATCH (n:N) DETACH DELETE n', NONE);
  const [one, other, left] = await Promise.all([1, 2, 3].map(() => transaction.stream('MATCH (n:N) RETURN n.x', NONE)));
  await firstBatch(one!);
  assert.equal(await countOf(other!), 5000);
  await firstBatch(left!);
  await transaction.commit();
  await assert.rejects(countOf(left!), failsWith('BAD_REQUEST'));
  await assert.rejects(transaction.stream('RETURN 1', NONE), failsWith('BAD_REQUEST'));
});

for (const mode of ['read', 'write'] as const) {
  for (const end of ['commit', 'rollback'] as const) {
    test(`a result that is not read to its end is not complete after the ${end} of a ${mode} transaction`, async (context) => {
      const engine = await opened(context);
      const transaction = await engine.begin({ mode });
      const left = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
      assert.ok((await firstBatch(left)).length < 5000);
      await transaction[end]();
      await assert.rejects(countOf(left), failsWith('BAD_REQUEST'));
      await assert.rejects(countOf(left), failsWith('BAD_REQUEST'));
    });

    test(`a result that was read to its end, or left, is no failure after the ${end} of a ${mode} transaction`, async (context) => {
      const engine = await opened(context);
      const transaction = await engine.begin({ mode });
      const left = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
      for await (const _batch of left.batches) break;
      const whole = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
      assert.equal(await countOf(whole), 5000);
      await transaction[end]();
      assert.deepEqual([await countOf(whole), await countOf(left)], [0, 0]);
    });
  }

  test(`the commit of a ${mode} transaction with the last row in hand loses nothing`, async (context) => {
    const engine = await opened(context);
    const transaction = await engine.begin({ mode });
    const { batches } = await transaction.stream('MATCH (n:N) WHERE n.x <= 3 RETURN n.x ORDER BY n.x', NONE);
    const seen: ResultValue[][] = [];
    for await (const batch of batches) {
      seen.push(...batch);
      await transaction.commit();
    }
    assert.deepEqual(seen, [[1], [2], [3]]);
  });

  test(`closing the engine does not make a result of a ${mode} transaction look complete`, async () => {
    const engine = await openEngine(`memory://transactions-${databases++}`, { flushIntervalMs: 0 });
    await engine.execute('UNWIND range(1, 5000) AS x CREATE (:N {x: x})', NONE);
    const transaction = await engine.begin({ mode });
    const left = await transaction.stream('MATCH (n:N) RETURN n.x', NONE);
    const first = await firstBatch(left);
    await engine.close();
    await countOf(left).then(
      (rest) => assert.equal(first.length + rest, 5000),
      (error) => assert.equal(error.code, 'BAD_REQUEST'),
    );
  });
}

test('a result whose read transaction ends while it is prepared is refused', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'read' });
  const opening = transaction.stream('MATCH (n:N) RETURN n.x', NONE);
  await transaction.rollback();
  await assert.rejects(opening, failsWith('BAD_REQUEST'));
});

test('a failing statement ends results that are still open, and they do not look complete', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  const [open, failing] = [await transaction.stream('MATCH (n:N) RETURN 1 / (n.x - 3000)', NONE), 'RETURN 1'];
  await firstBatch(open);
  await assert.rejects(transaction.execute(failing, NONE), failsWith('ARITHMETIC_ERROR'));
  await assert.rejects(countOf(open), failsWith('BAD_REQUEST'));
});

test('a statement that was sent for reading must not write', async (context) => {
  const engine = await opened(context);
  await assert.rejects(engine.execute('CREATE (:M)', NONE, { access: 'read' }), failsWith('READ_ONLY'));
  await assert.rejects(engine.stream('CREATE (:M)', NONE, { access: 'read' }), failsWith('READ_ONLY'));
  assert.equal((await engine.execute('EXPLAIN CREATE (:M)', NONE, { access: 'read' })).planTree?.operator, 'EmptyResult');
  assert.deepEqual((await engine.execute('MATCH (m:M) RETURN m', NONE, { access: 'read' })).rows, []);
});

test('the outcome tells type, schema changes and the profiled plan', async (context) => {
  const engine = await opened(context);
  const typeOf = async (query: string) => (await engine.execute(query, NONE)).type;
  assert.equal(await typeOf('MATCH (n) RETURN n LIMIT 1'), 'read');
  assert.equal(await typeOf('CREATE (n) RETURN n'), 'read-write');
  assert.equal(await typeOf('CREATE (n)'), 'write');
  const index = await engine.execute('CREATE INDEX FOR (n:N) ON (n.x)', NONE);
  assert.deepEqual(
    [index.type, index.schemaOutcome],
    ['schema', { indexesAdded: 1, indexesRemoved: 0, constraintsAdded: 0, constraintsRemoved: 0 }],
  );
  const again = await engine.execute('CREATE INDEX IF NOT EXISTS FOR (n:N) ON (n.x)', NONE);
  assert.equal(again.schemaOutcome?.indexesAdded, 0);
  const profiled = await engine.execute('PROFILE MATCH (n:N {x: 7}) RETURN n', NONE);
  assert.equal(profiled.planTree?.operator, 'ProduceResults');
  assert.equal(profiled.planTree?.rows, 1);
});

test('a reader waits for a commit that it does not see yet, and not for ever', async (context) => {
  const uri = `memory://transactions-${databases++}`;
  const writer = await openEngine(uri, { flushIntervalMs: 0 });
  context.after(() => writer.close());
  await writer.execute('CREATE (:First)', NONE);
  const reader = await openEngine(uri, { readOnly: true, pollIntervalMs: 0 });
  context.after(() => reader.close());
  await writer.execute('CREATE (:Second)', NONE);
  const { sequence } = writer.status();
  assert.ok(reader.status().sequence < sequence);
  await reader.reach(sequence, { timeoutMs: 10_000 });
  assert.deepEqual((await reader.execute('MATCH (n) RETURN count(n)', NONE)).rows, [[2]]);
  await assert.rejects(reader.reach(sequence + 1, { timeoutMs: 1 }), failsWith('BOOKMARK_TIMEOUT'));
  await assert.rejects(reader.reach(sequence + 1, { timeoutMs: 10_000, signal: AbortSignal.abort() }), failsWith('CANCELLED'));
  await writer.reach(sequence, { timeoutMs: 0 });
});

test('waiting for the turn to write ends with its time, and with its signal', async (context) => {
  const engine = await opened(context);
  const holder = await engine.begin({ mode: 'write' });
  await assert.rejects(engine.begin({ mode: 'write', timeoutMs: 5 }), failsWith('QUERY_TIMEOUT'));
  await assert.rejects(engine.begin({ mode: 'write', signal: AbortSignal.abort() }), failsWith('CANCELLED'));
  await holder.rollback();
  await (await engine.begin({ mode: 'write', timeoutMs: 10_000 })).rollback();
});

test('a time limit may be longer than a timer can be, or a part of a millisecond', async () => {
  const engine = await openEngine('memory://long-limits');
  for (const timeoutMs of [2 ** 31, 2 ** 32, 2 ** 60, 9_999.5]) {
    await engine.execute('CREATE (:N)', new Map(), { timeoutMs });
    const transaction = await engine.begin({ mode: 'write', timeoutMs });
    await transaction.rollback();
  }
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n)', new Map())).rows, [[4]]);
  await engine.close();
});
