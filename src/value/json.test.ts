/** JSON out and in: exact numbers, shapes, and refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { GraphDBError } from '../base/index.ts';
import {
  durationFrom,
  fromTypedJson,
  fromTypedMap,
  fromTypedMapInParts,
  fromTypedResult,
  INT64_MAX,
  INT64_MIN,
  integerOfDigits,
  JsonReader,
  makeFloat,
  Node,
  Path,
  parseJson,
  parseJsonParameters,
  parseTemporal,
  Relationship,
  type ResultValue,
  type Value,
  type ValueMap,
  writeJson,
  writeJsonParts,
} from './index.ts';
import { float, integer, storedValue, text } from './testing/arbitraries.ts';

test('Integers, Floats, text, lists and maps come back as they were', () => {
  const finite = float.filter((value) => !(typeof value === 'number' && !Number.isFinite(value)));
  const json = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      integer,
      finite,
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => assert.deepEqual(parseJson(writeJson(value as ResultValue)), value)),
    { numRuns: 1000 },
  );
});

test('whatever a value is, its JSON is JSON', () => {
  fc.assert(
    fc.property(storedValue, (value) => void JSON.parse(writeJson(value as ResultValue))),
    { numRuns: 500 },
  );
});

test('our parser agrees with JSON.parse on what JSON is', () => {
  const nearly = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '\\',
      'n',
      'u0041',
      '1',
      '0',
      '-',
      '.',
      'e',
      '+',
      'true',
      'null',
      ' ',
      '\n',
      '\u0001',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(nearly, (parts) => {
      const source = parts.join('');
      assert.equal(
        accepts(() => parseJson(source)),
        accepts(() => JSON.parse(source)),
        source,
      );
    }),
    { numRuns: 3000 },
  );
});

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

test('64-bit Integers are exact both ways, beyond them is an error', () => {
  assert.equal(writeJson(INT64_MAX), '9223372036854775807');
  assert.equal(parseJson('9223372036854775807'), INT64_MAX);
  assert.equal(parseJson('-9223372036854775808'), INT64_MIN);
  assert.equal(parseJson('9007199254740993'), 9007199254740993n);
  assert.ok(Object.is(parseJson('-0'), 0));
  assert.throws(() => parseJson('9223372036854775808'), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => parseJson('1e999'), { code: 'ARGUMENT_ERROR' });
});

test('a fraction or an exponent makes a Float, and a Float keeps its point', () => {
  assert.deepEqual(parseJson('1.0'), makeFloat(1));
  assert.deepEqual(parseJson('1e2'), makeFloat(100));
  assert.equal(writeJson(makeFloat(1)), '1.0');
  assert.equal(writeJson(makeFloat(-0)), '-0.0');
  assert.equal(writeJson(2 ** 60), '1152921504606847000.0');
  assert.equal(writeJson(1e21), '1e+21');
  assert.equal(writeJson(Number.NaN), 'null');
  assert.equal(writeJson(-Infinity), 'null');
});

test('text must be whole Unicode', () => {
  assert.equal(parseJson('"\\ud83d\\ude00"'), '😀');
  for (const source of ['"\\ud800"', '"\\udc00x"', '"\ud800"', '{"\\ud800":1}'])
    assert.throws(() => parseJson(source), { code: 'ARGUMENT_ERROR' }, source);
});

test('members: the last of a name counts, and no name is special', () => {
  assert.deepEqual(parseJson('{"a":1,"a":2}'), new Map([['a', 2]]));
  assert.deepEqual(parseJson('{"__proto__":{"x":1}}'), new Map([['__proto__', new Map([['x', 1]])]]));
  assert.equal(writeJson(new Map([['__proto__', 1]])), '{"__proto__":1}');
});

test('members that nobody asks for must be JSON, and may hold what is no value', () => {
  const members = (text: string) => {
    const reader = new JsonReader(text, { names: new Set(['a']) });
    assert.ok(reader.read(Number.POSITIVE_INFINITY));
    return reader.value;
  };
  assert.deepEqual(members('{"b":[9223372036854775808,1e999,"\\ud800",{"a":2}],"a":1}'), new Map([['a', 1]]));
  assert.deepEqual(members('[{"a":1}]'), [new Map([['a', 1]])]);
  assert.throws(() => members('{"b":[1,],"a":1}'), { code: 'BAD_REQUEST' });
  assert.throws(() => members('{"b":1e999,"a":1e999}'), { code: 'ARGUMENT_ERROR' });
});

test('a text is read in pieces of any length as it is at once, faults and their places included', () => {
  const outcome = (read: () => Value): unknown => {
    try {
      return read();
    } catch (error) {
      return error instanceof GraphDBError ? [error.code, error.message] : error;
    }
  };
  const pieces = [
    '{"a":',
    '[',
    ']',
    '}',
    ',',
    '1',
    '-2.5e3',
    '"x\\n\\u00e9"',
    '"é',
    '"',
    ' ',
    '\n',
    'true',
    'nul',
    '\\',
    '12345678901234567',
    '\t',
  ];
  const texts = fc.oneof(
    fc.json(),
    fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, characters) => {
      const inPieces = outcome(() => {
        const reader = new JsonReader(text);
        while (!reader.read(characters));
        return reader.value;
      });
      assert.deepEqual(
        inPieces,
        outcome(() => parseJson(text)),
      );
    }),
  );
});

test('values are charged as they are read', () => {
  const list = `[${'{"a":"text"},'.repeat(1_000)}1]`;
  const bounded = (maxBytes: number) => new JsonReader(list, { maxBytes }).read(Number.POSITIVE_INFINITY);
  assert.ok(bounded(200_000));
  assert.throws(() => bounded(100_000), { code: 'MEMORY_LIMIT' });
});

test('depth is limited, and errors say where', () => {
  assert.throws(() => parseJson('['.repeat(100_000)), { code: 'BAD_REQUEST', message: /nested/ });
  assert.throws(() => parseJson('{"a":\n  x}'), { code: 'BAD_REQUEST', message: /line 2, column 3/ });
  assert.throws(() => parseJson(''), { code: 'BAD_REQUEST' });
});

test('parameters are an object or nothing', () => {
  assert.deepEqual(parseJsonParameters('null'), new Map());
  assert.deepEqual(parseJsonParameters('{"x":[1]}'), new Map([['x', [1]]]));
  assert.throws(() => parseJsonParameters('[1]'), { code: 'BAD_REQUEST' });
});

test('nodes, relationships, paths, bytes and vectors have their shapes', () => {
  const a = new Node('n1', 1, ['A', 'B'], new Map<string, Value>([['x', makeFloat(1)]]));
  const b = new Node('n2', 2, [], new Map());
  const r = new Relationship({
    id: 'r1',
    ordinal: 1,
    type: 'T',
    sourceId: 'n1',
    targetId: 'n2',
    sourceOrdinal: 1,
    targetOrdinal: 2,
    properties: new Map([['since', 5]]),
  });
  const nodeA = '{"_kind":"node","id":"n1","label":"A","labels":["A","B"],"properties":{"x":1.0}}';
  const nodeB = '{"_kind":"node","id":"n2","label":"","labels":[],"properties":{}}';
  const rel = '{"_kind":"rel","id":"r1","edge_type":"T","src":"n1","dst":"n2","properties":{"since":5}}';
  assert.equal(writeJson(new Path([a, b], [r])), `[${nodeA},${rel},${nodeB}]`);
  assert.equal(writeJson(Uint8Array.of(1, 2, 255)), '"AQL/"');
  assert.equal(writeJson(Float32Array.of(1, 0.5)), '[1.0,0.5]');
});

test('temporal values are ISO 8601, DateTime RFC 3339', () => {
  const json = (kind: Parameters<typeof parseTemporal>[0], source: string): string => writeJson(parseTemporal(kind, source));
  assert.equal(json('date', '2024-02-29'), '"2024-02-29"');
  assert.equal(json('datetime', '2024-02-29T12:00Z'), '"2024-02-29T12:00:00Z"');
  assert.equal(json('datetime', '2024-07-01T12:00:01.5[Europe/Stockholm]'), '"2024-07-01T12:00:01.500+02:00"');
  assert.equal(json('datetime', '2024-02-29T12:00:00+01:00:30'), '"2024-02-29T10:59:30Z"');
  assert.equal(json('localtime', '12:00'), '"12:00:00"');
});

test('every value that can be stored comes back from typed JSON as it was', () => {
  fc.assert(
    fc.property(storedValue, (value) => {
      const json = writeJson(value as ResultValue, 'typed');
      // The offsets of these date-times are random, not those of their zones.
      fc.pre(!/"datetime","value":"[^"]*\[/.test(json));
      assert.deepEqual(fromTypedResult(parseJson(json)), value);
    }),
    { numRuns: 1000 },
  );
  const map: Value = new Map<string, Value>([
    ['zoned', parseTemporal('datetime', '2024-07-01T12:00+02:00[Europe/Stockholm]')],
    ['$', 'date'],
    ['value', new Map([['$', makeFloat(Number.NaN)]])],
  ]);
  assert.deepEqual(fromTypedJson(parseJson(writeJson(map as ResultValue, 'typed'))), map);
});

test('a typed vector holds finite numbers of 32 bits; in a result, it may be older and hold others', () => {
  for (const component of ['1e39', '-1e300', '{"$":"float","value":"Infinity"}', '{"$":"float","value":"NaN"}']) {
    const json = parseJson(`[{"$":"map","value":[["a",{"b":{"$":"vector","value":[1,${component}]}}]]}]`);
    assert.throws(() => fromTypedJson(json), { code: 'ARGUMENT_ERROR', message: /finite numbers of 32 bits/ });
    assert.throws(() => fromTypedMap(new Map([['a', json]])), { code: 'ARGUMENT_ERROR' });
    assert.throws(() => [...fromTypedMapInParts(new Map([['a', json]]))], { code: 'ARGUMENT_ERROR' });
    const [map] = fromTypedResult(json) as [ValueMap];
    const vector = (map.get('a') as ValueMap).get('b') as Float32Array;
    assert.deepEqual([vector[0], Number.isFinite(vector[1])], [1, false]);
  }
});

test('in parts, a long list of any values is the same text as in one piece', () => {
  const half = fc.constantFrom<Value[]>('\ud800', '\udc00x', 'x'.repeat(128), 'é'.repeat(129), 'x'.repeat(50_000));
  const item = fc.oneof(integer, float, text, half, storedValue, fc.constantFrom(null, true));
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 40 }), fc.integer({ min: 513, max: 1600 }), (some, length) => {
      // Runs of one kind of item, and of all kinds.
      const list = Array.from({ length }, (_, i) => some[i < 600 ? 0 : i % some.length]!) as ResultValue[];
      for (const form of ['plain', 'typed'] as const) assert.equal([...writeJsonParts(list, form)].join(''), writeJson(list, form));
    }),
    { numRuns: 200 },
  );
});

test('typed JSON that says nothing is refused', () => {
  const refused = [
    '{"$":"date","value":"x"}',
    '{"$":"date"}',
    '{"$":"moon","value":1}',
    '{"$":7}',
    '{"$":"float","value":"1"}',
    '{"$":"map","value":{}}',
    '{"$":"bytes","value":"!!!"}',
    '{"$":"bytes","value":"AQL"}',
    '{"$":"bytes","value":"AQL_"}',
    '{"$":"map","value":[["a"]]}',
  ];
  for (const text of [...refused, '{"$":"vector","value":["a"]}']) {
    assert.throws(() => fromTypedJson(parseJson(text)), { code: 'ARGUMENT_ERROR' }, text);
  }
});

test('digits are counted before they are read', () => {
  assert.deepEqual(
    ['0', '-0', '+7', '0000000000000000000000000000000012', '9223372036854775807', '-9223372036854775808'].map(integerOfDigits),
    [0n, 0n, 7n, 12n, INT64_MAX, INT64_MIN],
  );
  assert.deepEqual(['9223372036854775808', '-9223372036854775809', '1'.padEnd(100_000, '0')].map(integerOfDigits), [null, null, null]);
});

test('a number or a date that is far too long is refused in a short message', () => {
  const digits = '9'.repeat(100_000);
  for (const refuse of [
    () => parseJson(digits),
    () => parseJson(`${digits}.5`),
    () => parseTemporal('date', digits),
    () => parseTemporal('datetime', `2020-01-01T00:00[${digits}]`),
    () => durationFrom(digits),
    () => durationFrom(`P${digits}D`),
  ])
    assert.throws(
      refuse,
      (error: GraphDBError) => ['ARGUMENT_ERROR', 'ARITHMETIC_ERROR'].includes(error.code) && error.message.length < 500,
    );
});
