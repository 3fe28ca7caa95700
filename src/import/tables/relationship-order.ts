/**
 * Sorting by (source, target), stable. Rows are first dealt into buckets of neighbouring sources, about one for each
 * row; as a source mostly has few targets, buckets are small and sorted by insertion, which touches memory that is in
 * the caches. Many rows are dealt twice, for the same reason. Files that come by source, as many do, need not be dealt.
 * Large ones (hubs) are sorted by digits. Some 30 ns a row, and 12 to 20 bytes beside the result.
 */

const DIGIT_BITS = 11;
/** Up to so many rows insertion is faster than digits. */
const SMALL_BUCKET = 48;
/** More rows than that are first dealt into few buckets, so that their places among many lie in the caches. */
const DEALT_AT_ONCE = 2 ** 16;
const COARSE_BITS = 10;

/** Relationships by row. */
export interface Endpoints {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

/** The ends of relationships in their order, with that order. */
export interface OrderedEndpoints extends Endpoints {
  /** Row r was row `order[r]`; null: they were sorted as they were. */
  readonly order: Uint32Array | null;
}

interface Rows extends Endpoints {
  readonly order: Uint32Array;
}

/** Bucket b has the rows from `starts[b]` to below `starts[b + 1]`; no source is in two of them, and they ascend. */
interface Buckets {
  readonly rows: Rows;
  readonly starts: Uint32Array;
}

/** The arrays are used up. */
export function sortRelationships(endpoints: Endpoints): OrderedEndpoints {
  if (isSorted(endpoints)) return { ...endpoints, order: null };
  const { rows, starts } = isBySource(endpoints.sources) ? runsOfSource(endpoints) : dealBySource(endpoints);
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const [from, to] = [starts[bucket]!, starts[bucket + 1]!];
    if (to - from <= SMALL_BUCKET) insertionSort(rows, from, to);
    else
      sortByDigits({
        sources: rows.sources.subarray(from, to),
        targets: rows.targets.subarray(from, to),
        order: rows.order.subarray(from, to),
      });
  }
  return rows;
}

function isSorted({ sources, targets }: Endpoints): boolean {
  for (let row = 1; row < sources.length; row++) {
    const before = sources[row - 1]!;
    const source = sources[row]!;
    if (source < before || (source === before && targets[row]! < targets[row - 1]!)) return false;
  }
  return true;
}

function isBySource(sources: Uint32Array): boolean {
  for (let row = 1; row < sources.length; row++) if (sources[row]! < sources[row - 1]!) return false;
  return true;
}

/** A bucket for each source; the arrays are used up. */
function runsOfSource({ sources, targets }: Endpoints): Buckets {
  const count = sources.length;
  const order = new Uint32Array(count);
  const starts = new Uint32Array(count + 1);
  let runs = 0;
  for (let row = 0; row < count; row++) {
    order[row] = row;
    if (row === 0 || sources[row] !== sources[row - 1]) starts[runs++] = row;
  }
  starts[runs] = count;
  return { rows: { sources, targets, order }, starts: starts.subarray(0, runs + 1) };
}

/** The arrays are used up. */
function dealBySource({ sources, targets }: Endpoints): Buckets {
  const count = sources.length;
  const { minimum, bits } = spread(sources);
  const shift = Math.max(0, bits - (32 - Math.clz32(count)));
  const into = emptyRows(count);
  const asTheyCome = { sources, targets, order: null };
  if (count <= DEALT_AT_ONCE) return { rows: into, starts: deal(asTheyCome, into, { minimum, shift, bits }) };
  deal(asTheyCome, into, { minimum, shift: Math.max(shift, bits - COARSE_BITS), bits });
  const rows: Rows = { sources, targets, order: new Uint32Array(count) };
  return { rows, starts: deal(into, rows, { minimum, shift, bits }) };
}

function emptyRows(count: number): Rows {
  return { sources: new Uint32Array(count), targets: new Uint32Array(count), order: new Uint32Array(count) };
}

/** Deals the rows into buckets, by the upper bits of the sources, without the lowest `shift`. @returns where the buckets start */
function deal(
  { sources, targets, order }: Endpoints & { readonly order: Uint32Array | null },
  into: Rows,
  { minimum, shift, bits }: { readonly minimum: number; readonly shift: number; readonly bits: number },
): Uint32Array {
  const count = sources.length;
  const buckets = 2 ** (bits - shift);
  const places = new Uint32Array(buckets + 1);
  for (let row = 0; row < count; row++) places[((sources[row]! - minimum) >>> shift) + 1]!++;
  for (let bucket = 0; bucket < buckets; bucket++) places[bucket + 1]! += places[bucket]!;
  const starts = places.slice();
  for (let row = 0; row < count; row++) {
    const source = sources[row]!;
    const place = places[(source - minimum) >>> shift]!++;
    into.sources[place] = source;
    into.targets[place] = targets[row]!;
    into.order[place] = order === null ? row : order[row]!;
  }
  return starts;
}

/** The least key, and how many bits the distance of the largest from it has. */
function spread(keys: Uint32Array): { readonly minimum: number; readonly bits: number } {
  let minimum = keys[0]!;
  let maximum = minimum;
  for (let row = 1; row < keys.length; row++) {
    const key = keys[row]!;
    if (key < minimum) minimum = key;
    if (key > maximum) maximum = key;
  }
  return { minimum, bits: 32 - Math.clz32(maximum - minimum) };
}

function insertionSort({ sources, targets, order }: Rows, from: number, to: number): void {
  for (let row = from + 1; row < to; row++) {
    const source = sources[row]!;
    const target = targets[row]!;
    let place = row;
    while (place > from && (sources[place - 1]! > source || (sources[place - 1] === source && targets[place - 1]! > target))) place--;
    if (place === row) continue;
    const origin = order[row]!;
    for (let later = row; later > place; later--) {
      sources[later] = sources[later - 1]!;
      targets[later] = targets[later - 1]!;
      order[later] = order[later - 1]!;
    }
    sources[place] = source;
    targets[place] = target;
    order[place] = origin;
  }
}

/** In place; least significant digit first, over both words. */
function sortByDigits(rows: Rows): void {
  const count = rows.order.length;
  let from = rows;
  let to = emptyRows(count);
  for (const key of ['targets', 'sources'] as const) {
    const { minimum, bits } = spread(from[key]);
    const digits = Math.ceil(bits / DIGIT_BITS);
    const width = Math.ceil(bits / digits);
    for (let digit = 0; digit < digits; digit++) {
      moveByDigit(from[key], { minimum, shift: digit * width, width }, from, to);
      [from, to] = [to, from];
    }
  }
  if (from === rows) return;
  rows.sources.set(from.sources);
  rows.targets.set(from.targets);
  rows.order.set(from.order);
}

function moveByDigit(
  keys: Uint32Array,
  { minimum, shift, width }: { minimum: number; shift: number; width: number },
  { sources, targets, order }: Rows,
  to: Rows,
): void {
  const mask = (1 << width) - 1;
  const places = new Uint32Array(mask + 1);
  for (let row = 0; row < keys.length; row++) places[((keys[row]! - minimum) >>> shift) & mask]!++;
  let start = 0;
  for (let digit = 0; digit <= mask; digit++) {
    const count = places[digit]!;
    places[digit] = start;
    start += count;
  }
  for (let row = 0; row < keys.length; row++) {
    const place = places[((keys[row]! - minimum) >>> shift) & mask]!++;
    to.sources[place] = sources[row]!;
    to.targets[place] = targets[row]!;
    to.order[place] = order[row]!;
  }
}
