/**
 * The one error class of GraphDB, its codes, and the single table from a code to what each protocol says about it.
 *
 * Callers match `code`, never the message. Messages tell a person what to do. Errors of libraries are translated once, at the layer
 * that owns the boundary, with the cause kept.
 */

/** A code of errors. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'SYNTAX_ERROR'
  | 'SEMANTIC_ERROR'
  | 'PARAMETER_MISSING'
  | 'TYPE_ERROR'
  | 'ARGUMENT_ERROR'
  | 'ARITHMETIC_ERROR'
  | 'ENTITY_NOT_FOUND'
  | 'UNSUPPORTED'
  | 'UNAUTHORIZED'
  | 'READ_ONLY'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'GONE'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'CONSTRAINT_VIOLATION'
  | 'WRITER_FENCED'
  | 'PAYLOAD_TOO_LARGE'
  | 'MEMORY_LIMIT'
  | 'RATE_LIMITED'
  | 'STORE_UNAVAILABLE'
  | 'SHUTTING_DOWN'
  | 'OVERLOADED'
  | 'QUERY_TIMEOUT'
  | 'BOOKMARK_TIMEOUT'
  | 'CANCELLED'
  | 'CORRUPTION'
  | 'INTERNAL';

/** The meaning of a code at the borders. `retriable`: the same request may succeed later without a change. */
export interface ErrorCodeMeaning {
  readonly httpStatus: number;
  readonly neo4jCode: string;
  readonly retriable: boolean;
}

/** The meaning of each code. */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeMeaning>> = {
  BAD_REQUEST: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Request.Invalid', retriable: false },
  SYNTAX_ERROR: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.SyntaxError', retriable: false },
  SEMANTIC_ERROR: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.SemanticError', retriable: false },
  PARAMETER_MISSING: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.ParameterMissing', retriable: false },
  TYPE_ERROR: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.TypeError', retriable: false },
  ARGUMENT_ERROR: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.ArgumentError', retriable: false },
  ARITHMETIC_ERROR: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.ArithmeticError', retriable: false },
  ENTITY_NOT_FOUND: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.EntityNotFound', retriable: false },
  UNSUPPORTED: { httpStatus: 400, neo4jCode: 'Neo.ClientError.Statement.FeatureNotSupported', retriable: false },
  UNAUTHORIZED: { httpStatus: 401, neo4jCode: 'Neo.ClientError.Security.Unauthorized', retriable: false },
  READ_ONLY: { httpStatus: 403, neo4jCode: 'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase', retriable: false },
  FORBIDDEN: { httpStatus: 403, neo4jCode: 'Neo.ClientError.Security.Forbidden', retriable: false },
  NOT_FOUND: { httpStatus: 404, neo4jCode: 'Neo.ClientError.Request.Invalid', retriable: false },
  GONE: { httpStatus: 410, neo4jCode: 'Neo.ClientError.ChangeDataCapture.InvalidIdentifier', retriable: false },
  METHOD_NOT_ALLOWED: { httpStatus: 405, neo4jCode: 'Neo.ClientError.Request.Invalid', retriable: false },
  UNSUPPORTED_MEDIA_TYPE: { httpStatus: 415, neo4jCode: 'Neo.ClientError.Request.Invalid', retriable: false },
  CONSTRAINT_VIOLATION: { httpStatus: 409, neo4jCode: 'Neo.ClientError.Schema.ConstraintValidationFailed', retriable: false },
  WRITER_FENCED: { httpStatus: 409, neo4jCode: 'Neo.ClientError.Cluster.NotALeader', retriable: false },
  PAYLOAD_TOO_LARGE: { httpStatus: 413, neo4jCode: 'Neo.ClientError.Request.Invalid', retriable: false },
  MEMORY_LIMIT: { httpStatus: 413, neo4jCode: 'Neo.ClientError.General.TransactionOutOfMemoryError', retriable: false },
  RATE_LIMITED: { httpStatus: 429, neo4jCode: 'Neo.TransientError.Request.NoThreadsAvailable', retriable: true },
  STORE_UNAVAILABLE: { httpStatus: 503, neo4jCode: 'Neo.TransientError.General.DatabaseUnavailable', retriable: true },
  SHUTTING_DOWN: { httpStatus: 503, neo4jCode: 'Neo.TransientError.General.DatabaseUnavailable', retriable: true },
  OVERLOADED: { httpStatus: 503, neo4jCode: 'Neo.TransientError.Request.NoThreadsAvailable', retriable: true },
  QUERY_TIMEOUT: { httpStatus: 504, neo4jCode: 'Neo.ClientError.Transaction.TransactionTimedOut', retriable: false },
  BOOKMARK_TIMEOUT: { httpStatus: 503, neo4jCode: 'Neo.TransientError.Transaction.BookmarkTimeout', retriable: true },
  CANCELLED: { httpStatus: 499, neo4jCode: 'Neo.ClientError.Transaction.Terminated', retriable: false },
  CORRUPTION: { httpStatus: 500, neo4jCode: 'Neo.DatabaseError.General.UnknownError', retriable: false },
  INTERNAL: { httpStatus: 500, neo4jCode: 'Neo.DatabaseError.General.UnknownError', retriable: false },
};

