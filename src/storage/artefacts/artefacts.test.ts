/**
 * The life of artefacts, with a small kind that exists in tests only: whatever becomes of them, answers stay the same
 * (B9), and damage is named (B7).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ObjectStore, withFaults } from '../../object-store/index.ts';
import type { Manifest, ManifestArtefact, Namespace, SstTable, TableName } from '../api.ts';
import { copyNamespace } from '../maintenance/copy-namespace.ts';
import { inspectNamespace } from '../maintenance/inspect-namespace.ts';
import { type OpenNamespaceOptions, openNamespace } from '../open-namespace.ts';
import { sampleColumn } from '../testing/sample-table.ts';
import { freshStore, TestClock } from '../testing/test-store.ts';
import { findValues, valueListKind } from '../testing/value-list-kind.ts';
import { type ArtefactKind, LARGEST_PAGE_BYTES } from './artefact-kind.ts';

const TABLE: TableName = { kind: 'nodes', labels: ['N'] };
const KIND = valueListKind(['v', 't']);

/** Rows by ordinal; a tombstone is null. */
type Rows = ReadonlyMap<number, { readonly v: number | null; readonly t: string | null } | null>;

function rowsFile(rows: Rows, sequence: number, isMixed = false): SstTable {
  const sorted = [...rows].sort(([a], [b]) => a - b);
  const column = (
    name: string,
    kind: 'uint32' | 'boolean' | 'integer' | 'int64' | 'string' | 'dictionary',
    value: (row: number) => never,
  ) => sampleColumn({ name, kind, value }, sorted.length);
  const at =
    <T>(pick: (entry: (typeof sorted)[number]) => T) =>
    (row: number) =>
      pick(sorted[row]!) as never; // as: of the kind of the column
  return {
    ...TABLE,
    rows: sorted.length,
    columns: [
      column(
        '_ordinal',
        'uint32',
        at(([ordinal]) => ordinal),
      ),
      column(
        '_deleted',
        'boolean',
        at(([, row]) => row === null),
      ),
      column(
        'v',
        'integer',
        at(([, row]) => row?.v ?? null),
      ),
      column(
        't',
        isMixed ? 'dictionary' : 'string',
        at(([, row]) => row?.t ?? null),
      ),
    ],
    minOrdinal: sorted[0]![0],
    denseOrdinals: false,
    base: false,
    level: 0,
    minSequence: sequence,
    maxSequence: sequence,
  };
}

function rowsOf(...entries: readonly (readonly [ordinal: number, v: number | null])[]): Rows {
  return new Map(entries.map(([ordinal, v]) => [ordinal, v === null ? null : { v, t: `text ${v}` }]));
}

function open(store: ObjectStore, options: Partial<OpenNamespaceOptions> = {}): Promise<Namespace> {
  return openNamespace(store, { name: 'test', clock: new TestClock(), artefactKinds: [KIND], artefactsFromRows: 0, ...options });
}

interface Answer {
  readonly found: readonly string[];
  readonly damaged: readonly string[];
}

async function ask(
  namespace: Namespace,
  {
    key = 'v',
    wanted,
    manifest = namespace.manifest,
    version = 1,
  }: { key?: string; wanted?: string; manifest?: Manifest; version?: number } = {},
): Promise<Answer> {
  const damaged: string[] = [];
  const [table] = manifest.tables;
  if (table === undefined) return { found: [], damaged };
  const onDamage = (error: Error, artefact: ManifestArtefact): void => {
    damaged.push(error.message);
    namespace.foundDamaged(artefact);
  };
  return { found: await findValues(namespace, manifest, { table, key, version, wanted, onDamage }), damaged };
}

/** From rows alone. */
function askRows(namespace: Namespace, key = 'v'): Promise<Answer> {
  return ask(namespace, { key, manifest: { ...namespace.manifest, artefacts: [] } });
}

function coveredBy({ artefacts }: Manifest): readonly string[] {
  return artefacts.filter(({ subject }) => subject['key'] === 'v').flatMap(({ covers }) => covers.files);
}

function filesOf({ tables }: Manifest): readonly string[] {
  return tables.flatMap(({ files }) => files.map(({ key }) => key));
}

