/**
 * Relationships found by an index on their properties: both ends at once, from either side. Every type of the pattern
 * must have the index.
 */
import { ratio } from '../estimates/estimator.ts';
import { SEEK, SEEK_ROW } from '../operators/cost-units.ts';
import type { RelationshipIndexRange, RelationshipIndexSeek } from '../operators/kinds/table.ts';
import type { Operator } from '../plan.ts';
import { boundsOf, listLength, rangeCandidates, seekCandidates } from './index-lookups.ts';
import type { Lookup } from './lookups.ts';
import type { Problem, RelationshipInfo } from './problem.ts';
import { advance, type SearchState } from './search-state.ts';
import { differsFrom } from './uniqueness.ts';

/** The fields that seeks and ranges have in common. */
type Ends = Omit<RelationshipIndexSeek, 'kind' | 'keys' | 'values' | 'many' | 'unique' | 'input' | 'estimatedRows'>;

interface Found {
  /** Estimated relationships for each row. */
  readonly found: number;
  readonly seeks: number;
  readonly single: boolean;
  readonly consumed: ReadonlySet<Lookup['predicate']>;
  build(input: Operator, ends: Ends, estimatedRows: number): RelationshipIndexSeek | RelationshipIndexRange;
}

/** Returns the states after a relationship was found by an index: one for each lookup that an index can answer. */
export function seekRelationshipByIndex(problem: Problem, state: SearchState, info: RelationshipInfo): readonly SearchState[] {
  const { relationship } = info;
  const { types, direction } = relationship;
  if (types === null || types.length === 0) return [];
  const lookups = problem.lookups
    .filter(({ lookup, mask }) => lookup.subject === relationship.variable && lookup.key !== null && (mask & ~state.available) === 0n)
    .map(({ lookup }) => lookup);
  if (lookups.length === 0) return [];
  const ways = direction === 'both' ? 2 : 1;
  const uniqueAgainst = differsFrom(problem, state, info);
  const ends = { relationship: relationship.variable, from: relationship.left, to: relationship.right, types, direction, uniqueAgainst };
  return [...seeks(problem, types, lookups), ...ranges(problem, types, lookups)].map((found) =>
    advance(problem, state, {
      bits: info.bit | info.left | info.right,
      rows: state.rows * found.found * ways,
      cost: Math.max(state.rows, 1) * (SEEK * found.seeks + SEEK_ROW * found.found * ways),
      single: state.single && found.single && ways === 1,
      consumed: found.consumed,
      build: (estimatedRows) => found.build(state.build(), ends, estimatedRows),
    }),
  );
}

function seeks({ estimator: { statistics } }: Problem, types: readonly string[], lookups: readonly Lookup[]): readonly Found[] {
  return seekCandidates(lookups).flatMap((together): Found[] => {
    const keys = together.map((lookup) => lookup.key!);
    const indexes = types.map((type) => statistics.findIndex({ entity: 'relationship', labelOrType: type, keys, question: 'equality' }));
    if (indexes.includes(null)) return [];
    const many = together[0]!.operator === 'in';
    const values = many ? listLength(together[0]!) : 1;
    const unique = types.length === 1 && indexes[0]!.unique;
    const perValue = types.reduce((sum, type, i) => sum + (indexes[i]!.unique ? 1 : withValues(statistics, type, keys)), 0);
    return [
      {
        found: values * perValue,
        seeks: values * types.length,
        single: unique && !many,
        consumed: new Set(indexes.every((index) => index!.isExact) ? together.map((lookup) => lookup.predicate) : []),
        build: (input, ends, estimatedRows) => ({
          kind: 'relationshipIndexSeek',
          input,
          ...ends,
          keys,
          values: together.map((lookup) => lookup.value),
          many,
          unique,
          estimatedRows,
        }),
      },
    ];
  });
}

/** Estimates how many relationships of a type have given values of these keys. */
function withValues(statistics: Problem['estimator']['statistics'], type: string, keys: readonly string[]): number {
  return keys.reduce(
    (rows, key) => ratio(rows, statistics.distinctRelationshipValues(type, key) ?? 10),
    statistics.relationshipsOfType(type),
  );
}

function ranges({ estimator }: Problem, types: readonly string[], lookups: readonly Lookup[]): readonly Found[] {
  const { statistics } = estimator;
  return [...rangeCandidates(lookups)].flatMap(([key, together]): Found[] => {
    const { question, used, ...bounds } = boundsOf(together);
    const indexes = types.map((type) => statistics.findIndex({ entity: 'relationship', labelOrType: type, keys: [key], question }));
    if (indexes.includes(null)) return [];
    const all = types.reduce((sum, type) => sum + statistics.relationshipsOfType(type), 0);
    return [
      {
        found: used.reduce((rows, lookup) => rows * estimator.predicateSelectivity(lookup.predicate), all),
        seeks: types.length,
        single: false,
        consumed: new Set(indexes.every((index) => index!.isExact) ? used.map((lookup) => lookup.predicate) : []),
        build: (input, ends, estimatedRows) => ({ kind: 'relationshipIndexRange', input, ...ends, key, ...bounds, estimatedRows }),
      },
    ];
  });
}
