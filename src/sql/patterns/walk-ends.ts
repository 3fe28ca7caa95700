/** The ends of a walk, and the parts that it adds to its MATCH. */
import type { PathPattern } from '../../cypher/index.ts';
import type { EntityBinding } from '../scope.ts';
import type { Hops } from './hops.ts';
import type { Walk } from './paths.ts';

/** The nodes at both ends of a relationship or walk, and their patterns. */
export interface WalkEnds {
  readonly left: EntityBinding;
  readonly right: EntityBinding;
  readonly patterns: readonly [PathPattern['elements'][number], PathPattern['elements'][number]];
}

/** A walk that was added to a MATCH. */
export interface Walked {
  readonly walk: Walk;
  /** The relationships that it passes; null: it passes none. */
  readonly hops: Hops | null;
}
