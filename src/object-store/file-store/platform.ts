/** Facts about the machine that the journals must know (decision 0006). */

import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from './durable-files.ts';

/**
 * File systems on a disk of this machine: ext4, XFS, Btrfs. All its processes see one page cache, and a symbolic link
 * may have several names. On all others (network, overlay, FUSE) every put is synced by itself.
 */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e]);

/** Differs after every start of the system, the same for all processes and containers on it; null where the system does not tell. */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}

/** Asked for the nearest folder that exists. */
export async function allowsJournals(folder: string): Promise<boolean> {
  try {
    return LOCAL.has((await statfs(folder)).type);
  } catch (error) {
    if (!isMissing(error) || folder === dirname(folder)) throw error;
    return allowsJournals(dirname(folder));
  }
}
