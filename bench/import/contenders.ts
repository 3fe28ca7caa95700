/**
 * Who loads the same two CSV files of nodes and relationships: into a file or folder of its own, so that relationships
 * can be walked from their sources.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '../../src/import/index.ts';
import { fromPeers } from '../social/from-peers.ts';

export interface Files {
  readonly nodes: string;
  readonly relationships: string;
  /** To write to. */
  readonly folder: string;
}

type Contender = (files: Files) => Promise<void>;

interface DuckDb {
  DuckDBInstance: { create(file: string): Promise<{ connect(): Promise<{ run(text: string): Promise<unknown> }>; closeSync(): void }> };
}
interface Kuzu {
  Database: new (path: string) => { close(): Promise<void> };
  Connection: new (database: object) => { query(text: string): Promise<unknown>; close(): Promise<void> };
}

const graphdb: Contender = async ({ nodes, relationships, folder }) => {
  const store = join(folder, 'graphdb');
  mkdirSync(store);
  await importFiles({
    store: `file://${store}?ns=bench`,
    nodes: [{ labels: ['Person'], files: [nodes] }],
    relationships: [{ type: 'KNOWS', files: [relationships] }],
  });
};

/**
 * `keyed`: a primary key of the nodes, relationships that name existing nodes only, sorted by source: what the others
 * do too. Without it rows are copied as they are.
 */
const duckdb =
  (keyed: boolean): Contender =>
  async ({ nodes, relationships, folder }) => {
    const instance = await fromPeers<DuckDb>('@duckdb/node-api').DuckDBInstance.create(join(folder, 'bench.duckdb'));
    const connection = await instance.connect();
    const ends = 's INT, t INT, since INT';
    await connection.run(`CREATE TABLE person (id INT${keyed ? ' PRIMARY KEY' : ''}, age INT)`);
    await connection.run(`COPY person FROM '${nodes}' (HEADER true)`);
    await connection.run(`CREATE TABLE knows (${ends})`);
    if (!keyed) await connection.run(`COPY knows FROM '${relationships}' (HEADER true)`);
    else {
      const read = `read_csv('${relationships}', header = true, columns = {'s': 'INT', 't': 'INT', 'since': 'INT'})`;
      await connection.run(
        `INSERT INTO knows SELECT k.* FROM ${read} k JOIN person a ON k.s = a.id JOIN person b ON k.t = b.id ORDER BY s, t`,
      );
    }
    await connection.run('CHECKPOINT');
    instance.closeSync();
  };

const kuzu: Contender = async ({ nodes, relationships, folder }) => {
  const { Database, Connection } = fromPeers<Kuzu>('kuzu');
  const database = new Database(join(folder, 'bench.kuzu'));
  const connection = new Connection(database);
  await connection.query('CREATE NODE TABLE Person (id INT64 PRIMARY KEY, age INT64)');
  await connection.query('CREATE REL TABLE KNOWS (FROM Person TO Person, since INT64)');
  await connection.query(`COPY Person FROM '${nodes}' (HEADER=true)`);
  await connection.query(`COPY KNOWS FROM '${relationships}' (HEADER=true)`);
  await connection.close();
  await database.close();
};

export const CONTENDERS: Readonly<Record<string, Contender>> = {
  graphdb,
  'duckdb, rows as they are': duckdb(false),
  'duckdb, joined and sorted': duckdb(true),
  kuzu,
};
