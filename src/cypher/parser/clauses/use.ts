/** USE, before a statement and before the queries in it. */
import type { Cursor } from '../cursor.ts';

/** `USE neo4j`: the one database there is. */
export function skipUse(cursor: Cursor): void {
  if (!cursor.isKeyword('USE') || !cursor.isKind('name', 1)) return;
  const database = cursor.tokenAt(cursor.index + 1);
  if (database.text.toLowerCase() !== 'neo4j' || cursor.isSymbol('.', 2)) {
    throw cursor.fault(
      database,
      'UnexpectedSyntax',
      'a server has one database, neo4j, and one graph: leave USE out, or start a server for each namespace',
    );
  }
  cursor.advance();
  cursor.advance();
}
