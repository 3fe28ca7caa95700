/** Translates failures into those of Bolt: a code that drivers know, and a message for a person. */
import { ERROR_CODES, fromForeignError, type GraphDBError } from '../base/index.ts';
import { MalformedMessage } from './packstream/packstream-reader.ts';

/** A fault that only Bolt can have, with its code. */
export class BoltFailure extends Error {
  readonly neo4jCode: string;

  constructor(neo4jCode: string, message: string) {
    super(message);
    this.neo4jCode = neo4jCode;
  }
}

/** The code of a write whose outcome is not known. Drivers do not try it again by themselves, since the write could be done twice. */
const OUTCOME_UNKNOWN = 'Neo.DatabaseError.Transaction.TransactionCommitFailed';
const PROCEDURE_NOT_FOUND = 'Neo.ClientError.Procedure.ProcedureNotFound';

/** A failure as the message FAILURE carries it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The code that tells a client that a time limit of its own has passed. */
const CLIENT_TIME_LIMIT = 'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration';

/** The circumstances of a failure, which its message may need. */
export interface FailureContext {
  /** The name under which the log of the server says more than the client is told. */
  readonly reference: string;
  readonly mode: 'read' | 'write';
  /** Whose time limit has passed, if the failure is a timeout. */
  readonly timeLimitOf: 'client' | 'server';
}

/** Returns the failure of an error, in the terms of Bolt. */
export function failureOf(thrown: unknown, context: FailureContext): Failure {
  if (thrown instanceof BoltFailure) return { code: thrown.neo4jCode, message: thrown.message };
  if (thrown instanceof MalformedMessage) return { code: 'Neo.ClientError.Request.InvalidFormat', message: thrown.message };
  const error = fromForeignError(thrown);
  return { code: codeOf(error, context), message: messageOf(error, context.reference) };
}

/**
 * Returns the code of an error. Clients branch on codes that are finer than ours in a few places, where the openCypher
 * TCK's name of the fault tells them apart.
 */
function codeOf({ code, tck, outcomeUnknown, neo4jCode }: GraphDBError, { mode, timeLimitOf }: FailureContext): string {
  if (outcomeUnknown) return OUTCOME_UNKNOWN;
  if (neo4jCode !== undefined) return neo4jCode;
  if (code === 'READ_ONLY' && mode === 'read') return 'Neo.ClientError.Statement.AccessMode';
  if (code === 'QUERY_TIMEOUT' && timeLimitOf === 'client') return CLIENT_TIME_LIMIT;
  if (tck?.detail === 'ProcedureNotFound') return PROCEDURE_NOT_FOUND;
  if (tck?.type === 'SyntaxError') return ERROR_CODES.SYNTAX_ERROR.neo4jCode;
  return ERROR_CODES[code].neo4jCode;
}

function messageOf(error: GraphDBError, reference: string): string {
  if (error.code === 'INTERNAL') return `internal error; the log of the server has it as ${reference}`;
  return error.line === undefined ? error.message : `${error.message} (line ${error.line}, column ${error.column})`;
}
