/** Making a table of pieces, on whatever thread. */
import { type JoinJob, joinNodes } from '../tables/join-nodes.ts';
import { type OrderJob, orderRelationships } from '../tables/order-relationships.ts';
import type { SealedTable } from '../tables/table-buffer.ts';

export type TableJob = JoinJob | OrderJob;

export function makeTable(job: TableJob): SealedTable {
  return job.kind === 'nodes' ? joinNodes(job) : orderRelationships(job);
}
