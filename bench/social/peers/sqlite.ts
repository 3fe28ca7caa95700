/** SQLite in this process: one table per file, indexed both ways, write-ahead log, every commit synced. */
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Answer, type Cell, NODE_COLUMNS, type OpenPeer, type Parameters, RELATIONSHIPS } from '../peer.ts';
import { readRows } from '../read-csv.ts';
import { SQL_INDEXES, sqlTables } from '../sql-schema.ts';

export const openPeer: OpenPeer = async (folder) => {
  const db = new DatabaseSync(join(folder, 'bench.sqlite'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -1000000; PRAGMA mmap_size = 4000000000;');
  const statements = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      statement.setAllowUnknownNamedParameters(true);
      statement.setReturnArrays(true);
      statements.set(text, statement);
    }
    return statement;
  };
  return {
    load: async (data) => {
      db.exec(sqlTables());
      db.exec('BEGIN');
      const tables = [
        ...Object.entries(NODE_COLUMNS).map(([file, columns]) => [file, columns.length] as const),
        ...RELATIONSHIPS.map(({ file, property }) => [file, property === null ? 2 : 3] as const),
      ];
      for (const [table, columns] of tables) {
        const insert = db.prepare(`INSERT INTO ${table} VALUES (${Array(columns).fill('?').join()})`);
        for (const row of readRows(join(data, `${table}.csv`))) insert.run(...row);
      }
      db.exec('COMMIT');
      db.exec(`${SQL_INDEXES} ANALYZE;`);
    },
    reopen: async () => {},
    run: (text, parameters) => {
      const { rows } = parameters;
      if (Array.isArray(rows)) return batch(db, prepare(text), rows as Parameters[]);
      const found = prepare(text).all(parameters as Record<string, Cell>) as unknown as Cell[][];
      return () => found;
    },
    close: () => db.close(),
  };
};

function batch(db: DatabaseSync, insert: StatementSync, rows: readonly Parameters[]): Answer {
  db.exec('BEGIN');
  for (const row of rows) insert.run(row as Record<string, Cell>);
  db.exec('COMMIT');
  return () => [];
}
