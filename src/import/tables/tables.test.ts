import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NodeNumbers } from './node-numbers.ts';
import { sortRelationships } from './relationship-order.ts';

test('relationships are sorted by source, target and their rows', () => {
  const ordinal = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(ordinal, ordinal), { maxLength: 300, size: 'max' }), fc.boolean(), (pairs, bySource) => {
      if (bySource) pairs.sort((a, b) => a[0] - b[0]);
      const { sources, targets, order } = sortRelationships({
        sources: Uint32Array.from(pairs, ([source]) => source),
        targets: Uint32Array.from(pairs, ([, target]) => target),
      });
      const expected = pairs
        .map(([source, target], row) => [source, target, row])
        .sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
      assert.deepEqual(
        expected.map((_, row) => [sources[row], targets[row], order === null ? row : order[row]]),
        expected,
      );
    }),
  );
});

test('many relationships are dealt twice, with the same result', () => {
  const count = 70_000;
  for (const spread of [1, 1000, 2 ** 20, 2 ** 32]) {
    const mixed = (row: number, factor: number): number => Math.imul(row + 1, factor) >>> 0;
    const pairs = Array.from({ length: count }, (_, row) => [mixed(row, 0x9e3779b1) % spread, mixed(row, 0x85ebca6b) % 100] as const);
    const { sources, targets, order } = sortRelationships({
      sources: Uint32Array.from(pairs, ([source]) => source),
      targets: Uint32Array.from(pairs, ([, target]) => target),
    });
    const expected = Uint32Array.from(pairs.keys()).sort((a, b) => pairs[a]![0] - pairs[b]![0] || pairs[a]![1] - pairs[b]![1] || a - b);
    assert.deepEqual(order ?? Uint32Array.from(pairs.keys()), expected);
    assert.ok(expected.every((row, place) => sources[place] === pairs[row]![0] && targets[place] === pairs[row]![1]));
  }
});

test('nodes of several tables and files get the ordinals of their rows', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), fc.boolean())), (steps) => {
      const numbers = new NodeNumbers();
      const waiting: number[][] = [[], [], [], []];
      const ordinals: number[] = [];
      let nextOrdinal = 0;
      const seal = (table: number): void => {
        numbers.seal(table, waiting[table]!.length, nextOrdinal);
        for (const node of waiting[table]!.splice(0)) ordinals[node] = nextOrdinal++;
      };
      for (const [table, count, full] of steps) {
        for (let i = 0; i < count; i++) waiting[table]!.push(numbers.count + i);
        numbers.add(table, count);
        if (full) seal(table);
      }
      for (let table = 0; table < waiting.length; table++) seal(table);
      const expected = ordinals.every((ordinal, node) => ordinal === node) ? null : Uint32Array.from(ordinals);
      assert.deepEqual(numbers.ordinals(), expected);
    }),
  );
});