/** The classification of an error by the openCypher TCK: type (`SyntaxError`, …), phase, and detail (`UndefinedVariable`, …). */
export interface TckClassification {
  readonly type: string;
  readonly phase: 'compile time' | 'runtime';
  readonly detail: string;
}

/** The options of an error. */
export interface ErrorOptions {
  /** 1-based place in the query text. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly tck?: TckClassification | undefined;
  readonly cause?: unknown;
  /** True for a write that may or may not have been done. */
  readonly outcomeUnknown?: boolean;
  /** False if the same request never succeeds, though the code is one of those that are retriable. */
  readonly retriable?: false;
  /** The code that Bolt sends, where it is more specific than the Neo4j code of `code`. */
  readonly neo4jCode?: string | undefined;
}

/** The error class of GraphDB: each error has a code. */
export class GraphDBError extends Error {
  readonly code: ErrorCode;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly tck: TckClassification | undefined;
  /**
   * True for a write that may or may not have been done: repeating it may do it twice. A write that fails with any
   * other error is not done.
   */
  readonly outcomeUnknown: boolean;
  /** The code that Bolt sends, where it is more specific than the Neo4j code of `code`. */
  readonly neo4jCode: string | undefined;
  readonly #isFinal: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GraphDBError';
    this.code = code;
    this.line = options.line;
    this.column = options.column;
    this.tck = options.tck;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.neo4jCode = options.neo4jCode;
    this.#isFinal = options.retriable === false;
  }

  /** Whether the same request may succeed later without a change, and does nothing twice. */
  get retriable(): boolean {
    return ERROR_CODES[this.code].retriable && !this.outcomeUnknown && !this.#isFinal;
  }
}

/**
 * Makes the SHUTTING_DOWN error of a call on an object that was closed in this process. It is not retriable: an object
 * stays closed. (A server answers the same code while it stops; the same request may succeed on the next one.)
 */
export function closedError(message: string): GraphDBError {
  return new GraphDBError('SHUTTING_DOWN', message, { retriable: false });
}

/** Asserts an internal invariant, which no user input can break. The message quotes the number of the invariant where it has one. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new GraphDBError('INTERNAL', `internal error: ${message}`);
}

/** Marks the end of an exhaustive switch: a member of the union that is not handled fails the build, and throws INTERNAL at run time. */
export function unreachable(value: never, what: string): never {
  throw new GraphDBError('INTERNAL', `internal error: unexpected ${what} ${JSON.stringify(value)}`);
}

/** Returns the numbered line of a text, with a caret below the column; both are 1-based. Tabs keep their width. */
export function pointAt(text: string, line: number, column: number): string {
  const shown = text.split(/\r\n|\r|\n/)[line - 1] ?? '';
  const number = String(line);
  const indent = shown.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return `  ${number} | ${shown}\n  ${' '.repeat(number.length)} | ${indent}^`;
}
