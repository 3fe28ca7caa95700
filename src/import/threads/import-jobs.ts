/** What a thread that helps an import does: reads chunks, and puts relationships in order. */
import { parentPort } from 'node:worker_threads';
import { GraphDBError, movableMemory } from '../../base/index.ts';
import { openSharedIds } from '../ids/shared-ids.ts';
import { RelationshipChunkLoader } from '../relationship-chunks.ts';
import { orderRelationships } from '../tables/order-relationships.ts';
import type { ThreadOrder, ThreadReport } from './thread-messages.ts';

const port = parentPort!;
let loader: RelationshipChunkLoader | null = null;

port.on('message', (order: ThreadOrder) => {
  switch (order.kind) {
    case 'begin': {
      const indexes = new Map(Array.from(order.ids, ([space, ids]) => [space, openSharedIds(ids)]));
      loader = new RelationshipChunkLoader(order.setting, { index: (space) => indexes.get(space)! });
      return;
    }
    case 'load': {
      const { chunk, rooms, id } = order;
      carryOut(id, () => tell({ kind: 'loaded', id, result: loader!.load({ ...chunk, bytes: Buffer.from(chunk.bytes) }, rooms) }));
      return;
    }
    case 'order': {
      const { job, id } = order;
      carryOut(id, () => {
        const result = orderRelationships(job);
        const arrays = result.columns.flatMap(({ values, valid, heap, dictionary }) => [
          values,
          valid,
          heap,
          dictionary?.offsets,
          dictionary?.heap,
        ]);
        tell({ kind: 'ordered', id, result }, movableMemory(arrays));
      });
      return;
    }
    default:
      order satisfies never;
  }
});

function carryOut(id: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof GraphDBError) tell({ kind: 'failed', id, code: error.code, message: error.message });
    else tell({ kind: 'failed', id, code: 'INTERNAL', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function tell(report: ThreadReport, moved: readonly ArrayBuffer[] = []): void {
  port.postMessage(report, moved);
}
