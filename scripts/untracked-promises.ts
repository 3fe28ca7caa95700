/**
 * A module that `npm test` has Node load first in each process of the tests: node:test follows no promise.
 *
 * node:test follows every promise, timer and socket to the test that made it, by a hook of node:async_hooks, and registers
 * a finalizer for each: 15 % of the processor time of tests that ask engines. Here the hook is told of tests alone. An
 * error that nobody awaits still fails its file, but no test of it, and `after` behind an `await` of a test runs at the end
 * of the file. Where a file is run by itself (`node --test <file>`), node:test follows all as ever.
 */
import asyncHooks from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { createHook } = asyncHooks;
  asyncHooks.createHook = ({ init }) =>
    createHook({
      init(id, type, trigger, resource) {
        if (type === 'Test') init?.(id, type, trigger, resource);
      },
      trackPromises: false,
    });
  // It takes the function when it is loaded, which is now.
  await import('node:test');
  asyncHooks.createHook = createHook;
}
