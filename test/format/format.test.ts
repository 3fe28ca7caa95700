/** The stored examples of the storage formats (scripts/make-format-example.ts) are read for ever as they were written. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { openObjectStore, parseStorageUri } from '../../src/object-store/index.ts';
import { inspectNamespace } from '../../src/storage/index.ts';
import { valueListKind } from '../../src/storage/testing/value-list-kind.ts';
import { contentOf } from './content.ts';

const NONE = new Map();
/** The parts of each format besides tables. */
const FORMATS = [
  { format: 1, artefacts: 0 },
  { format: 2, artefacts: 22 },
  { format: 3, artefacts: 22 },
] as const;

for (const { format, artefacts } of FORMATS) {
  const example = join(import.meta.dirname, `../fixtures/format-${format}`);
  const content = await readFile(join(example, 'content.txt'), 'utf8');

  test(`the example of format ${format} is read, and nothing of it changes`, async (context) => {
    const { folder, uri } = await copyOf(example, context);
    const before = await objectsOf(folder);
    const engine = await openEngine(uri, { readOnly: true, pollIntervalMs: 0 });
    assert.equal(await contentOf(engine), content);
    await engine.close();
    assert.deepEqual(await objectsOf(folder), before);
  });

  test(`the example of format ${format} is opened for writing, changed, flushed, merged and read again`, async (context) => {
    const { uri } = await copyOf(example, context);
    const writer = await openEngine(uri, { flushIntervalMs: 0, graceMs: 0, retainVersions: 1 });
    assert.equal(await contentOf(writer), content);
    await writer.execute("MATCH (n:Person {name: 'Later'}) SET n.age = 42 CREATE (n)-[:KNOWS]->(:Person {name: 'Latest'})", NONE);
    await assert.rejects(writer.execute("CREATE (:Person {name: 'Latest'})", NONE), { code: 'CONSTRAINT_VIOLATION' });
    await writer.execute("MATCH (n:Person {name: 'Latest'}) DETACH DELETE n", NONE);
    await writer.flush();
    await writer.compact();
    const changed = content.replace('{"age":41,"name":"Later"}', '{"age":42,"name":"Later"}');
    assert.notEqual(changed, content);
    assert.equal(await contentOf(writer), changed);
    await writer.close();
    await assertWritten(uri);
    const reader = await openEngine(uri, { readOnly: true, pollIntervalMs: 0 });
    assert.equal(await contentOf(reader), changed);
    await reader.close();
  });

  test(`an older version of the example of format ${format} is read`, async (context) => {
    const { uri } = await copyOf(example, context);
    const engine = await openEngine(uri, { version: 9 });
    const { rows } = await engine.execute("MATCH (n:Person) RETURN count(n), sum(CASE n.name WHEN 'Person 1' THEN n.age END)", NONE);
    assert.deepEqual(rows, [[9, 121]]);
    await engine.close();
  });

  test(`the example of format ${format} holds every kind of column and of object, compressed ones too, and is sound`, async (context) => {
    const { uri } = await copyOf(example, context);
    const store = await openObjectStore(parseStorageUri(uri));
    const description = await inspectNamespace(store, { verify: true, artefactKinds: [valueListKind(['name', 'number'])] });
    await store.close();
    assert.deepEqual(description.problems, []);
    assert.equal(description.manifest?.formatVersion, format);
    assert.equal(description.artefacts.length, artefacts);
    assert.equal(description.children.length > 0, format === 3);
    const files = description.tables.flatMap((table) => table.files);
    const kinds = new Set(files.flatMap((file) => file.columns.map(({ kind }) => kind)));
    assert.deepEqual([...kinds].sort(), ['any', 'boolean', 'date', 'dictionary', 'float', 'int32', 'int64', 'integer', 'string', 'uint32']);
    assert.ok(files.some(({ compression }) => compression === 'zstd') && files.some(({ compression }) => compression === undefined));
    assert.ok(files.some(({ level }) => level > 0) && files.some(({ level, base }) => level === 0 && !base));
  });
}

/** Whoever writes, writes the present format, and what was there is sound beside it. */
async function assertWritten(uri: string): Promise<void> {
  const store = await openObjectStore(parseStorageUri(uri));
  const { manifest, problems } = await inspectNamespace(store, { verify: true });
  await store.close();
  assert.equal(manifest?.formatVersion, 3);
  assert.deepEqual(problems, []);
}

/** A copy of an example: opening for writing changes it. */
async function copyOf(example: string, context: TestContext): Promise<{ readonly folder: string; readonly uri: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-format-'));
  context.after(() => rm(folder, { recursive: true }));
  await cp(example, folder, { recursive: true });
  return { folder, uri: `file://${folder}?ns=example` };
}

async function objectsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await readdir(join(folder, 'example'), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(await Promise.all(paths.sort().map(async (path) => [path, await readFile(path, 'base64')] as const)));
}
