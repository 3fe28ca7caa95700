import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CypherFloat } from '../../value/index.ts';
import { tokenize } from './lexer.ts';

function read(text: string): string[] {
  return tokenize(text).map(({ kind, text: token }) => (kind === 'symbol' || kind === 'name' ? token : `${kind} ${token}`));
}

function valueOf(text: string): unknown {
  const [token] = tokenize(text);
  if (token!.fault !== null) return token!.fault.tck!.detail;
  return token!.kind === 'string' || token!.kind === 'name' ? token!.text : token!.value;
}

test('integers in all their forms', () => {
  const cases: readonly [text: string, value: unknown][] = [
    ['0', 0],
    ['42', 42],
    ['1_000_000', 1000000],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9223372036854775807', 9223372036854775807n],
    ['0x1F', 31],
    ['0xff_ff', 65535],
    ['0x7fffffffffffffff', 9223372036854775807n],
    ['0o17', 15],
    ['0O7', 7],
    ['9223372036854775809', 'IntegerOverflow'],
    ['99999999999999999999999', 'IntegerOverflow'],
    ['0xfffffffffffffffff', 'IntegerOverflow'],
    ['0o7777777777777777777777', 'IntegerOverflow'],
    ['007', 'InvalidNumberLiteral'],
    ['0x', 'InvalidNumberLiteral'],
    ['0xg', 'InvalidNumberLiteral'],
    ['0o8', 'InvalidNumberLiteral'],
    ['12a', 'InvalidNumberLiteral'],
    ['1__0', 'InvalidNumberLiteral'],
    ['1_', 'InvalidNumberLiteral'],
  ];
  for (const [text, value] of cases) assert.deepEqual(valueOf(text), value, text);
});

test('floats in all their forms', () => {
  assert.equal(valueOf('1.5'), 1.5);
  assert.equal(valueOf('.5'), 0.5);
  assert.deepEqual(valueOf('1.0'), new CypherFloat(1));
  assert.deepEqual(valueOf('1e3'), new CypherFloat(1000));
  assert.equal(valueOf('1.5E-3'), 0.0015);
  assert.equal(valueOf('1e+400'), 'FloatingPointOverflow');
  assert.equal(valueOf('1e'), 'InvalidNumberLiteral');
  assert.equal(valueOf('1.5f'), 'InvalidNumberLiteral');
});

test('dots between numbers are ranges', () => {
  assert.deepEqual(read('*1..3'), ['*', 'integer 1', '..', 'integer 3', 'end ']);
  assert.deepEqual(read('[..2]'), ['[', '..', 'integer 2', ']', 'end ']);
  assert.deepEqual(read('a.b'), ['a', '.', 'b', 'end ']);
});

test('strings and their escapes', () => {
  const cases: readonly [text: string, value: string][] = [
    [`'it\\'s'`, "it's"],
    [`"a'b\\"c"`, `a'b"c`],
    [`'\\\\ \\n\\t\\r\\b\\f\\/'`, '\\ \n\t\r\b\f/'],
    [`'\\u00e9\\U0001F600'`, 'é😀'],
    [`'\\uD83D\\uDE00'`, '😀'],
    ["'two\nlines'", 'two\nlines'],
    [`'\\uH'`, 'InvalidUnicodeLiteral'],
    [`'\\uD83D'`, 'InvalidUnicodeLiteral'],
    [`'\\U00110000'`, 'InvalidUnicodeLiteral'],
    ["'\ud800'", 'InvalidUnicodeLiteral'],
    [`'\\q'`, 'UnexpectedSyntax'],
    [`'open`, 'UnexpectedSyntax'],
    ['`a``b`', 'a`b'],
    ['`open', 'UnexpectedSyntax'],
  ];
  for (const [text, value] of cases) assert.equal(valueOf(text), value, text);
});

test('names are Unicode identifiers, and only ASCII words are keywords', () => {
  assert.deepEqual(read('naïve_1 日本 ünï'), ['naïve_1', '日本', 'ünï', 'end ']);
  assert.equal(tokenize('match')[0]!.keyword, 'MATCH');
  assert.equal(tokenize('`match`')[0]!.keyword, '');
  // In capitals the dotless i is an I.
  assert.equal(tokenize('lımıt')[0]!.keyword, '');
});

test('blanks and comments are skipped', () => {
  assert.deepEqual(read('a // b\n/* c \n */ d\u00a0\u2003e'), ['a', 'd', 'e', 'end ']);
  assert.equal(tokenize('a /* b').at(-1)!.fault?.tck?.detail, 'UnexpectedSyntax');
});

test('parameters', () => {
  assert.deepEqual(read('$a $1 $`b c` $(x)'), ['parameter a', 'parameter 1', 'parameter b c', '$', '(', 'x', ')', 'end ']);
});

test('brackets know where they close', () => {
  const tokens = tokenize('([{}] (');
  assert.deepEqual(
    tokens.filter(({ kind }) => kind === 'symbol').map(({ match }) => match),
    [-1, 4, 3, -1, -1, -1],
  );
  assert.deepEqual(
    tokenize('(a)').map(({ match }) => match),
    [2, -1, -1, -1],
  );
});

test('what stands before a fault is read first', () => {
  const tokens = tokenize(`RETURN 1 'open`);
  assert.deepEqual(
    tokens.map(({ kind }) => kind),
    ['name', 'integer', 'fault'],
  );
});
