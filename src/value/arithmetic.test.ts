/** Arithmetic against a model on bigints and doubles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  add,
  CypherDate,
  CypherFloat,
  divide,
  INT64_MAX,
  INT64_MIN,
  type Integer,
  isFloat,
  isInteger,
  makeFloat,
  modulo,
  multiply,
  negate,
  power,
  subtract,
  toNumber,
  type Value,
} from './index.ts';
import { float, integer } from './testing/arbitraries.ts';

type Binary = (a: Value, b: Value) => Value;

/** Returns the result of the operation, or the code of its error. */
function outcome(compute: () => Value): Value {
  try {
    return compute();
  } catch (error) {
    return `error ${(error as { code: string }).code}`;
  }
}

function expectedInteger(exact: bigint): Value {
  if (exact > INT64_MAX || exact < INT64_MIN) return 'error ARITHMETIC_ERROR';
  return BigInt.asIntN(53, exact) === exact || (exact >= -(2n ** 53n) + 1n && exact < 2n ** 53n) ? Number(exact) : exact;
}

const INTEGER_MODEL: readonly (readonly [string, Binary, (a: bigint, b: bigint) => bigint])[] = [
  ['add', add, (a, b) => a + b],
  ['subtract', subtract, (a, b) => a - b],
  ['multiply', multiply, (a, b) => a * b],
  ['divide', divide, (a, b) => a / b],
  ['modulo', modulo, (a, b) => a % b],
];

for (const [name, compute, model] of INTEGER_MODEL) {
  test(`${name} of Integers is exact, and an error beyond 64 bits or by zero`, () => {
    const check = (a: Integer, b: Integer): void => {
      const exact = b === 0 && (name === 'divide' || name === 'modulo') ? null : model(BigInt(a), BigInt(b));
      const expected = exact === null ? 'error ARITHMETIC_ERROR' : expectedInteger(exact);
      const actual = outcome(() => compute(a, b));
      assert.ok(Object.is(actual, expected), `${a} ${b}: ${actual}, not ${expected}`);
    };
    fc.assert(fc.property(integer, integer, check), { numRuns: 2000 });
    fc.assert(fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), check), { numRuns: 1000 });
  });
}

const FLOAT_MODEL: readonly (readonly [string, Binary, (a: number, b: number) => number])[] = [
  ['add', add, (a, b) => a + b],
  ['subtract', subtract, (a, b) => a - b],
  ['multiply', multiply, (a, b) => a * b],
  ['divide', divide, (a, b) => a / b],
  ['modulo', modulo, (a, b) => a % b],
  ['power', power, (a, b) => a ** b],
];

for (const [name, compute, model] of FLOAT_MODEL) {
  test(`${name} with a Float is a Float`, () => {
    fc.assert(
      fc.property(float, fc.oneof(float, integer), fc.boolean(), (a, b, swapped) => {
        const [left, right] = swapped ? [b, a] : [a, b];
        const result = compute(left, right);
        assert.ok(isFloat(result) && !isInteger(result));
        assert.ok(Object.is(toNumber(result), model(toNumber(left as number), toNumber(right as number))));
      }),
      { numRuns: 1000 },
    );
  });
}

test('a result is in canonical form', () => {
  assert.deepEqual(add(0.5, 0.5), new CypherFloat(1));
  assert.equal(subtract(2n ** 53n, 1), 2 ** 53 - 1);
  assert.equal(add(2 ** 53 - 1, 1), 2n ** 53n);
  assert.ok(Object.is(multiply(-1, 0), 0));
  assert.ok(Object.is(divide(0, -5), 0));
  assert.ok(Object.is(modulo(-4, 2), 0));
  assert.ok(Object.is(negate(0), 0));
  assert.deepEqual(negate(makeFloat(0)), new CypherFloat(-0));
  assert.equal(
    outcome(() => negate(INT64_MIN)),
    'error ARITHMETIC_ERROR',
  );
  assert.deepEqual(power(2, 3), new CypherFloat(8));
});

test('division of Integers drops the fraction; by zero only a Float has a quotient', () => {
  assert.equal(divide(-7, 2), -3);
  assert.equal(divide(9007199254740991, 2), 4503599627370495);
  assert.equal(divide(1, makeFloat(0)), Infinity);
  assert.ok(Number.isNaN(divide(makeFloat(0), 0) as number));
});

test('null on either side gives null', () => {
  for (const compute of [add, subtract, multiply, divide, modulo, power]) {
    assert.equal(compute(null, 1), null);
    assert.equal(compute('a', null), null);
  }
  assert.equal(negate(null), null);
});

test('text takes numbers, Booleans and dates beside it', () => {
  assert.equal(add('a', 1), 'a1');
  assert.equal(add(1, 'a'), '1a');
  assert.equal(add('a', makeFloat(1)), 'a1.0');
  assert.equal(add('a', makeFloat(1.5e10)), 'a1.5E10');
  assert.equal(add('a', true), 'atrue');
  assert.equal(add('on ', new CypherDate(0)), 'on 1970-01-01');
  assert.equal(add('a', 2n ** 60n), 'a1152921504606846976');
});

test('a list that would be longer than memory should hold is refused before it is made', () => {
  const [half, whole] = [new Array(60_000_000), new Array(100_000_000)]; // Without elements: they take no memory.
  for (const [a, b] of [
    [half, half],
    [whole, 1],
    [1, whole],
  ] as const)
    assert.throws(() => add(a, b), { code: 'MEMORY_LIMIT' });
});

test('lists join lists and take elements at both ends', () => {
  assert.deepEqual(add([1], [2]), [1, 2]);
  assert.deepEqual(add([1], 2), [1, 2]);
  assert.deepEqual(add(0, [1]), [0, 1]);
  assert.deepEqual(add([[1]], new Map()), [[1], new Map()]);
});

test('operands that do not fit are a TypeError', () => {
  for (const compute of [
    () => add(true, 1),
    () => subtract('a', 'b'),
    () => multiply([1], 2),
    () => divide(new Map(), 1),
    () => add('a', new Map()),
    () => negate('a'),
  ]) {
    assert.equal(outcome(compute), 'error TYPE_ERROR');
  }
});
