/** Large values of Bolt, written in parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, type ResultValue, type Value } from '../../value/index.ts';
import { PackStreamWriter } from '../packstream/packstream-writer.ts';
import { writeInParts, writeValue } from './write-value.ts';

test('a value is written in parts as it is at once, whatever in it is large', () => {
  const list = Array.from({ length: 5_000 }, (_, i) => i);
  const node = new Node('n', 1, ['A'], new Map<string, Value>([['l', list]]));
  const values: ResultValue[] = [list, 'é😀'.repeat(50_000), new Uint8Array(100_001).fill(7), new Map([['k', [list, []]]]), node];
  const [whole, parts] = [new PackStreamWriter(), new PackStreamWriter()];
  const format = { elementIds: true, utc: true };
  writeValue(whole, values, format);
  let stops = 0;
  for (const _ of writeInParts(parts, values, format)) stops++;
  assert.ok(stops > 100, `${stops}`);
  assert.ok(parts.take().equals(whole.take()));
});
