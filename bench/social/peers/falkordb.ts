/** FalkorDB, loaded by its command for bulk loaders: a header and rows per kind of node and relationship, in binary. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bulk, BulkRows } from '../falkordb-bulk.ts';
import { startFalkordb } from '../falkordb-server.ts';
import { LABELS, NODE_COLUMNS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';
import { readRows } from '../read-csv.ts';

export const openPeer: OpenPeer = async (folder, budgetMs) => {
  const graph = await startFalkordb(folder);
  return {
    load: async (data) => {
      const { bulks, places } = nodeBulks(data);
      await graph.load(bulks, relationshipBulks(data, places));
      for (const label of Object.values(LABELS)) await graph.run(`CREATE INDEX FOR (n:${label}) ON (n.id)`, {});
    },
    reopen: async () => {},
    run: async (text, parameters) => {
      const rows = await graph.run(text, parameters, budgetMs);
      return () => rows.map((row) => Object.values(row));
    },
    memoryBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${graph.server.pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024,
    close: () => graph.close(),
  };
};

type Places = Readonly<Record<keyof typeof LABELS, ReadonlyMap<number, number>>>;

/** A node is known to relationships by its place among all. */
function nodeBulks(data: string): { bulks: Bulk[]; places: Places } {
  const bulks: Bulk[] = [];
  const places = { person: new Map<number, number>(), message: new Map<number, number>(), tag: new Map<number, number>() };
  let made = 0;
  for (const [file, columns] of Object.entries(NODE_COLUMNS)) {
    const kind = file as keyof typeof LABELS;
    for (const other of kind === 'message' ? ['Post', 'Comment'] : [null]) {
      const rows = new BulkRows(other === null ? LABELS[kind] : `${LABELS[kind]}:${other}`, columns);
      for (const row of readRows(join(data, `${file}.csv`))) {
        if (other !== null && row[1] !== other) continue;
        places[kind].set(row[0] as number, made++);
        for (const value of row) rows.property(value);
        rows.entities++;
      }
      bulks.push(rows.done());
    }
  }
  return { bulks, places };
}

function* relationshipBulks(data: string, places: Places): Generator<Bulk> {
  for (const { file, type, from, to, property } of RELATIONSHIPS) {
    const rows = new BulkRows(type, property === null ? [] : [property]);
    for (const [a, b, value] of readRows(join(data, `${file}.csv`))) {
      rows.end(places[from].get(a as number)!);
      rows.end(places[to].get(b as number)!);
      if (property !== null) rows.property(value!);
      rows.entities++;
    }
    yield rows.done();
  }
}
