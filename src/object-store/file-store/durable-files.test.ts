import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeNewFile } from './durable-files.ts';

test('a large file is written whole, in several pieces, and a name that is taken is refused', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-durable-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'large');
  const bytes = Buffer.alloc(9 * 2 ** 20 + 17);
  for (let at = 0; at < bytes.length; at += 4_093) bytes[at] = at % 251;
  await writeNewFile(path, bytes);
  assert.ok(readFileSync(path).equals(bytes));
  await assert.rejects(writeNewFile(path, bytes), { code: 'EEXIST' });
});
