/**
 * Large values on their way to another thread: in parts that are serialized one by one into shared memory, so that
 * neither thread clones, packs or unpacks all of a value in one piece, and a message that carries it costs no more than
 * a small one. A sealed value may be sent more than once.
 *
 * A part is a list of steps by which the value is built: a list (a number: its length), map or text begins, so many
 * items of the innermost one come (of a map keys and values by turns; of a list also many numbers as an array of them),
 * it ends.
 */
import { deserialize, serialize } from 'node:v8';
import { assert } from '../../base/index.ts';
import { isLarge, listWithRoom, type ResultValue, type Value } from '../../value/index.ts';
import { type Packed, pack, unpack } from './packed-values.ts';

/** Survives cloning, and is told from what is packed by being no array. */
export interface Sealed {
  readonly sealed: readonly Uint8Array[];
}

type Step = number | 'map' | 'text' | 'end' | readonly Packed[] | Int32Array | Float64Array;

/** A part ends when its items weigh so much; an object counts for `OBJECT_WEIGHT`, since it may hold others. */
const PART_WEIGHT = 1_024;
const OBJECT_WEIGHT = 16;
/** So many numbers behind each other in a list go as an array of 32-bit integers or doubles; eight of them weigh as much as an item. */
const FEW_NUMBERS = 64;
const MOST_NUMBERS = 8 * PART_WEIGHT;
const TEXT_PIECE_CHARACTERS = 64 * 1_024;

/** Tells whether a value came sealed. */
export function isSealed(value: Packed | Sealed): value is Sealed {
  return typeof value === 'object' && value !== null && 'sealed' in value;
}

/** Seals a value, and stops after each part. */
export function* sealInParts(value: ResultValue | Value): Generator<void, Sealed, void> {
  const writer = new PartWriter();
  yield* writeParts(writer, value);
  writer.cut();
  return { sealed: writer.parts };
}

/** The value that was sealed; stops after each part. */
export function* unsealInParts({ sealed }: Sealed): Generator<void, ResultValue, void> {
  const builder = new Builder();
  for (const part of sealed) {
    for (const step of deserialize(part) as Step[]) builder.take(step);
    yield;
  }
  return builder.value();
}

function* writeParts(writer: PartWriter, value: ResultValue | Value): Generator<void, void, void> {
  if (Array.isArray(value)) {
    writer.step(value.length);
    for (let at = 0; at < value.length; ) {
      const end = numbersEnd(value, at);
      if (end - at < FEW_NUMBERS) for (const stop = Math.max(end, at + 1); at < stop; ) yield* writeItem(writer, value[at++]!);
      else {
        writer.numbers(value.slice(at, end) as number[]); // as: that is what they are
        at = end;
        if (writer.weight >= PART_WEIGHT) yield writer.cut();
      }
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

/** Where the numbers end that stand in a list from a place on; they are at most as many as a part takes. */
function numbersEnd(list: readonly (ResultValue | Value)[], start: number): number {
  const most = Math.min(list.length, start + MOST_NUMBERS);
  let at = start;
  while (at < most && typeof list[at] === 'number') at++;
  return at;
}

function arrayOf(numbers: readonly number[]): Int32Array | Float64Array {
  const integers = Int32Array.from(numbers);
  for (let i = 0; i < numbers.length; i++) if (!Object.is(integers[i], numbers[i])) return Float64Array.from(numbers);
  return integers;
}

class PartWriter {
  weight = 0;
  readonly parts: Uint8Array[] = [];
  #steps: Step[] = [];
  #items: Packed[] = [];

  item(item: Packed): void {
    this.#items.push(item);
    this.weight += typeof item === 'object' ? OBJECT_WEIGHT : 1;
  }

  numbers(numbers: readonly number[]): void {
    this.#endItems();
    this.#steps.push(arrayOf(numbers));
    this.weight += numbers.length >> 3;
  }

  step(step: Step): void {
    this.#endItems();
    this.#steps.push(step);
    this.weight++;
  }

  cut(): void {
    this.#endItems();
    const bytes = serialize(this.#steps);
    const part = new Uint8Array(new SharedArrayBuffer(bytes.length));
    part.set(bytes);
    this.parts.push(part);
    this.#steps = [];
    this.weight = 0;
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
    else for (const item of step) this.#put(unpack(item));
  }

  #takeNumbers(numbers: Int32Array | Float64Array): void {
    const open = this.#open.at(-1);
    assert(open?.kind === 'list', 'numbers stand in a list');
    for (let i = 0; i < numbers.length; i++) open.list[open.length++] = numbers[i] as number;
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

function wholeOf(open: Open | undefined): ResultValue {
  assert(open !== undefined, 'the end of what has begun');
  if (open.kind === 'list') return open.list;
  return open.kind === 'map' ? open.map : open.pieces.join('');
}
