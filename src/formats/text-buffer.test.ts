/** Numbers and bytes as text, at every length, beyond the room that there was at first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextBuffer } from './text-buffer.ts';

test('integers of all lengths, around each power of ten and of two', () => {
  const numbers: number[] = [0, 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  for (let exponent = 0; exponent < 16; exponent++) numbers.push(10 ** exponent - 1, 10 ** exponent, 10 ** exponent + 1);
  for (const exponent of [15, 16, 30, 31, 32, 33, 52]) numbers.push(2 ** exponent - 1, 2 ** exponent, 2 ** exponent + 1);
  for (let number = 12; number < 2 ** 31; number = Math.ceil(number * 1.37)) numbers.push(number);
  const all = [...numbers, ...numbers.map((number) => (number === 0 ? 0 : -number))];
  const out = new TextBuffer();
  for (const number of all) {
    out.integer(number);
    out.byte(10);
  }
  assert.equal(Buffer.from(out.take()).toString(), all.map((number) => `${number}\n`).join(''));
  assert.equal(out.length, 0);
});

test('what is not taken while it is full is not lost', () => {
  const out = new TextBuffer();
  const piece = 'ä'.repeat(60);
  let expected = '';
  while (!out.isFull) {
    out.text(piece);
    expected += piece;
  }
  out.text('€'.repeat(1_000_000));
  out.raw(Buffer.from(piece));
  assert.equal(Buffer.from(out.take()).toString(), expected + '€'.repeat(1_000_000) + piece);
  assert.equal(out.isFull, false);
});
