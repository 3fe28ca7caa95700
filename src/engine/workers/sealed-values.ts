/**
 * Seals large values for another thread: in parts that are serialized one by one into shared memory, so that neither
 * thread clones, packs or unpacks all of a value in one piece, and a message that carries it costs no more than a small
 * one. A sealed value may be sent more than once.
 *
 * A part is a list of steps by which the value is built: a list (a number: its length), map or text begins; items of
 * the innermost one follow (keys and values by turns for a map; for a list also many numbers as one array, and many
 * similar lists or maps by what they hold); it ends.
 */
import { deserialize, serialize } from 'node:v8';
import { assert } from '../../base/index.ts';
import { isLarge, listWithRoom, type ResultValue, type Value } from '../../value/index.ts';
import { type Packed, pack, unpack } from './packed-values.ts';

/** Serialized steps, or an array of many numbers, which is one step. */
type SealedPart = Uint8Array | Numbers;
type Numbers = Int32Array | Float64Array;

/** A sealed value. It survives cloning, and is told from a packed value by being no array. */
export interface Sealed {
  readonly sealed: readonly SealedPart[];
}

type Step = number | 'map' | 'text' | 'end' | readonly Packed[] | Numbers | Alike;

/** Lists of one length (`keys` null), or maps with the same keys in the same order. */
interface Alike {
  readonly keys: readonly string[] | null;
  readonly count: number;
  /** The values of the first list or map, then of the second, and so on. */
  readonly values: readonly Packed[];
}

/** A part ends when its items weigh this much; an object counts for `OBJECT_WEIGHT`, since it may hold others. */
const PART_WEIGHT = 1_024;
const OBJECT_WEIGHT = 16;
/** At least this many consecutive numbers go as an array of 32-bit integers or doubles; eight of them weigh as much as an item. */
const FEW_NUMBERS = 64;
const MOST_NUMBERS = 8 * PART_WEIGHT;
/** An array of at least this many numbers is a part by itself. */
const MANY_NUMBERS = 1_024;
/** At least this many consecutive lists or maps that are alike go together, up to MOST_ALIKE_VALUES values in a part. */
const FEW_ALIKE = 16;
const MOST_ALIKE_VALUES = 2 * PART_WEIGHT;
/** The longest text, in characters, in a list or map that goes together with others. */
const SHORT_CHARACTERS = 32;
const TEXT_PIECE_CHARACTERS = 64 * 1_024;

/** Returns whether a value is sealed. */
export function isSealed(value: Packed | Sealed): value is Sealed {
  return typeof value === 'object' && value !== null && 'sealed' in value;
}

/** Seals a value, and yields after each part. */
export function* sealInParts(value: ResultValue | Value): Generator<void, Sealed, void> {
  const writer = new PartWriter();
  yield* writeParts(writer, value);
  writer.cut();
  return { sealed: writer.parts };
}

/** Restores a sealed value, and yields after each part. */
export function* unsealInParts({ sealed }: Sealed): Generator<void, ResultValue, void> {
  const builder = new Builder();
  for (const part of sealed) {
    if (!(part instanceof Uint8Array)) builder.take(part);
    else for (const step of deserialize(part) as Step[]) builder.take(step);
    yield;
  }
  return builder.value();
}

