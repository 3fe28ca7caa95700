import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CompositeGroups, CompositeSet, KeyNumbers, PairNumbers } from './composite-keys.ts';
import type { MemoryAccount } from './memory-account.ts';

function account(): { readonly memory: MemoryAccount; bytes(): number } {
  let charged = 0;
  const chargeBytes = (bytes: number): void => {
    charged += bytes;
  };
  return {
    memory: { charge: () => undefined, chargeBytes, chargeValues: () => undefined } as unknown as MemoryAccount,
    bytes: () => charged,
  };
}

const PART = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.integer(), fc.maxSafeInteger(), fc.constant(0.5), fc.constant(-0));

test('pairs of numbers get the numbers that a Map gives them, and what they take is charged', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(PART, PART), { maxLength: 500 }), (pairs) => {
      const { memory, bytes } = account();
      const numbers = new PairNumbers();
      const expected = new Map<string, number>();
      for (const [first, second] of pairs) {
        const name = `${first} ${second}`;
        assert.equal(numbers.find(first, second), expected.get(name) ?? -1);
        if (!expected.has(name)) expected.set(name, expected.size);
        assert.equal(numbers.of(first, second, memory), expected.get(name));
      }
      assert.deepEqual([numbers.size, numbers.bytes], [expected.size, bytes()]);
    }),
  );
});

test('keys get numbers in the order in which they come, null and NaN as others', () => {
  const { memory, bytes } = account();
  const numbers = new KeyNumbers();
  const keys = ['1', 1, null, Number.NaN, 'x'.repeat(1000), '1', Number.NaN, null];
  assert.deepEqual(
    keys.map((key) => numbers.of(key, memory)),
    [0, 1, 2, 3, 4, 0, 3, 2],
  );
  assert.ok(numbers.bytes === bytes() && bytes() > 1000);
});

test('groups keep the fields of their keys; a set takes each key once', () => {
  const { memory } = account();
  const groups = new CompositeGroups(1, 0);
  const set = new CompositeSet(0, 0);
  const added: boolean[] = [];
  for (const [name, number] of [
    ['a', 1],
    ['b', 1],
    ['a', 1],
    ['a', 2],
  ] as const) {
    const part = groups.keys[0]!.of(name, memory);
    if (groups.find(part, number) < 0) groups.add(part, number, [name, number], memory);
    added.push(set.add(part, number, memory));
  }
  assert.deepEqual(
    Array.from({ length: groups.size }, (_, group) => groups.fields(group)),
    [
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ],
  );
  assert.deepEqual(added, [true, true, false, true]);
});
