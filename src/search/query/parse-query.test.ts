/**
 * Lucene's classic grammar: what queries mean, where they are wrong, and that nothing else is thrown. What Lucene makes
 * of 150 queries is held by `scoring/search.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GraphDBError } from '../../base/index.ts';
import { analyzerNamed } from '../analysis/analyzers.ts';
import { parseTextQuery } from './parse-query.ts';
import { wildcardTest } from './patterns.ts';
import type { TextQuery, WildcardPart } from './query.ts';

const OCCURS = { must: '+', should: '', mustNot: '-' } as const;

function wildcardText(part: WildcardPart): string {
  if (typeof part === 'string') return part;
  return part.sign === 'any' ? '*' : '?';
}

function shown(query: TextQuery): string {
  switch (query.kind) {
    case 'term':
      return `${query.field}=${query.term}`;
    case 'phrase':
      return (
        `${query.field}="${query.terms.map(({ term, position }) => `${position}:${term}`).join(' ')}"` +
        (query.slop > 0 ? `~${query.slop}` : '')
      );
    case 'prefix':
      return `${query.field}=${query.prefix}*`;
    case 'wildcard':
      return `${query.field}=${query.pattern.map(wildcardText).join('|')}`;
    case 'regex':
      return `${query.field}=/${query.pattern}/`;
    case 'fuzzy':
      return `${query.field}=${query.term}~${query.edits}`;
    case 'range': {
      const { low, lowInclusive, high, highInclusive } = query.range;
      return `${query.field}=${lowInclusive ? '[' : '{'}${low ?? '*'} ${high ?? '*'}${highInclusive ? ']' : '}'}`;
    }
    case 'exists':
      return `${query.field}=*`;
    case 'everything':
    case 'nothing':
      return query.kind;
    case 'boolean':
      return `(${query.clauses.map((clause) => `${OCCURS[clause.occur]}${shown(clause.query)}`).join(' ')})`;
    case 'boost':
      return `${shown(query.query)}^${query.factor}`;
  }
}

const parse = (text: string, fields = ['t'], analyzer = 'standard-no-stop-words'): string =>
  shown(parseTextQuery(text, fields, analyzerNamed(analyzer)));

const MEANINGS: readonly (readonly [string, string])[] = [
  ['', 'nothing'],
  ['  \t', 'nothing'],
  ['Foo', 't=foo'],
  ['foo bar', '(t=foo t=bar)'],
  ['foo AND bar', '(+t=foo +t=bar)'],
  ['foo && bar || baz', '(+t=foo +t=bar t=baz)'],
  ['foo OR bar', '(t=foo t=bar)'],
  ['+foo -bar !baz', '(+t=foo -t=bar -t=baz)'],
  ['foo AND NOT bar', '(+t=foo -t=bar)'],
  ['NOT foo', '(-t=foo)'],
  ['foo ANDROID', '(t=foo t=android)'],
  ['(foo bar) AND baz', '(+(t=foo t=bar) +t=baz)'],
  ['u:foo t:bar', '(u=foo t=bar)'],
  ['u:(foo bar)^2', '(u=foo u=bar)^2'],
  ['a\\:b', 't=a:b'],
  ['we\\ ird:foo', 'we ird=foo'],
  ['"foo bar"', 't="0:foo 1:bar"'],
  ['"foo bar"~3^2', 't="0:foo 1:bar"~3^2'],
  ['"foo"', 't=foo'],
  ['""', 'nothing'],
  ['"say \\"hi\\""', 't="0:say 1:hi"'],
  ['wi-fi', '(t=wi t=fi)'],
  ['foo*', 't=foo*'],
  ['FO?o*', 't=fo|?|o|*'],
  ['*oo', 't=*|oo'],
  ['*', 't=*'],
  ['*:*', 'everything'],
  ['u:*', 'u=*'],
  ['foo\\*', 't=foo'],
  ['a\\?b*', 't=a?b*'],
  ['foo~', 't=foo~2'],
  ['foo~1', 't=foo~1'],
  ['foo~0.5', 't=foo~1'],
  ['foo~9', 't=foo~2'],
  ['foo~0', 't=foo'],
  ['foo^3~1', 't=foo~1^3'],
  ['foo~1^3', 't=foo~1^3'],
  ['/fo+[a-z]/', 't=/fo+[a-z]/'],
  ['[a TO b]', 't=[a b]'],
  ['{a TO *]', 't={a *]'],
  ['u:["x y" TO TOM}', 'u=[x y tom}'],
  ['foo - bar', '(t=foo t=bar)'],
  ['\\u0066oo', 't=foo'],
  ['a^2 b^0.5', '(t=a^2 t=b^0.5)'],
  ['foo  ,', 't=foo'],
  [', .', 'nothing'],
];

for (const [text, meaning] of MEANINGS) test(`means: ${text}`, () => assert.equal(parse(text), meaning));

test('a word without a field is looked for in each, and analysed by the analyzer', () => {
  assert.equal(parse('foo', ['a', 'b']), '(a=foo b=foo)');
  assert.equal(parse('+foo b:bar', ['a', 'b']), '(+(a=foo b=foo) b=bar)');
  assert.equal(parse('The Running foxes', ['t'], 'english'), '(t=run t=fox)');
  assert.equal(parse('Running*', ['t'], 'english'), 't=running*');
  assert.equal(parse('Foo Bar', ['t'], 'keyword'), 't=Foo Bar');
  assert.equal(parse('"end of story"', ['t'], 'english'), 't="0:end 2:stori"');
});

const FAULTS: readonly (readonly [string, number, RegExp])[] = [
  ['foo:', 5, /ends where a word is expected/],
  ['foo AND', 8, /ends/],
  ['AND foo', 1, /a word is expected, not AND/],
  ['(foo', 1, /the \) for this \( is missing/],
  ['foo)', 4, /there is no \( for this \)/],
  ['()', 2, /a word is expected/],
  ['a "foo', 3, /closing " is missing/],
  ['a /foo', 3, /closing \/ is missing/],
  ['foo\\', 4, /nothing follows/],
  ['foo^x', 4, /number/],
  ['foo~1.5', 4, /whole number/],
  ['[a b]', 1, /TO is missing/],
  ['[a TO', 1, /bound is missing/],
  ['[a TO b', 1, /end is missing/],
  ['a ] b', 3, /\] cannot stand here/],
  ['a:b:c', 4, /: cannot stand here|a word is expected/],
  ['\\u12', 1, /four hexadecimal digits/],
  [`${'('.repeat(300)}a`, 257, /parentheses/],
];

for (const [text, place, problem] of FAULTS) {
  test(`is no query: ${text.slice(0, 20)}`, () => {
    assert.throws(
      () => parse(text),
      (error: GraphDBError) => {
        assert.equal(error.code, 'ARGUMENT_ERROR');
        assert.match(error.message, new RegExp(`at character ${place}: `));
        assert.match(error.message, problem);
        return true;
      },
    );
  });
}

test('whatever text is given, it is a query or an ARGUMENT_ERROR', () => {
  const piece = fc.constantFrom(
    ...' \t+-!():^[]"{}~*?\\/&|.0123abTOANDNOTOR'.split(''),
    ' AND ',
    ' TO ',
    ' NOT ',
    '\\u00',
    '\ud800',
    'ß',
    '&&',
    '||',
    '~2',
    '^2',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('standard', 'keyword', 'cjk', 'english'), (pieces, analyzer) => {
      try {
        parse(pieces.join(''), ['a', 'b'], analyzer);
      } catch (error) {
        assert.ok(error instanceof GraphDBError && error.code === 'ARGUMENT_ERROR', String(error));
      }
    }),
    { numRuns: 5000, seed: 1 },
  );
});

test('patterns match as a search from every place does', () => {
  const character = fc.constantFrom('a', 'b', '*', '?');
  fc.assert(
    fc.property(fc.array(character, { maxLength: 8 }), fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }), (pattern, term) => {
      const parts = pattern.map((sign): WildcardPart => (sign === '*' ? { sign: 'any' } : sign === '?' ? { sign: 'one' } : sign));
      const expected = new RegExp(`^${pattern.join('').replaceAll('*', '.*').replaceAll('?', '.')}$`).test(term.join(''));
      assert.equal(wildcardTest(parts, () => {})(term.join('')), expected);
    }),
    { seed: 1 },
  );
});

test('a query that is longer than it may be, or has more clauses, is refused', () => {
  const parse = (text: string, fields = ['a']) => parseTextQuery(text, fields, analyzerNamed('standard-no-stop-words'));
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
  const faults = { code: 'ARGUMENT_ERROR', message: /at most 65536|more than 1024/ };
  assert.doesNotThrow(() => parse(words(1_024)));
  for (const text of [words(1_025), `"${words(1_025)}"`, '* '.repeat(1_025), 'x'.repeat(65_537), `a:(${words(600)}) ${words(600)}`])
    assert.throws(() => parse(text), faults, text.slice(0, 20));
  assert.throws(() => parse(words(513), ['a', 'b']), faults);
});

test('a boost that no float of 32 bits holds is refused', () => {
  assert.equal(parse(`foo^${'9'.repeat(38)}`), 't=foo^1e+38');
  for (const boost of ['9'.repeat(39), '9'.repeat(400)])
    assert.throws(() => parse(`foo^${boost} bar`), { code: 'ARGUMENT_ERROR', message: /character 4: \^ is followed by a number up to/ });
});
