/**
 * The cache of ranges on a local disk: what it gives back, what it never gives back, how much it takes, and that it may
 * lose anything at any time.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { type ObjectStore, withMetrics } from '../../object-store/index.ts';
import { openNamespace, openWriterNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { appendAll, freshStore } from '../testing/test-store.ts';
import { usageOf } from './cache-usage.ts';
import type { FileRange } from './cached-range.ts';
import { PageCache, type StorePages } from './page-cache.ts';

const MEBIBYTE = 2 ** 20;
const HERE = 's3://bucket?ns=here';

async function freshDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'page-cache-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

function openCache(directory: string, budgetBytes = 16 * MEBIBYTE): PageCache {
  return new PageCache({ directory, budgetBytes });
}

function rangeAt(number: number, length = 1_000): FileRange {
  return { file: { key: `data/file-${number % 7}.arrow`, bytes: 10 ** 6, crc32: number % 7 }, offset: number * 1_000, length };
}

function bytesOf({ offset, length }: FileRange): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (offset / 1_000 + at) & 255);
}

async function keepAll(cache: PageCache, pages: StorePages, ranges: readonly FileRange[]): Promise<void> {
  for (const range of ranges) pages.keep(range, bytesOf(range));
  await cache.settled();
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Each is what was kept, or nothing. Returns how many there are. */
async function countSound(pages: StorePages, ranges: readonly FileRange[]): Promise<number> {
  let found = 0;
  for (const range of ranges) {
    const bytes = await pages.read(range);
    if (bytes === null) continue;
    assert.deepEqual(new Uint8Array(bytes), bytesOf(range));
    found++;
  }
  return found;
}

const TWENTY = Array.from({ length: 20 }, (_, number) => rangeAt(number));

test('what was kept is there after a restart, and for a process beside this one', async (context) => {
  const directory = await freshDirectory(context);
  const first = openCache(directory);
  const beside = openCache(directory);
  await keepAll(first, first.forStore(HERE), TWENTY);
  assert.equal(await countSound(beside.forStore(HERE), TWENTY), 20, 'kept after the other was opened');
  const restarted = openCache(directory);
  await restarted.settled();
  assert.equal(restarted.bytes, first.bytes);
  assert.equal(await countSound(restarted.forStore(HERE), TWENTY), 20);
  assert.deepEqual([restarted.hits, restarted.misses, restarted.readBytes, restarted.damaged], [20, 0, 20_000, 0]);
});

test('a range of another store, file, content, place or length is not it', async (context) => {
  const cache = openCache(await freshDirectory(context));
  const range = TWENTY[3]!;
  const { file } = range;
  await keepAll(cache, cache.forStore(HERE), [range]);
  const others: [string, FileRange][] = [
    ['s3://bucket?ns=there', range],
    ['s3://other?ns=here', range],
    [HERE, { ...range, offset: range.offset + 1 }],
    [HERE, { ...range, length: range.length - 1 }],
    [HERE, { ...range, file: { ...file, key: 'data/other.arrow' } }],
    [HERE, { ...range, file: { ...file, crc32: file.crc32 + 1 } }],
    [HERE, { ...range, file: { ...file, bytes: file.bytes + 1 } }],
  ];
  for (const [location, other] of others) assert.equal(await cache.forStore(location).read(other), null);
  assert.equal(await countSound(cache.forStore(HERE), [range]), 1);
});

test('it stays within its budget, whoever has written, and what was used last stays', async (context) => {
  const directory = await freshDirectory(context);
  const former = openCache(directory, 64 * 4096);
  await keepAll(
    former,
    former.forStore('former'),
    Array.from({ length: 60 }, (_, number) => rangeAt(number)),
  );
  const cache = openCache(directory, 64 * 4096);
  await cache.settled();
  const pages = cache.forStore(HERE);
  for (let number = 0; number < 200; number++) {
    await keepAll(cache, pages, [rangeAt(number)]);
    assert.equal(await countSound(pages, [rangeAt(0)]), 1, 'what is used again and again stays');
    assert.ok(cache.bytes <= cache.budgetBytes);
  }
  const files = await filesIn(directory);
  assert.ok(files.length <= 64, `${files.length} files`);
  assert.equal((await usageOf(directory, HERE)).bytes, cache.bytes);
  const large = rangeAt(500, 20 * 4096);
  await keepAll(cache, pages, [large]);
  assert.equal(await pages.read(large), null, 'one range does not push everything else out');
});

