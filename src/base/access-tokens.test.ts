/** Tokens and their roles. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { accessToken, openToAll, parseTokensFile, rolesOf } from './access-tokens.ts';

const hash = (token: string) => createHash('sha256').update(token).digest('hex');

test('a token has its role, anything else none', () => {
  const roleOf = rolesOf(() => [accessToken('one', 'write'), accessToken('two', 'read')]);
  assert.deepEqual(['one', 'two', 'three', 'on', 'onee', '', undefined].map(roleOf), ['write', 'read', ...Array(5).fill(undefined)]);
  assert.equal(openToAll(undefined), 'write');
  assert.equal(rolesOf(() => [])('one'), undefined, 'no token known is not open to all');
});

test('tokens may change while they are asked for', () => {
  let tokens = [accessToken('old', 'write')];
  const roleOf = rolesOf(() => tokens);
  assert.equal(roleOf('old'), 'write');
  tokens = [accessToken('new', 'read')];
  assert.deepEqual([roleOf('old'), roleOf('new')], [undefined, 'read']);
});

test('a tokens file is read line by line', () => {
  const text = `# tokens\n\n${hash('a')} write  the application\r\n  ${hash('b').toUpperCase()}\tread\n`;
  const roleOf = rolesOf(() => parseTokensFile(text));
  assert.deepEqual([roleOf('a'), roleOf('b'), roleOf(hash('a'))], ['write', 'read', undefined]);
});

test('a line that is none is named, without what stands in it', () => {
  for (const line of ['secret write', hash('a'), `${hash('a')} admin`, `${hash('a')}write`, `${hash('a').slice(1)} read`]) {
    assert.throws(
      () => parseTokensFile(`# x\n${line}\n`),
      (error: Error) => error.message.startsWith('line 2 ') && !error.message.includes(line),
      line,
    );
  }
});
