/**
 * A namespace of many rows that has something to merge, made without statements: a run of persons and of relationships
 * as an import leaves it, and behind it runs of updates and deletions as flushes leave them. The same content each
 * time.
 */
import { openObjectStore, parseStorageUri } from '../../src/object-store/index.ts';
import { type Namespace, openNamespace, type SstColumn, type SstTable } from '../../src/storage/index.ts';

/** Relationships per person. */
const DEGREE = 4;
const FLUSHES = 4;
/** One row in so many is in a flush; of the relationships, one in so many of these is a deletion. */
const UPDATE_STEP = 50;
const DELETION_STEP = 10;
const BATCH_ROWS = 262_144;
const CITIES = Array.from({ length: 100 }, (_, index) => Buffer.from(`city ${index}`));

/** Returns how many rows its files have. */
export async function makeNamespace(uri: string, persons: number): Promise<number> {
  const location = parseStorageUri(uri);
  const store = await openObjectStore(location);
  const namespace = await openNamespace(store, { name: location.namespace });
  const base = [...(await writeRun(namespace, 'nodes', persons)), ...(await writeRun(namespace, 'relationships', persons * DEGREE))];
  const deleted = new Set<number>();
  await namespace.publish({
    add: [],
    addUploaded: base,
    remove: [],
    nextNodeOrdinal: persons,
    nextRelationshipOrdinal: persons * DEGREE,
    catalog: {
      labels: ['Person'],
      types: ['KNOWS'],
      keys: ['id', 'age', 'name', 'city', 'since', 'weight'],
      indexes: [],
      constraints: [],
    },
    newContent: true,
    liveRows: [{ kind: 'nodes', labels: ['Person'], liveRows: persons }],
  });
  for (let flush = 0; flush < FLUSHES; flush++) {
    const [nodes, relationships] = [every(persons, flush), every(persons * DEGREE, flush)];
    const isDeletion = (index: number): boolean => index % DELETION_STEP === 0;
    relationships.forEach((ordinal, index) => isDeletion(index) && deleted.add(ordinal));
    await namespace.publish({
      add: [nodeRows(nodes, persons, 0), relationshipRows(relationships, persons, 0, isDeletion)],
      remove: [],
      newContent: true,
      liveRows: [{ kind: 'relationships', type: 'KNOWS', liveRows: persons * DEGREE - deleted.size }],
    });
  }
  const rows = namespace.manifest.tables.reduce((sum, { files }) => sum + files.reduce((all, file) => all + file.rows, 0), 0);
  await namespace.close();
  await store.close();
  return rows;
}

async function writeRun(namespace: Namespace, kind: 'nodes' | 'relationships', rows: number) {
  const writer = namespace.createSstWriter(kind === 'nodes' ? { kind, labels: ['Person'] } : { kind, type: 'KNOWS' });
  const persons = kind === 'nodes' ? rows : rows / DEGREE;
  for (let first = 0; first < rows; first += BATCH_ROWS) {
    const ordinals = Uint32Array.from({ length: Math.min(BATCH_ROWS, rows - first) }, (_, index) => first + index);
    await writer.add(kind === 'nodes' ? nodeRows(ordinals, persons, 1) : relationshipRows(ordinals, persons, 1));
  }
  return writer.finish();
}

function every(rows: number, flush: number): Uint32Array {
  const offset = (flush * 7) % UPDATE_STEP;
  return Uint32Array.from({ length: Math.floor((rows - offset) / UPDATE_STEP) }, (_, index) => index * UPDATE_STEP + offset);
}

function nodeRows(ordinals: Uint32Array, persons: number, level: number): SstTable {
  const names = texts(ordinals, (ordinal) => `person ${ordinal % persons}`);
  const columns: SstColumn[] = [
    { name: '_ordinal', kind: 'uint32', values: ordinals, valid: null },
    { name: 'id', kind: 'int32', values: Int32Array.from(ordinals), valid: null },
    { name: 'age', kind: 'int32', values: Int32Array.from(ordinals, (ordinal) => 18 + (scatter(ordinal) % 70)), valid: null },
    { name: 'name', kind: 'string', valid: null, ...names },
    { name: 'city', kind: 'dictionary', values: Int32Array.from(ordinals, (o) => scatter(o + 1) % 100), valid: null, dictionary: cities() },
  ];
  return { kind: 'nodes', labels: ['Person'], ...tableOf(ordinals, columns, level), base: true };
}

function relationshipRows(ordinals: Uint32Array, persons: number, level: number, isDeletion?: (index: number) => boolean): SstTable {
  const deleted = isDeletion === undefined ? null : Uint8Array.from(ordinals, (_, index) => (isDeletion(index) ? 1 : 0));
  const columns: SstColumn[] = [
    { name: '_ordinal', kind: 'uint32', values: ordinals, valid: null },
    { name: '_source', kind: 'uint32', values: ordinals.map((ordinal) => Math.floor(ordinal / DEGREE)), valid: null },
    { name: '_target', kind: 'uint32', values: ordinals.map((ordinal) => targetOf(ordinal, persons)), valid: null },
    { name: 'since', kind: 'int32', values: Int32Array.from(ordinals, (ordinal) => 2000 + (ordinal % 25)), valid: null },
    { name: 'weight', kind: 'float', values: Float64Array.from(ordinals, (ordinal) => (scatter(ordinal) % 1000) / 8), valid: null },
  ];
  if (deleted !== null) columns.push({ name: '_deleted', kind: 'boolean', values: deleted, valid: null });
  return { kind: 'relationships', type: 'KNOWS', ...tableOf(ordinals, columns, level), base: deleted === null };
}

function tableOf(ordinals: Uint32Array, columns: readonly SstColumn[], level: number): Omit<SstTable, 'kind' | 'base'> {
  return { rows: ordinals.length, columns, minOrdinal: ordinals[0]!, denseOrdinals: false, level, minSequence: 0, maxSequence: 0 };
}

/** The relationships of a person go into ascending quarters of all persons. */
function targetOf(ordinal: number, persons: number): number {
  const quarter = Math.floor(persons / DEGREE);
  return (ordinal % DEGREE) * quarter + (scatter(ordinal) % quarter);
}

function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function texts(ordinals: Uint32Array, textOf: (ordinal: number) => string): { values: Uint32Array; heap: Uint8Array } {
  const values = new Uint32Array(ordinals.length + 1);
  const heap = Buffer.alloc(ordinals.length * 20);
  ordinals.forEach((ordinal, index) => {
    values[index + 1] = values[index]! + heap.write(textOf(ordinal), values[index]!, 'latin1');
  });
  return { values, heap: heap.subarray(0, values[ordinals.length]) };
}

function cities(): NonNullable<SstColumn['dictionary']> {
  const offsets = new Uint32Array(CITIES.length + 1);
  CITIES.forEach((city, index) => {
    offsets[index + 1] = offsets[index]! + city.length;
  });
  return { offsets, heap: Buffer.concat(CITIES) };
}
