import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectStore } from '../object-store.ts';
import { testConformance } from '../testing/conformance.ts';
import { openFileStore } from './file-store.ts';

let directory: string;
let count = 0;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'graphdb-file-store-'));
});
after(() => rm(directory, { recursive: true, force: true }));

function fresh(): { namespace: string; root: string; open: () => ObjectStore } {
  const namespace = `n${count++}`;
  const open = (): ObjectStore => openFileStore({ scheme: 'file', directory, namespace });
  return { namespace, root: join(directory, namespace), open };
}

testConformance('file', async () => {
  const place = fresh();
  return { open: async () => place.open(), dispose: async () => {} };
});

test('opening and reading touch nothing', async () => {
  const { root, open } = fresh();
  const store = open();
  assert.equal(await store.get('a/b'), null);
  assert.deepEqual(await store.list(''), []);
  await store.delete('a/b');
  await assert.rejects(readdir(root), { code: 'ENOENT' });
});

test('8 processes race for 40 objects: each has one winner, whose content it is', async () => {
  const { namespace, open } = fresh();
  const rounds = 40;
  const script = join(import.meta.dirname, '../testing/race-child.ts');
  const names = Array.from({ length: 8 }, (_, index) => `racer-${index}`);
  const children = names.map((name) =>
    spawn(process.execPath, [script, directory, namespace, String(rounds), name], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const outputs = children.map(linesOf);
  for (const output of outputs) assert.equal((await output.next()).value, 'ready');
  for (const child of children) child.stdin!.write('go\n');
  const winners = new Array<string[]>(rounds).fill([]);
  for (const [index, output] of outputs.entries()) {
    const won: number[] = JSON.parse((await output.next()).value as string); // as: the child prints one more line
    for (const round of won) winners[round] = [...winners[round]!, names[index]!];
  }
  for (const [round, winner] of winners.entries()) {
    assert.equal(winner.length, 1, `round ${round}: ${winner}`);
    assert.equal(new TextDecoder().decode((await open().get(`race/${round}`))!), winner[0]);
  }
});

test('a writer killed at any moment leaves whole objects only, and nobody waits for it', async () => {
  const { namespace, open } = fresh();
  const script = join(import.meta.dirname, '../testing/race-child.ts');
  for (const afterMs of [3, 8, 15, 30]) {
    const child = spawn(process.execPath, [script, directory, namespace, '100000', 'x'.repeat(50_000)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await linesOf(child).next();
    child.stdin!.write('go\n');
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = open();
    for (const { key, size } of await store.list('race/')) assert.equal(size, 50_000, key);
    assert.equal(await store.putIfAbsent(`after/${afterMs}`, Uint8Array.of(1)), true);
  }
});

test('writers of one log, killed one after the other: whatever was answered is there, once, and none is missing between', async () => {
  const { namespace } = fresh();
  const script = join(import.meta.dirname, '../testing/sequence-child.ts');
  const answered = new Map<number, string>();
  const start = (name: string): { child: ChildProcess; ended: Promise<void>; until: (count: number) => Promise<void> } => {
    const child = spawn(process.execPath, [script, directory, namespace, name], { stdio: ['pipe', 'pipe', 'inherit'] });
    let count = 0;
    let reached = (): void => {};
    const read = async (): Promise<void> => {
      for await (const line of linesOf(child)) {
        assert.ok(!answered.has(Number(line)), `${line} was won by ${name} and by ${answered.get(Number(line))}`);
        answered.set(Number(line), name);
        count++;
        reached();
      }
    };
    const ended = read();
    const until = (wanted: number): Promise<void> => {
      const enough = new Promise<void>((resolve) => {
        reached = () => (count >= wanted ? resolve() : undefined);
        reached();
      });
      return Promise.race([enough, ended.then(() => assert.ok(count >= wanted, `${name} ended after ${count} of ${wanted}`))]);
    };
    return { child, ended, until };
  };
  let former = start('writer-0');
  for (let round = 1; round <= 4; round++) {
    await former.until(20 + round * 7);
    // The next one takes over while the former still writes, or after it was killed.
    if (round % 2 === 0) former.child.kill('SIGKILL');
    const next = start(`writer-${round}`);
    // While the former one goes on, which knows the end of the log sooner, the next one may come too late for each number.
    await Promise.race([next.until(round * 3), pause(1_000)]);
    former.child.kill('SIGKILL');
    await former.ended;
    await next.until(round * 3);
    former = next;
  }
  former.child.kill('SIGKILL');
  await former.ended;
  for (const bootId of [undefined, '22222222-2222-4222-8222-222222222222']) {
    const store = openFileStore({ scheme: 'file', directory, namespace }, bootId === undefined ? {} : { bootId });
    const keys = (await store.list('log/')).map(({ key }) => key);
    assert.deepEqual(
      keys,
      keys.map((_, index) => `log/${String(index + 1).padStart(8, '0')}`),
    );
    for (const [number, name] of answered)
      assert.equal(new TextDecoder().decode((await store.get(keys[number - 1]!))!), `${number} by ${name}`);
  }
});

test('temporary files are no objects; old ones are removed by the first put, young ones stay', async () => {
  const { root, open } = fresh();
  await open().put('a', Uint8Array.of(1));
  const [old, young] = [join(root, '.tmp/1-old-0'), join(root, '.tmp/1-young-0')];
  for (const path of [old, young]) await writeFile(path, 'left behind');
  const yesterday = Date.now() / 1_000 - 86_400;
  await utimes(old, yesterday, yesterday);
  const store = open();
  assert.deepEqual(
    (await store.list('')).map(({ key }) => key),
    ['a'],
  );
  assert.deepEqual((await readdir(join(root, '.tmp'))).sort(), ['1-old-0', '1-young-0']);
  await store.put('b', Uint8Array.of(1));
  assert.deepEqual(await readdir(join(root, '.tmp')), ['1-young-0']);
});

test('a put leaves no temporary file, won or lost', async () => {
  const { root, open } = fresh();
  const store = open();
  await store.putIfAbsent('a', Uint8Array.of(1));
  await store.putIfAbsent('a', Uint8Array.of(1));
  await store.put('a', Uint8Array.of(2));
  assert.deepEqual(await readdir(join(root, '.tmp')), []);
});

test('a namespace removed under our feet: objects are gone, puts go on', async () => {
  const { root, open } = fresh();
  const store = open();
  await store.put('wal/1', Uint8Array.of(1));
  await rm(root, { recursive: true });
  assert.equal(await store.get('wal/1'), null);
  assert.deepEqual(await store.list(''), []);
  assert.equal(await store.putIfAbsent('wal/1', Uint8Array.of(2)), true);
  assert.deepEqual(await store.get('wal/1'), Uint8Array.of(2));
});

test('a folder is no object', async () => {
  const store = fresh().open();
  await store.put('a/b', Uint8Array.of(1));
  assert.equal(await store.get('a'), null);
  assert.equal(await store.getRange('a', 0, 1), null);
  assert.equal(await store.size('a'), null);
  assert.equal(await store.get('a/b/c'), null);
  await assert.rejects(store.put('a', Uint8Array.of(1)), { code: 'STORE_UNAVAILABLE', message: /folder where an object should be/ });
  await assert.rejects(store.putIfAbsent('a/b/c', Uint8Array.of(1)), {
    code: 'STORE_UNAVAILABLE',
    message: /a file where a folder should be/,
  });
});

test('a full disk: STORE_UNAVAILABLE that says so, nothing visible', async (t) => {
  const { root, open } = fresh();
  await mkdir(root);
  if (!(await mountTinyDisk(root))) return t.skip('needs the right to mount a tmpfs');
  try {
    const store = open();
    await store.put('fits', Uint8Array.of(1));
    const large = new Uint8Array(4_000_000);
    for (const put of [() => store.putIfAbsent('data/large', large), () => store.put('fits', large)]) {
      await assert.rejects(put, { code: 'STORE_UNAVAILABLE', message: /the disk is full/, retriable: true });
    }
    assert.deepEqual(
      (await store.list('')).map(({ key, size }) => [key, size]),
      [['fits', 1]],
    );
    assert.deepEqual(await readdir(join(root, '.tmp')), []);
    assert.equal(await store.putIfAbsent('data/small', Uint8Array.of(1)), true);
    await run('mount', '-o', 'remount,ro', root);
    await assert.rejects(store.put('late', Uint8Array.of(1)), { code: 'STORE_UNAVAILABLE', message: /the file system is read-only/ });
    assert.deepEqual(await open().get('fits'), Uint8Array.of(1));
  } finally {
    await run('umount', root);
  }
});

test('a disk that fills up while a journal is used: each put is answered for or fails, nothing in between', async (t) => {
  const { namespace, root } = fresh();
  await mkdir(root);
  if (!(await mountTinyDisk(root))) return t.skip('needs the right to mount a tmpfs');
  try {
    const store = openFileStore(
      { scheme: 'file', directory, namespace },
      { allowsJournals: true, journalAfterPuts: 0, journalBytes: 65_536 },
    );
    const answered: string[] = [];
    let failures = 0;
    for (let index = 0; failures < 5; index++) {
      const key = `wal/${index}`;
      try {
        if (await store.putIfAbsent(key, new Uint8Array(5_000).fill(index))) answered.push(key);
      } catch (error) {
        assert.match((error as Error).message, /the disk is full/);
        failures++;
      }
    }
    assert.ok(answered.length > 50);
    assert.deepEqual(
      (await store.list('')).map(({ key, size }) => [key, size]),
      [...answered].sort().map((key) => [key, 5_000]),
    );
    assert.deepEqual(await readdir(join(root, '.tmp')), []);
    for (const key of answered.slice(0, 20)) await store.delete(key);
    assert.equal(await store.putIfAbsent('wal/again', Uint8Array.of(1)), true);
    await store.close();
  } finally {
    await run('umount', root);
  }
});

test('no right to write: STORE_UNAVAILABLE that says so', async () => {
  const { root, open } = fresh();
  await mkdir(root, { mode: 0o555 });
  // Root may write anywhere, so it is somebody else meanwhile.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chmod(directory, 0o755);
    process.seteuid!(65_534);
  }
  try {
    assert.deepEqual(await open().list(''), []);
    await assert.rejects(open().put('a', Uint8Array.of(1)), { code: 'STORE_UNAVAILABLE', message: /permission denied/ });
  } finally {
    if (isRoot) process.seteuid!(0);
  }
});

async function mountTinyDisk(path: string): Promise<boolean> {
  return process.platform === 'linux' && (await run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path));
}

async function run(command: string, ...parameters: string[]): Promise<boolean> {
  const child = spawn(command, parameters, { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

async function* linesOf(child: ChildProcess): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of child.stdout!) {
    const lines = (text + String(chunk)).split('\n');
    text = lines.pop()!;
    yield* lines;
  }
}

test('the size of an object whose path the system refuses is STORE_UNAVAILABLE, as its content is', async () => {
  const store = openFileStore({ scheme: 'file', directory: join(tmpdir(), 'd/'.repeat(1_850)), namespace: 'n' });
  const key = Array.from({ length: 3 }, () => 'k'.repeat(199)).join('/');
  for (const read of [() => store.size(key), () => store.get(key)])
    await assert.rejects(read, { code: 'STORE_UNAVAILABLE', message: /the path is too long/ });
});
