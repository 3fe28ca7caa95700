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

/** Names that the engine may use for something of its own. Each is given to one variable of a longer query. */
const ODD_NAMES = [' multiplicity', ' settled 0', '#n1', '~0', 'x#2', '#a', 'memory', '__proto__', '#value1'];
/** Each name of that number is an odd one. */
const ODD_FROM = 3;
/** Names that tell the comparison of answers what they are. */
const KEPT_NAMES: ReadonlySet<string> = new Set(['bag', 'approximate']);

export function writer(random: Random, { keysAreUnique = true, features = DRAWN }: WriterOptions = {}): Writer {
  let names = 0;
  const fresh = (prefix: string): string => {
    const number = names++;
    const odd = KEPT_NAMES.has(prefix) ? undefined : ODD_NAMES[number / ODD_FROM - 1];
    return odd === undefined ? `${prefix}${number}` : `\`${odd}\``;
  };
  return { random, keysAreUnique, fresh, has: (feature) => features.has(feature) };
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
