/**
 * The buckets that are damaged: the stored examples of the formats, a backup of the first, and one that the present
 * writer has made, with what the stored one does not have (columns of vectors, points).
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { openEngine } from '../../src/engine/index.ts';
import { dropMemoryStore, type ObjectStore, openMemoryStore, parseStorageUri } from '../../src/object-store/index.ts';
import { BUILT_IN_KINDS, copyNamespace } from '../../src/storage/index.ts';
import { valueListKind } from '../../src/storage/testing/value-list-kind.ts';
import { contentOf } from '../format/content.ts';
import type { Bucket } from './damage.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
/** So little that nearly every flush makes a child of its manifest. */
const MANIFEST_OWN_BYTES = 1_024;
const NONE = new Map();

type MemoryUri = Parameters<typeof openMemoryStore>[0];

export interface Example {
  readonly name: string;
  readonly bucket: Bucket;
  readonly content: string;
  /** Statements that read parts of it, and their rows as JSON. */
  readonly points: readonly (readonly [query: string, rows: string])[];
}

export async function loadExamples(): Promise<readonly Example[]> {
  const stored = await Promise.all(['format-1', 'format-2', 'format-3'].map(storedExample));
  return [...stored, await backupOf(stored[0]!), await presentExample()];
}

/** The engine of the present example keeps artefacts of its nodes. */
export const ARTEFACT_KEYS = ['name', 'number'] as const;
export const ARTEFACT_KINDS = [valueListKind(ARTEFACT_KEYS), ...BUILT_IN_KINDS];

async function storedExample(format: string): Promise<Example> {
  const folder = join(FIXTURES, format, 'example');
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  const bucket = new Map(
    await Promise.all(paths.map(async (path) => [relative(folder, path), new Uint8Array(await readFile(path))] as const)),
  );
  const points = [
    ["MATCH (n:Person {name: 'Person 3'})-[:KNOWS]->(m) RETURN m.name ORDER BY m.name", '[["Person 3"],["Person 3"],["Person 4"]]'],
    ["MATCH (n:Value {name: 'tenth'}) RETURN n.value", '[[0.1]]'],
    ['MATCH (n:Person) WHERE n.age > 100 RETURN n.name', '[["Person 2"]]'],
    ['MATCH ()-[r:KNOWS]->() RETURN count(r)', '[[7]]'],
  ] as const;
  return { name: `stored ${format}`, bucket, content: await readFile(join(FIXTURES, format, 'content.txt'), 'utf8'), points };
}

async function backupOf({ bucket, content, points }: Example): Promise<Example> {
  const [from, to] = [memoryUri('fuzz-source'), memoryUri('fuzz-backup')];
  const source = openMemoryStore(from);
  for (const [key, bytes] of bucket) await source.put(key, bytes);
  const target = openMemoryStore(to);
  await copyNamespace({ source: { store: source, name: 'source' }, target: { store: target, name: 'backup' } });
  const copy = await objectsOf(target);
  dropMemoryStore(from);
  dropMemoryStore(to);
  return { name: 'backup', bucket: copy, content, points };
}

const STATEMENTS: readonly (readonly string[])[] = [
  [
    'UNWIND range(1, 300) AS i CREATE (:Vector {number: i, embedding: vector([i * 0.5, -i, 1])})',
    "UNWIND range(1, 40) AS i CREATE (:Place {name: 'place ' + i, height: i * 0.25, big: 9007199254740993 + i, open: i % 2 = 0, " +
      "since: date('2024-02-29'), at: point({longitude: i, latitude: -i * 0.5})})",
    'MATCH (p:Place) WHERE p.big % 3 = 0 SET p.at = point({x: p.height, y: -0.0, z: 1e300}), p.track = [p.at, point({x: 1, y: 2})]',
    'CREATE POINT INDEX FOR (p:Place) ON (p.at)',
    'MATCH (a:Place), (b:Vector) WHERE b.number % 40 + 1 = toInteger(a.height * 4) CREATE (a)-[:NEAR {w: b.number}]->(b)',
  ],
  ['MATCH (v:Vector {number: 7}) SET v.embedding = vector([1, 2, 3])', 'MATCH (v:Vector) WHERE v.number > 290 DETACH DELETE v'],
  ['MATCH (p:Place) WHERE p.open SET p:Open', 'CREATE INDEX FOR (n:Place) ON (n.name)', 'MATCH ()-[r:NEAR {w: 8}]->() DELETE r'],
];

async function presentExample(): Promise<Example> {
  const uri = memoryUri('fuzz-present');
  const store = openMemoryStore(uri);
  const engine = await openEngine(
    `memory://${uri.name}`,
    { flushIntervalMs: 0 },
    { writerId: 'present', artefactKinds: ARTEFACT_KINDS, artefactsFromRows: 0, manifestOwnBytes: MANIFEST_OWN_BYTES },
  );
  for (const statements of STATEMENTS) {
    for (const statement of statements) await engine.execute(statement, NONE);
    await engine.flush();
  }
  await engine.compact();
  for (const number of [11, 12]) await engine.execute(`MATCH (v:Vector {number: ${number}}) SET v.embedding = vector([0.5])`, NONE);
  await engine.flush();
  await engine.execute('MATCH (v:Vector {number: 13}) DETACH DELETE v', NONE);
  const content = await contentOf(engine);
  await engine.close();
  const bucket = await objectsOf(store);
  dropMemoryStore(uri);
  const points = [
    ['MATCH (v:Vector {number: 7}) RETURN toInteger(v.embedding[1])', '[[2]]'],
    ['MATCH (v:Vector) WHERE v.number < 14 AND v.number > 10 RETURN v.number, size(v.embedding) ORDER BY v.number', '[[11,1],[12,1]]'],
    ["MATCH (p:Place {name: 'place 3'})-[r:NEAR]->(v) RETURN count(v), sum(r.w)", '[[8,1136]]'],
    ['MATCH (p:Open) RETURN count(p)', '[[20]]'],
    [
      'MATCH (p:Place) WHERE point.distance(p.at, point({longitude: 10, latitude: -5})) < 200000 RETURN p.height ORDER BY p.height',
      '[[2.5],[2.75]]',
    ],
  ] as const;
  return { name: 'present', bucket, content, points };
}

async function objectsOf(store: ObjectStore): Promise<Bucket> {
  const bucket: Bucket = new Map();
  for (const { key } of await store.list('')) bucket.set(key, (await store.get(key))!);
  return bucket;
}

export function memoryUri(name: string): MemoryUri {
  const uri = parseStorageUri(`memory://${name}`);
  assert.ok(uri.scheme === 'memory');
  return uri;
}