test('two processes in one directory together stay near the budget', async (context) => {
  const directory = await freshDirectory(context);
  const [one, other] = [openCache(directory, 64 * 4096), openCache(directory, 64 * 4096)];
  for (let number = 0; number < 150; number++) {
    await keepAll(one, one.forStore('one'), [rangeAt(number)]);
    await keepAll(other, other.forStore('other'), [rangeAt(number)]);
  }
  const files = await filesIn(directory);
  assert.ok(files.length <= 64 + 32, `${files.length} files`);
});

test('fuzz: truncated, extended, flipped, exchanged and empty files are misses and are removed', async (context) => {
  const directory = await freshDirectory(context);
  for (let seed = 1; seed <= 40; seed++) {
    const cache = openCache(directory);
    const pages = cache.forStore(HERE);
    await keepAll(cache, pages, TWENTY);
    const files = await filesIn(directory);
    const file = files[seed % files.length]!;
    const image = await readFile(file);
    switch (seed % 5) {
      case 0:
        await truncate(file, (image.length * seed) % (image.length - 1));
        break;
      case 1:
        await writeFile(file, Buffer.concat([image, image.subarray(0, seed)]));
        break;
      case 2:
        await writeFile(file, await readFile(files[(seed + 1) % files.length]!));
        break;
      default: {
        const at = (seed * 7919) % (seed % 2 === 0 ? image.length : 60);
        image[at] = image[at]! ^ (1 << (seed % 8));
        await writeFile(file, image);
      }
    }
    assert.equal(await countSound(pages, TWENTY), 19, `seed ${seed}`);
    assert.equal(cache.damaged, 1);
    await keepAll(cache, pages, TWENTY);
    assert.equal(await countSound(pages, TWENTY), 20, `seed ${seed}: what was damaged is kept again`);
  }
});

test('every flipped bit of a file is found', async (context) => {
  const directory = await freshDirectory(context);
  const cache = openCache(directory);
  const range = rangeAt(1, 40);
  await keepAll(cache, cache.forStore(HERE), [range]);
  const [file] = await filesIn(directory);
  const image = await readFile(file!);
  for (let bit = 0; bit < 8 * image.length; bit++) {
    const damaged = Buffer.from(image);
    damaged[bit >> 3] = damaged[bit >> 3]! ^ (1 << (bit & 7));
    await writeFile(file!, damaged);
    assert.equal(await cache.forStore(HERE).read(range), null, `bit ${bit}`);
  }
});

test('the directory may be emptied, moved away or removed while it is used', async (context) => {
  const directory = await freshDirectory(context);
  const cache = openCache(directory);
  const pages = cache.forStore(HERE);
  await keepAll(cache, pages, TWENTY);
  await rm(join(directory, 'pages'), { recursive: true });
  assert.equal(await countSound(pages, TWENTY), 0);
  assert.equal(cache.bytes, 0);
  await keepAll(cache, pages, TWENTY);
  assert.equal(await countSound(pages, TWENTY), 20);
  const away = `${directory}-away`;
  await rename(directory, away);
  await writeFile(directory, 'a file where the directory was');
  assert.equal(await countSound(pages, TWENTY), 0);
  await keepAll(cache, pages, TWENTY);
  assert.equal(await countSound(pages, TWENTY), 0, 'what cannot be written is left out');
  await rm(directory);
  await rename(away, directory);
});

test('what a killed process has left half-written is removed in time, and nothing else', async (context) => {
  const directory = await freshDirectory(context);
  const cache = openCache(directory);
  await keepAll(cache, cache.forStore(HERE), TWENTY);
  const folder = dirname((await filesIn(directory))[0]!);
  const [old, young, foreign] = ['new-old', 'new-young', 'README'].map((name) => join(folder, name));
  for (const path of [old!, young!, foreign!]) await writeFile(path, 'half');
  await utimes(old!, 0, 0);
  const restarted = openCache(directory);
  await restarted.settled();
  assert.equal(restarted.bytes, cache.bytes);
  const names = await filesIn(directory);
  assert.deepEqual([names.includes(old!), names.includes(young!), names.includes(foreign!)], [false, true, true]);
});

