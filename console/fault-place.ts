/** Where the fault of a statement stands in the editor. */

/** Returns a statement without EXPLAIN or PROFILE before it. */
export function bare(text: string): string {
  return text.trim().replace(/^(EXPLAIN|PROFILE)\s+/i, '');
}

/** Where the server says that a fault or a warning stands. */
export interface Place {
  /** Counted from one, in the trimmed text of the statement; undefined: it has no place. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * Returns the place of a fault in the text of the editor, from which the statement was sent as it is or behind EXPLAIN or PROFILE; null if
 * it has none, or the text is another one by now.
 */
export function placeOf(statement: string, edited: string, { line, column = 1 }: Place): number | null {
  const core = bare(statement);
  const start = edited.indexOf(core);
  if (line === undefined || start < 0) return null;
  const sent = statement.trim();
  const before = sent.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  return Math.max(0, start + Math.min(sent.length, at) - sent.indexOf(core));
}
