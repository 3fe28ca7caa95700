/** The store's own folders and files in a namespace. Their names start with a dot, which no key does. */

export const TEMPORARY_FOLDER = '.tmp';
export const JOURNAL_FOLDER = '.journal';
/** Empty files that wait for a put. */
export const SPARE_FOLDER = '.spare';
/** At the end of a journal's name: somebody else is about to make its objects durable and to remove it. */
export const SEALED = '.sealed';

/** Longer keys go without the journal: file names end at 255 bytes. */
export const MAX_PENDING_KEY_LENGTH = 160;

const PENDING = /^pending-([0-9a-f]{12})-([0-9a-f]{12}-\d+)-(.+)$/;

export interface PendingName {
  readonly bootTag: string;
  readonly key: string;
}

/**
 * The temporary name of an object that has its final name already, and is not durable yet. Whoever finds one knows the object's key, and whether the
 * system has been started anew since.
 */
export function pendingName(bootId: string, unique: string, key: string): string {
  return `pending-${bootTag(bootId)}-${unique}-${key.replaceAll('/', ',')}`;
}

export function parsePendingName(name: string): PendingName | null {
  const match = PENDING.exec(name);
  // No key holds a comma.
  return match === null ? null : { bootTag: match[1]!, key: match[3]!.replaceAll(',', '/') };
}

/** What a pending name becomes when somebody else than the object's writer has made it durable. */
export function durableName(pending: string): string {
  return pending.replace(/^pending-/, 'durable-');
}

export function bootTag(bootId: string): string {
  return bootId.replaceAll('-', '').padEnd(12, '0').slice(0, 12);
}
