/** The relationships that a pattern passes: those of one MATCH differ from each other. */
import type { Program } from '../program.ts';

/** The ordinal of a relationship, the ordinals of those of a walk, or the list of these, and the types that they may have. */
export type Hops = ({ readonly ordinals: readonly string[]; readonly mayBeNull: boolean } | { readonly list: string }) & {
  readonly types: ReadonlySet<string>;
};

/** Returns the conditions that two parts of a pattern pass no relationship twice. */
export function differences({ dialect }: Program, a: Hops, b: Hops): string[] {
  // Relationships of different types are different ones.
  if (![...a.types].some((type) => b.types.has(type))) return [];
  if ('list' in a && 'list' in b) return [`NOT ${dialect.overlap(a.list, b.list)}`];
  if ('list' in a) return differencesOf(b, (ordinal) => `NOT ${dialect.contains(a.list, ordinal)}`);
  if ('list' in b) return differencesOf(a, (ordinal) => `NOT ${dialect.contains(b.list, ordinal)}`);
  return a.ordinals.flatMap((one) => differencesOf({ ...b, mayBeNull: a.mayBeNull || b.mayBeNull }, (ordinal) => `${one} <> ${ordinal}`));
}

function differencesOf(hops: Hops, write: (ordinal: string) => string): string[] {
  if ('list' in hops) return [];
  return hops.ordinals.map((ordinal) => (hops.mayBeNull ? `coalesce(${write(ordinal)}, TRUE)` : write(ordinal)));
}