test('a process that is killed while it writes leaves only whole ranges', async (context) => {
  const directory = await freshDirectory(context);
  const script = join(import.meta.dirname, '../testing/page-cache-child.ts');
  const ranges = Array.from({ length: 400 }, (_, number) => rangeAt(number));
  for (let round = 0; round < 3; round++) {
    const child: ChildProcess = spawn(process.execPath, [script, directory, HERE], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout!, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const cache = openCache(directory);
    assert.ok((await countSound(cache.forStore(HERE), ranges)) > 0);
    assert.equal(cache.damaged, 0);
  }
});

async function requestsOf(store: ObjectStore, pageCache: PageCache | null): Promise<{ requests: number; values: unknown[] }> {
  const metered = withMetrics(store);
  const namespace = await openNamespace(metered.store, { name: 'cached', readOnly: true, pageCache });
  const { get, readInto } = metered.metrics.operations;
  const before = get.requests + readInto.requests;
  const values: unknown[] = [];
  for (const { files } of namespace.manifest.tables)
    for (const file of files) {
      const reader = await namespace.openSst(file);
      for (const { name } of file.columns) values.push(await reader.readColumn(name));
    }
  await namespace.close();
  return { requests: get.requests + readInto.requests - before, values };
}

async function storeWithFiles(store: ObjectStore, from: number): Promise<ObjectStore> {
  const writer = await openWriterNamespace(store, { name: 'cached', writerId: 'one-name' });
  await appendAll(writer, 1, 1);
  const tables = [100, 20_000].map((rows) => ({ ...sampleTable(rows + from), labels: [`Of${rows}`] }));
  await writer.publish({ add: tables, remove: [], sequence: 1 });
  await writer.close();
  return store;
}

test('a reader that begins again makes no request for files, and reads the same', async (context) => {
  const directory = await freshDirectory(context);
  const store = await storeWithFiles(freshStore(), 0);
  const cold = await requestsOf(store, null);
  const filling = openCache(directory);
  assert.deepEqual(await requestsOf(store, filling), cold);
  await filling.settled();
  const warm = await requestsOf(store, openCache(directory));
  assert.deepEqual([warm.requests, cold.requests > 4], [0, true]);
  assert.deepEqual(warm.values, cold.values);
});

test('a namespace that was removed and made again under the same names is read anew', async (context) => {
  const directory = await freshDirectory(context);
  const store = await storeWithFiles(freshStore(), 0);
  const cache = openCache(directory);
  const former = await requestsOf(store, cache);
  await cache.settled();
  const keys = (await store.list('')).map(({ key }) => key);
  await Promise.all(keys.map((key) => store.delete(key)));
  await storeWithFiles(store, 7);
  assert.deepEqual(
    (await store.list('data/')).map(({ key }) => key),
    keys.filter((key) => key.startsWith('data/')),
    'the same keys',
  );
  const anew = await requestsOf(store, cache);
  assert.deepEqual(anew, await requestsOf(store, null));
  assert.notDeepEqual(anew.values, former.values);
  await cache.settled();
});

test('bytes that are damaged in the bucket are not kept: once they are mended there, they are read', async (context) => {
  const store = await storeWithFiles(freshStore(), 0);
  const cache = openCache(await freshDirectory(context));
  for (const { key } of await store.list('data/')) {
    const bytes = (await store.get(key))!;
    const damaged = bytes.slice();
    for (let at = 0; at < damaged.length; at += 100) damaged[at] = damaged[at]! ^ 1;
    await store.put(key, damaged);
    await assert.rejects(requestsOf(store, cache), { code: 'CORRUPTION' });
    await cache.settled();
    await store.put(key, bytes);
  }
  assert.deepEqual((await requestsOf(store, cache)).values, (await requestsOf(store, null)).values);
  await cache.settled();
});

test('sound bytes of the cache that are not what the manifest says are a miss', async (context) => {
  const store = await storeWithFiles(freshStore(), 0);
  const directory = await freshDirectory(context);
  const cache = openCache(directory);
  const cold = await requestsOf(store, cache);
  await cache.settled();
  for (const path of await filesIn(directory)) {
    const image = await readFile(path);
    image[image.length - 1] = image.at(-1)! ^ 1;
    image.writeUInt32LE(crc32(image.subarray(48), crc32(image.subarray(0, 44))), 44);
    await writeFile(path, image);
  }
  assert.deepEqual(await requestsOf(store, cache), cold);
  assert.ok(cache.damaged > 0);
  await cache.settled();
});

test('what lies there tells nothing of the store, and belongs to its user alone', async (context) => {
  const directory = await freshDirectory(context);
  const cache = openCache(directory);
  await keepAll(cache, cache.forStore('s3://secret-bucket?ns=secret'), TWENTY);
  for (const path of await filesIn(directory)) {
    assert.doesNotMatch(path + (await readFile(path, 'latin1')), /secret|data\/file/);
    assert.equal((await stat(path)).mode & 0o077, 0);
  }
  assert.equal((await stat(join(directory, 'pages'))).mode & 0o077, 0);
});
