/** The shape of a walk: which relationships it may follow, and how far. */
import type { RelationshipValue, Value } from '../../../value/index.ts';
import type { Direction } from './adjacent.ts';

/** Tells whether a walk may follow a relationship of the type, at that home row, between these nodes. */
export type Step = (type: number, row: number, from: number, to: number) => boolean;

/** The conditions of a walk. */
export interface WalkShape {
  /** Names of the types to follow; null for any type. */
  readonly types: readonly string[] | null;
  readonly direction: Direction;
  readonly min: number;
  readonly max: number;
  /** Relationships, and lists of relationships, that the walk must not use. */
  readonly excluded: readonly Value[];
  /** A predicate on each step; null accepts any. */
  readonly step: Step | null;
}

/** Tells whether a value is the relationship, or a list that contains it at any depth. */
export function holdsRelationship(value: Value, type: number, row: number): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsRelationship(item, type, row));
  const relationship = value as RelationshipValue | null;
  return relationship !== null && relationship.type === type && relationship.row === row;
}
