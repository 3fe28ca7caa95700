/**
 * The data set in SQLite, from the original files: one table per file, and views that bring together what the graph keeps under one
 * label or type. In the views `src` and `dst` are the ends of a relationship and `rid` tells parallel ones apart.
 */
import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { NODE_FILES, type NodeFile, RELATIONSHIP_FILES, type RelationshipFile, readRows } from './dataset.ts';

interface Column {
  readonly name: string;
  readonly numeric: boolean;
}

const VIEWS = `
CREATE VIEW message AS
  SELECT id, 'Post' AS kind, imageFile, creationDate, locationIP, browserUsed, language, content, length FROM post
  UNION ALL SELECT id, 'Comment', NULL, creationDate, locationIP, browserUsed, NULL, content, length FROM comment;
CREATE VIEW has_creator AS SELECT src, dst FROM post_hasCreator_person UNION ALL SELECT src, dst FROM comment_hasCreator_person;
CREATE VIEW message_tag AS SELECT src, dst FROM post_hasTag_tag UNION ALL SELECT src, dst FROM comment_hasTag_tag;
CREATE VIEW message_place AS SELECT src, dst FROM post_isLocatedIn_place UNION ALL SELECT src, dst FROM comment_isLocatedIn_place;
CREATE VIEW reply_of AS SELECT src, dst FROM comment_replyOf_post UNION ALL SELECT src, dst FROM comment_replyOf_comment;
CREATE VIEW likes AS SELECT src, dst, creationDate FROM person_likes_post UNION ALL SELECT src, dst, creationDate FROM person_likes_comment;
CREATE VIEW knows AS SELECT rowid AS rid, src, dst, creationDate FROM person_knows_person;
CREATE VIEW knows_both AS SELECT rid, src AS a, dst AS b, creationDate FROM knows UNION ALL SELECT rid, dst, src, creationDate FROM knows;
`;

export function loadSqlite(folder: string): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const file of NODE_FILES) loadTable(db, folder, file, nodeColumns(file), ['id']);
  for (const file of RELATIONSHIP_FILES) loadTable(db, folder, file, relationshipColumns(file), ['src', 'dst']);
  db.exec(VIEWS);
  db.exec('ANALYZE');
  return db;
}

function nodeColumns(file: NodeFile): Column[] {
  return file.header.split('|').map((field) => {
    const name = field === ':LABEL' ? 'type' : field.split(':')[0]!;
    return { name, numeric: /:ID|:long|:int/.test(field) };
  });
}

function relationshipColumns(file: RelationshipFile): Column[] {
  const names = [
    'src',
    'dst',
    ...file.header
      .split('|')
      .slice(2)
      .map((field) => field.split(':')[0]!),
  ];
  return names.map((name) => ({ name, numeric: true }));
}

function loadTable(
  db: DatabaseSync,
  folder: string,
  file: { path: string; header: string },
  columns: readonly Column[],
  indexed: readonly string[],
): void {
  const table = basename(file.path);
  db.exec(`CREATE TABLE ${table} (${columns.map(({ name, numeric }) => `${name} ${numeric ? 'INTEGER' : 'TEXT'}`).join(', ')})`);
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
  db.exec('BEGIN');
  for (const row of readRows(folder, file)) insert.run(...row.map((field, index) => fieldValue(field, columns[index]!)));
  db.exec('COMMIT');
  for (const column of indexed) db.exec(`CREATE INDEX ${table}_${column} ON ${table} (${column})`);
}

/** An empty field is no property, so NULL. */
function fieldValue(field: string, column: Column): SQLInputValue {
  if (field === '') return null;
  return column.numeric ? BigInt(field) : field;
}
