/** The nodes and relationships that CREATE and MERGE create. */

import { type Effects, writing } from '../../../effects.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Load } from '../../../loads.ts';
import type { PlanExpression } from '../../../plan.ts';
import type { ExpressionMapper } from '../facts.ts';
import { mapOrNull } from '../mapping.ts';
import { labelNames } from '../texts.ts';

/** A node that is created. */
export interface CreateNode {
  readonly kind: 'createNode';
  readonly variable: string;
  readonly labels: readonly (string | PlanExpression)[];
  readonly properties: PlanExpression | null;
}

/** A relationship that is created. */
export interface CreateRelationship {
  readonly kind: 'createRelationship';
  readonly variable: string;
  readonly type: string | PlanExpression;
  readonly source: string;
  readonly target: string;
  readonly properties: PlanExpression | null;
}

type CreateItem = CreateNode | CreateRelationship;

/** Maps the expressions of what is created. */
export function mapCreated(item: CreateItem, map: ExpressionMapper): CreateItem {
  const mapName = (name: string | PlanExpression): string | PlanExpression => (typeof name === 'string' ? name : map(name));
  if (item.kind === 'createRelationship') return changed(item, { type: mapName(item.type), properties: mapOrNull(item.properties, map) });
  return changed(item, { labels: mapList(item.labels, mapName), properties: mapOrNull(item.properties, map) });
}

/** Returns the nodes that a relationship is created between; none for a node. */
export const createdEnds = (item: CreateItem): readonly string[] => (item.kind === 'createRelationship' ? [item.source, item.target] : []);

/** Returns the effects of a creation. */
export function createEffects(item: CreateItem): Effects {
  if (item.kind === 'createRelationship') return writing({ createdTypes: typeof item.type === 'string' ? new Set([item.type]) : 'all' });
  const names = item.labels.filter((label) => typeof label === 'string');
  const isStatic = names.length === item.labels.length;
  return writing({
    createdLabels: isStatic ? new Set(names.length === 0 ? [''] : names) : 'all',
    createdIdentifiers: mayContainKey(item.properties, '_id'),
  });
}

function mayContainKey(properties: PlanExpression | null, key: string): boolean {
  if (properties === null) return false;
  return properties.kind !== 'map' || properties.entries.some((entry) => entry.key === key);
}

/** Returns the data that a creation needs in memory. */
export function createLoads(item: CreateItem): readonly Load[] {
  if (item.kind === 'createRelationship') return [{ kind: 'createdRelationship', source: item.source, target: item.target }];
  const created: Load = { kind: 'createdNode', variable: item.variable };
  // An identifier that is set must be free.
  return mayContainKey(item.properties, '_id') ? [created, { kind: 'identifiers' }] : [created];
}

/** Formats what is created. */
export function createText(item: CreateItem): string {
  const properties = item.properties === null ? '' : ` ${formatExpression(item.properties)}`;
  if (item.kind === 'createNode') return `(${item.variable}${labelNames(item.labels)}${properties})`;
  return `(${item.source})-[${item.variable}${labelNames([item.type])}${properties}]->(${item.target})`;
}
