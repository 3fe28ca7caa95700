/**
 * Opens files whose blocks are overwritten in place, each write durable when it returns (O_DSYNC). Where the file
 * system allows it, writes bypass the page cache (O_DIRECT): that saves a fifth of the time of a small write. Readers
 * through the page cache see the same bytes, since a direct write drops the cached copy.
 */

import { closeSync, constants, openSync, readSync } from 'node:fs';
import { errorCode } from './io-errors.ts';

/** The size of a block in bytes, a multiple of the sector size of common disks. */
export const BLOCK_BYTES = 4096;

/** Allocates zeroed memory that begins at a page boundary, as O_DIRECT requires: V8 maps resizable buffers page by page. */
export function allocateAligned(bytes: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(bytes, { maxByteLength: bytes }));
}

/**
 * Opens a file for reading and durable writing, and returns the file descriptor. The file must hold whole blocks, at
 * least one, all of which were written before.
 */
export function openForDurableBlocks(path: string): number {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_DSYNC | constants.O_DIRECT);
    if (takesBlocks(fd)) return fd;
    closeSync(fd);
  } catch (error) {
    if (errorCode(error) !== 'EINVAL') throw error;
  }
  return openSync(path, constants.O_RDWR | constants.O_DSYNC);
}

/** Whether direct reads of `BLOCK_BYTES` work: a file system may accept O_DIRECT and require other blocks or addresses. */
function takesBlocks(fd: number): boolean {
  try {
    return readSync(fd, allocateAligned(BLOCK_BYTES), 0, BLOCK_BYTES, 0) === BLOCK_BYTES;
  } catch (error) {
    if (errorCode(error) !== 'EINVAL') throw error;
    return false;
  }
}
