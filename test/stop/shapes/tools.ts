/** Shapes for the procedures that tools call to change a graph: refactoring, creating, schema. */
import { type Shape, shapes } from './shape.ts';

const HOPELESS = 'UNWIND range(1, 1000000000) AS i';

const START = 'MATCH (h:Hub)';
const FIRST = 'MATCH (f:F {i: 0})';

/** Paths by APOC, statements within statements, and what is found out about the whole graph. */
const READING: Readonly<Record<string, string>> = {
  'paths of a dense graph': `${FIRST} CALL apoc.path.expand(f, 'F>', '', 1, 60) YIELD path RETURN count(path)`,
  'paths of a dense graph, without any uniqueness':
    `${FIRST} CALL apoc.path.expandConfig(f, {relationshipFilter: 'F', ` +
    `minLevel: 1, maxLevel: 100, uniqueness: 'NONE'}) YIELD path RETURN count(path)`,
  'paths that never pass':
    `${FIRST} CALL apoc.path.expandConfig(f, {relationshipFilter: 'F>', labelFilter: '>Nothing', ` +
    'minLevel: 1, maxLevel: 60}) YIELD path RETURN count(path)',
  'paths kept': `${FIRST} CALL apoc.path.expand(f, 'F>', '', 1, 60) YIELD path RETURN collect(path)`,
  'sub-graph for each row': `${HOPELESS} MATCH (h:Hub) CALL apoc.path.subgraphAll(h, {maxLevel: 5}) YIELD nodes RETURN sum(size(nodes))`,
  'nodes of a sub-graph for each row': `${START} ${HOPELESS} CALL apoc.path.subgraphNodes(h, {maxLevel: 5}) YIELD node RETURN count(node)`,
  'spanning tree for each row': `${START} ${HOPELESS} CALL apoc.path.spanningTree(h, {maxLevel: 5}) YIELD path RETURN count(path)`,
  'spanning tree of a chain':
    "MATCH (c:C {i: 0}) CALL apoc.path.spanningTree(c, {relationshipFilter: 'C>'}) YIELD path RETURN sum(length(path))",
  'statement for each row': `${HOPELESS} CALL apoc.cypher.run('UNWIND range(1, 1000) AS x RETURN x', {}) YIELD value RETURN count(value)`,
  'endless statement':
    "CALL apoc.cypher.run('UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN i', {}) YIELD value RETURN count(value)",
  'condition for each row':
    `${HOPELESS} CALL apoc.when(i % 2 = 0, 'RETURN range(1, 1000) AS x', 'UNWIND range(1, 1000) AS x ` +
    `RETURN x', {}) YIELD value RETURN count(value)`,
  'schema for each row': `${HOPELESS} CALL apoc.meta.schema({}) YIELD value RETURN count(value)`,
  'distinct values for each row': `${HOPELESS} CALL apoc.schema.properties.distinct('T', 's') YIELD value RETURN sum(size(value))`,
};

export function toolShapes(): Shape[] {
  return [...shapes('tools', READING), ...writingShapes()];
}

