/** Functions that look for all matches of a pattern: the time that they take, and the replacements that they read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../../../base/index.ts';
import type { Value } from '../../../../value/index.ts';
import { isInPieces } from '../../define.ts';
import type { FunctionContext } from '../../definition.ts';
import { functions } from '../../index.ts';
import { testContext } from '../../testing/expression-evaluator.ts';

const MOST_STEPS = 16_384;

/** Makes a context whose statement looks at the clock after so many steps, as `Limits` does, and rests at each look. */
function resting(most: number): { readonly context: FunctionContext; readonly looks: () => number } {
  let looks = 0;
  let left = MOST_STEPS;
  const worked = (steps: number): boolean => {
    left -= steps;
    if (left >= 0) return false;
    left = MOST_STEPS;
    if (++looks > most) throw new GraphDBError('QUERY_TIMEOUT', 'the time is over');
    return true;
  };
  const allowance = { ...testContext.allowance, worked, count: (steps: number) => void worked(Math.min(steps, MOST_STEPS)) };
  return { context: { ...testContext, allowance }, looks: () => looks };
}

const QUADRATIC: readonly (readonly [name: string, args: readonly Value[]])[] = [
  ['apoc.text.regexgroups', ['a*b|a']],
  ['apoc.text.regexgroups', ['(a)*b|a']],
  ['apoc.text.replace', ['a*b|a', 'x']],
  ['apoc.text.split', ['a*b|a']],
];

for (const [name, args] of QUADRATIC) {
  test(`${name}(text, ${args.join(', ')}) looks at the clock every few matches, and rests`, () => {
    const { context } = resting(10);
    const begun = functions.get(name)!.begin!(context, 'a'.repeat(80_000), ...args);
    assert.ok(isInPieces(begun));
    let rests = 0;
    assert.throws(
      () => {
        for (let step = begun.next(); step.done !== true; step = begun.next()) rests++;
      },
      { code: 'QUERY_TIMEOUT' },
    );
    assert.ok(rests >= 5, `${rests} rests`);
  });
}

test('a large pattern counts more than a small one', () => {
  const text = 'ab'.repeat(1_000);
  const looksFor = (pattern: string): number => {
    const { context, looks } = resting(Number.POSITIVE_INFINITY);
    functions.get('apoc.text.split')!.evaluate(context, text, pattern);
    return looks();
  };
  assert.ok(looksFor('(.*a.{100}c)?b') > 5 * looksFor('[bc]'));
});

test('white space inside a text is no work for apoc.text.slug', () => {
  const slug = functions.get('apoc.text.slug')!;
  assert.equal(slug.evaluate(testContext, `x${' '.repeat(1_000_000)}y`), 'x-y');
  assert.equal(slug.evaluate(testContext, ' \n a b\t '), 'a-b');
});

const replaced = (...args: Value[]): Value => functions.get('apoc.text.replace')!.evaluate(testContext, ...args);

test('replacements are read as Java reads them', () => {
  const cases: readonly (readonly [pattern: string, replacement: string, expected: string])[] = [
    ['(a)(b)', '$2-$1', 'b-ac'],
    ['(a)(b)', '$0$0', 'ababc'],
    ['(a)(b)', '$12', 'a2c'],
    ['(a)b', '\\$1', '$1c'],
    ['(a)b', '\\\\$1', '\\ac'],
    ['(?P<first>a)b', `\${first}!`, 'a!c'],
    ['(x)?b', '[$1]', 'a[]c'],
    ['(a)b', '', 'c'],
    ['x|$', '.', 'abc.'],
    ['(z)', '$9', 'abc'],
  ];
  for (const [pattern, replacement, expected] of cases)
    assert.equal(replaced('abc', pattern, replacement), expected, `${pattern} ${replacement}`);
});

test('replacements that name no group are refused', () => {
  for (const replacement of ['$', '$x', '$2', `\${no}`, `\${constructor}`, `\${a`, 'x\\'])
    assert.throws(
      () => replaced('abc', '(a)', replacement),
      { code: 'ARGUMENT_ERROR', message: /cannot read the replacement/ },
      replacement,
    );
});

test('a replacement may have any number of groups', () => {
  assert.equal(replaced('aab', '(a)+', '$1'.repeat(200_000)), `${'a'.repeat(200_000)}b`);
});
