/** The scope of a query that is being written: its variables, and what kind of value each holds. */
import type { Random } from '../../support/random.ts';
import { DRAWN, type Feature, type Features } from './features.ts';

export type Scalar = 'int' | 'big' | 'float' | 'string' | 'bool' | 'date' | 'any' | 'vector' | 'point';
/**
 * A bag is a list whose order the language leaves open; `huge` are Floats whose sums are none; `approximate` is a Float
 * whose last digits the language leaves open. A map has some of the properties of a node, each of the kind that it has
 * there.
 */
export type Kind =
  | Scalar
  | 'ints'
  | 'floats'
  | 'strings'
  | 'map'
  | 'huge'
  | 'approximate'
  | 'node'
  | 'relationship'
  | 'nodes'
  | 'relationships'
  | 'path'
  | `bag of ${Scalar | 'node' | 'relationship'}`;

export interface Variable {
  readonly name: string;
  readonly kind: Kind;
}

export type Scope = readonly Variable[];

export interface Writer {
  readonly random: Random;
  /** A name that was not used yet, beginning as given. */
  fresh(prefix: string): string;
  /** The property `k` tells all nodes apart, and all relationships. */
  readonly keysAreUnique: boolean;
  has(feature: Feature): boolean;
}

interface WriterOptions {
  readonly keysAreUnique?: boolean;
  readonly features?: Features;
}

export function writer(random: Random, { keysAreUnique = true, features = DRAWN }: WriterOptions = {}): Writer {
  let names = 0;
  return { random, keysAreUnique, fresh: (prefix) => `${prefix}${names++}`, has: (feature) => features.has(feature) };
}

export function namesOf(scope: Scope, ...kinds: Kind[]): string[] {
  return scope.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
}

/** A name for a variable of a kind; those of bags and of approximate numbers tell the comparison of answers what they are. */
export function freshOf(writer: Writer, kind: Kind): string {
  if (kind.startsWith('bag')) return writer.fresh('bag');
  if (kind === 'approximate') return writer.fresh('approximate');
  return writer.fresh(kind === 'node' ? 'n' : kind === 'relationship' ? 'r' : kind === 'path' ? 'p' : 'x');
}
