/** What the thread of an import and those that help it tell each other. Numbers tie answers to orders. */
import type { ErrorCode } from '../../base/index.ts';
import type { SharedIds } from '../ids/id-index.ts';
import type { ChunkSetting, LoadedChunk } from '../relationship-chunks.ts';
import type { OrderJob } from '../tables/order-relationships.ts';
import type { SealedTable } from '../tables/table-buffer.ts';

export type ThreadOrder =
  /** For the chunks that follow. */
  | { readonly kind: 'begin'; readonly setting: ChunkSetting; readonly ids: ReadonlyMap<string, SharedIds> }
  | { readonly kind: 'load'; readonly id: number; readonly chunk: SharedChunk; readonly rooms: readonly SharedArrayBuffer[] }
  | { readonly kind: 'order'; readonly id: number; readonly job: OrderJob };

/** A chunk, its bytes as shared memory. */
export interface SharedChunk {
  readonly bytes: SharedArrayBuffer;
  readonly from: number;
  readonly to: number;
  readonly hasHeader: boolean;
}

export type ThreadReport =
  | { readonly kind: 'loaded'; readonly id: number; readonly result: LoadedChunk }
  | { readonly kind: 'ordered'; readonly id: number; readonly result: SealedTable }
  | { readonly kind: 'failed'; readonly id: number; readonly code: ErrorCode; readonly message: string };
