/** The shape of a walk: along which relationships it may go, and how far. */
import type { RelationshipValue, Value } from '../../../value/index.ts';
import type { Direction } from './adjacent.ts';

/** Says whether a walk may go along a relationship of the type, at that home row, between these nodes. */
export type Step = (type: number, row: number, from: number, to: number) => boolean;

/** The limits of a walk. */
export interface WalkShape {
  /** null: any type. */
  readonly types: readonly string[] | null;
  readonly direction: Direction;
  readonly min: number;
  readonly max: number;
  /** Relationships, and lists of them, that it must not take. */
  readonly excluded: readonly Value[];
  /** null: any step. */
  readonly step: Step | null;
}

/** Tells whether a value is the relationship, or a list that holds it at any depth. */
export function holdsRelationship(value: Value, type: number, row: number): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsRelationship(item, type, row));
  const relationship = value as RelationshipValue | null;
  return relationship !== null && relationship.type === type && relationship.row === row;
}
