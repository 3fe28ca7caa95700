/** The names that Neo4j uses for the types of constraints. */
import type { ConstraintDefinition } from '../../graph/index.ts';

const TYPES = {
  node: { unique: 'UNIQUENESS', exists: 'NODE_PROPERTY_EXISTENCE', key: 'NODE_KEY', type: 'NODE_PROPERTY_TYPE' },
  relationship: {
    unique: 'RELATIONSHIP_UNIQUENESS',
    exists: 'RELATIONSHIP_PROPERTY_EXISTENCE',
    key: 'RELATIONSHIP_KEY',
    type: 'RELATIONSHIP_PROPERTY_TYPE',
  },
} as const;

/** Returns the name that Neo4j uses for the type of a constraint. */
export function constraintType({ entity, kind }: ConstraintDefinition): string {
  return TYPES[entity][kind];
}

/** Tells whether a constraint of this kind has an index of its own, by which it is checked. */
export function ownsIndex({ kind }: Pick<ConstraintDefinition, 'kind'>): boolean {
  return kind === 'unique' || kind === 'key';
}
