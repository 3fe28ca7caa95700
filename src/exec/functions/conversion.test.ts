/** Numbers from long text: what is no number is told in a time that grows with its length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemporal, type Value } from '../../value/index.ts';
import { functions } from './index.ts';
import { testContext } from './testing/expression-evaluator.ts';

const LONG = 10_000_000;

/** With steps that grow as the square of the length each of these would take days. */
const REFUSED = [
  `${'1'.repeat(LONG)}x`,
  `${'0'.repeat(LONG)}.x`,
  `${'0'.repeat(LONG / 2)}.${'0'.repeat(LONG / 2)}x`,
  `1e${'1'.repeat(LONG)}x`,
  `${' '.repeat(LONG)}x`,
  `1${' '.repeat(LONG)}x`,
];

function call(name: string, text: string): Value {
  return functions.get(name)!.evaluate(testContext, text);
}

test('ten million characters that are no number are null for toFloat and toInteger', () => {
  for (const text of REFUSED) for (const name of ['tofloat', 'tointeger']) assert.equal(call(name, text), null);
});

test('ten million characters that are a number are read', () => {
  assert.equal(call('tointeger', `${'0'.repeat(LONG)}7`), 7);
  assert.equal(call('tofloat', `${'0'.repeat(LONG)}.5`)?.valueOf(), 0.5);
});

test('ten million characters that are no date, time or duration are refused', () => {
  for (const text of [...REFUSED, `P${'1'.repeat(LONG)}x`, `PT1.${'1'.repeat(LONG)}x`, `2020-01-01T${'1'.repeat(LONG)}x`]) {
    for (const kind of ['date', 'time', 'localtime', 'datetime', 'localdatetime'] as const) {
      assert.throws(() => parseTemporal(kind, text), { code: 'ARGUMENT_ERROR' });
    }
    assert.throws(() => call('duration', text), { code: 'ARGUMENT_ERROR' });
  }
});

test('toInteger of a decimal text drops its fraction exactly', () => {
  const expected: Readonly<Record<string, Value>> = {
    '9007199254740993.0': 9007199254740993n,
    '9223372036854775806.9': 9223372036854775806n,
    '-9223372036854775808.5': -9223372036854775808n,
    '0.99999999999999999999': 0,
    '-0.5': 0,
    '9.007199254740993e15': 9007199254740993n,
    '1.5e3': 1500,
    '.5e1': 5,
    '12345e-3': 12,
    '7e-400': 0,
    '0e99999999999999999999': 0,
    '000123.': 123,
    '1e18': 1_000_000_000_000_000_000n,
  };
  for (const [text, value] of Object.entries(expected)) assert.equal(call('tointeger', text), value, text);
  for (const text of ['9223372036854775808.0', '1e19', '1e400', `1e${'9'.repeat(400)}`]) {
    assert.throws(() => call('tointeger', text), { code: 'ARITHMETIC_ERROR' });
    assert.equal(call('tointegerornull', text), null);
  }
});
