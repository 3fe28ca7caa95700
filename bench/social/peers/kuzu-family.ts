/** Kùzu and what came after it: one interface under several names. COPY from the files, prepared statements. */
import { join } from 'node:path';
import { fromPeers } from '../from-peers.ts';
import { cells, LABELS, type OpenPeer, type Parameters, RELATIONSHIPS } from '../peer.ts';

interface Result {
  getAll(): Promise<Record<string, unknown>[]>;
  close(): void;
}
interface Connection {
  query(text: string): Promise<Result>;
  prepare(text: string): Promise<object>;
  execute(statement: object, parameters: object): Promise<Result>;
  setQueryTimeout(ms: number): void;
  close(): Promise<void>;
}
interface Module {
  Database: new (path: string) => { close(): Promise<void> };
  Connection: new (database: object) => Connection;
}

const SCHEMA = [
  'CREATE NODE TABLE Person (id INT64 PRIMARY KEY, name STRING, age INT64, city STRING)',
  'CREATE NODE TABLE Message (id INT64 PRIMARY KEY, kind STRING, text STRING, created INT64, day DATE, length INT64)',
  'CREATE NODE TABLE Tag (id INT64 PRIMARY KEY, name STRING)',
  'CREATE NODE TABLE Event (id INT64 PRIMARY KEY, name STRING)',
  'CREATE REL TABLE FOLLOWS (FROM Person TO Person, w INT64)',
  ...RELATIONSHIPS.map(
    ({ type, from, to, property }) =>
      `CREATE REL TABLE ${type} (FROM ${LABELS[from]} TO ${LABELS[to]}${property === null ? '' : `, ${property} INT64`})`,
  ),
];

export function kuzuFamily(packageName: string): OpenPeer {
  return async (folder, budgetMs) => {
    const { Database, Connection } = fromPeers<Module>(packageName);
    const database = new Database(join(folder, 'bench.db'));
    const connection = new Connection(database);
    const prepared = new Map<string, Promise<object>>();
    const prepare = (text: string): Promise<object> => {
      let statement = prepared.get(text);
      if (statement === undefined) prepared.set(text, (statement = connection.prepare(text)));
      return statement;
    };
    return {
      load: async (data) => {
        for (const text of SCHEMA) (await connection.query(text)).close();
        const files = [...Object.entries(LABELS), ...RELATIONSHIPS.map(({ file, type }) => [file, type] as const)];
        for (const [file, table] of files) (await connection.query(`COPY ${table} FROM '${join(data, `${file}.csv`)}'`)).close();
        connection.setQueryTimeout(budgetMs);
      },
      reopen: async () => connection.setQueryTimeout(budgetMs),
      run: async (text, parameters) => {
        const result = await connection.execute(await prepare(text), mentioned(text, parameters));
        const rows = await result.getAll();
        result.close();
        return () => cells(rows);
      },
      close: async () => {
        await connection.close();
        await database.close();
      },
    };
  };
}

function mentioned(text: string, parameters: Parameters): object {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => text.includes(`$${name}`)));
}
