/** All that a database holds, as one text that loses nothing: nodes, relationships, schema, each in an order of its own. */
import type { Engine } from '../../src/engine/index.ts';
import { Node, Relationship, type ResultValue, type Value, writeJson } from '../../src/value/index.ts';

const NONE = new Map();

export async function contentOf(engine: Engine): Promise<string> {
  const rows = async (query: string): Promise<string[]> => {
    const result = await engine.execute(query, NONE);
    return result.rows.map((row) => row.map(text).join(' ')).sort();
  };
  return [
    ...(await rows('MATCH (n) RETURN n')),
    ...(await rows('MATCH (a)-[r]->(b) RETURN id(a), r, id(b)')),
    ...(await rows('SHOW INDEXES YIELD name, labelsOrTypes, properties')),
    ...(await rows('SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties')),
    '',
  ].join('\n');
}

function text(value: ResultValue): string {
  if (value instanceof Node) return `${value.id} :${value.labels.toSorted().join(':')} ${propertiesText(value.properties)}`;
  if (value instanceof Relationship) return `-[${value.id} :${value.type} ${propertiesText(value.properties)}]->`;
  return writeJson(value, 'typed');
}

function propertiesText(properties: ReadonlyMap<string, Value>): string {
  const sorted = [...properties].sort(([a], [b]) => (a < b ? -1 : 1));
  return writeJson(new Map(sorted) as ResultValue, 'typed'); // as: properties hold no entities
}
