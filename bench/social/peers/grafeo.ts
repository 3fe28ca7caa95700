/** Grafeo in this process: loaded through its calls for nodes and edges, ids indexed. */
import { join } from 'node:path';
import { fromPeers } from '../from-peers.ts';
import { cells, LABELS, NODE_COLUMNS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';
import { readBatches } from '../read-csv.ts';

interface Grafeo {
  batchCreateNodesWithProps(labels: string[], properties: readonly object[]): Promise<number[]>;
  batchCreateEdges(edges: readonly object[]): Promise<number[]>;
  executeCypher(text: string, parameters: object): Promise<{ toArray(): Record<string, unknown>[] }>;
  close(): void;
}

export const openPeer: OpenPeer = async (folder) => {
  const { GrafeoDB } = fromPeers<{ GrafeoDB: { create(path: string): Grafeo } }>('@grafeo-db/js');
  const db = GrafeoDB.create(join(folder, 'bench.grafeo'));
  return {
    load: async (data) => {
      for (const label of Object.values(LABELS)) await db.executeCypher(`CREATE INDEX ${label}_id FOR (n:${label}) ON (n.id)`, {});
      const nodes = { person: new Map<number, number>(), message: new Map<number, number>(), tag: new Map<number, number>() };
      for (const [file, columns] of Object.entries(NODE_COLUMNS)) {
        const kind = file as keyof typeof NODE_COLUMNS;
        for (const rows of readBatches(join(data, `${file}.csv`), columns, 10_000)) {
          const made = await db.batchCreateNodesWithProps([LABELS[kind]], rows);
          for (const [index, row] of rows.entries()) nodes[kind].set(row['id'] as number, made[index]!);
        }
      }
      for (const { file, type, from, to, property } of RELATIONSHIPS) {
        for (const rows of readBatches(join(data, `${file}.csv`), ['a', 'b', 'value'], 10_000)) {
          const ends = rows.map(({ a, b, value }) => ({ src: nodes[from].get(a as number)!, dst: nodes[to].get(b as number)!, value }));
          await db.batchCreateEdges(
            ends.map(({ src, dst, value }) => ({ src, dst, type, properties: property === null ? {} : { [property]: value } })),
          );
        }
      }
    },
    reopen: async () => {},
    run: async (text, parameters) => {
      const rows = (await db.executeCypher(text, parameters)).toArray();
      return () => cells(rows);
    },
    close: () => db.close(),
  };
};
