/** Facts that many kinds of expression have in common. Each record still names them one by one. */
import { functionNamed } from '../../../functions/index.ts';
import type { PlanExpression } from '../../plan.ts';
import type { EntityKnowledge } from '../facts.ts';

/** The fact of values that hold no entities. */
export const noEntity = (): boolean => false;

/** The fact of values that may hold entities. */
export const perhapsEntity = (): boolean => true;

/** Tells whether a part of a value can be, or contain, an entity. Properties of entities are none. */
export function mayHoldEntityInside(value: PlanExpression, known: EntityKnowledge): boolean {
  return !isEntity(value, known) && known.of(value);
}

function isEntity(value: PlanExpression, known: EntityKnowledge): boolean {
  if (value.kind === 'variable') return known.isEntity(value.name);
  const returned = value.kind === 'function' ? functionNamed(value.name)?.facts.returns : undefined;
  return returned === 'Node' || returned === 'Relationship';
}

/** Share of rows that a predicate leaves when nothing is known about it. */
export const UNKNOWN_SELECTIVITY = 0.5;

/** The selectivity of conditions of which nothing is known. */
export const unknownSelectivity = (): number => UNKNOWN_SELECTIVITY;
/** Share of rows that a condition on a box or a circle leaves; most queries ask for a small part of the map. */
export const AREA_SELECTIVITY = 0.02;
