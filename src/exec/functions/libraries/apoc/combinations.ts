/** `apoc.coll.combinations`: selections of list indexes, ordered by their last index, then the one before it, and so on. */
import { assertListLength, type Value } from '../../../../value/index.ts';
import { integerArgument, listArgument } from '../../arguments.ts';
import type { Allowed } from '../../definition.ts';

const NAME = 'apoc.coll.combinations';
const BYTES_PER_LIST = 56;
const BYTES_PER_ITEM = 8;

/** Returns all combinations of the elements of a list, with `minSelect` to `maxSelect` elements each. */
export function combinations({ allowance }: Allowed, coll: Value, minSelect: Value, maxSelect: Value = -1): Value {
  const list = coll === null ? [] : listArgument(NAME, coll);
  const least = Number(integerArgument(NAME, minSelect));
  const most = Number(integerArgument(NAME, maxSelect)) === -1 ? least : Number(integerArgument(NAME, maxSelect));
  if (list.length === 0 || least < 1 || least > most || most > list.length) return [];
  let total = 0;
  const found: Value[] = [];
  for (let size = least; size <= most; size++) {
    const count = choose(list.length, size);
    total += count;
    assertListLength(total, `${NAME}()`);
    allowance.count(count * size);
    allowance.hold(count * (BYTES_PER_LIST + BYTES_PER_ITEM * size));
    for (const places of selections(list.length, size)) found.push(places.map((place) => list[place]!));
  }
  return found;
}

/** Returns the number of selections of `size` out of `from` elements; exact for every number that a list can have. */
function choose(from: number, size: number): number {
  let count = 1;
  for (let taken = 1; taken <= Math.min(size, from - size); taken++) count = Math.round((count * (from - taken + 1)) / taken);
  return count;
}

/** Yields ascending indexes, in one array that changes with each step. */
function* selections(from: number, size: number): Generator<readonly number[]> {
  const places = Array.from({ length: size }, (_, i) => i);
  for (;;) {
    yield places;
    let at = 0;
    while (at < size && places[at]! + 1 === (places[at + 1] ?? from)) at++;
    if (at === size) return;
    places[at]!++;
    for (let before = 0; before < at; before++) places[before] = before;
  }
}
