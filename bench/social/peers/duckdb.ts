/** DuckDB in this process: COPY from the files; ids indexed by their keys, joins by hash. */
import { join } from 'node:path';
import { fromPeers } from '../from-peers.ts';
import { type Cell, cell, NODE_COLUMNS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';
import { sqlTables } from '../sql-schema.ts';

interface Result {
  getRowsJS(): Promise<unknown[][]>;
}
interface Prepared {
  bind(values: object): void;
  run(): Promise<Result>;
}
interface Connection {
  run(text: string): Promise<Result>;
  interrupt(): void;
  prepare(text: string): Promise<Prepared>;
  closeSync(): void;
}
interface Module {
  DuckDBInstance: { create(file: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }> };
}

export const openPeer: OpenPeer = async (folder, budgetMs) => {
  const { DuckDBInstance } = fromPeers<Module>('@duckdb/node-api');
  const instance = await DuckDBInstance.create(join(folder, 'bench.duckdb'));
  const connection = await instance.connect();
  const prepared = new Map<string, Promise<Prepared>>();
  const prepare = (text: string): Promise<Prepared> => {
    let statement = prepared.get(text);
    if (statement === undefined) prepared.set(text, (statement = connection.prepare(text)));
    return statement;
  };
  return {
    load: async (data) => {
      await connection.run(sqlTables());
      for (const table of [...Object.keys(NODE_COLUMNS), ...RELATIONSHIPS.map(({ file }) => file)]) {
        await connection.run(`COPY ${table} FROM '${join(data, `${table}.csv`)}' (HEADER false)`);
      }
      await connection.run('CHECKPOINT');
    },
    reopen: async () => {},
    run: async (text, parameters) => {
      const { rows } = parameters;
      if (Array.isArray(rows)) {
        await connection.run(
          text.replace('$rows', rows.map((row: Record<string, Cell>) => `(${Object.values(row).map(literal).join()})`).join()),
        );
        return () => [];
      }
      const statement = await prepare(text);
      statement.bind(Object.fromEntries(Object.entries(parameters).filter(([name]) => text.includes(`$${name}`))));
      const timer = setTimeout(() => connection.interrupt(), budgetMs);
      try {
        const answer = await (await statement.run()).getRowsJS();
        return () => (text.startsWith('INSERT') ? [] : answer.map((row) => row.map(cell)));
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

function literal(value: Cell): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
