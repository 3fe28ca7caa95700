import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { closedError, ERROR_CODES, type ErrorCode, GraphDBError } from './errors.ts';

test('an error is retriable by its code, unless its outcome is unknown or its object is closed', () => {
  for (const [code, { retriable }] of Object.entries(ERROR_CODES)) {
    const of = code as ErrorCode;
    assert.equal(new GraphDBError(of, 'text').retriable, retriable, code);
    assert.equal(new GraphDBError(of, 'text', { outcomeUnknown: true }).retriable, false, code);
    assert.equal(new GraphDBError(of, 'text', { retriable: false }).retriable, false, code);
  }
  const { code, retriable } = closedError('the database is closed');
  assert.deepEqual([code, retriable], ['SHUTTING_DOWN', false]);
});

test('the Python client calls the same codes retriable', () => {
  const source = readFileSync(new URL('../../clients/python/graphdb/errors.py', import.meta.url), 'utf8');
  const [, names = ''] = /_RETRIABLE = frozenset\(\{(.*?)\}\)/s.exec(source) ?? [];
  const told = Array.from(names.matchAll(/"(\w+)"/g), ([, name]) => name);
  const expected = Object.entries(ERROR_CODES).flatMap(([code, { retriable }]) => (retriable ? [code] : []));
  assert.deepEqual(told.sort(), expected.sort());
});
