/** The program of a thread that helps an import: it reads chunks, and makes files of the pieces that chunks have brought. */
import { parentPort } from 'node:worker_threads';
import { GraphDBError, movableMemory } from '../../base/index.ts';
import { openSharedIds } from '../ids/shared-ids.ts';
import { NodeChunkLoader } from '../node-chunks.ts';
import { RelationshipChunkLoader } from '../relationship-chunks.ts';
import { encodeTable } from './table-job.ts';
import type { ThreadOrder, ThreadReport } from './thread-messages.ts';

const port = parentPort!;
let loader: NodeChunkLoader | RelationshipChunkLoader | null = null;

port.on('message', (order: ThreadOrder) => {
  switch (order.kind) {
    case 'begin':
      loader = order.of === 'nodes' ? new NodeChunkLoader(order.setting) : relationshipLoader(order);
      return;
    case 'load': {
      const { chunk, rooms, id } = order;
      void carryOut(id, async () =>
        tell({ kind: 'loaded', id, result: loader!.load({ ...chunk, bytes: Buffer.from(chunk.bytes) }, rooms) }),
      );
      return;
    }
    case 'make': {
      const { job, id } = order;
      void carryOut(id, async () => {
        const result = await encodeTable(job);
        tell({ kind: 'made', id, result }, movableMemory(result.files.map(({ bytes }) => bytes)));
      });
      return;
    }
    default:
      order satisfies never;
  }
});

tell({ kind: 'ready' });

function relationshipLoader({ setting, ids }: ThreadOrder & { kind: 'begin'; of: 'relationships' }): RelationshipChunkLoader {
  const indexes = new Map(Array.from(ids, ([space, shared]) => [space, openSharedIds(shared)]));
  return new RelationshipChunkLoader(setting, { index: (space) => indexes.get(space)! });
}

async function carryOut(id: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof GraphDBError) tell({ kind: 'failed', id, code: error.code, message: error.message });
    else tell({ kind: 'failed', id, code: 'INTERNAL', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function tell(report: ThreadReport, moved: readonly ArrayBuffer[] = []): void {
  port.postMessage(report, moved);
}
