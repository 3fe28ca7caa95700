/** Facts about the machine that the journals must know (decision 0006). */

import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from './durable-files.ts';

/**
 * The magic numbers of local file systems that allow journals: ext4, XFS, Btrfs. There all processes share one page
 * cache, and a symbolic link may have several names. On all others (network, overlay, FUSE) every put is synced by
 * itself.
 */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e]);

/** Returns the id of this start of the system, shared by all its processes and containers; null when it is unknown. */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}

/** Whether the file system of a folder, or of the nearest existing folder above it, allows journals. */
export async function allowsJournals(folder: string): Promise<boolean> {
  try {
    return LOCAL.has((await statfs(folder)).type);
  } catch (error) {
    if (!isMissing(error) || folder === dirname(folder)) throw error;
    return allowsJournals(dirname(folder));
  }
}