function* writeParts(writer: PartWriter, value: ResultValue | Value): Generator<void, void, void> {
  if (Array.isArray(value)) {
    writer.step(value.length);
    for (let at = 0; at < value.length; ) {
      const numbers = numbersEnd(value, at);
      const alike = alikeEnd(value, at);
      if (numbers - at >= FEW_NUMBERS) writer.numbers(arrayOf(value, at, numbers));
      // as: they are plain, each of them
      else if (alike - at >= FEW_ALIKE) writer.alike(value.slice(at, alike) as Plain[]);
      else {
        for (const stop = Math.max(numbers, alike, at + 1); at < stop; ) yield* writeItem(writer, value[at++]!);
        continue;
      }
      at = Math.max(numbers, alike);
      if (writer.weight >= PART_WEIGHT) yield writer.cut();
    }
    writer.step('end');
  } else if (value instanceof Map) {
    writer.step('map');
    for (const [key, item] of value) {
      writer.item(key);
      yield* writeItem(writer, item);
    }
    writer.step('end');
  } else if (typeof value === 'string') {
    writer.step('text');
    for (let at = 0; at < value.length; at += TEXT_PIECE_CHARACTERS) {
      writer.item(value.slice(at, at + TEXT_PIECE_CHARACTERS));
      writer.cut();
      yield;
    }
    writer.step('end');
  } else writer.item(pack(value));
}

function* writeItem(writer: PartWriter, item: ResultValue | Value): Generator<void, void, void> {
  if (isLarge(item)) yield* writeParts(writer, item);
  else writer.item(pack(item));
  if (writer.weight < PART_WEIGHT) return;
  writer.cut();
  yield;
}

/** Returns the end of the consecutive numbers that begin at `start`, at most as many as a part takes. */
function numbersEnd(list: readonly (ResultValue | Value)[], start: number): number {
  const most = Math.min(list.length, start + MOST_NUMBERS);
  let at = start;
  while (at < most && typeof list[at] === 'number') at++;
  return at;
}

/** A list or map of single values. */
type Plain = readonly Packed[] | ReadonlyMap<string, Packed>;

/** Returns the end of the consecutive lists or maps that begin at `start` and are alike, at most as many as a part takes. */
function alikeEnd(list: readonly (ResultValue | Value)[], start: number): number {
  const first = list[start];
  if (!isPlain(first)) return start;
  const most = Math.min(list.length, start + Math.floor(MOST_ALIKE_VALUES / Math.max(1, widthOf(first))));
  let at = start + 1;
  while (at < most && isAlike(first, list[at])) at++;
  return at;
}

function widthOf(value: Plain): number {
  return value instanceof Map ? value.size : (value as readonly Packed[]).length;
}

function isPlain(value: unknown): value is Plain {
  if (Array.isArray(value)) return value.length <= PART_WEIGHT && value.every(isSingle);
  return value instanceof Map && value.size <= PART_WEIGHT && value.values().every(isSingle);
}

function isSingle(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= SHORT_CHARACTERS : typeof value !== 'object' || value === null;
}

function isAlike(one: Plain, other: unknown): boolean {
  if (!isPlain(other) || widthOf(one) !== widthOf(other)) return false;
  if (!(one instanceof Map)) return !(other instanceof Map);
  if (!(other instanceof Map)) return false;
  const keys = other.keys();
  for (const key of one.keys()) if (keys.next().value !== key) return false;
  return true;
}

/** Copies numbers of a list into shared memory: as 32-bit integers if all of them are, otherwise as doubles. */
function arrayOf(list: readonly (ResultValue | Value)[], start: number, end: number): Numbers {
  const length = end - start;
  const integers = new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
  for (let i = 0; i < length; i++) {
    const number = list[start + i] as number; // as: that is what they are, here and below
    integers[i] = number;
    if (Object.is(integers[i], number)) continue;
    const doubles = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
    for (let k = 0; k < length; k++) doubles[k] = list[start + k] as number;
    return doubles;
  }
  return integers;
}

class PartWriter {
  weight = 0;
  readonly parts: SealedPart[] = [];
  #steps: Step[] = [];
  #items: Packed[] = [];

  item(item: Packed): void {
    this.#items.push(item);
    this.weight += typeof item === 'object' ? OBJECT_WEIGHT : 1;
  }

