/** USE, which may stand before a statement and before each part of a query. */
import type { Cursor } from '../cursor.ts';

/** Skips `USE neo4j`, which has no effect. @throws SYNTAX_ERROR for any other database */
export function skipUse(cursor: Cursor): void {
  if (!cursor.isKeyword('USE') || !cursor.isKind('name', 1)) return;
  const database = cursor.tokenAt(cursor.index + 1);
  if (database.text.toLowerCase() !== 'neo4j' || cursor.isSymbol('.', 2)) {
    throw cursor.fault(
      database,
      'UnexpectedSyntax',
      'a statement is about one database, which is chosen where it is sent: by the `database` of the driver, the path of the ' +
        'URL, or :use in the shell; leave USE out',
    );
  }
  cursor.advance();
  cursor.advance();
}
