/** The messages between a file thread and the thread that started it. Answers have the number of their request. */
import type { ErrorCode } from '../../base/index.ts';
import type { FileJob, FileOutcome } from './file-jobs.ts';

/** A message to the file thread. */
export type ThreadOrder =
  /** `reusesImages`: files are written in memory of ImageMemory; otherwise their bytes are transferred. */
  | { readonly kind: 'start'; readonly id: number; readonly job: FileJob; readonly reusesImages: boolean }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: Fault };

/** A message from the file thread. `job` is the job whose store the message concerns. */
export type ThreadReport =
  | { readonly kind: 'request'; readonly id: number; readonly job: number; readonly request: FileRequest }
  | { readonly kind: 'release'; readonly job: number; readonly keys: readonly string[] }
  /** The place of the images has a new buffer. */
  | { readonly kind: 'image'; readonly place: number; readonly buffer: SharedArrayBuffer }
  | { readonly kind: 'done'; readonly id: number; readonly outcome: FileOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Fault };

/** A request of a file thread to the store. */
export type FileRequest =
  | { readonly operation: 'get'; readonly key: string }
  /** The target lies in shared memory. */
  | { readonly operation: 'readInto'; readonly key: string; readonly offset: number; readonly target: Uint8Array }
  /** The buffer of the bytes is transferred. */
  | { readonly operation: 'create' | 'createArtefactFile'; readonly bytes: Uint8Array }
  /** Creates an object of the first `length` bytes of an image. */
  | { readonly operation: 'createFromImage'; readonly place: number; readonly length: number };

/**
 * An error as data. `request` is the number of the failed request that caused it, whose original error the thread that
 * has the store keeps; null for any other error.
 */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly request: number | null;
}
