/**
 * Searches against Lucene 9.12.1 and against their definition. `lucene-hits.json` holds what Lucene's
 * MultiFieldQueryParser and IndexSearcher find for some 150 queries of all forms over 400 documents (`document:score`,
 * the best eight); documents and queries come from the seed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../base/index.ts';
import { analyzerNamed } from '../analysis/analyzers.ts';
import { CODED_LENGTHS, lengthCode } from '../postings/field-length.ts';
import { TextSegment } from '../postings/text-segment.ts';
import { parseTextQuery } from '../query/parse-query.ts';
import { makeCorpus, RandomSource } from '../testing/corpus.ts';
import { type FoundDocument, runSearch } from '../testing/run-search.ts';
import expectedHits from './fixtures/lucene-hits.json' with { type: 'json' };
import { searchText } from './search.ts';
import { codePointsOf, compareTerms, editDistance } from './term-sets.ts';

const ANALYZER = analyzerNamed('standard-no-stop-words');
const FIELDS = ['title', 'body'];

function segmentsOf(documents: readonly (readonly string[])[], count: number) {
  const segments = Array.from({ length: count }, () => ({
    segment: new TextSegment(ANALYZER, documents[0]!.length),
    places: [] as number[],
  }));
  for (const [i, fields] of documents.entries()) {
    const { segment, places } = segments[(i * 7) % count]!;
    segment.add(fields.map((text) => [text]));
    places.push(i);
  }
  return segments;
}

for (const segmentCount of [1, 5]) {
  test(`what Lucene finds, from ${segmentCount} segments`, () => {
    const { documents } = makeCorpus(400, 150, 11);
    const segments = segmentsOf(documents, segmentCount);
    for (const [query, hits] of Object.entries(expectedHits)) {
      const expected = hits === '' ? [] : hits.split(' ').map((hit) => hit.split(':').map(Number) as [number, number]);
      const found = runSearch({ fields: FIELDS, segments }, query, 8);
      assert.deepEqual(
        found.map(({ score }) => score.toPrecision(5)),
        expected.map(([, score]) => score.toPrecision(5)),
        query,
      );
      // Of several with one score those that did not fit may be others; what is not a tie with the last is the same.
      const last = expected.at(-1)?.[1] ?? 0;
      const clear = expected.filter(([, score]) => score > last * 1.00001).map(([document]) => document);
      assert.deepEqual(new Set(found.slice(0, clear.length).map(({ document }) => document)), new Set(clear), query);
    }
  });
}

test('lengths of fields are exact below 40 and ascend with their codes', () => {
  for (let length = 0; length < 40; length++) assert.equal(CODED_LENGTHS[lengthCode(length)], length);
  for (const [length, coded] of [[40, 40], [41, 40], [42, 42], [100, 96], [1000, 984], [1_000_000, 983_064]] as const) // biome-ignore format: one line
    assert.equal(CODED_LENGTHS[lengthCode(length)], coded, String(length));
});

/** Finds the best hits by definition: every document is looked at, and all scores come from counts over those that are seen. */
function byDefinition(documents: readonly (readonly string[])[], seen: ReadonlySet<number>, words: readonly string[]): FoundDocument[] {
  const { fround } = Math;
  const terms = documents.map((fields) => fields.map((text) => ANALYZER.analyze(text).terms));
  const found: FoundDocument[] = [];
  for (const document of seen) {
    let sum = 0;
    let matches = false;
    for (const word of words) {
      for (let field = 0; field < documents[0]!.length; field++) {
        const lengths = [...seen].map((each) => terms[each]![field]!.length).filter((length) => length > 0);
        const having = [...seen].filter((each) => terms[each]![field]!.includes(word)).length;
        const frequency = terms[document]![field]!.filter((term) => term === word).length;
        if (frequency === 0) continue;
        matches = true;
        const idf = Math.log(1 + (lengths.length - having + 0.5) / (having + 0.5));
        const average = lengths.reduce((a, b) => a + b, 0) / lengths.length;
        const length = CODED_LENGTHS[lengthCode(terms[document]![field]!.length)]!;
        sum += (idf * frequency) / (frequency + 1.2 * (0.25 + (0.75 * length) / average));
      }
    }
    if (matches) found.push({ document, score: fround(sum) });
  }
  return found.sort((a, b) => b.score - a.score || a.document - b.document);
}

