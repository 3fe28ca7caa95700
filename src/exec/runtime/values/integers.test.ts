import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../../value/index.ts';
import { addInteger, divideInteger, moduloInteger, multiplyInteger, narrow, subtractInteger } from './integers.ts';

const integer = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.bigInt(-10n, 10n), fc.bigInt(2n ** 53n - 4n, 2n ** 53n + 4n));

test('integer arithmetic agrees with BigInt arithmetic, overflow included', () => {
  const operations = [
    { run: addInteger, model: (a: bigint, b: bigint) => a + b },
    { run: subtractInteger, model: (a: bigint, b: bigint) => a - b },
    { run: multiplyInteger, model: (a: bigint, b: bigint) => a * b },
    { run: divideInteger, model: (a: bigint, b: bigint) => (b === 0n ? null : a / b) },
    { run: moduloInteger, model: (a: bigint, b: bigint) => (b === 0n ? null : a % b) },
  ];
  fc.assert(
    fc.property(integer, integer, fc.constantFrom(...operations), (a, b, { run, model }) => {
      const expected = model(a, b);
      if (expected === null || expected > INT64_MAX || expected < INT64_MIN) {
        assert.throws(() => run(narrow(a), narrow(b)), { code: 'ARITHMETIC_ERROR' });
      } else {
        const result = run(narrow(a), narrow(b));
        assert.ok(result === narrow(expected) && !Object.is(result, -0), `${a}, ${b}: ${result}`);
      }
    }),
    { numRuns: 2000 },
  );
});