function writingShapes(): Shape[] {
  return shapes(
    'tools',
    {
      'batches without end':
        "CALL apoc.periodic.iterate('UNWIND range(1, 1000000000) AS i RETURN i', 'CREATE (:New {i: i})', {batchSize: 1000}) " +
        'YIELD total RETURN total',
      'batches of single rows':
        "CALL apoc.periodic.iterate('MATCH (t:T) RETURN t', 'SET t.x = 1', {batchSize: 1}) YIELD total RETURN total",
      'one endless batch':
        "CALL apoc.periodic.iterate('UNWIND range(1, 1000000000) AS i RETURN i', 'CREATE (:New {i: i})', {batchSize: " +
        '1000000000}) YIELD total RETURN total',
      'batches that never pass':
        "CALL apoc.periodic.iterate('UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN i', 'CREATE (:New {i: i})', {}) " +
        'YIELD total RETURN total',
      'rename a label': "CALL apoc.refactor.rename.label('T', 'U') YIELD total RETURN total",
      'rename a property': "CALL apoc.refactor.rename.nodeProperty('s', 'u') YIELD total RETURN total",
      'rename a type': "CALL apoc.refactor.rename.type('H', 'I') YIELD total RETURN total",
      'clone nodes': 'MATCH (t:T) WITH collect(t) AS nodes CALL apoc.refactor.cloneNodes(nodes, true) YIELD output RETURN count(output)',
      'invert relationships': 'MATCH ()-[r:H]->() CALL apoc.refactor.invert(r) YIELD output RETURN count(output)',
      'other types': "MATCH ()-[r:H]->() CALL apoc.refactor.setType(r, 'I') YIELD output RETURN count(output)",
      'set many properties':
        "MATCH (t:T) WITH collect(t) AS nodes CALL apoc.create.setProperties(nodes, [x IN range(1, 1000) | 'p' + x], range(1, " +
        '1000)) YIELD node RETURN count(node)',
      'remove many properties':
        'MATCH (t:T) WITH collect(t) AS nodes UNWIND range(1, 100) AS i CALL apoc.create.removeProperties(nodes, [x IN range(1, ' +
        "1000) | 'p' + x]) YIELD node RETURN count(node)",
      'create nodes of a list': "CALL apoc.create.nodes(['New'], [x IN range(1, 2000000) | {i: x}]) YIELD node RETURN count(node)",
      'merge all nodes': 'MATCH (t:T) WITH collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes) YIELD node RETURN node.i',
      'merge all nodes and combine their properties':
        "MATCH (t:T) WITH collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes, {properties: 'combine', mergeRels: true}) " +
        'YIELD node RETURN node.i',
      'merge long nodes':
        "MATCH (t:Long) WITH collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes, {properties: 'combine'}) YIELD node RETURN node.i",
      'merge a clique':
        'MATCH (q:Q) WITH collect(q) AS nodes CALL apoc.refactor.mergeNodes(nodes, {mergeRels: true}) YIELD node RETURN count(*)',
      'merge pairs of nodes':
        'MATCH (t:T) WITH t.k AS k, collect(t) AS nodes CALL apoc.refactor.mergeNodes(nodes) YIELD node RETURN count(node)',
      'merge relationships':
        'MATCH (a:Q {i: 0}), (b:Q {i: 1}) UNWIND range(1, 300000) AS i CREATE (a)-[r:New {i: i}]->(b) WITH collect(r) AS rels ' +
        'CALL apoc.refactor.mergeRelationships(rels, {properties: "combine"}) YIELD rel RETURN rel.i',
      'schema of long properties': "CALL apoc.schema.assert({T: ['s', 'm', 'l', ['s', 'm', 'l']]}, {Long: ['s']})",
      'schema of many indexes':
        'WITH [x IN range(1, 100000) | "p" + x] AS keys CALL apoc.schema.assert({T: keys}, {}) YIELD key RETURN count(*)',
      'create nodes': `${HOPELESS} CALL apoc.create.node(['New'], {i: i}) YIELD node RETURN count(node)`,
      'create nodes of many labels':
        "UNWIND range(1, 1000) AS i CALL apoc.create.node([x IN range(1, 10000) | 'L' + x], {}) YIELD node RETURN count(node)",
      'create relationships': `MATCH (h:Hub) ${HOPELESS} CALL apoc.create.relationship(h, 'New', {i: i}, h) YIELD rel RETURN count(rel)`,
      'create relationships of many types':
        `MATCH (h:Hub) ${HOPELESS} CALL apoc.create.relationship(h, 'New' + i, {}, h) YIELD rel ` + 'RETURN count(rel)',
      'set a long property':
        "MATCH (t:T) WITH collect(t) AS nodes CALL apoc.create.setProperty(nodes, 's', reduce(s = 'x', x IN range(1, 20) | s + " +
        's)) YIELD node RETURN count(node)',
      'set properties of many names':
        "MATCH (h:Hub) UNWIND range(1, 1000000) AS i CALL apoc.create.setProperty(h, 'p' + i, i) YIELD node RETURN count(node)",
      'add labels':
        "MATCH (t:T) WITH collect(t) AS nodes UNWIND range(1, 1000) AS i CALL apoc.create.addLabels(nodes, ['L' + i]) YIELD " +
        'node RETURN count(node)',
      'remove labels':
        "MATCH (t:T) WITH collect(t) AS nodes UNWIND range(1, 1000) AS i CALL apoc.create.removeLabels(nodes, ['T']) YIELD node " +
        'RETURN count(node)',
      'merge relationships one by one':
        `MATCH (h:Hub) ${HOPELESS} CALL apoc.merge.relationship(h, 'New', {i: i}, {}, h) YIELD rel ` + 'RETURN count(rel)',
      'vectors of nodes':
        "MATCH (t:T) UNWIND range(1, 1000) AS i CALL db.create.setNodeVectorProperty(t, 'w', [x IN range(1, 1000) | x * 0.5]) " +
        'RETURN count(*)',
    },
    { writes: true },
  );
}
