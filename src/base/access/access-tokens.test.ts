/** Tokens, their roles and their namespaces. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { accessToken, identifyBy, parseTokensFile } from './access-tokens.ts';
import { type Caller, EVERYONE, type Identify, may, maySee, openToAll, type Right, requireRight } from './callers.ts';

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
const callerOf = (identify: Identify, token?: string) => identify(token) as Caller | undefined; // as: tokens are known at once
const roleIn = (identify: Identify) => (token?: string) => callerOf(identify, token)?.role;

test('a token has its role, anything else none', () => {
  const identify = identifyBy(() => [accessToken('one', 'writer'), accessToken('two', 'reader')]);
  const roles = ['one', 'two', 'three', 'on', 'onee', '', undefined].map(roleIn(identify));
  assert.deepEqual(roles, ['writer', 'reader', ...Array(5).fill(undefined)]);
  assert.equal(openToAll(undefined), EVERYONE);
  assert.equal(
    callerOf(
      identifyBy(() => []),
      'one',
    ),
    undefined,
    'no token known is not open to all',
  );
});

test('tokens may change while they are asked for, and whoever came in with one hears of it', () => {
  let tokens = [accessToken('old', 'writer'), accessToken('kept', 'writer'), accessToken('less', 'writer')];
  const identify = identifyBy(() => tokens);
  const [old, kept, less] = ['old', 'kept', 'less'].map((token) => callerOf(identify, token)!);
  assert.ok(old!.isValid() && kept!.isValid() && less!.isValid());
  tokens = [accessToken('new', 'reader'), accessToken('kept', 'writer'), accessToken('less', 'writer', { namespaces: new Set(['a']) })];
  assert.deepEqual(['old', 'new', 'kept'].map(roleIn(identify)), [undefined, 'reader', 'writer']);
  assert.deepEqual(
    [old, kept, less].map((caller) => caller!.isValid()),
    [false, true, false],
  );
});

test('a tokens file is read line by line', () => {
  const text = [
    '# tokens',
    '',
    `${hash('a')} write  the application\r`,
    `  ${hash('b').toUpperCase()}\tread`,
    `${hash('c')} reader`,
    `${hash('d')} writer one,two.3 of the team`,
    `${hash('e')} admin * the owner`,
    `${hash('f')} read one`,
  ].join('\n');
  const identify = identifyBy(() => parseTokensFile(text));
  const told = (token: string) => {
    const { name, role, namespaces } = callerOf(identify, token)!;
    return [role, namespaces === '*' ? '*' : [...namespaces], name];
  };
  assert.deepEqual(told('a'), ['write', '*', 'the application']);
  assert.deepEqual(told('b'), ['read', '*', `token ${hash('b').slice(0, 16)}`]);
  assert.deepEqual(told('c').slice(0, 2), ['reader', '*']);
  assert.deepEqual(told('d'), ['writer', ['one', 'two.3'], 'of the team']);
  assert.deepEqual(told('e'), ['admin', '*', 'the owner']);
  assert.deepEqual(told('f'), ['read', '*', 'one'], 'behind the older words all is whose it is');
  assert.equal(callerOf(identify, hash('a')), undefined);
});

test('a line that is none is named, without what stands in it', () => {
  const lines = [
    'secret write',
    hash('a'),
    `${hash('a')} owner`,
    `${hash('a')}write`,
    `${hash('a').slice(1)} read`,
    `${hash('a')} reader a,,b`,
    `${hash('a')} reader .a`,
    `${hash('a')} reader a/b`,
  ];
  for (const line of lines) {
    assert.throws(
      () => parseTokensFile(`# x\n${line}\n`),
      (error: Error) => error.message.startsWith('line 2 ') && !error.message.includes(line),
      line,
    );
  }
});

test('what roles may', () => {
  const rights: readonly Right[] = ['read', 'write', 'schema', 'operate', 'govern'];
  const of = (role: Caller['role']) => rights.filter((right) => may({ ...EVERYONE, role }, right)).length;
  assert.deepEqual([of('reader'), of('writer'), of('admin'), of('read'), of('write')], [1, 2, 5, 1, 4]);
  const caller: Caller = { ...EVERYONE, role: 'writer', namespaces: new Set(['a']) };
  assert.deepEqual([maySee(caller, 'a'), maySee(caller, 'A'), maySee(caller, 'b'), maySee(EVERYONE, 'b')], [true, false, false, true]);
  requireRight(caller, 'write');
  assert.throws(() => requireRight(caller, 'schema'), { code: 'FORBIDDEN' });
});
