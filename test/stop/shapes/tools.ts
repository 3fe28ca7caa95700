/** Shapes for the procedures that tools call to change a graph: refactoring, creating, schema. */
import { type Shape, shapes } from './shape.ts';

const HOPELESS = 'UNWIND range(1, 1000000000) AS i';

export function toolShapes(): Shape[] {
  return shapes(
    'tools',
    {
      'merge all nodes': 'MATCH (t:T) WITH collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes) YIELD node RETURN node.i',
      'merge all nodes and combine their properties':
        "MATCH (t:T) WITH collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes, {properties: 'combine', mergeRels: true}) YIELD node RETURN node.i",
      'merge long nodes':
        "MATCH (t:Long) WITH collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes, {properties: 'combine'}) YIELD node RETURN node.i",
      'merge a clique':
        'MATCH (q:Q) WITH collect(q) AS nodes CALL apoc.refactor.mergeNodes(nodes, {mergeRels: true}) YIELD node RETURN count(*)',
      'merge pairs of nodes':
        'MATCH (t:T) WITH t.k AS k, collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes) YIELD node RETURN count(node)',
      'merge relationships':
        'MATCH (a:Q {i: 0}), (b:Q {i: 1}) UNWIND range(1, 300000) AS i CREATE (a)-[r:New {i: i}]->(b) WITH collect(r) AS rels CALL apoc.refactor.mergeRelationships(rels, {properties: "combine"}) YIELD rel RETURN rel.i',
      'schema of long properties': "CALL apoc.schema.assert({T: ['s', 'm', 'l', ['s', 'm', 'l']]}, {Long: ['s']})",
      'schema of many indexes':
        'WITH [x IN range(1, 100000) | "p" + x] AS keys CALL apoc.schema.assert({T: keys}, {}) YIELD key RETURN count(*)',
      'create nodes': `${HOPELESS} CALL apoc.create.node(['New'], {i: i}) YIELD node RETURN count(node)`,
      'create nodes of many labels':
        "UNWIND range(1, 1000) AS i CALL apoc.create.node([x IN range(1, 10000) | 'L' + x], {}) YIELD node RETURN count(node)",
      'create relationships': `MATCH (h:Hub) ${HOPELESS} CALL apoc.create.relationship(h, 'New', {i: i}, h) YIELD rel RETURN count(rel)`,
      'create relationships of many types': `MATCH (h:Hub) ${HOPELESS} CALL apoc.create.relationship(h, 'New' + i, {}, h) YIELD rel RETURN count(rel)`,
      'set a long property':
        "MATCH (t:T) WITH collect(t) AS nodes CALL apoc.create.setProperty(nodes, 's', reduce(s = 'x', x IN range(1, 20) | s + s)) YIELD node RETURN count(node)",
      'set properties of many names':
        "MATCH (h:Hub) UNWIND range(1, 1000000) AS i CALL apoc.create.setProperty(h, 'p' + i, i) YIELD node RETURN count(node)",
      'add labels':
        "MATCH (t:T) WITH collect(t) AS nodes UNWIND range(1, 1000) AS i CALL apoc.create.addLabels(nodes, ['L' + i]) YIELD node RETURN count(node)",
      'remove labels':
        "MATCH (t:T) WITH collect(t) AS nodes UNWIND range(1, 1000) AS i CALL apoc.create.removeLabels(nodes, ['T']) YIELD node RETURN count(node)",
      'merge relationships one by one': `MATCH (h:Hub) ${HOPELESS} CALL apoc.merge.relationship(h, 'New', {i: i}, {}, h) YIELD rel RETURN count(rel)`,
      'vectors of nodes':
        "MATCH (t:T) UNWIND range(1, 1000) AS i CALL db.create.setNodeVectorProperty(t, 'w', [x IN range(1, 1000) | x * 0.5]) RETURN count(*)",
    },
    { writes: true },
  );
}
