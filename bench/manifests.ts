/**
 * `npm run bench:manifests`: what manifests cost while a graph is written to in small pieces. Over graphs of several
 * sizes, `--commits` (100,000) commits and `--flushes` (2,000) flushes with merges and collections among them; a
 * follower polls after each flush. Counted are the bytes that the writer puts and the follower gets, by kind of object;
 * then what opening the namespace costs in rounds of requests. Nothing is timed.
 *
 * `--sizes` (0,1e6,10e6): relationships, written as files of 32 MiB; `--model` (100): gigabytes of such files that the
 * manifest lists and that are not there.
 */
import { parseArgs } from 'node:util';
import { silentLogger } from '../src/base/index.ts';
import { intercept, type ObjectStore, openObjectStore, parseStorageUri, withMetrics } from '../src/object-store/index.ts';
import { type Namespace, openNamespace, type SstFile, type SstTable, type TableName, type UploadedSst } from '../src/storage/index.ts';

const { values: options } = parseArgs({
  options: {
    commits: { type: 'string', default: '100000' },
    flushes: { type: 'string', default: '2000' },
    sizes: { type: 'string', default: '0,1e6,10e6' },
    model: { type: 'string', default: '100' },
  },
});
const FLUSHES = Number(options.flushes);
const COMMITS_PER_FLUSH = Math.max(1, Math.round(Number(options.commits) / FLUSHES));
const COMMIT_BYTES = 60;
const FLUSHES_PER_COLLECTION = 50;
const ROWS_AT_ONCE = 1_000_000;
const FILE_BYTES = 32 * 2 ** 20;
const KNOWS: TableName = { kind: 'relationships', type: 'KNOWS' };
const PERSON: TableName = { kind: 'nodes', labels: ['Person'] };
const KINDS = ['manifest', 'child', 'file', 'log'] as const;
const PLURALS = { manifest: 'manifests', child: 'children', file: 'files', log: 'the log' } as const;

type Kind = (typeof KINDS)[number];

/** Bytes by kind of object. */
class Traffic {
  readonly bytes: Record<Kind, number> = { manifest: 0, child: 0, file: 0, log: 0 };
  readonly requests: Record<Kind, number> = { manifest: 0, child: 0, file: 0, log: 0 };
  /** The most bytes of a manifest and its children that were transferred for one flush. */
  largestFlush = 0;
  #before = 0;

  add(key: string, bytes: number): void {
    const kind = kindOf(key);
    this.bytes[kind] += bytes;
    this.requests[kind]++;
  }

  get ofManifests(): number {
    return this.bytes.manifest + this.bytes.child;
  }

