import type { Clock, Logger } from '../base/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import type { ArtefactKinds } from './artefacts/artefact-kinds.ts';
import type { FileSource } from './files/file-access.ts';
import type { StorePages } from './page-cache/page-cache.ts';
import type { StoreCache } from './sst/sst-cache.ts';
import type { LogWindow } from './wal/put-pacing.ts';

/** The context that all parts of an open namespace share: store, clock, caches and settings. */
export interface NamespaceContext {
  readonly name: string;
  readonly store: ObjectStore;
  readonly writerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Work on files of at least this many bytes is done in another thread. */
  readonly threadFromBytes: number;
  /** The most bytes of changes that the object of a manifest holds itself; larger ones move to a child. */
  readonly manifestOwnBytes: number;
  /** How many puts of the log may be in flight at once. */
  readonly logWindow: LogWindow;
  readonly sstCache: StoreCache | null;
  /** Reads files for statements. */
  readonly reads: FileSource;
  /** The pages of the store in the cache on a local disk; null without one. */
  readonly pages: StorePages | null;
  readonly artefactKinds: ArtefactKinds;
  /** Aborted by `close`, which ends requests to a store that does not answer. */
  readonly closing: AbortController;
}
