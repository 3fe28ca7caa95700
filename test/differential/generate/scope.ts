/** What a query that is being written knows: its variables, and what kind of value each holds. */
import type { Random } from '../../support/random.ts';

export type Scalar = 'int' | 'big' | 'float' | 'string' | 'bool' | 'date' | 'any';
/** A bag is a list whose order the language leaves open. */
export type Kind =
  | Scalar
  | 'ints'
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
}

export function writer(random: Random, { keysAreUnique = true } = {}): Writer {
  let names = 0;
  return { random, keysAreUnique, fresh: (prefix) => `${prefix}${names++}` };
}

export function namesOf(scope: Scope, ...kinds: Kind[]): string[] {
  return scope.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
}

/** A name for a variable of a kind; that of a bag tells the comparison of answers what it is. */
export function freshOf(writer: Writer, kind: Kind): string {
  if (kind.startsWith('bag')) return writer.fresh('bag');
  return writer.fresh(kind === 'node' ? 'n' : kind === 'relationship' ? 'r' : kind === 'path' ? 'p' : 'x');
}
