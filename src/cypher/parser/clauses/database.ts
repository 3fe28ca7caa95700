/** CREATE DATABASE and DROP DATABASE. */
import type { DatabaseCommand, SchemaName } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseParameter } from '../expressions/atoms.ts';

/** Tells whether a command on databases comes next. */
export function isDatabaseAhead(cursor: Cursor): boolean {
  return (cursor.isKeyword('CREATE') || cursor.isKeyword('DROP')) && cursor.isKeyword('DATABASE', 1);
}

/** Parses CREATE DATABASE or DROP DATABASE. `WAIT` and `NOWAIT` have no effect, since a command is always answered once it is done. */
export function parseDatabaseCommand(cursor: Cursor): DatabaseCommand {
  const { start } = cursor.current;
  const isCreate = cursor.expectAnyKeyword('CREATE', 'DROP').keyword === 'CREATE';
  cursor.expectKeyword('DATABASE');
  const name = parseDatabaseName(cursor);
  const isConditional = isCreate ? cursor.acceptKeywords('IF', 'NOT', 'EXISTS') : cursor.acceptKeywords('IF', 'EXISTS');
  if (!isCreate) cursor.acceptKeywords('DESTROY', 'DATA');
  if (!cursor.acceptKeyword('NOWAIT')) cursor.acceptKeyword('WAIT');
  const span = cursor.spanFrom(start);
  return isCreate
    ? { kind: 'createDatabase', name, ifNotExists: isConditional, span }
    : { kind: 'dropDatabase', name, ifExists: isConditional, span };
}

/** Parses the name of a database, which may have dots without quotes; a name with a hyphen needs backticks. */
function parseDatabaseName(cursor: Cursor): SchemaName {
  if (cursor.isKind('parameter')) return parseParameter(cursor);
  let name = cursor.expectName('the name of a database');
  while (cursor.acceptSymbol('.')) name += `.${cursor.expectName('the rest of the name')}`;
  return name;
}