test('artefacts come with the manifest of a flush, and of a merge', async () => {
  const namespace = await open(freshStore());
  await namespace.publish({ add: [rowsFile(rowsOf([0, 10], [1, 20], [2, 10]), 1)], remove: [] });
  assert.deepEqual(
    namespace.manifest.artefacts.map(({ kind, subject, covers }) => [kind, subject, covers.sequence]),
    [
      ['value-list', { key: 'v' }, 1],
      ['value-list', { key: 't' }, 1],
    ],
  );
  await namespace.publish({ add: [rowsFile(rowsOf([1, 10], [2, null]), 2)], remove: [] });
  assert.deepEqual(coveredBy(namespace.manifest), filesOf(namespace.manifest));
  assert.deepEqual(await ask(namespace), { found: ['10 0', '10 1'], damaged: [] });
  const { version } = namespace.manifest;
  await namespace.compact({ everything: true });
  assert.equal(namespace.manifest.version, version + 1, 'one manifest has the merged file and its artefacts');
  assert.deepEqual(coveredBy(namespace.manifest), filesOf(namespace.manifest));
  assert.deepEqual(
    namespace.manifest.artefacts.map(({ directory }) => directory['entries']),
    [2, 2],
  );
  assert.deepEqual(await ask(namespace, { wanted: '10' }), { found: ['10 0', '10 1'], damaged: [] });
  await namespace.publish({ add: [rowsFile(rowsOf([0, null], [1, null]), 3)], remove: [] });
  await namespace.compact({ everything: true });
  assert.deepEqual([namespace.manifest.tables, namespace.manifest.artefacts], [[], []]);
});

test('an artefact goes with the first of its files, and compaction builds what is missing', async () => {
  const store = freshStore();
  const without = await open(store, { artefactKinds: [] });
  await without.publish({ add: [rowsFile(rowsOf([0, 1], [1, 2]), 1)], remove: [] });
  await without.publish({ add: [rowsFile(rowsOf([1, 3]), 2)], remove: [] });
  const namespace = await open(store);
  assert.deepEqual(await ask(namespace), { found: ['1 0', '3 1'], damaged: [] });
  await namespace.compact();
  assert.deepEqual(coveredBy(namespace.manifest), filesOf(namespace.manifest));
  assert.deepEqual(await ask(namespace), { found: ['1 0', '3 1'], damaged: [] });
  // A writer that does not know the kind keeps them, and loses those whose files it merges.
  const other = await open(store, { artefactKinds: [] });
  assert.equal(other.manifest.artefacts.length, 4);
  await other.publish({ add: [rowsFile(rowsOf([7, 1]), 3)], remove: filesOf(other.manifest).slice(0, 1) });
  assert.equal(other.manifest.artefacts.length, 2);
  const all = filesOf(other.manifest);
  await assert.rejects(
    other.publish({
      add: [],
      remove: all.slice(0, 1),
      addArtefacts: [{ ...other.manifest.artefacts[0]!, id: 'x', covers: { table: TABLE, files: all, sequence: 3 } }],
    }),
    { code: 'STORE_UNAVAILABLE' },
  );
});

test('what is not wanted any more is dropped, and another version is built anew and not read before', async () => {
  const store = freshStore();
  const former = await open(store);
  await former.publish({ add: [rowsFile(rowsOf([0, 1], [1, 2]), 1)], remove: [] });
  const namespace = await open(store, { artefactKinds: [valueListKind(['v'], 2)] });
  const broken = { ...namespace.manifest, artefacts: namespace.manifest.artefacts.map((artefact) => ({ ...artefact, files: [] })) };
  assert.deepEqual(await ask(namespace, { version: 2, manifest: broken }), { found: ['1 0', '2 1'], damaged: [] });
  await namespace.compact();
  assert.deepEqual(
    namespace.manifest.artefacts.map(({ subject, kindVersion }) => [subject['key'], kindVersion]),
    [['v', 2]],
  );
});

test('new content gets artefacts of its own files', async () => {
  const namespace = await open(freshStore());
  await namespace.publish({ add: [rowsFile(rowsOf([0, 1], [1, 2]), 1)], remove: [] });
  await namespace.publish({ add: [rowsFile(rowsOf([0, 5]), 2)], remove: filesOf(namespace.manifest), newContent: true });
  assert.deepEqual(coveredBy(namespace.manifest), filesOf(namespace.manifest));
  assert.deepEqual(await ask(namespace), { found: ['5 0'], damaged: [] });
});

