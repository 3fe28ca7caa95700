/**
 * A session over two pipes in this process: requests beside each other, streams by credit, cancelling, transactions,
 * and an input that ends.
 */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { silentLogger } from '../base/index.ts';
import { readFrames, writeFrame } from './frames.ts';
import { StdioSession } from './session.ts';

interface Answer {
  readonly id: number;
  readonly [member: string]: unknown;
}

class Client {
  readonly input = new PassThrough();
  readonly ended: Promise<void>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  /** The rows that have come, by request. */
  readonly rows = new Map<number, unknown[]>();
  #ids = 0;

  constructor() {
    const output = new PassThrough();
    this.ended = new StdioSession(output, silentLogger).serve(this.input).finally(() => output.end());
    void this.#read(output);
  }

  /** The id of a request that is on its way, and its last answer. */
  send(request: Record<string, unknown>): { id: number; answer: Promise<Answer> } {
    const id = ++this.#ids;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.tell({ id, ...request });
    return { id, answer };
  }

  tell(header: Record<string, unknown>): void {
    void writeFrame(this.input, JSON.stringify(header));
  }

  async ask(request: Record<string, unknown>): Promise<Answer & { rows: unknown[] }> {
    const { id, answer } = this.send(request);
    return { ...(await answer), rows: this.rows.get(id) ?? [] };
  }

  async #read(output: PassThrough): Promise<void> {
    for await (const { header, body } of readFrames(output)) {
      const answer = JSON.parse(header) as Answer;
      if (answer.more !== true) this.#waiting.get(answer.id)?.(answer);
      else this.rows.set(answer.id, [...(this.rows.get(answer.id) ?? []), ...(JSON.parse(Buffer.from(body).toString()) as unknown[])]);
    }
  }
}

let stores = 0;

async function connect(context: TestContext): Promise<{ client: Client; database: unknown; uri: string }> {
  const client = new Client();
  context.after(async () => {
    client.input.end();
    await client.ended.catch(() => {});
  });
  const uri = `memory://stdio-${++stores}`;
  const { database } = await client.ask({ op: 'open', uri });
  return { client, database, uri };
}

const ENDLESS = 'UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a WHERE a < 0 RETURN count(*)';

test('a query answers its rows as typed JSON, and what it wrote', async (context) => {
  const { client, database } = await connect(context);
  const params = { day: { $: 'date', value: '2024-02-29' }, bytes: { $: 'bytes', value: 'AAE=' }, big: 1 };
  const query = 'CREATE (n:N {day: $day, bytes: $bytes}) RETURN n.day, n.bytes, $big + 0.0, {`$`: 1} AS map';
  const answer = await client.ask({ op: 'query', database, query, params });
  assert.deepEqual(answer.rows, [[params.day, params.bytes, 1, { $: 'map', value: [['$', 1]] }]]);
  assert.deepEqual(answer.columns, ['n.day', 'n.bytes', '$big + 0.0', 'map']);
  assert.equal((answer.write_outcome as { nodes_created: number }).nodes_created, 1);
  const many = await client.ask({ op: 'query', database, query: 'UNWIND range(1, 300000) AS i RETURN i' });
  assert.equal(many.rows.length, 300_000);
  assert.deepEqual(many.rows[299_999], [300_000]);
});

test('a stream sends a batch for every one that is asked for', async (context) => {
  const { client, database } = await connect(context);
  const { id, answer } = client.send({ op: 'stream', database, query: 'UNWIND range(1, 5000) AS i RETURN i' });
  let isEnded = false;
  void answer.then(() => (isEnded = true));
  client.tell({ id, op: 'next' });
  while ((client.rows.get(id) ?? []).length < 2) await new Promise(setImmediate);
  await client.ask({ op: 'status', database });
  const sent = client.rows.get(id)!.length;
  assert.ok(sent < 5000 && !isEnded);
  while (!isEnded) {
    client.tell({ id, op: 'next' });
    await new Promise(setImmediate);
  }
  assert.deepEqual(client.rows.get(id), ['i', ...Array.from({ length: 5000 }, (_, i) => [i + 1])]);
});

