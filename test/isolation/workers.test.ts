/** S3, in worker threads: scenario.ts in a process of its own, since what is planted must be preloaded. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { cleanEnvironment } from '../server/launched-server.ts';

test('statements that hang a thread, or fill its heap, end in time and alone', { timeout: 120_000 }, async () => {
  const [planted, scenario] = ['planted-loops.ts', 'scenario.ts'].map((file) => join(import.meta.dirname, file));
  const child = spawn(process.execPath, ['--import', planted!, scenario!], { env: cleanEnvironment(), timeout: 110_000 });
  const [said, complained, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.equal(status, 0, `${said}${complained}`);
  assert.equal(said.trim().split('\n').length, 4, said);
});
