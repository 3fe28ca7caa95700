/** The members of the structs that nodes and relationships are where they are values, such as items of lists. */
import { type EntityType, INTEGER, type SqlType, STRING } from './types.ts';

/** A member of the struct of a node or relationship. */
export interface EntityMember {
  readonly name: string;
  readonly type: SqlType;
  /** The key of the property that the member holds; null for one that every entity has. */
  readonly key: string | null;
}

/**
 * Returns the members of a struct: `o` the ordinal, `i` the identifier, `l` the labels or the type, `s` and `t` the
 * identifiers of a relationship's ends, and `p0`, `p1`, … the properties.
 */
export function entityMembers({ of, properties }: EntityType): EntityMember[] {
  const fixed = (name: string, type: SqlType): EntityMember => ({ name, type, key: null });
  return [
    fixed('o', INTEGER),
    fixed('i', STRING),
    fixed('l', of === 'node' ? { kind: 'list', item: STRING } : STRING),
    ...(of === 'node' ? [] : [fixed('s', STRING), fixed('t', STRING)]),
    ...[...properties].map(([key, type], index): EntityMember => ({ name: `p${index}`, type, key })),
  ];
}