test('cancel stops a request; others go on beside it', async (context) => {
  const { client, database } = await connect(context);
  const { id, answer } = client.send({ op: 'query', database, query: ENDLESS });
  assert.deepEqual((await client.ask({ op: 'query', database, query: 'RETURN 1' })).rows, [[1]]);
  client.tell({ id, op: 'cancel' });
  assert.equal((await answer).code, 'CANCELLED');
  const limited = await client.ask({ op: 'query', database, query: ENDLESS, timeout_ms: 20 });
  assert.equal(limited.code, 'QUERY_TIMEOUT');
});

test('a transaction whose commit is refused does not keep the writer', async (context) => {
  const { client, database } = await connect(context);
  const { transaction } = await client.ask({ op: 'begin', database, mode: 'write' });
  const running = client.ask({ op: 'query', transaction, query: 'UNWIND range(1, 1000000) AS x WITH x WHERE x < 0 CREATE (:N {x: x})' });
  assert.equal((await client.ask({ op: 'commit', transaction }))['code'], 'BAD_REQUEST');
  await running;
  assert.equal((await client.ask({ op: 'query', database, query: 'CREATE (:Next)', timeout_ms: 5_000 }))['code'], undefined);
});

test('a stream of a transaction that is left ends before the next statement, and its transaction goes on', async (context) => {
  const { client, database } = await connect(context);
  const { transaction } = await client.ask({ op: 'begin', database, mode: 'write' });
  await client.ask({ op: 'query', transaction, query: 'UNWIND range(1, 5000) AS i CREATE (:N {i: i})' });
  const { id, answer } = client.send({ op: 'stream', transaction, query: 'MATCH (n:N) RETURN n.i AS i' });
  client.tell({ id, op: 'next' });
  while ((client.rows.get(id) ?? []).length < 2) await new Promise(setImmediate);
  client.tell({ id, op: 'cancel' });
  const next = client.send({ op: 'query', transaction, query: 'CREATE (:After)' });
  assert.equal((await answer)['code'], 'CANCELLED');
  assert.equal((await next.answer)['code'], undefined);
  assert.equal((await client.ask({ op: 'commit', transaction }))['code'], undefined);
  assert.deepEqual((await client.ask({ op: 'query', database, query: 'MATCH (n) RETURN count(*)' })).rows, [[5001]]);
});

test('what a closed database refuses is not worth repeating', async (context) => {
  const { client, database } = await connect(context);
  await client.ask({ op: 'begin', database, mode: 'write' });
  const waiting = client.ask({ op: 'begin', database, mode: 'write' });
  void client.ask({ op: 'close', database });
  const { code, retriable } = await waiting;
  assert.deepEqual([code, retriable], ['SHUTTING_DOWN', false]);
});

test('transactions commit or roll back, and end with the session', async (context) => {
  const { client, database, uri } = await connect(context);
  const begin = async () => (await client.ask({ op: 'begin', database, mode: 'write' })).transaction;
  const first = await begin();
  await client.ask({ op: 'query', transaction: first, query: 'CREATE (:N)' });
  await client.ask({ op: 'commit', transaction: first });
  const second = await begin();
  await client.ask({ op: 'query', transaction: second, query: 'CREATE (:N)' });
  await client.ask({ op: 'rollback', transaction: second });
  assert.equal((await client.ask({ op: 'query', transaction: second, query: 'RETURN 1' })).code, 'ARGUMENT_ERROR');
  const third = await begin();
  await client.ask({ op: 'query', transaction: third, query: 'CREATE (:N)' });
  client.send({ op: 'query', database, query: ENDLESS });
  client.input.end();
  await client.ended;

  const later = new Client();
  const { database: again } = await later.ask({ op: 'open', uri, read_only: true });
  assert.deepEqual((await later.ask({ op: 'query', database: again, query: 'MATCH (n) RETURN count(*)' })).rows, [[1]]);
  later.input.end();
  await later.ended;
});

