/** The one table of errors, seen from Bolt: what drivers try again is what may pass. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES, type ErrorCode, GraphDBError } from '../base/index.ts';
import { BoltFailure, failureOf } from './failures.ts';
import { MalformedMessage } from './packstream/packstream-reader.ts';

const OF = { reference: 'bolt-1', mode: 'write', timeLimitOf: 'server' } as const;

test('every code has a name that drivers understand, and is tried again when it may pass', () => {
  for (const [code, { neo4jCode, retriable, httpStatus }] of Object.entries(ERROR_CODES)) {
    assert.match(neo4jCode, /^Neo\.(ClientError|TransientError|DatabaseError)\.[A-Z]\w+\.[A-Z]\w+$/, code);
    assert.equal(neo4jCode.startsWith('Neo.TransientError.'), retriable, code);
    assert.equal(httpStatus === 503 || httpStatus === 429, retriable, code);
    assert.equal(neo4jCode.startsWith('Neo.DatabaseError.'), httpStatus === 500, code);
    assert.equal(failureOf(new GraphDBError(code as ErrorCode, 'text'), OF).code, neo4jCode);
  }
});

test('what clients branch on is told more finely', () => {
  const fault = (code: ErrorCode, type: string, detail: string) =>
    failureOf(new GraphDBError(code, 'text', { line: 2, column: 3, tck: { type, phase: 'compile time', detail } }), OF);
  assert.deepEqual(fault('SEMANTIC_ERROR', 'ProcedureError', 'ProcedureNotFound'), {
    code: 'Neo.ClientError.Procedure.ProcedureNotFound',
    message: 'text (line 2, column 3)',
  });
  assert.equal(fault('SEMANTIC_ERROR', 'SyntaxError', 'UndefinedVariable').code, 'Neo.ClientError.Statement.SyntaxError');
  const readOnly = new GraphDBError('READ_ONLY', 'text');
  assert.equal(failureOf(readOnly, { ...OF, mode: 'read' }).code, 'Neo.ClientError.Statement.AccessMode');
  const tooLong = new GraphDBError('QUERY_TIMEOUT', 'text');
  assert.equal(
    failureOf(tooLong, { ...OF, timeLimitOf: 'client' }).code,
    'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
  );
  assert.equal(failureOf(readOnly, { ...OF, timeLimitOf: 'client' }).code, 'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase');
  const inDoubt = new GraphDBError('STORE_UNAVAILABLE', 'text', { outcomeUnknown: true });
  assert.deepEqual([inDoubt.retriable, failureOf(inDoubt, OF).code], [false, 'Neo.DatabaseError.Transaction.TransactionCommitFailed']);
  assert.equal(failureOf(new BoltFailure('Neo.ClientError.X.Y', 'text'), OF).code, 'Neo.ClientError.X.Y');
  assert.equal(failureOf(new MalformedMessage('text'), OF).code, 'Neo.ClientError.Request.InvalidFormat');
});

test('nothing is told of a fault of our own', () => {
  assert.deepEqual(failureOf(new TypeError('/secret/path'), OF), {
    code: 'Neo.DatabaseError.General.UnknownError',
    message: 'internal error; the log of the server has it as bolt-1',
  });
  assert.equal(failureOf(new RangeError('Invalid string length'), OF).code, 'Neo.ClientError.General.TransactionOutOfMemoryError');
});
