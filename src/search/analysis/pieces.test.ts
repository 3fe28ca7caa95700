/** A long text in pieces has the terms and places that it has as a whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RandomSource } from '../testing/corpus.ts';
import { ANALYZER_NAMES, analyzerNamed } from './analyzers.ts';
import { pieceEnds } from './pieces.ts';

const WORDS = [
  'the',
  'of',
  'Words,',
  'with',
  "o'clock",
  'a@b.org',
  'https://x.org/a,b',
  '東京',
  '3.14',
  'é\u0301',
  '👩\u200d💻',
  'and\nlines',
  'ends.  Two',
];

function longText(random: RandomSource, length: number): string {
  const parts: string[] = [];
  for (let i = 0; i < length; i++) parts.push(WORDS[random.below(WORDS.length)]!);
  return parts.join(' ');
}

test('terms and places in pieces are those of the whole', () => {
  const random = new RandomSource(5);
  const text = longText(random, 8_000);
  for (const name of ANALYZER_NAMES) {
    const analyzer = analyzerNamed(name);
    const whole = analyzer.analyze(text);
    const ends = [...pieceEnds(text, analyzer)];
    assert.equal(ends.length > 3, name !== 'keyword', name);
    const [terms, positions]: [string[], number[]] = [[], []];
    let [from, start] = [0, 0];
    for (const end of ends) {
      const piece = analyzer.analyze(text.slice(from, end));
      terms.push(...piece.terms);
      positions.push(...piece.positions.map((position) => position + start));
      start += piece.placeCount;
      from = end;
    }
    assert.equal(from, text.length, name);
    assert.deepEqual(terms, [...whole.terms], name);
    assert.deepEqual(positions, [...whole.positions], name);
  }
});

test('a text without white space is parted between characters', () => {
  const analyzer = analyzerNamed('standard');
  const text = '💻'.repeat(20_000);
  let from = 0;
  for (const end of pieceEnds(text, analyzer)) {
    assert.ok(end - from <= 8_192);
    assert.ok(text.slice(from, end).isWellFormed());
    from = end;
  }
  assert.equal(from, text.length);
});

test('signs of addresses without any address take time in proportion to the text', () => {
  const analyzer = analyzerNamed('url_or_email');
  // A backtracking search from each sign to the end would take some hundred seconds.
  for (const text of ['!', 'a.', '+a', 'http://,'].map((part) => part.repeat(300_000))) analyzer.analyze(text);
  assert.deepEqual(
    [...analyzer.analyze(`${'!'.repeat(300)} write to first.last+x@mail.example.org!`).terms],
    ['write', 'first.last+x@mail.example.org'],
  );
});

test('a text that is longer than a term may be is no term', () => {
  const analyzer = analyzerNamed('keyword');
  assert.equal(analyzer.analyze('é'.repeat(16_383)).terms.length, 1);
  assert.equal(analyzer.analyze('é'.repeat(16_384)).terms.length, 0);
});
