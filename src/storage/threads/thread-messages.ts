/** Messages between the two sides of a file thread. Numbers tie answers to requests. */
import type { ErrorCode } from '../../base/index.ts';
import type { FileJob, FileOutcome } from './file-jobs.ts';

/** To the thread. */
export type ThreadOrder =
  /** `reusesImages`: files are written in memory of ImageMemory; otherwise what is written changes hands. */
  | { readonly kind: 'start'; readonly id: number; readonly job: FileJob; readonly reusesImages: boolean }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: Fault };

/** From the thread. `job`: whose store is meant. */
export type ThreadReport =
  | { readonly kind: 'request'; readonly id: number; readonly job: number; readonly request: FileRequest }
  | { readonly kind: 'release'; readonly job: number; readonly keys: readonly string[] }
  /** At this place of the images there is another one now. */
  | { readonly kind: 'image'; readonly place: number; readonly buffer: SharedArrayBuffer }
  | { readonly kind: 'done'; readonly id: number; readonly outcome: FileOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Fault };

/** A request of a file thread to the store. */
export type FileRequest =
  | { readonly operation: 'get'; readonly key: string }
  /** The target is shared. */
  | { readonly operation: 'readInto'; readonly key: string; readonly offset: number; readonly target: Uint8Array }
  /** The bytes change hands. */
  | { readonly operation: 'create' | 'createArtefactFile'; readonly bytes: Uint8Array }
  /** The first bytes of an image. */
  | { readonly operation: 'createFromImage'; readonly place: number; readonly length: number };

/** An error, as it can be told. `request`: of a request that failed with it, whose error the other side has kept. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly request: number | null;
}
