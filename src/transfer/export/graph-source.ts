/**
 * Where the nodes and relationships of an export come from: the whole graph of an engine that was opened for reading (its snapshot stays, so that every pass sees
 * the same), or what a query's result holds, which is kept in memory.
 */
import type { Engine } from '../../engine/index.ts';
import { Node, Path, Relationship, type ResultValue, type Value } from '../../value/index.ts';
import type { RowSource } from './api.ts';

export interface GraphSource {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** May be read several times; the same each time. */
  nodes(): AsyncIterable<readonly Node[]>;
  relationships(): AsyncIterable<readonly Relationship[]>;
  /** Statements that make its indexes and constraints. */
  readonly schema: readonly string[];
}

const NO_PARAMETERS: ReadonlyMap<string, Value> = new Map();

export async function wholeGraph(engine: Engine, signal: AbortSignal | undefined): Promise<GraphSource> {
  const options = signal === undefined ? {} : { signal };
  const count = async (query: string): Promise<number> => Number((await engine.execute(query, NO_PARAMETERS, options)).rows[0]?.[0]);
  async function* column<T>(query: string): AsyncGenerator<readonly T[]> {
    const { batches } = await engine.stream(query, NO_PARAMETERS, options);
    for await (const batch of batches) yield batch.map(([entity]) => entity as T); // RETURN names one node or relationship.
  }
  return {
    nodeCount: await count('MATCH (n) RETURN count(n)'),
    relationshipCount: await count('MATCH ()-[r]->() RETURN count(r)'),
    nodes: () => column<Node>('MATCH (n) RETURN n'),
    relationships: () => column<Relationship>('MATCH ()-[r]->() RETURN r'),
    schema: await schemaStatements(engine),
  };
}

/** Constraints bring their own indexes, so only those that no constraint owns are listed. */
async function schemaStatements(engine: Engine): Promise<string[]> {
  const statements: string[] = [];
  const constraints = await engine.execute('SHOW CONSTRAINTS YIELD createStatement RETURN createStatement', NO_PARAMETERS);
  const indexes = await engine.execute(
    'SHOW INDEXES YIELD createStatement, owningConstraint RETURN createStatement, owningConstraint',
    NO_PARAMETERS,
  );
  for (const [statement] of constraints.rows) statements.push(String(statement));
  for (const [statement, owner] of indexes.rows) if (owner === null) statements.push(String(statement));
  return statements;
}

/** Every node, relationship and path of the rows, each once; the ends of relationships that no row holds are not known, and such relationships are left out. */
export async function graphOfRows({ batches }: RowSource): Promise<GraphSource & { readonly leftOut: number }> {
  const nodes = new Map<number, Node>();
  const relationships = new Map<number, Relationship>();
  for await (const batch of batches) for (const row of batch) for (const value of row) collect(value, nodes, relationships);
  const complete = [...relationships.values()].filter(
    ({ sourceOrdinal, targetOrdinal }) => nodes.has(sourceOrdinal) && nodes.has(targetOrdinal),
  );
  const allNodes = [...nodes.values()];
  return {
    nodeCount: allNodes.length,
    relationshipCount: complete.length,
    nodes: () => once(allNodes),
    relationships: () => once(complete),
    schema: [],
    leftOut: relationships.size - complete.length,
  };
}

function collect(value: ResultValue, nodes: Map<number, Node>, relationships: Map<number, Relationship>): void {
  if (value instanceof Node) nodes.set(value.ordinal, value);
  else if (value instanceof Relationship) relationships.set(value.ordinal, value);
  else if (value instanceof Path) {
    for (const node of value.nodes) nodes.set(node.ordinal, node);
    for (const relationship of value.relationships) relationships.set(relationship.ordinal, relationship);
  } else if (Array.isArray(value)) for (const element of value) collect(element, nodes, relationships);
  else if (value instanceof Map) for (const member of value.values()) collect(member, nodes, relationships);
}

async function* once<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items;
}
