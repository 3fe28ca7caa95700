/** Makes a table from pieces, and its files, on any thread. */
import { encodeFiles } from '../../storage/index.ts';
import { type JoinJob, joinNodes } from '../tables/join-nodes.ts';
import { type OrderJob, orderRelationships } from '../tables/order-relationships.ts';
import type { MadeTable, SealedTable } from '../tables/table-buffer.ts';

/** The order to make a table. */
export type TableJob = JoinJob | OrderJob;

/** Makes a table. */
export function makeTable(job: TableJob): SealedTable {
  return job.kind === 'nodes' ? joinNodes(job) : orderRelationships(job);
}

/** Makes a table and encodes its files. The destination sets their level and sequences. */
export async function encodeTable(job: TableJob): Promise<MadeTable & { readonly kind: 'encoded' }> {
  const { kind, labels, type, ...rows } = makeTable(job);
  const name = { kind, ...(labels === undefined ? {} : { labels }), ...(type === undefined ? {} : { type }) };
  const files = await encodeFiles({ ...name, ...rows, level: 0, minSequence: 0, maxSequence: 0 });
  return { kind: 'encoded', name, files };
}
