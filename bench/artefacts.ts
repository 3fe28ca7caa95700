/**
 * `npm run bench:artefacts -- [--rows <millions>] [--local]`: what adjacencies and range indexes of one table of
 * relationships take in the bucket and to be built, and what one look-up reads. The table is written by an SST writer,
 * as an import does it, over a tenth as many nodes; sources and targets at random (`--local`: near each other), with an
 * identifier as a text and a number for each relationship.
 *
 * Prints one line of JSON: bytes per entry by kind, seconds of the processor per million rows, the most memory, and
 * requests and bytes of a hop and of a look-up in a process that knows only the manifest.
 */
import { parseArgs } from 'node:util';
import { silentLogger } from '../src/base/index.ts';
import { dropMemoryStore, openMemoryStore, parseStorageUri, withMetrics } from '../src/object-store/index.ts';
import {
  type ArtefactReader,
  type Catalog,
  findArtefacts,
  type Namespace,
  openNamespace,
  openPagedArrays,
  openRange,
  type SstTable,
} from '../src/storage/index.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1' }, local: { type: 'boolean', default: false } } });
const ROWS = Math.round(Number(values.rows) * 1e6);
const NODES = Math.ceil(ROWS / 10);
/** Whole sources. */
const BATCH = 65_530;

const uri = parseStorageUri('memory://bench-artefacts');
if (uri.scheme !== 'memory') throw new Error('the store is in memory');
const { store, metrics } = withMetrics(openMemoryStore(uri));

let state = 1;
function random(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
}

const targetOf = (source: number): number => (values.local ? Math.min(NODES - 1, source + random(1_000)) : random(NODES));

/** Rows `from` to below `to`, ten for each source, in order. */
function batchOf(from: number, to: number): SstTable {
  const rows = to - from;
  const sources = Uint32Array.from({ length: rows }, (_, row) => Math.floor((from + row) / 10));
  const targets = sources.map(targetOf);
  for (let row = 0; row < rows; ) {
    let end = row;
    while (end < rows && sources[end] === sources[row]) end++;
    targets.subarray(row, end).sort();
    row = end;
  }
  const texts = Array.from({ length: rows }, () => Buffer.from(`${random(2 ** 32).toString(16)}-${random(2 ** 32).toString(16)}`));
  const offsets = new Uint32Array(rows + 1);
  for (const [row, text] of texts.entries()) offsets[row + 1] = offsets[row]! + text.length;
  return {
    kind: 'relationships',
    type: 'R',
    rows,
    columns: [
      { name: '_source', kind: 'uint32', values: sources, valid: null },
      { name: '_target', kind: 'uint32', values: targets, valid: null },
      { name: 'id', kind: 'string', values: offsets, valid: null, heap: Buffer.concat(texts) },
      { name: 'n', kind: 'integer', values: Float64Array.from({ length: rows }, () => random(2 ** 30)), valid: null },
    ],
    minOrdinal: from,
    denseOrdinals: true,
    base: true,
    level: 1,
    minSequence: 0,
    maxSequence: 0,
  };
}

const definition = (key: string) => ({ name: key, kind: 'range', entity: 'relationship', labelOrType: 'R', keys: [key] });
const catalog: Catalog = { labels: [], types: ['R'], keys: ['id', 'n'], indexes: [definition('id'), definition('n')], constraints: [] };

/** Everything is built here, so that its memory and time can be told: no thread. */
const quiet = { logger: silentLogger, threadFromBytes: Number.POSITIVE_INFINITY };
const writer = await openNamespace(store, { name: 'bench', ...quiet, artefactKinds: [] });
const sst = writer.createSstWriter({ kind: 'relationships', type: 'R' });
for (let from = 0; from < ROWS; from += BATCH) await sst.add(batchOf(from, Math.min(ROWS, from + BATCH)));
await writer.publish({
  add: [],
  addUploaded: await sst.finish(),
  remove: [],
  newContent: true,
  catalog,
  liveRows: [{ kind: 'relationships', type: 'R', liveRows: ROWS }],
});
await writer.close();

const namespace = await openNamespace(store, { name: 'bench', ...quiet });
const tableBytes = namespace.manifest.tables[0]!.files.reduce((sum, { bytes }) => sum + bytes, 0);
const storeBytes = process.memoryUsage().arrayBuffers;
let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage().arrayBuffers - storeBytes);
}, 20);
const before = process.cpuUsage();
await namespace.compact();
const buildSeconds = process.cpuUsage(before).user / 1e6;
clearInterval(watch);

/** Requests and bytes of what is done with a reader that has read nothing yet. */
async function costOf(reading: (namespace: Namespace) => Promise<unknown>): Promise<{ readonly requests: number; readonly bytes: number }> {
  const [requests, bytes] = [metrics.operations.readInto.requests, metrics.operations.readInto.bytesRead];
  await reading(namespace);
  return { requests: metrics.operations.readInto.requests - requests, bytes: metrics.operations.readInto.bytesRead - bytes };
}

function readerFor(kind: 'adjacency' | 'range', subject: Readonly<Record<string, unknown>>): ArtefactReader {
  return namespace.openArtefact(findArtefacts(namespace.manifest, { table: { kind: 'relationships', type: 'R' }, kind, subject })[0]!);
}

async function hop(node: number): Promise<void> {
  const arrays = await openPagedArrays(readerFor('adjacency', { direction: 'incoming' }));
  const { base, pageElements } = arrays.directory;
  const read = async (name: 'offsets' | 'neighbours' | 'rows', from: number, to: number): Promise<Uint32Array> => {
    const first = Math.floor(from / pageElements);
    const count = Math.floor(to / pageElements) - first + 1;
    const length = Math.min((first + count) * pageElements, arrays.length(name)) - first * pageElements;
    const into = new Uint32Array(length);
    await arrays.readPages(name, first, count, into);
    return into.subarray(from - first * pageElements, to - first * pageElements + 1);
  };
  const [from, to] = (await read('offsets', node - base, node - base + 1)) as unknown as [number, number]; // as: two of them
  if (to > from) await Promise.all([read('neighbours', from, to - 1), read('rows', from, to - 1)]);
}

const artefacts = namespace.manifest.artefacts.map(({ kind, subject, files, directory }) => ({
  kind,
  subject: JSON.stringify(subject),
  bytesPerEntry: Number((files.reduce((sum, { bytes }) => sum + bytes, 0) / Number(directory['entries'])).toFixed(2)),
  files: files.length,
}));
console.log(
  JSON.stringify({
    rows: ROWS,
    tableBytesPerRow: Number((tableBytes / ROWS).toFixed(2)),
    artefacts,
    buildSecondsPerMillionRows: Number((buildSeconds / (ROWS / 1e6)).toFixed(2)),
    mostMebibytesBeside: Math.round((most - artefactBytes()) / 2 ** 20),
    hop: await costOf(() => hop(Math.floor(NODES / 3))),
    lookup: await costOf(async () => (await openRange(readerFor('range', { keys: ['n'] }))).equal([12_345])),
  }),
);
await namespace.close();
dropMemoryStore(uri);

/** They lie in the store, which is in memory. */
function artefactBytes(): number {
  return namespace.manifest.artefacts.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0);
}