test('the best hits are those of the definition, over what is seen of several segments', () => {
  const random = new RandomSource(3);
  const words = Array.from({ length: 12 }, (_, i) => `w${i}`);
  for (let round = 0; round < 40; round++) {
    const text = (most: number): string =>
      Array.from({ length: random.below(most) }, () => words[Math.floor(12 * random.next() ** 3)]!).join(' ');
    const documents = Array.from({ length: 1 + random.below(120) }, () => [text(4), text(60)]);
    const segments = segmentsOf(documents, 1 + random.below(4));
    const seen = new Set(documents.keys());
    const withBits = segments.map((each) => {
      const visible = random.chance(0.3) ? null : new Uint8Array((each.places.length >> 3) + 1);
      for (const [i, place] of each.places.entries()) {
        if (visible === null) continue;
        if (random.chance(0.7)) visible[i >> 3]! |= 1 << (i & 7);
        else seen.delete(place);
      }
      return { ...each, visible };
    });
    const asked = Array.from({ length: 1 + random.below(4) }, () => random.pick(words));
    const expected = byDefinition(documents, seen, asked);
    const all = runSearch({ fields: ['a', 'b'], segments: withBits }, asked.join(' '), Number.POSITIVE_INFINITY);
    assert.equal(all.length, expected.length);
    const scores = new Map(expected.map(({ document, score }) => [document, score]));
    for (const { document, score } of all) assert.ok(Math.abs(scores.get(document)! - score) < 1e-5 * Math.max(1, score));
    for (const most of [0, 1, 3, 10, 1000]) {
      assert.deepEqual(runSearch({ fields: ['a', 'b'], segments: withBits }, asked.join(' '), most), all.slice(0, most));
    }
  }
});

test('blocks that cannot be among the best are passed over, and change nothing', () => {
  const random = new RandomSource(9);
  const documents = Array.from({ length: 6_000 }, (_, i) => {
    const rare = i % 997 === 0 ? 'needle '.repeat(1 + random.below(5)) : '';
    return [`${rare}common ${'hay '.repeat(random.below(30))}${random.chance(0.5) ? 'straw' : ''}`];
  });
  const segments = segmentsOf(documents, 1);
  for (const query of ['needle common', 'common hay straw', 'hay', '+needle +hay', 'needle OR (common AND straw)', '"common hay" needle']) {
    const all = runSearch({ fields: ['t'], segments }, query, Number.POSITIVE_INFINITY);
    for (const most of [1, 10, 100]) assert.deepEqual(runSearch({ fields: ['t'], segments }, query, most), all.slice(0, most), query);
  }
});

test('positions go on from one value of a list to the next', () => {
  const segment = new TextSegment(ANALYZER, 1);
  segment.add([['the quick', 'brown fox']]);
  assert.equal(segment.add([[]]), -1);
  segment.add([['']]);
  const searched = { fields: ['t'], segments: [{ segment, places: [0, 1] }] };
  assert.equal(runSearch(searched, '"quick brown"', 10).length, 1);
  assert.equal(runSearch(searched, '"brown quick"', 10).length, 0);
  assert.equal(runSearch(searched, '"brown quick"~2', 10).length, 1);
  assert.deepEqual(runSearch(searched, '*:*', 10), [{ document: 0, score: 1 }, { document: 1, score: 1 }]); // biome-ignore format: one line
  assert.equal(runSearch(searched, 't:*', 10).length, 1);
  assert.equal(runSearch(searched, 'u:quick', 10).length, 0);
  assert.throws(() => runSearch(searched, '/(/', 10), { code: 'ARGUMENT_ERROR', message: /regular expression/ });
});

