/** The types of constraints in Neo4j's words. */
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

/** Returns the type of a constraint in Neo4j's words. */
export function constraintType({ entity, kind }: ConstraintDefinition): string {
  return TYPES[entity][kind];
}

/** Is there an index that it is checked with? */
export function ownsIndex({ kind }: Pick<ConstraintDefinition, 'kind'>): boolean {
  return kind === 'unique' || kind === 'key';
}
