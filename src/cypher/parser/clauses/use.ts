/** USE, before a statement and before the queries in it. */
import type { Cursor } from '../cursor.ts';

/** `USE neo4j`: the database that the statement was sent to. */
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