  numbers(numbers: Numbers): void {
    this.#endItems();
    if (numbers.length < MANY_NUMBERS) {
      this.#steps.push(numbers.slice());
      this.weight += numbers.length >> 3;
    } else {
      if (this.#steps.length > 0) this.cut();
      this.parts.push(numbers);
      this.weight = PART_WEIGHT;
    }
  }

  alike(all: readonly Plain[]): void {
    this.#endItems();
    const first = all[0]!;
    const values: Packed[] = [];
    for (const one of all) for (const value of one.values()) values.push(value);
    this.#steps.push({ keys: first instanceof Map ? [...first.keys()] : null, count: all.length, values });
    this.weight += all.length + (values.length >> 1);
  }

  step(step: Step): void {
    this.#endItems();
    this.#steps.push(step);
    this.weight++;
  }

  cut(): void {
    this.#endItems();
    this.weight = 0;
    if (this.#steps.length === 0) return;
    const bytes = serialize(this.#steps);
    const part = new Uint8Array(new SharedArrayBuffer(bytes.length));
    part.set(bytes);
    this.parts.push(part);
    this.#steps = [];
  }

  #endItems(): void {
    if (this.#items.length === 0) return;
    this.#steps.push(this.#items);
    this.#items = [];
  }
}

/** A container that is being built. */
type Open =
  | { readonly kind: 'list'; readonly list: ResultValue[]; length: number }
  | { readonly kind: 'map'; readonly map: Map<string, ResultValue>; key: string | null }
  | { readonly kind: 'text'; readonly pieces: string[] };

class Builder {
  readonly #open: Open[] = [];
  #value: ResultValue | undefined;

  take(step: Step): void {
    if (typeof step === 'number') this.#open.push({ kind: 'list', list: listWithRoom(step), length: 0 });
    else if (step === 'map') this.#open.push({ kind: 'map', map: new Map(), key: null });
    else if (step === 'text') this.#open.push({ kind: 'text', pieces: [] });
    else if (step === 'end') this.#put(wholeOf(this.#open.pop()));
    else if (step instanceof Int32Array || step instanceof Float64Array) this.#takeNumbers(step);
    else if (isOfAlike(step)) this.#takeAlike(step);
    else for (const item of step) this.#put(unpack(item));
  }

  #takeNumbers(numbers: Int32Array | Float64Array): void {
    const open = this.#open.at(-1);
    assert(open?.kind === 'list', 'numbers stand in a list');
    for (let i = 0; i < numbers.length; i++) open.list[open.length++] = numbers[i] as number;
  }

  #takeAlike({ keys, count, values }: Alike): void {
    const open = this.#open.at(-1);
    assert(open?.kind === 'list', 'lists and maps that are alike stand in a list');
    const singles = values as readonly ResultValue[]; // as: they are packed as they are
    const width = values.length / count;
    for (let i = 0; i < count; i++)
      open.list[open.length++] = keys === null ? singles.slice(i * width, (i + 1) * width) : mapOf(keys, singles, i * width);
  }

  value(): ResultValue {
    assert(this.#value !== undefined && this.#open.length === 0, 'a sealed value is one whole value');
    return this.#value;
  }

  #put(value: ResultValue): void {
    const open = this.#open.at(-1);
    if (open === undefined) this.#value = value;
    else if (open.kind === 'list') open.list[open.length++] = value;
    else if (open.kind === 'text')
      open.pieces.push(value as string); // as: a text has pieces of text only
    else if (open.key === null)
      open.key = value as string; // as: keys and values come by turns
    else {
      open.map.set(open.key, value);
      open.key = null;
    }
  }
}

function isOfAlike(step: Alike | readonly Packed[]): step is Alike {
  return 'count' in step;
}

function mapOf(keys: readonly string[], values: readonly ResultValue[], from: number): Map<string, ResultValue> {
  const map = new Map<string, ResultValue>();
  for (let i = 0; i < keys.length; i++) map.set(keys[i]!, values[from + i]!);
  return map;
}

function wholeOf(open: Open | undefined): ResultValue {
  assert(open !== undefined, 'the end of what has begun');
  if (open.kind === 'list') return open.list;
  return open.kind === 'map' ? open.map : open.pieces.join('');
}
