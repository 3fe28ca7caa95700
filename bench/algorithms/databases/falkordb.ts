/** FalkorDB: a server of its own, loaded by its command for bulk loaders. */
import { type Bulk, BulkRows } from '../../social/falkordb-bulk.ts';
import { startFalkordb } from '../../social/falkordb-server.ts';
import type { Edges } from '../rmat.ts';
import { serve } from './serve.ts';

/** So many go into one command. */
const BATCH = 200_000;

await serve(async (edges, folder) => {
  const graph = await startFalkordb(folder);
  await graph.load(nodeBulks(edges), relationshipBulks(edges));
  await graph.run('CREATE INDEX FOR (n:N) ON (n.number)', {});
  return async (statement) => Object.values((await graph.run(statement, {}))[0]!);
});

function* nodeBulks({ nodeCount }: Edges): Generator<Bulk> {
  for (let from = 0; from < nodeCount; from += BATCH) {
    const rows = new BulkRows('N', ['number']);
    for (let node = from; node < Math.min(nodeCount, from + BATCH); node++) {
      rows.property(node);
      rows.entities++;
    }
    yield rows.done();
  }
}

function* relationshipBulks({ sources, targets, weights }: Edges): Generator<Bulk> {
  for (let from = 0; from < sources.length; from += BATCH) {
    const rows = new BulkRows('R', ['weight']);
    for (let i = from; i < Math.min(sources.length, from + BATCH); i++) {
      rows.end(sources[i]!);
      rows.end(targets[i]!);
      rows.double(weights[i]!);
      rows.entities++;
    }
    yield rows.done();
  }
}
