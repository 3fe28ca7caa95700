/** `apoc.text.*` and `apoc.util.*`: the answers that APOC's documentation gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../../../base/index.ts';
import { literalText, type Value } from '../../../../value/index.ts';
import { functions } from '../../index.ts';
import { testContext } from '../../testing/expression-evaluator.ts';

const call = (name: string, args: readonly Value[]): Value => functions.get(name.toLowerCase())!.evaluate(testContext, ...args);

const CASES: readonly (readonly [name: string, args: readonly Value[], expected: string])[] = [
  ['apoc.text.join', [['Hello', 'World'], ' '], "'Hello World'"],
  ['apoc.text.join', [['a', null], '-'], "'a-null'"],
  ['apoc.text.join', [null, ' '], 'null'],
  ['apoc.text.replace', ['Hello World!', '[^a-zA-Z]', ''], "'HelloWorld'"],
  ['apoc.text.replace', ['ab cd', '(\\w)(\\w)', '$2$1'], "'ba dc'"],
  ['apoc.text.replace', ['aaa😀a', 'aa', 'b'], "'ba😀a'"],
  ['apoc.text.replace', ['a-b', '-', ''], "'ab'"],
  ['apoc.text.replace', ['aé', 'é', '&'], "'a&'"],
  ['apoc.text.regexGroups', ['abcab', 'ab'], "[['ab'], ['ab']]"],
  ['apoc.text.regexGroups', ['abc', 'x'], '[]'],
  [
    'apoc.text.regexGroups',
    ['abc <link xxx1>yyy1</link> def <link xxx2>yyy2</link>', '<link (\\w+)>(\\w+)</link>'],
    "[['<link xxx1>yyy1</link>', 'xxx1', 'yyy1'], ['<link xxx2>yyy2</link>', 'xxx2', 'yyy2']]",
  ],
  ['apoc.text.regexGroups', ['b', '(a)?b'], "[['b', null]]"],
  ['apoc.text.regexGroups', [null, 'a'], '[]'],
  ['apoc.text.split', ['Hello World', ' +'], "['Hello', 'World']"],
  ['apoc.text.split', ['a,b,c,,', ','], "['a', 'b', 'c']"],
  ['apoc.text.split', ['a,b,c', ',', 2], "['a', 'b,c']"],
  ['apoc.text.split', [null, ','], 'null'],
  ['apoc.text.camelCase', ['FOO_BAR'], "'fooBar'"],
  ['apoc.text.camelCase', ['Foo bar'], "'fooBar'"],
  ['apoc.text.camelCase', ['Foo22 bar'], "'foo22Bar'"],
  ['apoc.text.camelCase', ['foo-bar'], "'fooBar'"],
  ['apoc.text.camelCase', ['Foobar'], "'foobar'"],
  ['apoc.text.camelCase', ['Foo$$Bar'], "'fooBar'"],
  ['apoc.text.upperCamelCase', ['foo-bar'], "'FooBar'"],
  ['apoc.text.upperCamelCase', ['Foo$$Bar'], "'FooBar'"],
  ['apoc.text.capitalize', ['neo4j'], "'Neo4j'"],
  ['apoc.text.capitalize', [''], "''"],
  ['apoc.text.decapitalize', ['Graph Database'], "'graph Database'"],
  ['apoc.text.clean', ['Hello World (2016)'], "'helloworld2016'"],
  ['apoc.text.clean', ['Ünïcode-Ärger ß'], "'uenicodeaergerss'"],
  ['apoc.text.compareCleaned', ['Hello World', '_hello-world_'], 'true'],
  ['apoc.text.compareCleaned', [null, 'a'], 'false'],
  ['apoc.text.distance', ['Levenshtein', 'Levenstein'], '1'],
  ['apoc.text.levenshteinDistance', ['kitten', 'sitting'], '3'],
  ['apoc.text.levenshteinDistance', ['', 'abc'], '3'],
  ['apoc.text.levenshteinSimilarity', ['Levenshtein', 'Levenstein'], '0.9090909090909091'],
  ['apoc.text.levenshteinSimilarity', ['', ''], '1.0'],
  ['apoc.text.lpad', ['Neo4j', 7, '0'], "'00Neo4j'"],
  ['apoc.text.lpad', ['Neo4j', 3], "'Neo4j'"],
  ['apoc.text.rpad', ['Neo4j', 7], "'Neo4j  '"],
  ['apoc.text.lpad', ['😀', 3, '👍x'], "'👍👍😀'"],
  ['apoc.text.rpad', ['😀', 3, '👍x'], "'😀👍👍'"],
  ['apoc.text.rpad', ['😀😀', 2], "'😀😀'"],
  ['apoc.text.slug', ['a-b.c d'], "'a-b-c-d'"],
  ['apoc.text.slug', [' a b ', '_'], "'a_b'"],
  ['apoc.text.repeat', ['ab', 3], "'ababab'"],
  ['apoc.text.urlencode', ['h ello?&=~(1)*'], "'h+ello%3F%26%3D%7E%281%29*'"],
  ['apoc.text.urlencode', ['😀\ud800'], "'%F0%9F%98%80%EF%BF%BD'"],
  ['apoc.text.urldecode', ['h+ello%3F%26%3D'], "'h ello?&='"],
  ['apoc.text.indexOf', ['Hello World!', 'World'], '6'],
  ['apoc.text.indexOf', ['Hello World!', 'o', 5], '7'],
  ['apoc.text.indexOf', ['Hello World!', 'o', 5, 7], '-1'],
  ['apoc.text.indexOf', ['Hello', 'o', 3, 3], '-1'],
  ['apoc.text.indexOf', [null, 'o'], 'null'],
  ['apoc.text.indexOf', ['o', null], '-1'],
  ['apoc.text.base64Encode', ['neo4j'], "'bmVvNGo='"],
  ['apoc.text.base64Decode', ['bmVvNGo='], "'neo4j'"],
  ['apoc.util.md5', [['ABC']], "'902fbdd2b1df0c4f70b4a5d23525e932'"],
  ['apoc.util.md5', [['A', 'BC']], "'902fbdd2b1df0c4f70b4a5d23525e932'"],
  ['apoc.util.sha1', [['ABC']], "'3c01bdbb26f358bab27f267924aa2c9a03fcfdb8'"],
  ['apoc.util.sha256', [['ABC']], "'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78'"],
];

for (const [name, args, expected] of CASES)
  test(`${name}(${args.map(literalText).join(', ')})`, () => assert.equal(literalText(call(name, args)), expected));

for (const [name, args] of [
  ['apoc.text.join', [[1], ' ']],
  ['apoc.text.replace', ['a', '(', '']],
  ['apoc.text.replace', ['a', 'a', '$1']],
  ['apoc.text.replace', ['a', 'a', '$']],
  ['apoc.text.lpad', ['a', 3, '']],
  ['apoc.text.repeat', ['a', -1]],
  ['apoc.text.urldecode', ['%']],
  ['apoc.util.md5', [[null]]],
] as const)
  test(`${name}(${args.map((arg) => literalText(arg as Value)).join(', ')}) is a fault`, () => {
    assert.throws(() => call(name, args as readonly Value[]), GraphDBError);
  });

test('digests have their lengths', () => {
  assert.equal((call('apoc.util.sha384', [['ABC']]) as string).length, 96);
  assert.equal((call('apoc.util.sha512', [['ABC']]) as string).length, 128);
});
