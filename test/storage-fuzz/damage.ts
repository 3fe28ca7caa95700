/** Ways to damage the objects of a bucket: what disks, networks and people do to them, and what a faulty writer would leave. */
import { crc32 } from 'node:zlib';
import type { Random } from '../support/random.ts';

/** By key, below the namespace. */
export type Bucket = Map<string, Uint8Array>;

export interface Damage {
  readonly how: string;
  /** Any of these may be named in the report. */
  readonly keys: readonly string[];
}

type Way = (bucket: Bucket, random: Random) => Damage;

/** One object of a kind picked first, so that the few manifests are hit as often as the many WAL objects. */
function pickKey(bucket: Bucket, random: Random, kinds: readonly string[] = ['manifest/', 'wal/', 'data/']): string {
  const kind = random.pick(kinds);
  return random.pick([...bucket.keys()].filter((key) => key.startsWith(kind)));
}

function replaced(how: string, change: (bytes: Uint8Array, random: Random) => Uint8Array): Way {
  return (bucket, random) => {
    const key = pickKey(bucket, random);
    bucket.set(key, change(bucket.get(key)!.slice(), random));
    return { how: `${how} in ${key}`, keys: [key] };
  };
}

function flip(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.between(0, bytes.length - 1);
  bytes[at] = bytes[at]! ^ (1 << random.between(0, 7));
  return bytes;
}

/** A stretch of the object, as one reads and writes it: from, and to (not included). */
function stretch(bytes: Uint8Array, random: Random): [from: number, to: number] {
  const from = random.between(0, bytes.length - 1);
  return [from, Math.min(bytes.length, from + random.between(1, random.pick([4, 64, 4096])))];
}

/** Damage that checksums must find. */
export const ACCIDENTS: readonly Way[] = [
  replaced('a bit flipped', flip),
  replaced('bits flipped', (bytes, random) => {
    for (let count = random.between(2, 40); count > 0; count--) flip(bytes, random);
    return bytes;
  }),
  replaced('the end cut off', (bytes, random) => bytes.subarray(0, random.between(0, bytes.length - 1))),
  replaced('the beginning cut off', (bytes, random) => bytes.subarray(random.between(1, bytes.length))),
  replaced('bytes appended', (bytes, random) => Buffer.concat([bytes, Buffer.alloc(random.between(1, 300), random.pick([0, 0x7d, 0xff]))])),
  replaced('itself appended', (bytes) => Buffer.concat([bytes, bytes])),
  replaced('a stretch zeroed', (bytes, random) => bytes.fill(0, ...stretch(bytes, random))),
  replaced('a stretch overwritten', (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    for (let at = from; at < to; at++) bytes[at] = random.between(0, 255);
    return bytes;
  }),
  replaced('a stretch left out', (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  }),
  replaced('a stretch twice', (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  }),
  replaced('everything replaced by noise', (bytes, random) => bytes.map(() => random.between(0, 255))),
  (bucket, random) => {
    const kind = random.pick(['manifest/', 'wal/', 'data/']);
    const [one, other] = [pickKey(bucket, random, [kind]), pickKey(bucket, random, random.chance(0.7) ? [kind] : undefined)];
    const bytes = bucket.get(one)!;
    bucket.set(one, bucket.get(other)!);
    bucket.set(other, bytes);
    return { how: `${one} and ${other} exchanged`, keys: [one, other] };
  },
  (bucket, random) => {
    const kind = random.pick(['manifest/', 'wal/', 'data/']);
    const [from, to] = [pickKey(bucket, random, [kind]), pickKey(bucket, random, [kind])];
    bucket.set(to, bucket.get(from)!);
    return { how: `${from} put over ${to}`, keys: [to] };
  },
  (bucket, random) => {
    const last = [...bucket.keys()].filter((key) => !key.startsWith('data/')).sort();
    // Without its last object the manifest or the log is what it was before.
    const ends = [last.findLast((key) => key.startsWith('manifest/')), last.findLast((key) => key.startsWith('wal/'))];
    const key = random.pick([...bucket.keys()].filter((it) => !ends.includes(it)));
    bucket.delete(key);
    return { how: `${key} removed`, keys: [key] };
  },
];

