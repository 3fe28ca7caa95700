/** Large values on their way to another thread. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CypherDate, type Value } from '../../value/index.ts';
import { sealInParts, unsealInParts } from './sealed-values.ts';

function ended<T>(work: Generator<void, T, void>): { result: T; stops: number } {
  for (let stops = 0; ; stops++) {
    const step = work.next();
    if (step.done === true) return { result: step.value, stops };
  }
}

test('a value is sealed and unsealed in parts, and is what it was', () => {
  const list: Value[] = Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? i : [null, new CypherDate(i)]));
  const value: Value[] = [
    list,
    'é😀'.repeat(50_000),
    new Map<string, Value>([
      ['k', list],
      ['', []],
    ]),
    -0,
    2n ** 62n,
  ];
  const { result: sealed, stops } = ended(sealInParts(value));
  assert.ok(stops > 10, `${stops}`);
  assert.deepEqual(ended(unsealInParts(sealed)).result, value);
  assert.deepEqual(ended(unsealInParts(structuredClone(sealed))).result, value);
});