test('terms are in the order of their UTF-8 bytes, and swaps are one edit', () => {
  const terms = ['a', 'ab', 'b', 'z', '\u00e9', '\uff41', '\u{1f600}', '\u{1f601}'];
  for (const [i, a] of terms.entries()) {
    for (const [j, b] of terms.entries()) {
      assert.equal(Math.sign(compareTerms(a, b)), Math.sign(i - j));
      assert.equal(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))), Math.sign(i - j));
    }
  }
  const distance = (a: string, b: string): number => editDistance(codePointsOf(a), codePointsOf(b), 2);
  assert.deepEqual([distance('abc', 'acb'), distance('abc', 'abc'), distance('abc', 'xabcx'), distance('abc', 'xyz')], [1, 0, 2, 3]);
});

test('distances are those of the whole table', () => {
  const random = new RandomSource(5);
  const word = (): string => Array.from({ length: random.below(9) }, () => random.pick(['a', 'b', 'c', '\u{1f600}'])).join('');
  for (let i = 0; i < 20_000; i++) {
    const [a, b] = [word(), word()];
    const expected = wholeTable([...a], [...b]);
    for (const most of [1, 2]) {
      const found = editDistance(codePointsOf(a), codePointsOf(b), most);
      assert.equal(Math.min(found, most + 1), Math.min(expected, most + 1), `${a} ${b} ${most}`);
    }
  }
});

function wholeTable(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, table[i - 2]![j - 2]! + 1);
      table[i]![j] = least;
    }
  }
  return table[a.length]![b.length]!;
}

test('nothing that a hostile query does goes uncounted for long', () => {
  const { documents } = makeCorpus(2_000, 150, 3);
  const [segment] = segmentsOf(documents, 1);
  const long = segment!.segment;
  long.add([['a'.repeat(200)], [Array.from({ length: 20_000 }, (_, i) => `w${i % 3}`).join(' ')]]);
  segment!.places.push(2_000);
  const query = (text: string) => parseTextQuery(text, FIELDS, ANALYZER);
  const queries = [
    Array.from({ length: 500 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}*`).join(' '),
    '"w0 w1 w2 w0 w1 w2 w0 w1 w2"~1000000',
    `"${'w0 '.repeat(300)}"~10000`,
    `/(a|b)*(${'a?'.repeat(200)})c/`,
    `*${'a*'.repeat(80)}b`,
    Array.from({ length: 500 }, (_, i) => `+w${i % 3}`).join(' '),
  ];
  for (const text of queries) {
    let [counted, turns] = [0, 0];
    const count = (steps: number) => {
      counted += steps;
      turns++;
      // As a statement does whose time is over: a query that does not count its work would go on for minutes.
      if (counted > 1_000_000) throw new GraphDBError('QUERY_TIMEOUT', 'over');
    };
    const searched = {
      segment: long,
      documentCount: long.documentCount,
      visible: null,
      accepts: null,
      rank: (document: number) => document,
    };
    const search = searchText({
      query: query(text),
      fields: FIELDS,
      segments: [searched],
      most: 10,
      onKept: () => {},
      onWork: count,
      onTaken: () => {},
    });
    try {
      for (const steps of search) count(steps);
    } catch (error) {
      assert.equal((error as GraphDBError).code, 'QUERY_TIMEOUT');
    }
    assert.ok(turns > 1, text.slice(0, 20));
  }
});

test('boosts whose product no float of 32 bits holds leave every hit', () => {
  const segments = segmentsOf([['apple', 'pie'], ['apple apple', 'x'], ['pear', 'apple']], 2); // biome-ignore format: one line
  const huge = '9'.repeat(38);
  for (const query of [
    `(apple^${huge})^${huge}`,
    `((apple AND apple)^${huge})^${huge}`,
    `(ap*^${huge})^${huge}`,
    `((apple^0)^${huge})^${huge}`,
  ]) {
    const found = runSearch({ fields: FIELDS, segments }, query, 8);
    assert.deepEqual(found.map(({ document }) => document).sort(), [0, 1, 2], query);
    assert.ok(
      found.every(({ score }) => score >= 0),
      query,
    );
  }
});