test('a copy has the artefacts, and leaves out a damaged one', async () => {
  const [store, target] = [freshStore(), freshStore()];
  const namespace = await open(store);
  await namespace.publish({ add: [rowsFile(rowsOf([0, 1], [1, 2]), 1)], remove: [] });
  await namespace.publish({ add: [rowsFile(rowsOf([1, 3]), 2)], remove: [] });
  const how = { source: { store, name: 'test' }, target: { store: target, name: 'copy' }, clock: new TestClock(), replace: true };
  assert.equal((await copyNamespace(how)).artefacts, 4);
  const copy = await open(target, { readOnly: true });
  assert.deepEqual(coveredBy(copy.manifest), filesOf(copy.manifest));
  assert.deepEqual(await ask(copy), { found: ['1 0', '3 1'], damaged: [] });
  assert.deepEqual((await inspectNamespace(target, { verify: true, artefactKinds: [KIND] })).problems, []);
  const [first, second] = namespace.manifest.artefacts.map(({ files }) => files[0]!.key);
  await store.put(first!, Buffer.from('damaged'));
  await store.delete(second!);
  assert.equal((await copyNamespace(how)).artefacts, 2);
  const again = await open(target, { readOnly: true });
  assert.deepEqual(await ask(again), { found: ['1 0', '3 1'], damaged: [] });
});

test('collecting keeps the artefacts that are named, and removes the others', async () => {
  const clock = new TestClock();
  const store = freshStore({ now: () => clock.now() });
  const namespace = await open(store, { clock });
  await namespace.publish({ add: [rowsFile(rowsOf([0, 1]), 1)], remove: [] });
  await namespace.publish({ add: [rowsFile(rowsOf([1, 3]), 2)], remove: [] });
  await namespace.compact({ everything: true });
  clock.advance(1_000_000);
  assert.equal((await inspectNamespace(store)).orphans.length, 0, 'retained manifests still name the former ones');
  const { files } = await namespace.collectGarbage({ graceMs: 1_000, retainVersions: 1 });
  assert.equal(files, 2 + 4);
  const { orphans, problems, artefacts } = await inspectNamespace(store, { verify: true, artefactKinds: [KIND] });
  assert.deepEqual([orphans, problems], [[], []]);
  assert.deepEqual(
    artefacts.map(({ content }) => content),
    ['2 values of v', '2 values of t'],
  );
});

test('what a failed build has uploaded is collected, and the flush goes through', async () => {
  const clock = new TestClock();
  const inner = freshStore({ now: () => clock.now() });
  let puts = 0;
  /** Has two files. */
  const large: ArtefactKind = {
    ...valueListKind(['v']),
    async build(_subject, _rows, pages) {
      const sequence = pages.begin();
      for (let page = 0; page < 70; page++) await sequence.add(new Uint8Array(LARGEST_PAGE_BYTES));
      return {};
    },
  };
  const store = withFaults(inner, {
    clock,
    random: () => 0.5,
    // The second file of an artefact, however often it is tried.
    onRequest: async ({ operation, key }) => (operation === 'putIfAbsent' && key.endsWith('.artefact') && ++puts > 1 ? 'refused' : null),
  });
  const namespace = await open(store, { clock, artefactKinds: [large] });
  await namespace.publish({ add: [rowsFile(rowsOf([0, 1]), 1)], remove: [] });
  assert.deepEqual(namespace.manifest.artefacts, []);
  assert.deepEqual(await ask(namespace), { found: ['1 0'], damaged: [] });
  const artefactFiles = async (): Promise<number> => (await inner.list('data/')).filter(({ key }) => key.endsWith('.artefact')).length;
  assert.equal(await artefactFiles(), 1);
  clock.advance(1_000_000);
  await namespace.collectGarbage({ graceMs: 1_000, retainVersions: 1 });
  assert.equal(await artefactFiles(), 0);
});

test('damage is named, not used, and mended by the next compaction', async () => {
  const store = freshStore();
  const namespace = await open(store);
  await namespace.publish({ add: [rowsFile(rowsOf([0, 1], [1, 2]), 1)], remove: [] });
  const { key } = namespace.manifest.artefacts[0]!.files[0]!;
  const bytes = (await store.get(key))!.slice();
  bytes[3]! ^= 1;
  await store.put(key, bytes);
  const { problems } = await inspectNamespace(store, { verify: true, artefactKinds: [KIND] });
  assert.deepEqual(
    problems.map(({ object }) => object),
    [key],
  );
  const { found, damaged } = await ask(namespace);
  assert.deepEqual(found, ['1 0', '2 1']);
  assert.match(damaged.join(), new RegExp(`corrupt object ${key}`));
  // Checksums that are right, and pages that cannot be.
  const swapped = namespace.manifest.artefacts.map((artefact) => ({ ...artefact, directory: { ...artefact.directory, entries: 7 } }));
  await assert.rejects(async () => KIND.verify(namespace.openArtefact(swapped[1]!)), { code: 'CORRUPTION' });
  await namespace.compact();
  assert.ok(!namespace.manifest.artefacts.some(({ files }) => files[0]!.key === key));
  assert.deepEqual(await ask(namespace), { found: ['1 0', '2 1'], damaged: [] });
});

