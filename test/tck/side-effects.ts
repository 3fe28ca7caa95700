/**
 * Side effects by observation, as the TCK defines them: the graph is read before and after, through queries, and what differs is counted.
 *
 *   nodes, relationships   by identity
 *   labels                 labels carried by any node at all: the second node with a label adds none
 *   properties             triples of entity, key and value: a changed value is one removed and one added
 */
import type { TckEngine } from './scenario.ts';
import { canonicalText, type TckValue } from './values.ts';

export interface Observation {
  readonly nodes: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

const NODES = 'MATCH (n) RETURN id(n) AS id, labels(n) AS labels, properties(n) AS properties';
const RELATIONSHIPS = 'MATCH ()-[r]->() RETURN id(r) AS id, properties(r) AS properties';

export async function observe(engine: TckEngine, fromAnswer: (value: unknown) => TckValue): Promise<Observation> {
  const rowsOf = async (query: string) => (await engine.execute(query, new Map())).rows.map((row) => row.map(fromAnswer));
  const nodes = await rowsOf(NODES);
  const relationships = await rowsOf(RELATIONSHIPS);
  return {
    nodes: new Set(nodes.map(([id]) => canonicalText(id!))),
    relationships: new Set(relationships.map(([id]) => canonicalText(id!))),
    labels: new Set(nodes.flatMap(([, labels]) => itemTexts(labels!))),
    properties: new Set([
      ...nodes.flatMap(([id, , properties]) => propertyTexts('node', id!, properties!)),
      ...relationships.flatMap(([id, properties]) => propertyTexts('relationship', id!, properties!)),
    ]),
  };
}

/** The changes that are not zero, by the TCK's names: `+nodes`, `-properties`, … */
export function changesBetween(before: Observation, after: Observation): Map<string, number> {
  const changes = new Map<string, number>();
  for (const name of ['nodes', 'relationships', 'labels', 'properties'] as const) {
    changes.set(`+${name}`, newIn(after[name], before[name]));
    changes.set(`-${name}`, newIn(before[name], after[name]));
  }
  return changes;
}

/** One text for equal changes; those of zero are left out. */
export function changesText(changes: ReadonlyMap<string, number>): string {
  const parts = [...changes].filter(([, count]) => count !== 0).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? 'none' : parts.sort().join(', ');
}

/** How many members of `left` are not in `right`. */
function newIn(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return [...left].filter((member) => !right.has(member)).length;
}

function itemTexts(list: TckValue): string[] {
  if (list.kind !== 'list') throw new Error(`labels(n) is not a list: ${canonicalText(list)}`);
  return list.items.map((item) => canonicalText(item));
}

function propertyTexts(entity: string, id: TckValue, properties: TckValue): string[] {
  if (properties.kind !== 'map') throw new Error(`properties(n) is not a map: ${canonicalText(properties)}`);
  return [...properties.entries].map(([key, value]) => `${entity} ${canonicalText(id)} ${JSON.stringify(key)} ${canonicalText(value)}`);
}
