/** Loaded into a server before it starts (`node --import`): each SIGUSR2 sets the clock of its process twenty minutes ahead. */
import { isMainThread } from 'node:worker_threads';

const JUMP_MS = 20 * 60_000;

const realNow = Date.now.bind(Date);
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;
if (isMainThread)
  process.on('SIGUSR2', () => {
    aheadMs += JUMP_MS;
  });
