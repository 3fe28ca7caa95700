/** Values to JavaScript and back: exact, and refused with a place where there is no Cypher value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import * as cypher from '../value/index.ts';
import { open } from './database.ts';
import { float, fromParameters, Node, type Parameters, Path, Relationship, toGraphValue } from './values.ts';

test('scalars, lists and maps go in as canonical values', () => {
  const params = fromParameters({
    integer: 3,
    fraction: 0.5,
    big: 9223372036854775807n,
    small: 7n,
    float: float(1),
    minusZero: -0,
    huge: 1e300,
    list: [1, null, undefined, 'x'],
    map: { a: { b: true } },
    mapped: new Map([['k', 1]]),
    bare: Object.assign(Object.create(null), { x: 1 }),
    left: undefined,
    bytes: Buffer.from([1, 2]),
    vector: new Float32Array([0.5]),
    date: new cypher.CypherDate(1),
    point: new cypher.Point(4326, 1, -0),
    instant: new Date('1969-12-31T23:59:59.999Z'),
  });
  const expected = new Map<string, cypher.Value>([
    ['integer', 3],
    ['fraction', 0.5],
    ['big', 9223372036854775807n],
    ['small', 7],
    ['float', new cypher.CypherFloat(1)],
    ['minusZero', new cypher.CypherFloat(-0)],
    ['huge', 1e300],
    ['list', [1, null, null, 'x']],
    ['map', new Map([['a', new Map([['b', true]])]])],
    ['mapped', new Map([['k', 1]])],
    ['bare', new Map([['x', 1]])],
    ['bytes', new Uint8Array([1, 2])],
    ['vector', new Float32Array([0.5])],
    ['date', new cypher.CypherDate(1)],
    ['point', new cypher.Point(4326, 1, -0)],
    ['instant', new cypher.CypherDateTime(-1, 86_399_999_000_000, 0, null)],
  ]);
  assert.deepEqual(params, expected);
  assert.deepEqual(fromParameters(new Map([['m', 1]])), new Map([['m', 1]]));
});

test('__proto__ goes in and comes out as a key', () => {
  const params = fromParameters(JSON.parse('{"m":{"__proto__":{"x":1}}}') as Parameters);
  assert.deepEqual(params.get('m'), new Map([['__proto__', new Map([['x', 1]])]]));
  const object = toGraphValue(params.get('m') as cypher.ResultValue) as Record<string, unknown>;
  assert.deepEqual(Object.keys(object), ['__proto__']);
  assert.equal(JSON.stringify(object), '{"__proto__":{"x":1}}');
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
});

test('what has no value is refused, with its place', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const refused: [unknown, RegExp][] = [
    [{ a: [1, () => 1] }, /^params\.a\[1\] is a function/],
    [{ a: { b: Symbol('x') } }, /^params\.a\.b is a symbol/],
    [{ a: 2n ** 63n }, /^params\.a does not fit in 64 bits/],
    [{ a: '\ud800' }, /^params\.a is a string with half a surrogate/],
    [{ a: { '\ud800': 1 } }, /^params\.a has a key with half a surrogate/],
    [{ a: new Set() }, /^params\.a is a Set/],
    [{ a: new Date(Number.NaN) }, /^params\.a is an invalid Date/],
    [{ a: new Map([[1, 1]]) }, /^params\.a is a Map with a key/],
    [{ a: new Node('1', [], {}) }, /^params\.a is a Node/],
    [{ a: cycle }, /nested too deeply/],
    [['a'], /^params must be an object/],
  ];
  for (const [parameters, message] of refused) {
    assert.throws(
      () => fromParameters(parameters as Parameters),
      (error) => error instanceof GraphDBError && error.code === 'ARGUMENT_ERROR' && message.test(error.message),
      String(message),
    );
  }
});

test('entities come out with plain properties', () => {
  const properties = new Map<string, cypher.Value>([['f', new cypher.CypherFloat(1)]]);
  const nodes = [new cypher.Node('a', 0, ['L'], properties), new cypher.Node('b', 1, [], new Map())];
  const relationship = new cypher.Relationship({
    id: 'r',
    ordinal: 0,
    type: 'T',
    sourceId: 'a',
    targetId: 'b',
    sourceOrdinal: 0,
    targetOrdinal: 1,
    properties,
  });
  const path = toGraphValue(new cypher.Path(nodes, [relationship]));
  assert(path instanceof Path);
  assert.deepEqual(path.nodes, [new Node('a', ['L'], { f: 1 }), new Node('b', [], {})]);
  assert.deepEqual(path.relationships, [new Relationship({ id: 'r', type: 'T', sourceId: 'a', targetId: 'b', properties: { f: 1 } })]);
  assert.deepEqual(toGraphValue([new Map([['x', 2n ** 60n]])]), [{ x: 2n ** 60n }]);
});

test('temporal values say what they are, as text and in JSON', async () => {
  await using db = await open('memory://library-temporal-text');
  const { rows } = await db.query("RETURN date('2024-02-29') AS d, duration('P1M2DT3S') AS p, datetime('2024-01-01T00:00Z') AS t");
  assert.deepEqual([String(rows[0]!.d), `${rows[0]!.p}`], ['2024-02-29', 'P1M2DT3S']);
  assert.equal(JSON.stringify(rows), '[{"d":"2024-02-29","p":"P1M2DT3S","t":"2024-01-01T00:00:00Z"}]');
});

test('a point is a class of the package, as parameter, result and property', async () => {
  await using db = await open('memory://library-points');
  const place = new cypher.Point(4979, 12.5, 55, -0);
  const { rows } = await db.query('CREATE (p:Place {at: $place, track: [$place]}) RETURN p.at AS at, p.track AS track, $nested.at.x AS x', {
    place,
    nested: { at: place },
  });
  assert.deepEqual(rows, [{ at: place, track: [place], x: 12.5 }]);
  assert.ok(rows[0]!.at instanceof cypher.Point);
  assert.equal(JSON.stringify(rows[0]!.at), '{"_kind":"point","srid":4979,"x":12.5,"y":55,"z":0}');
  assert.throws(() => new cypher.Point(4326, 0, 90.5), { code: 'ARGUMENT_ERROR' });
});

test('an object without a class is refused as every value without a Cypher form', async () => {
  await using db = await open('memory://library-classless');
  await assert.rejects(db.query('RETURN $x', { x: Object.create(Object.create(null)) }), { code: 'ARGUMENT_ERROR' });
});
