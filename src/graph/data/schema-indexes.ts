/** The indexes behind definitions: those of `CREATE INDEX` and those that constraints are checked with. */

import { PropertyIndex } from '../indexes/property-index.ts';
import { RelationshipIndex } from '../indexes/relationship-index.ts';
import type { ConstraintDefinition, IndexDefinition } from '../view/view.ts';
import type { GraphData } from './graph-data.ts';

const INDEXED: ReadonlySet<string> = new Set(['unique', 'key', 'range', 'text', 'point']);

/** Adds the index that a definition asks for; some ask for none. */
export function addIndexOf({ name, entity, kind, labelOrType, keys }: IndexDefinition | ConstraintDefinition, data: GraphData): void {
  if (!INDEXED.has(kind)) return;
  const ids = keys.map((key) => data.keys.intern(key));
  const unique = kind === 'unique' || kind === 'key';
  if (entity === 'node') {
    const label = data.labels.intern(labelOrType);
    data.indexes = [...data.indexes, new PropertyIndex({ name, label, keys: ids, unique, automatic: false })];
  } else {
    const type = data.types.intern(labelOrType);
    data.relationshipIndexes = [...data.relationshipIndexes, new RelationshipIndex({ name, type, keys: ids, unique })];
  }
}

export function removeIndex(name: string, data: GraphData): void {
  data.indexes = data.indexes.filter((index) => index.properties.name !== name);
  data.relationshipIndexes = data.relationshipIndexes.filter((index) => index.properties.name !== name);
}