  endFlush(): void {
    this.largestFlush = Math.max(this.largestFlush, this.ofManifests - this.#before);
    this.#before = this.ofManifests;
  }
}

function kindOf(key: string): Kind {
  if (key.startsWith('manifest/')) return 'manifest';
  if (key.startsWith('wal/')) return 'log';
  return key.endsWith('.manifest') ? 'child' : 'file';
}

function counting(store: ObjectStore, put: Traffic, got: Traffic): ObjectStore {
  return intercept(store, async ({ operation, key, bytes, target }, proceed) => {
    const answer = await proceed();
    if (bytes !== undefined) put.add(key, bytes.length);
    if (operation === 'get' && answer !== null) got.add(key, (answer as unknown as Uint8Array).length); // as: what `get` answers
    if (operation === 'readInto') got.add(key, target!.length);
    return answer;
  });
}

for (const size of options.sizes.split(','))
  await measure(`${Number(size).toLocaleString('en')} relationships`, (writer) => load(writer, Number(size)));
const gigabytes = Number(options.model);
if (gigabytes > 0) await measure(`a list of files of ${gigabytes} GB`, (writer) => listFiles(writer, (gigabytes * 1e9) / FILE_BYTES));

async function measure(name: string, begin: (writer: Namespace) => Promise<void>): Promise<void> {
  const bucket = await openObjectStore(parseStorageUri(`memory://manifests-${name.replaceAll(/\W/g, '-')}`));
  const [put, got, followed] = [new Traffic(), new Traffic(), new Traffic()];
  const first = await open(bucket);
  await begin(first);
  await first.close();
  const writer = await open(counting(bucket, put, got));
  const follower = await open(counting(bucket, new Traffic(), followed), true);
  const opening = { ...followed.bytes };
  const before = [put, got, followed].map((traffic) => ({ ...traffic.bytes }));
  for (const traffic of [put, followed]) traffic.endFlush();
  for (const traffic of [put, followed]) traffic.largestFlush = 0;
  for (let flush = 1; flush <= FLUSHES; flush++) {
    await writeAndFlush(writer, flush);
    await follower.poll();
    for (const traffic of [put, followed]) traffic.endFlush();
    await writer.compact();
    if (flush % FLUSHES_PER_COLLECTION === 0) await writer.collectGarbage({ graceMs: 0, retainVersions: 8 });
  }
  await follower.poll();
  const { children } = writer.manifest;
  console.log(`\n${name}: ${FLUSHES * COMMITS_PER_FLUSH} commits, ${FLUSHES} flushes`);
  const files = writer.manifest.tables.reduce((sum, table) => sum + table.files.length, 0);
  console.log(
    `  files listed ${files}; ${children.length} children of ${children.map(({ bytes }) => bytes.toLocaleString('en')).join(' + ')} bytes`,
  );
  for (const [who, traffic, start] of [
    ['writer puts', put, before[0]!],
    ['writer gets', got, before[1]!],
    ['follower gets', followed, before[2]!],
  ] as const) {
    const byKind = KINDS.map((kind) => `${PLURALS[kind]} ${Math.round(traffic.bytes[kind] - start[kind]).toLocaleString('en')}`);
    const perFlush = Math.round((traffic.ofManifests - start.manifest - start.child) / FLUSHES);
    const most = traffic.largestFlush > 0 ? `, at most ${traffic.largestFlush.toLocaleString('en')} between two flushes` : '';
    console.log(`  ${who}: bytes of ${byKind.join(', ')}; of manifests and children ${perFlush.toLocaleString('en')} a flush${most}`);
  }
  console.log(`  the follower's opening got ${(opening.manifest + opening.child).toLocaleString('en')} bytes of manifest and children`);
  await follower.close();
  await writer.close();
  await openInRounds(bucket);
}

function open(store: ObjectStore, readOnly = false): Promise<Namespace> {
  return openNamespace(store, { name: 'bench', readOnly, logger: silentLogger });
}

/** Requests that wait for the one before are rounds. */
async function openInRounds(bucket: ObjectStore): Promise<void> {
  for (const readOnly of [true, false]) {
    let rounds = 0;
    let isWaiting = false;
    const { store, metrics } = withMetrics(
      intercept(bucket, async (_, proceed) => {
        if (!isWaiting) {
          rounds++;
          isWaiting = true;
          setImmediate(() => {
            isWaiting = false;
          });
        }
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        return proceed();
      }),
    );
    const namespace = await open(store, readOnly);
    const requests = Object.values(metrics.operations).reduce((sum, operation) => sum + operation.requests, 0);
    console.log(`  opening for ${readOnly ? 'reading' : 'writing'}: ${requests} requests in ${rounds} rounds`);
    await namespace.close();
  }
}

async function load(writer: Namespace, relationships: number): Promise<void> {
  const sst = writer.createSstWriter(KNOWS);
  for (let from = 0; from < relationships; from += ROWS_AT_ONCE)
    await sst.add(knows(from, Math.min(ROWS_AT_ONCE, relationships - from), true));
  const addUploaded = [...(await sst.finish())];
  await writer.publish({ add: [], addUploaded, remove: [], nextRelationshipOrdinal: relationships, newContent: true });
}

/** Entries as a file of relationships with two properties has them; nothing reads the files themselves. */
async function listFiles(writer: Namespace, count: number): Promise<void> {
  const sample = writer.createSstWriter(KNOWS);
  await sample.add(knows(0, 1_000, true));
  const [{ file } = fail()] = await sample.finish();
  const rows = 1_000_000;
  const addUploaded: UploadedSst[] = Array.from({ length: Math.round(count) }, (_, index) => {
    const entry: SstFile = {
      ...file,
      key: `data/model-${index}.arrow`,
      bytes: FILE_BYTES,
      rows,
      level: 3,
      minOrdinal: index * rows,
      maxOrdinal: (index + 1) * rows - 1,
      blockCount: Math.ceil(rows / 65_536),
      columns: file.columns.map((column) =>
        column.name === '_source' ? { ...column, min: index * 1_000, max: index * 1_000 + 999 } : column,
      ),
      layout: [FILE_BYTES - 8_000, 7_000, 123_456_789],
    };
    return { table: KNOWS, file: entry };
  });
  await writer.publish({ add: [], addUploaded, remove: [], nextRelationshipOrdinal: Math.round(count) * rows, newContent: true });
}

function fail(): never {
  throw new Error('nothing was uploaded');
}

async function writeAndFlush(writer: Namespace, flush: number): Promise<void> {
  const first = writer.durableSequence + 1;
  const appended = Array.from({ length: COMMITS_PER_FLUSH }, (_, index) =>
    writer.append({ sequence: first + index, changes: new Uint8Array(COMMIT_BYTES) }),
  );
  await Promise.all(appended);
  const { nextRelationshipOrdinal, nextNodeOrdinal } = writer.manifest;
  await writer.publish({
    add: [knows(nextRelationshipOrdinal, COMMITS_PER_FLUSH, false), people(nextNodeOrdinal, COMMITS_PER_FLUSH)],
    remove: [],
    sequence: writer.durableSequence,
    nextRelationshipOrdinal: nextRelationshipOrdinal + COMMITS_PER_FLUSH,
    nextNodeOrdinal: nextNodeOrdinal + COMMITS_PER_FLUSH,
    liveRows: [
      { ...KNOWS, liveRows: nextRelationshipOrdinal + COMMITS_PER_FLUSH },
      { ...PERSON, liveRows: flush * COMMITS_PER_FLUSH },
    ],
  });
}

function knows(from: number, rows: number, isBase: boolean): SstTable {
  const sources = Uint32Array.from({ length: rows }, (_, row) => Math.floor((from + row) / 10));
  return {
    ...KNOWS,
    rows,
    minOrdinal: from,
    denseOrdinals: true,
    base: isBase,
    level: isBase ? 1 : 0,
    minSequence: 0,
    maxSequence: 0,
    columns: [
      { name: '_source', kind: 'uint32', values: sources, valid: null },
      { name: '_target', kind: 'uint32', values: Uint32Array.from({ length: rows }, (_, row) => from + row), valid: null },
      { name: 'since', kind: 'int32', values: Int32Array.from({ length: rows }, (_, row) => (from + row) % 10_000), valid: null },
      { name: 'weight', kind: 'float', values: Float64Array.from({ length: rows }, (_, row) => (from + row) / 7), valid: null },
    ],
  };
}

function people(from: number, rows: number): SstTable {
  const values = Int32Array.from({ length: rows }, (_, row) => (from + row) % 90);
  const columns = [{ name: 'age', kind: 'int32', values, valid: null }] as const;
  return { ...PERSON, rows, minOrdinal: from, denseOrdinals: true, base: false, level: 0, minSequence: 0, maxSequence: 0, columns };
}
