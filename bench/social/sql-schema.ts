/** The tables of the relational peers, one per CSV file. */
import { RELATIONSHIPS } from './peer.ts';

export function sqlTables(): string {
  const relationships = RELATIONSHIPS.map(
    ({ file, property }) => `CREATE TABLE ${file} (a BIGINT, b BIGINT${property === null ? '' : `, "${property}" INTEGER`});`,
  );
  return [
    `CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, city TEXT);`,
    `CREATE TABLE message (id INTEGER PRIMARY KEY, kind TEXT, text TEXT, created INTEGER, day DATE, length INTEGER);`,
    `CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);`,
    `CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT);`,
    'CREATE TABLE follows (a BIGINT, b BIGINT, w INTEGER);',
    ...relationships,
  ].join('\n');
}

export const SQL_INDEXES = [
  ...RELATIONSHIPS.flatMap(({ file, property }) => {
    const tail = property === null ? '' : `, "${property}"`;
    return [`CREATE INDEX ${file}_ab ON ${file} (a, b${tail});`, `CREATE INDEX ${file}_ba ON ${file} (b, a${tail});`];
  }),
  'CREATE INDEX message_created ON message (created);',
  'CREATE INDEX message_day ON message (day);',
  'CREATE INDEX tag_name ON tag (name);',
].join('\n');
