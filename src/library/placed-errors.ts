/** Adds to the message of an error the place in the text of the statement that the error is about. */
import { GraphDBError, pointAt } from '../base/index.ts';

/**
 * Returns the error itself or, if it has a line and a column, a copy whose message shows the place: line, column, and
 * the line of the text with a caret below.
 */
export function withPlace(error: unknown, query: string): unknown {
  if (!(error instanceof GraphDBError) || error.line === undefined || error.column === undefined) return error;
  const { code, message, line, column, tck, cause, outcomeUnknown, neo4jCode } = error;
  const place = `${message} (line ${line}, column ${column})\n${pointAt(query, line, column)}`;
  return new GraphDBError(code, place, { line, column, tck, cause, outcomeUnknown, neo4jCode });
}
