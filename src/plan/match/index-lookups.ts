/** Finds the lookups that an index could answer together, whether of nodes or of relationships. */
import type { IndexQuestion } from '../../graph/index.ts';
import type { IndexArea, NodeIndexRange } from '../operators/kinds/table.ts';
import type { Lookup } from './lookups.ts';

/** Estimated elements of a list that is not written down. */
const UNKNOWN_LIST = 10;

/**
 * Returns sets of lookups that a seek could answer: equalities on all keys of an index, in each order in which it may
 * have been declared, or IN on a single key.
 */
export function seekCandidates(lookups: readonly Lookup[]): readonly (readonly Lookup[])[] {
  const byKey = new Map<string, Lookup>();
  for (const lookup of lookups) {
    if (lookup.key === null || isRange(lookup)) continue;
    if (!byKey.has(lookup.key) || (byKey.get(lookup.key)!.operator === 'in' && lookup.operator === '=')) byKey.set(lookup.key, lookup);
  }
  return keySets([...byKey.keys()])
    .map((keys) => keys.map((key) => byKey.get(key)!))
    .filter((together) => together.length === 1 || together.every((lookup) => lookup.operator === '='));
}

/** Returns the comparisons, prefixes and areas by their key. */
export function rangeCandidates(lookups: readonly Lookup[]): ReadonlyMap<string, readonly Lookup[]> {
  return Map.groupBy(
    lookups.filter((lookup) => lookup.key !== null && isRange(lookup)),
    (lookup) => lookup.key!,
  );
}

const isRange = (lookup: Lookup): boolean => lookup.operator !== '=' && lookup.operator !== 'in';

/** The bounds by which an index is asked for comparisons on its key. */
export type IndexBounds = Pick<NodeIndexRange, 'low' | 'high' | 'prefix' | 'area'>;

interface AskedBounds extends IndexBounds {
  readonly question: IndexQuestion;
  /** The lookups that the bounds come from. */
  readonly used: readonly Lookup[];
}

/** Returns the bounds that comparisons give to a look-up. */
export function boundsOf(lookups: readonly Lookup[]): AskedBounds {
  const low = lookups.find((lookup) => lookup.operator === '>' || lookup.operator === '>=');
  const high = lookups.find((lookup) => lookup.operator === '<' || lookup.operator === '<=');
  const isOpen = low === undefined && high === undefined;
  const prefix = isOpen ? lookups.find((lookup) => lookup.operator === 'startsWith') : undefined;
  const area = isOpen && prefix === undefined ? lookups.find((lookup) => areaShape(lookup) !== null) : undefined;
  const bound = (lookup: Lookup | undefined, inclusive: string): NodeIndexRange['low'] =>
    lookup === undefined ? null : { value: lookup.value, inclusive: lookup.operator === inclusive };
  const used = [low, high, prefix, area].filter((lookup) => lookup !== undefined);
  return {
    low: bound(low, '>='),
    high: bound(high, '<='),
    prefix: prefix?.value ?? null,
    area: area === undefined ? null : areaOf(area),
    question: prefix !== undefined ? 'prefix' : area !== undefined ? 'area' : 'range',
    used,
  };
}

function areaOf(lookup: Lookup): NodeIndexRange['area'] {
  const shape = areaShape(lookup);
  return shape === null ? null : { shape, value: lookup.value };
}

const areaShape = ({ operator }: Lookup): IndexArea['shape'] | null => (operator === 'box' || operator === 'circle' ? operator : null);

/** Returns the length of a look-up's list, or an estimate of it. */
export function listLength(lookup: Lookup): number {
  return lookup.value.kind === 'list' ? lookup.value.items.length : UNKNOWN_LIST;
}

/** Returns single keys, and sets of two to four of the first five keys in each order in which an index may have been declared. */
function keySets(keys: readonly string[]): readonly (readonly string[])[] {
  const sets: (readonly string[])[] = keys.map((key) => [key]);
  const extendBy = (chosen: readonly string[]): void => {
    for (const key of keys.slice(0, 5)) {
      if (chosen.includes(key)) continue;
      const longer = [...chosen, key];
      sets.push(longer);
      if (longer.length < 4) extendBy(longer);
    }
  };
  if (keys.length > 1) for (const key of keys.slice(0, 5)) extendBy([key]);
  return sets;
}