/** What a faulty writer would leave: checksums are right, content is not. */
export const FORGERIES: readonly Way[] = [
  (bucket, random) => {
    const key = pickKey(bucket, random, ['wal/']);
    const bytes = bucket.get(key)!.slice();
    const end = bytes.length - 4;
    for (let count = random.pick([1, 1, 2, 8]); count > 0; count--)
      bytes[random.between(0, end - 1)] = random.pick([0, 1, 127, 128, 255, random.between(0, 255)]);
    new DataView(bytes.buffer).setUint32(end, crc32(bytes.subarray(0, end)), true);
    bucket.set(key, bytes);
    return { how: `${key} with other content`, keys: [key] };
  },
  (bucket, random) => {
    const key = currentManifest(bucket);
    const json = readManifest(bucket, key);
    const where = changeMember(json, random);
    writeManifest(bucket, key, json);
    return { how: `${key} with another ${where}`, keys: [key] };
  },
  (bucket, random) => {
    const key = currentManifest(bucket);
    const json = readManifest(bucket, key);
    const file = random.pick(filesOf(json).filter((each) => buffersOf(each).length > 0));
    const bytes = bucket.get(file.key)!.slice();
    const buffer = random.pick(buffersOf(file));
    const [offset, length] = buffer as [number, number];
    for (let count = random.pick([1, 1, 4]); count > 0; count--)
      bytes[offset + random.between(0, length - 1)] = random.pick([0, 1, 127, 128, 255]);
    buffer[2] = crc32(bytes.subarray(offset, offset + length));
    bucket.set(file.key, bytes);
    writeManifest(bucket, key, json);
    return { how: `${file.key} with other content in the buffer at ${offset}`, keys: [file.key, key] };
  },
];

interface ManifestFile {
  readonly key: string;
  readonly blocks: readonly { readonly buffers: number[][] }[];
  readonly columns: readonly { readonly dictionary?: { readonly offsets: number[]; readonly heap: number[] } }[];
}

function currentManifest(bucket: Bucket): string {
  return [...bucket.keys()]
    .filter((key) => key.startsWith('manifest/'))
    .sort()
    .at(-1)!;
}

/** Without its ending, which holds the checksum. */
function readManifest(bucket: Bucket, key: string): Record<string, unknown> {
  return JSON.parse(`${Buffer.from(bucket.get(key)!).toString('utf8').slice(0, -22)}}`) as Record<string, unknown>;
}

function writeManifest(bucket: Bucket, key: string, json: unknown): void {
  const text = Buffer.from(JSON.stringify(json).slice(0, -1));
  bucket.set(key, Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]));
}

function filesOf(json: Record<string, unknown>): ManifestFile[] {
  return (json['tables'] as { files: ManifestFile[] }[]).flatMap((table) => table.files);
}

/** Those that have bytes. */
function buffersOf({ blocks, columns }: ManifestFile): number[][] {
  const dictionaries = columns.flatMap(({ dictionary }) => (dictionary === undefined ? [] : [dictionary.offsets, dictionary.heap]));
  return [...blocks.flatMap((block) => block.buffers), ...dictionaries].filter(([, length]) => length! > 0);
}

const NUMBERS = [0, 1, -1, 0.5, 255, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, 1e300];
const OTHERS: readonly unknown[] = [null, true, '', 'x', 'data/x.arrow', [], {}, 7];

/** Changes something anywhere in it. @returns where */
function changeMember(json: unknown, random: Random): string {
  let place = json as Record<string, unknown>;
  const path: string[] = [];
  for (;;) {
    const keys = Object.keys(place);
    if (keys.length === 0) return path.join('.');
    const key = random.pick(keys);
    path.push(key);
    const value = place[key];
    if (typeof value === 'object' && value !== null && random.chance(0.95)) {
      place = value as Record<string, unknown>;
      continue;
    }
    if (random.chance(0.1)) delete place[key];
    else if (typeof value === 'number' && random.chance(0.8))
      place[key] = random.chance(0.4) ? value + random.pick([-1, 1]) : random.pick(NUMBERS);
    else place[key] = random.pick(OTHERS);
    return `${path.join('.')} (${JSON.stringify(value)?.slice(0, 40)} is ${JSON.stringify(place[key])})`;
  }
}
