/** Reports failures on a terminal: message and code, and for a fault in the query text the line with a caret under the place. */
import type { Writable } from 'node:stream';
import { GraphDBError, pointAt } from '../base/index.ts';
import { withoutControls } from './terminal.ts';

/** Writes a failure to `errors`. @param query the text that line and column of the error refer to */
export function reportFailure(errors: Writable, error: unknown, query?: string): void {
  errors.write(`${describeFailure(error, query)}\n`);
}

/**
 * Returns the text of a failure for a terminal, with its place in the query where it has one. Messages quote values of
 * the graph, whose control characters become escapes.
 */
export function describeFailure(error: unknown, query?: string): string {
  return withoutControls(textOf(error, query));
}

function textOf(error: unknown, query: string | undefined): string {
  if (!(error instanceof GraphDBError))
    return `graphdb: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  const message = `graphdb: ${error.message} (${error.code})`;
  if (query === undefined || error.line === undefined || error.column === undefined) return message;
  return `${message}\n${pointAt(query, error.line, error.column)}`;
}
