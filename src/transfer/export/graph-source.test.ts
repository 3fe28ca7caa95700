/** The graph of the rows of a query: each node and relationship once, wherever it stands and whoever has sent it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Path, Relationship, type ResultValue } from '../../value/index.ts';
import { graphOfRows } from './graph-source.ts';

/** Returns a node as it comes from a server, which sends no ordinals. */
function node(id: string): Node {
  return new Node(id, -1, ['P'], new Map());
}

/** Returns a relationship as it comes from a server. */
function relationship(id: string, sourceId: string, targetId: string): Relationship {
  return new Relationship({ id, type: 'R', ordinal: -1, sourceId, targetId, sourceOrdinal: -1, targetOrdinal: -1, properties: new Map() });
}

async function gathered(...rows: readonly ResultValue[][]): Promise<readonly [nodes: string, relationships: string, leftOut: number]> {
  async function* batches() {
    for (const row of rows) yield [row];
  }
  const graph = await graphOfRows({ columns: [], batches: batches() });
  const ids: [string[], string[]] = [[], []];
  await graph.eachNode(async (nodes) => void ids[0].push(...nodes.map(({ id }) => id)));
  await graph.eachRelationship(async (relationships) => void ids[1].push(...relationships.map(({ id }) => id)));
  assert.deepEqual([graph.nodeCount, graph.relationshipCount], [ids[0].length, ids[1].length]);
  return [ids[0].join(), ids[1].join(), graph.leftOut];
}

test('entities without ordinals are told apart by their identifiers', async () => {
  const [a, b, c] = [node('a'), node('b'), node('c')];
  const [first, second] = [relationship('r0', 'a', 'b'), relationship('r1', 'b', 'c')];
  assert.deepEqual(await gathered([a, first, b], [b, second, c]), ['a,b,c', 'r0,r1', 0]);
  assert.deepEqual(await gathered([new Path([a, b, c], [first, second])]), ['a,b,c', 'r0,r1', 0]);
  assert.deepEqual(await gathered([[a, new Map([['k', b]])], [first]], [second, null, 1]), ['a,b', 'r0', 1]);
});
