/** Folders and what is missing above them, where the system makes them and where it refuses. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolders } from './make-folders.ts';

test('folders are made from the highest missing one down', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'graphdb-folders-'));
  t.after(() => rmSync(root, { recursive: true }));
  assert.equal(await makeFolders(join(root, 'a', 'b', 'c')), join(root, 'a'));
  assert.equal(await makeFolders(join(root, 'a', 'b', 'c')), undefined);
  assert.equal(await makeFolders(join(root, 'a', 'b', 'd')), join(root, 'a', 'b', 'd'));
  const both = await Promise.all([makeFolders(join(root, 'x', 'y')), makeFolders(join(root, 'x', 'y'))]);
  assert.ok(both.includes(join(root, 'x')));
  assert.ok(statSync(join(root, 'x', 'y')).isDirectory());
  writeFileSync(join(root, 'file'), '');
  await assert.rejects(makeFolders(join(root, 'file')), { code: 'EEXIST' });
  await assert.rejects(makeFolders(join(root, 'file', 'below')), { code: 'ENOTDIR' });
});

test('a folder that takes no folders is named', { skip: existsSync('/proc/self') ? false : 'there is no /proc' }, async () => {
  await assert.rejects(makeFolders('/proc/graphdb/ns/.tmp'), {
    code: 'STORE_UNAVAILABLE',
    message: 'cannot create the folder /proc/graphdb: /proc takes no folders',
  });
});

test('a read-only file system is called by that name', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'graphdb-read-only-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'disk'));
  const program = `import { openObjectStore, parseStorageUri } from ${JSON.stringify(join(import.meta.dirname, '../index.ts'))};
    const store = await openObjectStore(parseStorageUri('file://${root}/disk?ns=a'));
    await store.putIfAbsent('manifest/1', new Uint8Array(1)).catch(({ code, message }) => console.log(code, message));`;
  const script = 'mount --bind -o ro "$0" "$0" && exec "$1" --input-type=module -e "$2"';
  const { stdout, status, stderr } = spawnSync(
    '/usr/bin/env',
    ['unshare', '-rm', 'sh', '-c', script, join(root, 'disk'), process.execPath, program],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0 && /unshare|mount/.test(stderr)) return t.skip('this user cannot mount');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^STORE_UNAVAILABLE cannot write .*: the file system is read-only\n$/);
});
