/** This project in this process: the graph imported from CSV files, asked through the library. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { importFiles } from '../../../src/import/index.ts';
import { open } from '../../../src/index.ts';
import type { Value } from '../../../src/value/index.ts';
import type { Edges } from '../rmat.ts';
import type { Reply } from './database.ts';

/** The database that holds the graph. */
export interface Graphdb {
  readonly loadMs: number;
  ask(statement: string, parameters?: Record<string, Value>): Promise<Reply>;
  close(): Promise<void>;
}

/** Writes the files, which is not timed, and loads them. */
export async function openGraphdb(folder: string, edges: Edges): Promise<Graphdb> {
  const { nodeCount, sources, targets, weights } = edges;
  const [nodes, relationships] = [join(folder, 'nodes.csv'), join(folder, 'relationships.csv')];
  await writeLines(nodes, ':ID{id-type: long},number:int', nodeCount, (i) => `${i},${i}`);
  await writeLines(relationships, ':START_ID,:END_ID,weight:double', sources.length, (i) => `${sources[i]},${targets[i]},${weights[i]}`);
  const store = `file://${join(folder, 'store')}?ns=bench`;
  const before = performance.now();
  await importFiles({ store, nodes: [{ labels: ['N'], files: [nodes] }], relationships: [{ type: 'R', files: [relationships] }] });
  const db = await open(store);
  await db.query('CREATE INDEX FOR (n:N) ON (n.number)');
  return {
    loadMs: performance.now() - before,
    ask: async (statement, parameters = {}) => {
      const start = performance.now();
      const { columns, rows } = await db.query(statement, parameters);
      const ms = performance.now() - start;
      return { ms, row: columns.map((column) => Number(rows[0]![column])) };
    },
    close: () => db.close(),
  };
}

async function writeLines(file: string, header: string, count: number, line: (i: number) => string): Promise<void> {
  const lines = function* (): Generator<string> {
    yield `${header}\n`;
    for (let i = 0; i < count; i++) yield `${line(i)}\n`;
  };
  await pipeline(lines, createWriteStream(file));
}
