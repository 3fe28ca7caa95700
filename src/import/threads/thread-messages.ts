/** Messages between the thread of an import and the threads that help it. An id ties an answer to its order. */
import type { ErrorCode } from '../../base/index.ts';
import type { SharedIds } from '../ids/id-index.ts';
import type { LoadedNodes, NodeSetting } from '../node-chunks.ts';
import type { ChunkSetting, LoadedRelationships } from '../relationship-chunks.ts';
import type { MadeTable } from '../tables/table-buffer.ts';
import type { TableJob } from './table-job.ts';

/** An order to a thread. */
export type ThreadOrder =
  /** Sets the input that the following chunks belong to. */
  | { readonly kind: 'begin'; readonly of: 'nodes'; readonly setting: NodeSetting }
  | { readonly kind: 'begin'; readonly of: 'relationships'; readonly setting: ChunkSetting; readonly ids: ReadonlyMap<string, SharedIds> }
  | { readonly kind: 'load'; readonly id: number; readonly chunk: SharedChunk; readonly rooms: readonly SharedArrayBuffer[] }
  | { readonly kind: 'make'; readonly id: number; readonly job: TableJob };

/** A chunk, its bytes as shared memory. */
export interface SharedChunk {
  readonly bytes: SharedArrayBuffer;
  readonly from: number;
  readonly to: number;
  readonly hasHeader: boolean;
}

/** The report of a thread. */
export type ThreadReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded'; readonly id: number; readonly result: LoadedNodes | LoadedRelationships }
  | { readonly kind: 'made'; readonly id: number; readonly result: MadeTable }
  | { readonly kind: 'failed'; readonly id: number; readonly code: ErrorCode; readonly message: string };
