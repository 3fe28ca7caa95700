/** POST /v0/cypher/arrow, read back by Arrow's own library: types, values, nulls, mixed columns, many rows, failures. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordBatchReader, type Table, tableFromIPC } from 'apache-arrow';
import { silentLogger } from '../base/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { encodeArrowStream } from '../result/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  makeFloat,
  Node,
  Point,
  type ResultValue,
} from '../value/index.ts';
import { createFakeEngine } from './engine.fixture.ts';
import { createHttpServer, type HttpServer } from './server.ts';

type Reply = Awaited<ReturnType<HttpServer['inject']>>;

async function answer(columns: string[], ...rows: ResultValue[][]): Promise<Reply> {
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000 });
  server.serve(oneNamespace(createFakeEngine({ execute: () => ({ columns, rows }) })));
  return server.inject({
    method: 'POST',
    url: '/v0/cypher/arrow',
    headers: { 'content-type': 'application/json' },
    payload: '{"query":"q"}',
  });
}

async function column(...values: ResultValue[]): Promise<{ type: string; encoding: string | undefined; values: unknown[] }> {
  const reply = await answer(['c'], ...values.map((value) => [value]));
  assert.equal(reply.statusCode, 200, reply.body);
  assert.equal(reply.headers['content-type'], 'application/vnd.apache.arrow.stream');
  const table: Table = tableFromIPC(reply.rawPayload);
  const field = table.schema.fields[0]!;
  const vector = table.getChildAt(0)!;
  const read = Array.from({ length: table.numRows }, (_, row) => {
    const value: unknown = vector.get(row);
    return typeof value === 'object' && value !== null && 'toArray' in value ? [...(value as unknown as Iterable<unknown>)] : value;
  });
  return { type: String(field.type), encoding: field.metadata.get('graphdb.encoding'), values: read };
}

test('scalars have types of their own, null in each', async () => {
  const plain = { encoding: undefined };
  assert.deepEqual(await column(1, null, 9223372036854775807n), {
    ...plain,
    type: 'Int64',
    values: [1n, null, 9223372036854775807n],
  });
  assert.deepEqual(await column(makeFloat(1), 0.5, null), { ...plain, type: 'Float64', values: [1, 0.5, null] });
  assert.deepEqual(await column(null, 2, 0.5), { ...plain, type: 'Float64', values: [null, 2, 0.5] });
  assert.deepEqual(await column('', null, 'ö😀'), { ...plain, type: 'Utf8', values: ['', null, 'ö😀'] });
  assert.deepEqual(await column(true, null, false), { ...plain, type: 'Bool', values: [true, null, false] });
  assert.deepEqual(await column(Uint8Array.of(1, 2), null), { ...plain, type: 'Binary', values: [Uint8Array.of(1, 2), null] });
  assert.deepEqual(await column(null, null), { ...plain, type: 'Null', values: [null, null] });
});

test('columns keep their names, the empty one too', async () => {
  const reply = await answer(['', 'a b', 'é'], [null, 1, null]);
  const { fields } = tableFromIPC(reply.rawPayload).schema;
  assert.deepEqual(
    fields.map(({ name, nullable }) => [name, nullable]),
    [
      ['', true],
      ['a b', true],
      ['é', true],
    ],
  );
});

test('temporal values', async () => {
  const date = await column(new CypherDate(1), null);
  assert.equal(date.type, 'Date32<DAY>');
  assert.equal(Number(date.values[0]), 86_400_000);
  assert.deepEqual((await column(new CypherLocalTime(7), null)).values, [7n, null]);
  const local = await column(new CypherLocalDateTime(1, 5_000_000), null);
  assert.match(local.type, /^Timestamp<NANOSECOND/);
  assert.equal(Number(local.values[0]), 86_400_005);
  assert.equal(local.values[1], null);
  const instant = await column(new CypherDateTime(0, 0, 3_600, 'Europe/Stockholm'));
  assert.equal(Number(instant.values[0]), -3_600_000);
  const far = await column(new CypherLocalDateTime(100_000_000, 0));
  assert.equal(far.encoding, 'json');
  assert.equal((await column(new CypherDuration(0, 1, 0, 0))).encoding, 'json');
});

test('points are structs, alone and in lists', async () => {
  const { type, encoding, values } = await column(new Point(4326, 12.5, -0), null, new Point(9157, 1, 2, -3));
  assert.equal(type, 'Struct<{srid:Int32, x:Float64, y:Float64, z:Float64}>');
  assert.equal(encoding, undefined);
  const members = values.map((value) => (value === null ? null : (value as { toJSON(): unknown }).toJSON()));
  assert.deepEqual(members, [{ srid: 4326, x: 12.5, y: -0, z: null }, null, { srid: 9157, x: 1, y: 2, z: -3 }]);
  const list = await column([new Point(7203, 1, 2), null], []);
  assert.equal(list.type, 'List<Struct<{srid:Int32, x:Float64, y:Float64, z:Float64}>>');
  assert.equal((await column(new Point(7203, 1, 2), 1)).encoding, 'json');
});

test('lists and vectors', async () => {
  assert.deepEqual(await column([1, null, 2], null, []), { type: 'List<Int64>', encoding: undefined, values: [[1n, null, 2n], null, []] });
  assert.deepEqual((await column([['a'], []], [null])).values.length, 2);
  assert.deepEqual(await column(Float32Array.of(0.5, 1), null), { type: 'List<Float32>', encoding: undefined, values: [[0.5, 1], null] });
});

test('what has no type of its own, or several, is JSON text', async () => {
  const node = new Node('n1', 0, ['A'], new Map([['p', 1]]));
  assert.deepEqual(await column(node, null), {
    type: 'Utf8',
    encoding: 'json',
    values: ['{"_kind":"node","id":"n1","label":"A","labels":["A"],"properties":{"p":1}}', null],
  });
  assert.deepEqual(await column(1, 'x', null, makeFloat(2)), { type: 'Utf8', encoding: 'json', values: ['1', '"x"', null, '2.0'] });
  assert.deepEqual((await column([1, 'x'], null)).values, ['[1,"x"]', null]);
});

test('no rows and no columns are tables too', async () => {
  const empty = tableFromIPC((await answer(['a', 'b'])).rawPayload);
  assert.deepEqual([empty.numRows, empty.schema.names], [0, ['a', 'b']]);
  assert.deepEqual(tableFromIPC((await answer([])).rawPayload).schema.names, []);
});

async function* generated(count: number, value: (row: number) => ResultValue): AsyncGenerator<ResultValue[][], void, void> {
  for (let row = 0; row < count; row += 1_000) {
    yield Array.from({ length: Math.min(1_000, count - row) }, (_, index) => [row + index, value(row + index)]);
  }
}

function streamed(count: number, value: (row: number) => ResultValue): AsyncGenerator<Uint8Array, void, void> {
  return encodeArrowStream({ columns: ['x', 'v'], batches: generated(count, value), summary: () => ({ type: 'read', rows: count }) });
}

test('many rows come in batches, all of them, in order', async () => {
  const reader = await RecordBatchReader.from(streamed(50_000, (row) => (row < 20_000 ? null : row)));
  let next = 0;
  let batches = 0;
  for await (const batch of reader) {
    batches++;
    for (const row of batch) {
      assert.equal(row['x'], BigInt(next));
      assert.equal(row['v'], next < 20_000 ? null : String(next));
      next++;
    }
  }
  assert.equal(next, 50_000);
  assert.ok(batches >= 5);
});

test('a column that changes its type after it was decided ends the stream', async () => {
  const pieces: Uint8Array[] = [];
  await assert.rejects(
    async () => {
      for await (const piece of streamed(50_000, (row) => (row < 40_000 ? row : 'text'))) pieces.push(piece);
    },
    { code: 'TYPE_ERROR', message: /the column "v"/ },
  );
  assert.ok(pieces.length > 3);
});

test('a failure of the statement before any row has a status', async () => {
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000 });
  const reply = await server.inject({
    method: 'POST',
    url: '/v0/cypher/arrow',
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  });
  assert.equal(reply.statusCode, 503);
});
