/** A document that is added in pieces is there as a whole, or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzerNamed } from '../analysis/analyzers.ts';
import { TextSegment } from './text-segment.ts';

const ANALYZER = analyzerNamed('standard-no-stop-words');
const LONG = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' ');

test('a long document takes many steps, none of them large', () => {
  const segment = new TextSegment(ANALYZER, 1);
  const steps = [...segment.adding([[LONG]])];
  assert.ok(steps.length > 20, `${steps.length}`);
  assert.ok(Math.max(...steps) < 10_000, `${Math.max(...steps)}`);
  assert.deepEqual(
    [segment.documentCount, segment.isAdding, segment.termCount(0), segment.totals(0)],
    [1, false, 20_000, { documents: 1, totalLength: 20_000 }],
  );
});

test('what is ended while its text is analysed leaves nothing', () => {
  const segment = new TextSegment(ANALYZER, 1);
  const adding = segment.adding([[LONG]]);
  for (let i = 0; i < 5; i++) adding.next();
  adding.return(0);
  assert.deepEqual([segment.documentCount, segment.termCount(0)], [0, 0]);
});

test('what is ended while its terms are entered leaves a document without a length', () => {
  const segment = new TextSegment(ANALYZER, 1);
  segment.add([['w0 before']]);
  const adding = segment.adding([[LONG]]);
  while (!segment.isAdding) adding.next();
  adding.return(0);
  assert.equal(segment.isAdding, false);
  assert.deepEqual([segment.documentCount, segment.totals(0)], [2, { documents: 1, totalLength: 2 }]);
  assert.equal(segment.add([['w0 behind']]), 2);
  const cursor = segment.cursor(0, 'behind')!;
  assert.equal(cursor.next(), 2);
});
