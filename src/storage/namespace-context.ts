import type { Clock, Logger } from '../base/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import type { ArtefactKinds } from './artefacts/artefact-kinds.ts';
import type { FileSource } from './files/file-access.ts';
import type { StorePages } from './page-cache/page-cache.ts';
import type { StoreCache } from './sst/sst-cache.ts';
import type { LogWindow } from './wal/put-pacing.ts';

/** The context of every part of an open namespace. */
export interface NamespaceContext {
  readonly name: string;
  readonly store: ObjectStore;
  readonly writerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Files of so many bytes are encoded and merged in a thread of their own. */
  readonly threadFromBytes: number;
  /** The most bytes that the object of a manifest holds itself, before a child takes it. */
  readonly manifestOwnBytes: number;
  /** How many puts of the log are in flight at once. */
  readonly logWindow: LogWindow;
  readonly sstCache: StoreCache | null;
  /** Reads what statements ask of files. */
  readonly reads: FileSource;
  /** The pages of the store that a local disk has. */
  readonly pages: StorePages | null;
  readonly artefactKinds: ArtefactKinds;
  /** Aborted by `close`: nobody goes on asking a store that does not answer. */
  readonly closing: AbortController;
}
