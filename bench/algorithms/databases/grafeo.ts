/** Grafeo in its process and in memory, loaded through its calls for nodes and edges. Its nodes have the numbers of ours. */
import { fromPeers } from '../../social/from-peers.ts';
import { serve } from './serve.ts';

interface Grafeo {
  batchCreateNodesWithProps(label: string, properties: readonly object[]): Promise<number[]>;
  batchCreateEdges(edges: readonly object[]): Promise<number[]>;
  executeCypher(text: string): Promise<{ toArray(): Record<string, unknown>[] }>;
}

const BATCH = 10_000;

await serve(async ({ nodeCount, sources, targets, weights }) => {
  const db = fromPeers<{ GrafeoDB: { create(): Grafeo } }>('@grafeo-db/js').GrafeoDB.create();
  for (let from = 0; from < nodeCount; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, nodeCount - from) }, (_, i) => ({ number: from + i }));
    const nodes = await db.batchCreateNodesWithProps('N', rows);
    if (nodes.some((node, i) => node !== from + i)) throw new Error('nodes of Grafeo are not numbered as they are made');
  }
  for (let from = 0; from < sources.length; from += BATCH) {
    const edge = (i: number): object => ({ src: sources[i], dst: targets[i], type: 'R', properties: { weight: weights[i] } });
    await db.batchCreateEdges(Array.from({ length: Math.min(BATCH, sources.length - from) }, (_, i) => edge(from + i)));
  }
  return async (statement) => Object.values((await db.executeCypher(statement)).toArray()[0]!);
});