/** Takes some two seconds; ARTEFACT_SEEDS=<n> runs so many. */
const SEEDS = Number(process.env['ARTEFACT_SEEDS'] ?? 12);

/** Mulberry32. */
function seededRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Everything that can become of artefacts, one step after the other; after each, artefacts, rows and the model give the same answers. */
async function live(seed: number): Promise<{ readonly asked: number; readonly damaged: number; readonly covered: number }> {
  const random = seededRandom(seed);
  const clock = new TestClock();
  const store = freshStore({ now: () => clock.now() });
  const model = new Map<number, { v: number | null; t: string | null }>();
  const totals = { asked: 0, damaged: 0, covered: 0 };
  const hurt = new Set<string>();
  let namespace = await open(store, { clock });
  let follower = await open(store, { clock, readOnly: true });
  const flush = async (): Promise<void> => {
    const rows = new Map<number, { v: number | null; t: string | null } | null>();
    for (let change = random(30); change >= 0; change--) {
      const ordinal = random(60);
      const row =
        random(4) === 0 ? null : { v: random(5) === 0 ? null : random(8), t: random(5) === 0 ? null : ['', 'a', 'ärger', 'b'][random(4)]! };
      rows.set(ordinal, row);
      if (row === null) model.delete(ordinal);
      else model.set(ordinal, row);
    }
    await namespace.publish({ add: [rowsFile(rows, namespace.manifest.version, random(2) === 0)], remove: [] });
  };
  const damage = async (): Promise<void> => {
    const files = namespace.manifest.artefacts.flatMap((artefact) => artefact.files);
    const file = files[random(Math.max(files.length, 1))];
    if (file === undefined) return;
    hurt.add(file.key);
    const bytes = (await store.get(file.key))?.slice();
    if (bytes === undefined || random(3) === 0) return store.delete(file.key);
    if (random(2) === 0) return void (await store.put(file.key, bytes.subarray(0, random(bytes.length))));
    bytes[random(bytes.length)]! ^= 1 << random(8);
    await store.put(file.key, bytes);
  };
  const steps: readonly (() => Promise<unknown>)[] = [
    flush,
    flush,
    flush,
    () => namespace.compact({ maxFlushedFiles: 2 }),
    () => namespace.compact({ everything: random(2) === 0 }),
    damage,
    async () => {
      const { artefacts } = namespace.manifest;
      const dropArtefacts = artefacts.filter(() => random(2) === 0).map(({ id }) => id);
      await namespace.publish({ add: [], remove: [], dropArtefacts });
    },
    // Killed, and opened by a release that has the kind, or none.
    async () => {
      namespace = await open(store, { clock, artefactKinds: random(3) === 0 ? [] : [KIND] });
    },
    async () => {
      clock.advance(100_000);
      await namespace.collectGarbage({ graceMs: 1_000, retainVersions: 1 });
      follower = await open(store, { clock, readOnly: true });
    },
  ];
  for (let step = 0; step < 30; step++) {
    await steps[random(steps.length)]!();
    await follower.poll({ search: true });
    for (const key of ['v', 't'] as const) {
      const expected = [...model].flatMap(([ordinal, row]) => (row[key] === null ? [] : [`${JSON.stringify(row[key])} ${ordinal}`])).sort();
      assert.deepEqual((await askRows(namespace, key)).found, expected, `${key} by rows at step ${step}`);
      for (const asked of [namespace, follower]) {
        const { found, damaged } = await ask(asked, { key });
        assert.deepEqual(found, expected, `${key} of the ${asked.role} at step ${step}`);
        for (const message of damaged)
          assert.ok(
            [...hurt].some((object) => message.includes(object)),
            message,
          );
        totals.damaged += damaged.length;
        totals.asked++;
      }
      const wanted = JSON.stringify(key === 'v' ? random(8) : 'a');
      const { found } = await ask(namespace, { key, wanted });
      assert.deepEqual(
        found,
        expected.filter((line) => line.slice(0, line.lastIndexOf(' ')) === wanted),
      );
    }
    totals.covered += coveredBy(namespace.manifest).length;
  }
  return totals;
}

test('at random: dropped, damaged, aged or merged, artefacts change no answer', async () => {
  const totals = { asked: 0, damaged: 0, covered: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = await live(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += report[name];
  }
  for (const [name, total] of Object.entries(totals)) assert.ok(total > 50, `hardly anything happened: ${total} ${name}`);
});