test('what cannot be done is answered with a code and a place', async (context) => {
  const { client, database } = await connect(context);
  const fault = await client.ask({ op: 'query', database, query: 'RETURN x' });
  assert.deepEqual([fault.code, fault.line, fault.column], ['SEMANTIC_ERROR', 1, 8]);
  assert.equal((await client.ask({ op: 'open', uri: 'nowhere://x' })).code, 'ARGUMENT_ERROR');
  assert.equal((await client.ask({ op: 'dance' })).code, 'BAD_REQUEST');
  assert.equal((await client.ask({ op: 'query', database: 99, query: 'RETURN 1' })).code, 'ARGUMENT_ERROR');
  assert.equal(
    (await client.ask({ op: 'query', database, query: 'RETURN $p', params: { p: { $: 'date', value: 'x' } } })).code,
    'ARGUMENT_ERROR',
  );
  assert.equal((await client.ask({ op: 'query', database, query: 'RETURN $p', params: { p: 2 ** 63 } })).code, 'ARGUMENT_ERROR');
  const flushed = await client.ask({ op: 'flush', database });
  assert.equal(typeof flushed.ssts_written, 'number');
  await client.ask({ op: 'close', database });
  assert.equal((await client.ask({ op: 'flush', database })).code, 'ARGUMENT_ERROR');
});

test('a statement that reads is told as SQL', async (context) => {
  const { client, database } = await connect(context);
  await client.ask({ op: 'query', database, query: 'CREATE (:P {i: 1})' });
  const query = 'MATCH (p:P) WHERE p.i = $i RETURN p.i';
  const answer = await client.ask({ op: 'sql', database, query, params: { i: 1 }, dialect: 'spark', prefix: 'own_' });
  assert.match(answer['sql'] as string, /FROM own_nodes_1/);
  assert.deepEqual(answer['sources'], [
    { name: 'own_nodes_1', labels: ['P'], type: null, columns: ['<ordinal>', '<id>', '<labels>', 'i'] },
  ]);
  assert.equal((await client.ask({ op: 'sql', database, query, dialect: 'spark' })).code, 'PARAMETER_MISSING');
  assert.equal((await client.ask({ op: 'sql', database, query, dialect: 'pig' })).code, 'ARGUMENT_ERROR');
  assert.equal((await client.ask({ op: 'sql', database, query: 'CREATE (:P)', dialect: 'duckdb' })).code, 'UNSUPPORTED');
});

test('frames come back whole, however the pipe cuts them', async () => {
  const frame = fc.record({ header: fc.string({ unit: 'grapheme' }), body: fc.uint8Array({ maxLength: 50 }) }, { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), async (frames, size) => {
      const pipe = new PassThrough();
      for (const { header, body } of frames) await writeFrame(pipe, header, body);
      pipe.end();
      const bytes = Buffer.concat(await pipe.toArray());
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
      const read = await Array.fromAsync(
        readFrames(
          (async function* () {
            yield* chunks;
          })(),
        ),
        ({ header, body }) => ({ header, body: new Uint8Array(body) }),
      );
      assert.deepEqual(read, frames);
    }),
  );
});

test('an input that ends inside a frame, or tells of one too large, is refused', async () => {
  const read = (bytes: number[]) =>
    Array.fromAsync(
      readFrames(
        (async function* () {
          yield Uint8Array.from(bytes);
        })(),
      ),
    );
  await assert.rejects(read([1, 0, 0, 0, 0, 0, 0, 0]), { code: 'BAD_REQUEST' });
  await assert.rejects(read([255, 255, 255, 255, 0, 0, 0, 0]), { code: 'BAD_REQUEST' });
});

test('an input that ends ends a session in which one transaction waits for another', async (context) => {
  const { client, database } = await connect(context);
  assert.ok((await client.ask({ op: 'begin', database, mode: 'write' })).transaction);
  const second = client.send({ op: 'begin', database, mode: 'write' });
  client.input.end();
  await client.ended;
  assert.equal((await second.answer).code, 'CANCELLED');
});

test('who waits for a pipe leaves no listener behind', async () => {
  const pipe = new PassThrough({ highWaterMark: 16 });
  const before = pipe.listenerCount('close') + pipe.listenerCount('drain') + pipe.listenerCount('error');
  const frames: string[] = [];
  const reading = (async () => {
    for await (const { header } of readFrames(pipe)) frames.push(header);
  })();
  for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 20 }, () => writeFrame(pipe, 'x'.repeat(100), Buffer.alloc(100))));
  pipe.end();
  await reading;
  assert.equal(frames.length, 400);
  assert.ok(pipe.listenerCount('close') + pipe.listenerCount('drain') + pipe.listenerCount('error') <= before + 3);
});
