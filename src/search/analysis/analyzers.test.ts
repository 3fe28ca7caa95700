/**
 * Analysis against Lucene 9.12.1. `lucene-tokens.json` holds what its analyzers of the same names make of texts
 * (`position:term`), `stems.json` what its Snowball stemmers make of words, some eighty for each language, taken from
 * translated messages of free programs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import snowball from 'snowball-stemmers';
import { ANALYZER_NAMES, analyzerNamed, findAnalyzer } from './analyzers.ts';
import tokens from './fixtures/lucene-tokens.json' with { type: 'json' };
import stems from './fixtures/stems.json' with { type: 'json' };

for (const [name, text, expected] of tokens as [string, string, string[]][]) {
  test(`${name}: ${text.slice(0, 60)}`, () => {
    const found = analyzerNamed(name).analyze(text);
    assert.deepEqual(
      found.terms.map((term, i) => `${found.positions[i]}:${term}`),
      expected,
    );
  });
}

for (const [algorithm, words] of Object.entries(stems)) {
  test(`stems of ${algorithm}`, () => {
    const stemmer = snowball.newStemmer(algorithm);
    for (const [word, stem] of Object.entries(words)) assert.equal(stemmer.stem(word), stem, word);
  });
}

test('every analyzer is there, takes any text, and tells its stop words', () => {
  for (const name of ANALYZER_NAMES) {
    const analyzer = analyzerNamed(name);
    assert.equal(analyzer, findAnalyzer(name), 'it is made once');
    for (const text of ['', ' ', '\ud800', 'a\udc00b', '\u0000', "l'eau d'été", 'x'.repeat(1000)]) {
      const found = analyzer.analyze(text);
      assert.ok(found.positions.every((position, i) => i === 0 || position > found.positions[i - 1]!));
    }
  }
  assert.ok(analyzerNamed('french').stopWords.includes('avec'));
  assert.throws(() => analyzerNamed('klingon'), { code: 'ARGUMENT_ERROR', message: /listAvailableAnalyzers/ });
  assert.equal(findAnalyzer('toString'), undefined);
});

test('parts of words are normalized as words are', () => {
  assert.equal(analyzerNamed('english').normalize('RUNNI'), 'runni');
  assert.equal(analyzerNamed('standard-folding').normalize('ÉT'), 'et');
  assert.equal(analyzerNamed('keyword').normalize('ÉT'), 'ÉT');
});
