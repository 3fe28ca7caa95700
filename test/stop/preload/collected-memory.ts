/**
 * Loaded into a server before it starts (`node --import`). At SIGUSR2 its main thread collects its heap and writes to
 * the file that STOP_MEMORY_FILE names how many MiB it holds: heap and buffers, those that are shared with workers
 * included.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const path = process.env['STOP_MEMORY_FILE'];
if (isMainThread && path !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${path}.new`, String((heapUsed + external) / 2 ** 20));
    renameSync(`${path}.new`, path);
  });
}
