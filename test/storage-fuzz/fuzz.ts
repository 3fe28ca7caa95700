/**
 * Damages the objects of the stored example of the format at random, and reads it in every way there is (B7): what comes is the right answer or CORRUPTION that names an
 * object that was damaged; never a wrong answer, never another error. Where the checksums are forged too, the answer may be another one.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { GraphDBError } from '../../src/base/index.ts';
import { type Engine, type EngineOptions, openEngine } from '../../src/engine/index.ts';
import { dropMemoryStore, type ObjectStore, openMemoryStore, parseStorageUri } from '../../src/object-store/index.ts';
import { copyNamespace, inspectNamespace } from '../../src/storage/index.ts';
import { contentOf } from '../format/content.ts';
import { seededRandom } from '../support/random.ts';
import { ACCIDENTS, type Bucket, type Damage, FORGERIES } from './damage.ts';

const EXAMPLE = join(import.meta.dirname, '../fixtures/format-1');
const NAME = 'storage-fuzz';
const URI = memoryUri(NAME);
const COPY = memoryUri(`${NAME}-copy`);
const OPTIONS: EngineOptions = { flushIntervalMs: 0, pollIntervalMs: 0, graceMs: 0 };

function memoryUri(name: string): Parameters<typeof openMemoryStore>[0] {
  const uri = parseStorageUri(`memory://${name}`);
  assert.ok(uri.scheme === 'memory');
  return uri;
}

export interface Outcome {
  readonly seed: number;
  readonly damage: Damage;
  readonly way: string;
  readonly forged: boolean;
  /** `right`: as if nothing had happened; `reported`: with the name of the object; else what must not be. */
  readonly result: 'right' | 'reported' | 'other';
  readonly fault: string | null;
}

export interface Example {
  readonly bucket: Bucket;
  readonly content: string;
}

export async function loadExample(): Promise<Example> {
  const folder = join(EXAMPLE, 'example');
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  const bucket = new Map(
    await Promise.all(paths.map(async (path) => [relative(folder, path), new Uint8Array(await readFile(path))] as const)),
  );
  return { bucket, content: await readFile(join(EXAMPLE, 'content.txt'), 'utf8') };
}

/** Each gives the content, or null where it has none to compare. */
const WAYS: Readonly<Record<string, (store: ObjectStore) => Promise<string | null>>> = {
  read: () => reading({ ...OPTIONS, readOnly: true }, contentOf),
  write: () =>
    reading(OPTIONS, async (engine) => {
      await engine.execute('CREATE (n:Passing) DELETE n', new Map());
      await engine.compact();
      return contentOf(engine);
    }),
  'point queries': () =>
    reading({ ...OPTIONS, readOnly: true }, async (engine) => {
      const ask = async (query: string): Promise<string> => JSON.stringify((await engine.execute(query, new Map())).rows);
      const answers = [
        await ask("MATCH (n:Person {name: 'Person 3'})-[:KNOWS]->(m) RETURN m.name ORDER BY m.name"),
        await ask("MATCH (n:Value {name: 'tenth'}) RETURN n.value"),
        await ask('MATCH (n:Person) WHERE n.age > 100 RETURN n.name'),
        await ask('MATCH ()-[r:KNOWS]->() RETURN count(r)'),
      ];
      if (answers.join() !== '[["Person 3"],["Person 3"],["Person 4"]],[[0.1]],[["Person 2"]],[[7]]') return answers.join();
      return null;
    }),
  copy: async (store) => {
    const target = openMemoryStore(COPY);
    try {
      await copyNamespace({ source: { store, name: NAME }, target: { store: target, name: NAME } });
    } finally {
      dropMemoryStore(COPY);
    }
    return null;
  },
};

async function reading(options: EngineOptions, read: (engine: Engine) => Promise<string | null>): Promise<string | null> {
  const engine = await openEngine(`memory://${NAME}`, options);
  try {
    return await read(engine);
  } finally {
    await engine.close();
  }
}

export async function fuzzCase({ bucket, content }: Example, seed: number, forged: boolean): Promise<Outcome> {
  const random = seededRandom(seed);
  const damaged = new Map(bucket);
  const damage = random.pick(forged ? FORGERIES : ACCIDENTS)(damaged, random);
  dropMemoryStore(URI);
  const store = openMemoryStore(URI);
  for (const [key, bytes] of damaged) await store.put(key, bytes);
  const way = random.pick([...Object.keys(WAYS), 'inspect']);
  const outcome = { seed, damage, way, forged };
  try {
    const seen = way === 'inspect' ? await inspected(store, damage, forged) : await WAYS[way]!(store);
    if (seen === null || seen === content || forged) return { ...outcome, result: 'right', fault: null };
    return { ...outcome, result: 'other', fault: `a wrong answer: ${difference(seen, content)}` };
  } catch (error) {
    if (isReport(error, damage, forged)) return { ...outcome, result: 'reported', fault: null };
    return { ...outcome, result: 'other', fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    dropMemoryStore(URI);
  }
}

/** An inspection does not fail; what it finds is damage. */
async function inspected(store: ObjectStore, { keys }: Damage, forged: boolean): Promise<null> {
  const { problems } = await inspectNamespace(store, { verify: true });
  const strange = problems.find(({ object, message }) => !keys.some((key) => object.includes(key) || message.includes(key)));
  if (strange !== undefined && !forged) throw new Error(`an inspection finds fault with what is sound: ${JSON.stringify(strange)}`);
  if (problems.length > 0) throw new GraphDBError('CORRUPTION', problems.map(({ object, message }) => `${object}: ${message}`).join('\n'));
  return null;
}

function isReport(error: unknown, { keys }: Damage, forged: boolean): boolean {
  if (!(error instanceof GraphDBError)) return false;
  // A forged format version is one that is not known; forged commits may not fit the sound objects after them.
  if (forged) return error.code === 'CORRUPTION' || error.code === 'UNSUPPORTED';
  return error.code === 'CORRUPTION' && keys.some((key) => error.message.includes(key));
}

function difference(seen: string, expected: string): string {
  const [ours, theirs] = [seen.split('\n'), expected.split('\n')];
  const lines = [
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `+ ${line}`),
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `- ${line}`),
  ];
  return lines.slice(0, 10).join('\n');
}
