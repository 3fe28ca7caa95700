/** For tests: arbitrary values of every type, weighted towards the edges of their representations. */
import * as fc from 'fast-check';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  INT64_MAX,
  INT64_MIN,
  type Integer,
  makeFloat,
  makeInteger,
  NodeValue,
  PathValue,
  Point,
  RelationshipValue,
  type Value,
} from '../index.ts';

const EDGES = [
  0n,
  1n,
  -1n,
  63n,
  64n,
  127n,
  128n,
  2n ** 31n,
  2n ** 32n,
  2n ** 52n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 62n,
  INT64_MAX,
  INT64_MIN,
];

export const integer: fc.Arbitrary<Integer> = fc
  .oneof(
    fc.constantFrom(...EDGES, ...EDGES.map((edge) => (edge === INT64_MIN ? edge : -edge))),
    fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    fc.bigInt(-100n, 100n),
  )
  .map(makeInteger);

export const float: fc.Arbitrary<Value> = fc
  .oneof(
    fc.constantFrom(0, -0, 1, -1, 0.5, 2 ** 53, -(2 ** 53), 2 ** 62, 2 ** 63, Number.NaN, Infinity, -Infinity, 1e308, 5e-324),
    fc.double(),
    fc.integer(),
  )
  .map(makeFloat);

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'ab', '\u0001', '\u0001sx', '\uffff', '😀', 'é', 'x'.repeat(70)),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const nanoOfDay = fc.oneof(fc.constantFrom(0, 1, 86_399_999_999_999, 43_200e9), fc.integer({ min: 0, max: 86_399_999_999_999 }));
const epochDay = fc.oneof(fc.integer({ min: -1000, max: 40_000 }), fc.constantFrom(-365_243_219_162, 365_241_780_471));
const offset = fc.constantFrom(0, 3600, -3600, 20_700, 64_800, -64_800, 3208);

export const temporal: fc.Arbitrary<Value> = fc.oneof(
  epochDay.map((day) => new CypherDate(day)),
  nanoOfDay.map((nanos) => new CypherLocalTime(nanos)),
  fc.tuple(nanoOfDay, offset).map(([nanos, seconds]) => new CypherTime(nanos, seconds)),
  fc.tuple(epochDay, nanoOfDay).map(([day, nanos]) => new CypherLocalDateTime(day, nanos)),
  fc
    .tuple(epochDay, nanoOfDay, offset, fc.constantFrom(null, 'Europe/Stockholm', 'Asia/Tokyo'))
    .map((parts) => new CypherDateTime(...parts)),
  fc.tuple(fc.integer(), fc.integer(), integer, fc.integer({ min: 0, max: 999_999_999 })).map((parts) => new CypherDuration(...parts)),
);

const coordinate = fc.oneof(fc.constantFrom(0, -0, 1, -1, 0.1, 5e-324, 1e308, -1e308), fc.double({ noNaN: true, noDefaultInfinity: true }));
const longitude = fc.oneof(fc.constantFrom(0, -0, 180, -180, 179.9, -179.9), fc.double({ min: -180, max: 180, noNaN: true }));
const latitude = fc.oneof(fc.constantFrom(0, -0, 90, -90), fc.double({ min: -90, max: 90, noNaN: true }));

export const point: fc.Arbitrary<Point> = fc.oneof(
  fc.tuple(coordinate, coordinate).map(([x, y]) => new Point(7203, x, y)),
  fc.tuple(coordinate, coordinate, coordinate).map((parts) => new Point(9157, ...parts)),
  fc.tuple(longitude, latitude).map(([x, y]) => new Point(4326, x, y)),
  fc.tuple(longitude, latitude, coordinate).map((parts) => new Point(4979, ...parts)),
);

/** Scalars that a property can hold, Bytes and Vector included. */
export const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.boolean(),
  integer,
  float,
  text,
  temporal,
  point,
  fc.uint8Array({ maxLength: 8 }).map((bytes) => new Uint8Array(bytes)),
  fc.float32Array({ maxLength: 4, noNaN: true }).map((components) => new Float32Array(components)),
);

const ordinal = fc.nat(3);
const relationship = fc.tuple(fc.nat(2), ordinal).map(([type, row]) => new RelationshipValue(type, row, row, row + 1));
const reference: fc.Arbitrary<Value> = fc.oneof(
  ordinal.map((each) => new NodeValue(each)),
  relationship,
  fc.array(relationship, { maxLength: 2 }).map((steps) => new PathValue([0, ...steps.map((step) => step.row)], steps)),
);

/** Values without references into the graph, nested a few levels deep. */
export const storedValue: fc.Arbitrary<Value> = nested(fc.oneof(fc.constant(null), scalar));
/** Values of every kind, with references into the graph. */
export const anyValue: fc.Arbitrary<Value> = nested(fc.oneof(fc.constant(null), scalar, reference));

function nested(leaf: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .dictionary(fc.constantFrom('a', 'b', '__proto__', ''), tie('value'), { maxKeys: 3 })
        .map((entries) => new Map(Object.entries(entries))),
    ),
  })).value;
}
