/** Errors of a statement with the line of its text that they are about. */
import { GraphDBError, pointAt } from '../base/index.ts';

/**
 * Returns the failure; where it is about a place in the text, its message shows the place: line, column, and the line
 * with a caret below.
 */
export function withPlace(error: unknown, query: string): unknown {
  if (!(error instanceof GraphDBError) || error.line === undefined || error.column === undefined) return error;
  const { code, message, line, column, tck, cause, outcomeUnknown, neo4jCode } = error;
  const place = `${message} (line ${line}, column ${column})\n${pointAt(query, line, column)}`;
  return new GraphDBError(code, place, { line, column, tck, cause, outcomeUnknown, neo4jCode });
}
