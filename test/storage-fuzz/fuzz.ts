/**
 * Damages the objects of an example (examples.ts) at random, and reads it in every way there is (B7): what comes is the
 * right answer or CORRUPTION that names an object that was damaged; never a wrong answer, never another error. Where
 * the checksums are forged too, the answer may be another one.
 */
import { GraphDBError } from '../../src/base/index.ts';
import { type Engine, type EngineOptions, type EngineParts, openEngine } from '../../src/engine/index.ts';
import { dropMemoryStore, type ObjectStore, openMemoryStore } from '../../src/object-store/index.ts';
import { copyNamespace, inspectNamespace, openNamespace } from '../../src/storage/index.ts';
import { findValues } from '../../src/storage/testing/value-list-kind.ts';
import { contentOf } from '../format/content.ts';
import { seededRandom } from '../support/random.ts';
import { ACCIDENTS, type Damage, FORGERIES } from './damage.ts';
import { ARTEFACT_KEYS, ARTEFACT_KINDS, type Example, memoryUri } from './examples.ts';

const NAME = 'storage-fuzz';
const URI = memoryUri(NAME);
const COPY = memoryUri(`${NAME}-copy`);
const OPTIONS: EngineOptions = { flushIntervalMs: 0, pollIntervalMs: 0, graceMs: 0 };
/** No cache: what a former case has read, this one reads again. */
const PARTS: EngineParts = { sstCache: null, artefactKinds: ARTEFACT_KINDS, artefactsFromRows: 0 };

export interface Outcome {
  readonly seed: number;
  readonly example: string;
  readonly damage: Damage;
  readonly way: string;
  readonly forged: boolean;
  /** `right`: as if nothing had happened; `reported`: with the name of the object; else what must not be. */
  readonly result: 'right' | 'reported' | 'other';
  readonly fault: string | null;
}

/** Each gives the content, or null where it has none to compare. */
const WAYS: Readonly<Record<string, (store: ObjectStore, example: Example) => Promise<string | null>>> = {
  read: () => reading({ ...OPTIONS, readOnly: true }, contentOf),
  write: () =>
    reading(OPTIONS, async (engine) => {
      await engine.execute('CREATE (n:Passing) DELETE n', new Map());
      await engine.compact();
      return contentOf(engine);
    }),
  'point queries': (_, { points }) =>
    reading({ ...OPTIONS, readOnly: true }, async (engine) => {
      const ask = async (query: string): Promise<string> => JSON.stringify((await engine.execute(query, new Map())).rows);
      const answers = [];
      for (const [query] of points) answers.push(await ask(query));
      if (answers.join() !== points.map(([, rows]) => rows).join()) return answers.join();
      return null;
    }),
  artefacts: async (store) => {
    const namespace = await openNamespace(store, { name: NAME, readOnly: true });
    const { manifest } = namespace;
    const damaged: Error[] = [];
    const onDamage = (error: Error): void => void damaged.push(error);
    for (const table of manifest.tables.filter(({ kind }) => kind === 'nodes')) {
      for (const key of ARTEFACT_KEYS) {
        const byRows = await findValues(namespace, { ...manifest, artefacts: [] }, { table, key, onDamage });
        const found = await findValues(namespace, manifest, { table, key, onDamage });
        if (found.join() !== byRows.join()) return `${key} by artefacts: ${found.join('\n')}`;
      }
    }
    if (damaged[0] !== undefined) throw damaged[0];
    return null;
  },
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
  const engine = await openEngine(`memory://${NAME}`, options, PARTS);
  try {
    return await read(engine);
  } finally {
    await engine.close();
  }
}

export async function fuzzCase(examples: readonly Example[], seed: number, forged: boolean): Promise<Outcome> {
  const random = seededRandom(seed);
  const example = random.pick(examples);
  const { bucket, content } = example;
  const damaged = new Map(bucket);
  const damage = random.pick(forged ? FORGERIES : ACCIDENTS)(damaged, random);
  dropMemoryStore(URI);
  const store = openMemoryStore(URI);
  for (const [key, bytes] of damaged) await store.put(key, bytes);
  const way = random.pick([...Object.keys(WAYS), 'inspect']);
  const outcome = { seed, example: example.name, damage, way, forged };
  try {
    const seen = way === 'inspect' ? await inspected(store, damage, forged) : await WAYS[way]!(store, example);
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
  const { problems } = await inspectNamespace(store, { verify: true, artefactKinds: ARTEFACT_KINDS });
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
