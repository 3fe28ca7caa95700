/**
 * Conflicts of a new index or constraint with existing ones. An obstacle of kind `same` has the same name or purpose,
 * so IF NOT EXISTS has nothing to do; an obstacle of kind `conflict` forbids the new one in any case.
 */
import { type ConstraintDefinition, type GraphView, haveSameSubject, type IndexDefinition } from '../../graph/index.ts';
import { formatValueType } from '../../value/index.ts';
import { ownsIndex } from './constraint-types.ts';

/** The indexes and constraints of a graph. */
export type Schema = GraphView['schema'];

/** An existing index or constraint that stands in the way of a new one. */
export interface Obstacle {
  readonly kind: 'same' | 'conflict';
  readonly problem: string;
}

/** Tells whether an index or constraint has the name. */
export function isNameTaken({ indexes, constraints }: Schema, name: string): boolean {
  return [...indexes, ...constraints].some((each) => each.name === name);
}

/** Returns the obstacle to a new index; null if there is none. @param index has no name if a free one is to be chosen */
export function obstacleToIndex(
  { indexes, constraints }: Schema,
  index: DistributiveOmit<IndexDefinition, 'name'> & { name?: string },
): Obstacle | null {
  const equal = indexes.find((each) => each.kind === index.kind && haveSameSubject(each, index));
  if (equal !== undefined) return { kind: 'same', problem: `there is an index like that already: ${equal.name}` };
  const owner = index.kind === 'range' ? constraints.find((each) => ownsIndex(each) && haveSameSubject(each, index)) : undefined;
  if (owner !== undefined) return { kind: 'same', problem: `the constraint ${owner.name} has an index like that already` };
  if (indexes.some(({ name }) => name === index.name)) return { kind: 'same', problem: `there is an index named ${index.name} already` };
  const named = constraints.find(({ name }) => name === index.name);
  if (named === undefined) return null;
  return { kind: ownsIndex(named) ? 'same' : 'conflict', problem: `there is a constraint named ${index.name} already` };
}

/** Returns the obstacle to a new constraint; null if there is none. */
export function obstacleToConstraint(
  { indexes, constraints }: Schema,
  constraint: DistributiveOmit<ConstraintDefinition, 'name'> & { name?: string },
): Obstacle | null {
  const rivals = constraints.filter((each) => haveSameSubject(each, constraint));
  const equal = rivals.find((each) => each.kind === constraint.kind && typeTextOf(each) === typeTextOf(constraint));
  if (equal !== undefined) return { kind: 'same', problem: `there is a constraint like that already: ${equal.name}` };
  if (constraints.some(({ name }) => name === constraint.name))
    return { kind: 'same', problem: `there is a constraint named ${constraint.name} already` };
  const typed = constraint.kind === 'type' ? rivals.find(({ kind }) => kind === 'type') : undefined;
  if (typed !== undefined)
    return { kind: 'conflict', problem: `the constraint ${typed.name} wants another type of this property: ${typeTextOf(typed)}` };
  if (indexes.some(({ name }) => name === constraint.name))
    return { kind: 'conflict', problem: `there is an index named ${constraint.name} already` };
  if (!ownsIndex(constraint)) return null;
  const unique = rivals.find(ownsIndex);
  if (unique !== undefined) return { kind: 'conflict', problem: `the constraint ${unique.name} has an index on these properties already` };
  const index = indexes.find((each) => each.kind === 'range' && haveSameSubject(each, constraint));
  if (index === undefined) return null;
  return {
    kind: 'conflict',
    problem: `there is an index on these properties already: DROP INDEX ${index.name}, for the constraint brings its own`,
  };
}

/** Applies `Omit` to each member of a union. */
export type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

const typeTextOf = (constraint: DistributiveOmit<ConstraintDefinition, 'name'>): string =>
  constraint.kind === 'type' ? formatValueType(constraint.propertyType) : '';
