/** This project: imported by its command, asked through the library with default flags. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Database, open } from '../../../src/index.ts';
import { cell, LABELS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';

export const openPeer: OpenPeer = async (folder) => {
  const uri = `file://${folder}?ns=bench`;
  let db: Database | null = null;
  return {
    load: async (data) => {
      const both = (file: string): string => `${join(data, `${file}-header.csv`)},${join(data, `${file}.csv`)}`;
      const nodes = Object.entries(LABELS).flatMap(([file, label]) => ['--nodes', `${label}=${both(file)}`]);
      const relationships = RELATIONSHIPS.flatMap(({ file, type }) => ['--relationships', `${type}=${both(file)}`]);
      const program = join(import.meta.dirname, '../../../bin/graphdb');
      execFileSync(program, ['import', '--store', uri, ...nodes, ...relationships], { stdio: 'ignore' });
      db = await open(uri);
      for (const label of Object.values(LABELS)) {
        await db.query(`CREATE CONSTRAINT FOR (n:${label}) REQUIRE n.id IS UNIQUE`);
      }
    },
    reopen: async () => {
      db = await open(uri);
    },
    run: async (text, parameters) => {
      const { columns, rows } = await db!.query(text, parameters);
      return rows.map((row) => columns.map((column) => cell(row[column])));
    },
    close: () => db?.close(),
  };
};
