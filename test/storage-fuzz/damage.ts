/** Ways to damage the objects of a bucket: what disks, networks and people do to them, and what a faulty writer would leave. */
import { crc32 } from 'node:zlib';
import type { Random } from '../support/random.ts';

/** Objects by key, below the namespace. */
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

/** Damage that a faulty writer would leave: checksums are right, content is not. */
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
    const listing = new Listing(bucket);
    const key = random.pick(listing.keys);
    const where = changeMember(listing.json(key), random);
    listing.write();
    return { how: `${key} with another ${where}`, keys: listing.keys };
  },
  (bucket, random) => {
    const listing = new Listing(bucket);
    const file = random.pick(listing.files().filter((each) => buffersOf(layoutOf(bucket, each)).length > 0));
    const layout = layoutOf(bucket, file);
    const bytes = bucket.get(file.key)!.slice();
    const buffer = random.pick(buffersOf(layout));
    const [offset, length] = buffer as [number, number];
    for (let count = random.pick([1, 1, 4]); count > 0; count--)
      bytes[offset + random.between(0, length - 1)] = random.pick([0, 1, 127, 128, 255]);
    buffer[2] = crc32(bytes.subarray(offset, offset + length));
    putLayout(bucket, { file, bytes, layout });
    listing.write();
    return { how: `${file.key} with other content in the buffer at ${offset}`, keys: [file.key, ...listing.keys] };
  },
  (bucket, random) => {
    const listing = new Listing(bucket);
    const file = random.pick(
      listing
        .files()
        .filter((each) => Array.isArray(each.layout))
        .concat(listing.files()),
    );
    const layout = layoutOf(bucket, file);
    const where = changeMember(layout, random);
    putLayout(bucket, { file, bytes: bucket.get(file.key)!, layout });
    listing.write();
    return { how: `${file.key} with another ${where} in its layout`, keys: [file.key, ...listing.keys] };
  },
];

interface Layout {
  readonly blocks: readonly { readonly buffers: number[][] }[];
  readonly dictionaries: readonly { readonly offsets: number[]; readonly heap: number[] }[];
}

/** As a manifest, or a child of one, tells of it; before format 3 the members of the layout stand in it. */
interface ListedFile {
  readonly key: string;
  bytes: number;
  crc32: number;
  layout?: readonly [offset: number, bytes: number, crc32: number] | Layout;
  readonly blocks?: Layout['blocks'];
  readonly columns: readonly { readonly dictionary?: Layout['dictionaries'][number] }[];
}

interface Changes {
  readonly tables: readonly { readonly add: readonly { readonly files: ListedFile[] }[] }[];
}

interface Root {
  readonly children?: { readonly key: string; bytes: number; crc32: number }[];
  readonly changes?: Changes;
  readonly tables?: readonly { readonly files: ListedFile[] }[];
}

/** The current manifest and its children, to be changed and written again with right checksums. */
class Listing {
  readonly #bucket: Bucket;
  readonly #manifestKey: string;
  readonly #root: Root;
  readonly #children: ReadonlyMap<string, Changes>;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    this.#manifestKey = [...bucket.keys()]
      .filter((key) => key.startsWith('manifest/'))
      .sort()
      .at(-1)!;
    // Without the ending, which holds the checksum.
    this.#root = JSON.parse(`${textOf(bucket, this.#manifestKey).slice(0, -22)}}`) as Root;
    this.#children = new Map((this.#root.children ?? []).map(({ key }) => [key, JSON.parse(textOf(bucket, key)) as Changes]));
  }

  get keys(): readonly string[] {
    return [this.#manifestKey, ...this.#children.keys()];
  }

  json(key: string): unknown {
    return this.#children.get(key) ?? this.#root;
  }

  files(): ListedFile[] {
    const changes = [...this.#children.values(), ...(this.#root.changes === undefined ? [] : [this.#root.changes])];
    const added = changes.flatMap(({ tables }) => tables.flatMap(({ add }) => add.flatMap(({ files }) => files)));
    const all = [...added, ...(this.#root.tables ?? []).flatMap(({ files }) => files)];
    // One that was removed again may be gone.
    return all.filter(({ key }) => this.#bucket.has(key));
  }

  write(): void {
    for (const [key, changes] of this.#children) {
      const bytes = Buffer.from(JSON.stringify(changes));
      this.#bucket.set(key, bytes);
      const place = Array.isArray(this.#root.children) ? this.#root.children.find((child) => child?.key === key) : undefined;
      if (place !== undefined) Object.assign(place, { bytes: bytes.length, crc32: crc32(bytes) });
    }
    const text = Buffer.from(JSON.stringify(this.#root).slice(0, -1));
    this.#bucket.set(this.#manifestKey, Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]));
  }
}

function textOf(bucket: Bucket, key: string): string {
  return Buffer.from(bucket.get(key)!).toString('utf8');
}

/** Returns the layout of a file, which counts once it is put. */
function layoutOf(bucket: Bucket, { key, layout, blocks = [], columns }: ListedFile): Layout {
  if (layout === undefined) return { blocks, dictionaries: columns.flatMap(({ dictionary }) => dictionary ?? []) };
  if (!isPlace(layout)) return layout;
  const [offset, length] = layout;
  return JSON.parse(Buffer.from(bucket.get(key)!.subarray(offset, offset + length)).toString('utf8')) as Layout;
}

function isPlace(layout: NonNullable<ListedFile['layout']>): layout is readonly [number, number, number] {
  return Array.isArray(layout);
}

/** At the end of the file where it stands in the file; else it is in the manifest already. */
function putLayout(bucket: Bucket, { file, bytes, layout }: { file: ListedFile; bytes: Uint8Array; layout: Layout }): void {
  if (file.layout === undefined || !isPlace(file.layout)) {
    bucket.set(file.key, bytes);
    return;
  }
  const text = Buffer.from(JSON.stringify(layout));
  const all = Buffer.concat([bytes, text]);
  bucket.set(file.key, all);
  Object.assign(file, { bytes: all.length, crc32: crc32(all), layout: [bytes.length, text.length, crc32(text)] });
}

/** Those that have bytes. */
function buffersOf({ blocks, dictionaries }: Layout): number[][] {
  return [...blocks.flatMap((block) => block.buffers), ...dictionaries.flatMap(({ offsets, heap }) => [offsets, heap])].filter(
    ([, length]) => length! > 0,
  );
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
