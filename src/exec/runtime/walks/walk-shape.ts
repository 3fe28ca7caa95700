/** Which relationships a walk may take. */
import type { RelationshipValue, Value } from '../../../value/index.ts';
import type { Direction } from './adjacent.ts';

/** Says whether a walk may go along a relationship of the type, at that home row, between these nodes. */
export type Step = (type: number, row: number, from: number, to: number) => boolean;

/** What a walk may do. */
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

/** Is the relationship that one, or in that list? */
export function holdsRelationship(value: Value, type: number, row: number): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsRelationship(item, type, row));
  const relationship = value as RelationshipValue | null;
  return relationship !== null && relationship.type === type && relationship.row === row;
}
