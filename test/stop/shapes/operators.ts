/** Shapes for each kind of operator, over many rows: a kind without an entry does not compile. */
import type { OperatorKind } from '../../../src/plan/index.ts';
import { type Shape, shapes } from './shape.ts';

interface OperatorShapes {
  /** The name in EXPLAIN of at least one of the statements. */
  readonly shownAs: string;
  readonly shapes: readonly Shape[];
}

const HOPELESS = 'UNWIND range(1, 1000000000) AS i';

function reading(kind: OperatorKind, shownAs: string, statements: Readonly<Record<string, string>>): OperatorShapes {
  return { shownAs, shapes: shapes(kind, statements) };
}

function writing(kind: OperatorKind, shownAs: string, statements: Readonly<Record<string, string>>): OperatorShapes {
  return { shownAs, shapes: shapes(kind, statements, { writes: true }) };
}

export const OPERATOR_SHAPES: Readonly<Record<OperatorKind, OperatorShapes>> = {
  argument: reading('argument', 'Argument', {
    'subquery of nothing': `${HOPELESS} CALL (i) { WITH i WHERE i < 0 RETURN 1 AS one } RETURN count(*)`,
  }),
  allNodesScan: reading('allNodesScan', 'AllNodesScan', {
    'scan for each row': `${HOPELESS} MATCH (n) WHERE n.nothing = i RETURN count(*)`,
    'all labels': 'MATCH (n), (m) WHERE labels(n) = labels(m) AND n.i = -1 - m.i RETURN count(*)',
  }),
  labelScan: reading('labelScan', 'NodeByLabelScan', {
    'scan for each row': `${HOPELESS} MATCH (n:T) WHERE n.l[0] = -i RETURN count(*)`,
    'label expression': `${HOPELESS} MATCH (n:T|F|Long) WHERE n.i = -i RETURN count(*)`,
    'condition by closures': 'MATCH (n:T) WHERE all(x IN range(1, 5000) WHERE x + n.i > 0) RETURN count(*)',
  }),
  nodeByIdSeek: reading('nodeByIdSeek', 'NodeByElementIdSeek', {
    'for each row': `${HOPELESS} MATCH (n) WHERE elementId(n) = toString(i) RETURN count(*)`,
    'long list': "MATCH (n) WHERE elementId(n) IN [x IN range(1, 3000000) | 'n' + x] RETURN count(*)",
  }),
  nodeIndexSeek: reading('nodeIndexSeek', 'NodeIndexSeek', {
    'for each row': `${HOPELESS} MATCH (n:T {i: i % 200000}) RETURN count(*)`,
    'many of one value': `${HOPELESS} MATCH (n:T {k: i % 1000}) WHERE n.s STARTS WITH 'x' RETURN count(*)`,
    'long list': 'MATCH (n:T) WHERE n.i IN range(1, 20000000) RETURN count(*)',
    unique: `${HOPELESS} MATCH (n:Q {i: i % 40}) RETURN count(n)`,
  }),
  nodeIndexRange: reading('nodeIndexRange', 'NodeIndexSeekByRange', {
    'for each row': `${HOPELESS} MATCH (n:T) WHERE n.i > i % 100 AND n.i < 190000 AND n.k = -1 RETURN count(n.s)`,
    'by text': `${HOPELESS} MATCH (n:T) WHERE n.s STARTS WITH 'text ' + (i % 100) RETURN count(*)`,
    'text contains': `${HOPELESS} MATCH (n:T) WHERE n.s CONTAINS 'words' + i RETURN count(*)`,
    'by distance': `${HOPELESS} MATCH (n:T) WHERE point.distance(n.p, point({x: i % 400, y: 200})) < 200 RETURN count(n.s)`,
    'within a box': `${HOPELESS} MATCH (n:T) WHERE point.withinBBox(n.p, point({x: 0, y: 0}), point({x: 400, y: i % 400})) RETURN count(*)`,
  }),
  relationshipScan: reading('relationshipScan', 'RelationshipTypeScan', {
    'for each row': `${HOPELESS} MATCH ()-[r:H]->() WHERE r.nothing = i RETURN count(*)`,
    'all types': `${HOPELESS} MATCH ()-[r]-() WHERE r.nothing = i RETURN count(*)`,
  }),
  relationshipByIdSeek: reading('relationshipByIdSeek', 'RelationshipByElementIdSeek', {
    'for each row': `${HOPELESS} MATCH ()-[r]->() WHERE elementId(r) = 'r' + i RETURN count(*)`,
    'long list': "MATCH ()-[r]->() WHERE elementId(r) IN [x IN range(1, 3000000) | 'r' + x] RETURN count(*)",
  }),
  relationshipIndexSeek: reading('relationshipIndexSeek', 'RelationshipIndexSeek', {
    'for each row': `${HOPELESS} MATCH ()-[r:H {i: i % 200000}]->() RETURN count(*)`,
    'long list': 'MATCH ()-[r:H]->() WHERE r.i IN range(1, 20000000) RETURN count(*)',
  }),
  relationshipIndexRange: reading('relationshipIndexRange', 'RelationshipIndexSeekByRange', {
    'for each row': `${HOPELESS} MATCH ()-[r:H]->(t) WHERE r.i > i % 100 AND t.nothing = 1 RETURN count(*)`,
  }),
  expand: reading('expand', 'Expand(All)', {
    'hub and back': 'MATCH (a:T)<-[:H]-(h)-[:H]->(b:T) WHERE a.k + b.k < 0 RETURN count(*)',
    'hub for each row': `${HOPELESS} MATCH (:Hub)-[r:H]->(t) WHERE t.nothing = i RETURN count(*)`,
    'into the hub': `${HOPELESS} MATCH (h:Hub), (t:T {i: i % 200000}) MATCH (h)-[r]-(t) RETURN count(r.nothing)`,
    'clique in fixed steps': 'MATCH (a:Q)-[:Q]->(b)-[:Q]->(c)-[:Q]->(d)-[:Q]->(e)-[:Q]->(f) WHERE a.i + f.i < 0 RETURN count(*)',
    'all rows out': 'MATCH (a:T)<-[:H]-(h)-[:H]->(b:T) RETURN a.i, b.i',
  }),
  multiwayJoin: {
    shownAs: 'MultiwayJoin',
    shapes: shapes(
      'multiwayJoin',
      {
        triangles: 'UNWIND range(1, 1000000) AS i MATCH (a:Q)-[:Q]->(b:Q)-[:Q]->(c:Q)-[:Q]->(a) WHERE a.i + b.i + c.i = -i RETURN count(*)',
        'clique of five':
          'MATCH (a:Q)-[:Q]->(b:Q), (a)-[:Q]->(c:Q), (b)-[:Q]->(c), (a)-[:Q]->(d:Q), (b)-[:Q]->(d), (c)-[:Q]->(d), ' +
          '(a)-[:Q]->(e), (b)-[:Q]->(e), (c)-[:Q]->(e), (d)-[:Q]->(e) RETURN sum(a.i + e.i)',
      },
      { switches: { GRAPHDB_FACTORIZE: '1', GRAPHDB_WCOJ: '1' } },
    ),
  },
  variableExpand: reading('variableExpand', 'VarLengthExpand(All)', {
    'dense, counted': 'MATCH (:F {i: 0})-[*]->() RETURN count(*)',
    'dense, without a goal': 'MATCH (:F {i: 0})-[:F*]->(b:F {i: -1}) RETURN count(*)',
    'dense, paths': 'MATCH p = (:F {i: 0})-[:F*]->(:F {i: 59}) RETURN max(length(p))',
    'dense, list of relationships': 'MATCH (:F {i: 0})-[r:F*]->() RETURN sum(size(r))',
    'dense, condition on steps': 'MATCH (:F {i: 0})-[r:F* {i: 0}]-(b) RETURN count(*)',
    'dense, all()': 'MATCH p = (:F {i: 0})-[:F*]->(b) WHERE all(n IN nodes(p) WHERE n.i >= 0) RETURN count(*)',
    'clique both ways': 'MATCH (:Q {i: 0})-[:Q*1..20]-(b) RETURN count(*)',
    'clique, distinct ends': 'MATCH (a:Q)-[:Q*1..30]-(b) RETURN count(DISTINCT b)',
    'clique, into': 'MATCH (a:Q {i: 0}), (b:Q {i: 1}) MATCH (a)-[:Q*]-(b) RETURN count(*)',
    'chain for each start': 'MATCH (a:C)-[:C*]->(b) RETURN count(*)',
    'chain, paths kept': 'MATCH p = (a:C)-[:C*]->(b) RETURN collect(p)',
    'hub and back': 'MATCH (a:T)-[:H*2..2]-(b) RETURN count(b.s)',
    'quantified dense': 'MATCH (:F {i: 0}) (()-[:F]->())+ (b) RETURN count(*)',
    'quantified with condition': 'MATCH (:F {i: 0}) ((x)-[r:F]->(y) WHERE x.i < y.i)+ (b) RETURN count(*)',
    'quantified groups': 'MATCH (:F {i: 0}) ((x)-[r:F]->(y))+ (b) RETURN max(size(x))',
    'quantified two hops': 'MATCH (:Q {i: 0}) ((x)-[:Q]->(y)-[:Q]->(z) WHERE x.i <> z.i){1,15} (b) RETURN count(*)',
  }),
  shortestPath: reading('shortestPath', 'ShortestPath', {
    'condition that fails':
      'MATCH (a:F {i: 0}), (b:F {i: 59}), p = shortestPath((a)-[:F*]->(b)) WHERE any(n IN nodes(p) WHERE n.i < 0) RETURN length(p)',
    'condition that fails in a clique':
      'MATCH (a:Q {i: 0}), (b:Q {i: 1}), p = shortestPath((a)-[:Q*]-(b)) WHERE length(p) > 100 RETURN length(p)',
    'condition on the sum':
      'MATCH (a:F {i: 0}), (b:F {i: 59}), p = shortestPath((a)-[:F*]->(b)) WHERE reduce(s = 0, n IN nodes(p) | s + n.i) < 0 RETURN p',
    'all of them': 'MATCH (a:Q), (b:Q) WHERE a <> b MATCH p = allShortestPaths((a)-[:Q|F*]-(b)) RETURN count(p), collect(nodes(p))',
    'chain, all pairs': 'MATCH (a:C), (b:C) WHERE a.i < b.i MATCH p = shortestPath((a)-[:C*]-(b)) RETURN sum(length(p))',
    'through the hub': 'MATCH (a:T), (b:T) WHERE a.i < b.i MATCH p = shortestPath((a)-[:H*]-(b)) RETURN sum(length(p))',
    'to nowhere': 'MATCH (a:T), (b:C) MATCH p = shortestPath((a)-[*]-(b)) RETURN count(p)',
    'shortest groups': 'MATCH p = SHORTEST 5 GROUPS (a:F {i: 0})-[:F*]->(b:F {i: 59}) RETURN count(p)',
    'many of them': 'MATCH p = SHORTEST 1000000 (a:F {i: 0})-[:F*]->(b:F {i: 59}) RETURN count(p)',
  }),
  pathSearch: reading('pathSearch', 'PathSearch', {
    'quantified, any': 'MATCH p = ANY SHORTEST (a:C) (()-[:C]->())+ (b:C) RETURN sum(length(p))',
    'quantified, all': 'MATCH p = ALL SHORTEST (a:Q) ((x)-[:Q]->(y)-[:Q]->(z) WHERE x.i <> z.i)+ (b:F) RETURN count(p)',
    'quantified, many': 'MATCH p = SHORTEST 1000000 (a:F {i: 0}) ((x)-[:F]->(y) WHERE x.i < y.i)+ (b:F {i: 59}) RETURN count(p)',
    'quantified, groups': 'MATCH p = SHORTEST 20 GROUPS (a:Q {i: 0}) ((x)-[:Q]->(y) WHERE x.i >= 0)+ (b:Q {i: 1}) RETURN count(p)',
    'quantified, hub': 'MATCH p = ANY SHORTEST (a:T) ((x)-[:H]-(y) WHERE x.i >= 0)+ (b:T) RETURN count(p)',
  }),
  filter: reading('filter', 'Filter', {
    'nothing passes': `${HOPELESS} WITH i WHERE i % 7 = 8 RETURN count(*)`,
    'regular expression': "MATCH (n:T) UNWIND range(1, 1000) AS i WITH n, i WHERE n.s =~ '.*(w1|w2).*(x|y' + i + ').*' RETURN count(*)",
    'contains in long texts': `${HOPELESS} MATCH (n:Long) WHERE n.s CONTAINS ('x' + i) RETURN count(*)`,
  }),
  project: reading('project', 'Projection', {
    'long chain of sums':
      `${HOPELESS} WITH ${Array.from({ length: 300 }, (_, x) => `i % ${x + 2}`).join(' + ')} AS x WHERE x < 0 ` + 'RETURN count(*)',
    'lists for each row': `${HOPELESS} WITH [x IN range(1, 10000) | x + i] AS l WHERE size(l) = 0 RETURN count(*)`,
    'maps for each row': `${HOPELESS} WITH {a: [i, i], b: {c: toString(i)}} AS m WHERE m.a IS NULL RETURN count(*)`,
  }),
  unwind: reading('unwind', 'Unwind', {
    nested: 'UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE a + b < 0 RETURN count(*)',
    'of large lists': 'UNWIND range(1, 1000) AS a UNWIND [x IN range(1, 1000000) | x + a] AS b WITH b WHERE b < 0 RETURN count(*)',
    'all rows out': `${HOPELESS} RETURN i`,
    'empty lists': `${HOPELESS} UNWIND [x IN range(1, 100) WHERE x < 0] AS y RETURN count(*)`,
  }),
  skip: reading('skip', 'Skip', { 'nearly all': `${HOPELESS} RETURN i SKIP 999999999` }),
  limit: reading('limit', 'Limit', {
    'behind a filter': `${HOPELESS} WITH i WHERE i < 0 RETURN i LIMIT 1`,
    'of very many': `${HOPELESS} WITH i LIMIT 900000000 RETURN sum(i)`,
  }),
  aggregate: reading('aggregate', 'EagerAggregation', {
    'many groups': `${HOPELESS} RETURN i AS g, count(*) AS n`,
    'many groups of texts': `${HOPELESS} RETURN 'group ' + i AS g, count(*) AS n`,
    'many groups of lists': `${HOPELESS} RETURN [i, [i]] AS g, count(*) AS n`,
    'one group': `${HOPELESS} RETURN sum(i % 7) AS s`,
    'composite keys': `${HOPELESS} RETURN i % 1000 AS a, i AS b, toString(i) AS c, sum(i) AS n`,
    'collected groups': `${HOPELESS} RETURN i % 10 AS g, collect(i) AS n`,
  }),
  distinct: reading('distinct', 'Distinct', {
    integers: `${HOPELESS} WITH DISTINCT i RETURN count(*)`,
    texts: `${HOPELESS} WITH DISTINCT 'x' + i AS x RETURN count(*)`,
    'long texts': "UNWIND range(1, 100000) AS i WITH DISTINCT reduce(s = '', x IN range(1, 1000) | s + i) AS x RETURN count(*)",
    rows: `${HOPELESS} WITH DISTINCT i, i % 3 AS j, [i] AS k RETURN count(*)`,
    few: `${HOPELESS} WITH DISTINCT i % 2 AS x RETURN x`,
  }),
  sort: reading('sort', 'Sort', {
    integers: `${HOPELESS} WITH i ORDER BY i % 1000 DESC, i RETURN collect(i)`,
    texts: "UNWIND range(1, 3000000) AS i WITH i ORDER BY 'x' + i RETURN collect(i)",
    'a million rows': 'UNWIND range(1, 1500000) AS i WITH i ORDER BY (i * 7919) % 1000003 RETURN max(i)',
    'long keys': 'MATCH (a:Long) UNWIND range(1, 100000) AS i WITH a, i ORDER BY a.s + (1000000 - i) RETURN collect(i)',
    lists: 'UNWIND range(1, 300000) AS i WITH i ORDER BY [i % 3, i % 5, toString(i)] RETURN collect(i)',
  }),
  top: reading('top', 'Top', {
    few: `${HOPELESS} RETURN i ORDER BY i DESC LIMIT 5`,
    many: `${HOPELESS} RETURN i ORDER BY i DESC LIMIT 100000000`,
    'long keys': 'MATCH (a:Long) UNWIND range(1, 100000) AS i RETURN a.i ORDER BY a.s + i DESC LIMIT 3',
  }),
  eager: writing('eager', 'Eager', {
    'created between': 'UNWIND range(1, 1000000000) AS i MATCH (n:Fresh) CREATE (:Fresh {i: i})',
    'scan and create': 'MATCH (a:T), (b:T) CREATE (:T {i: a.i + b.i})',
  }),
  apply: reading('apply', 'Apply', {
    'call for each row': `${HOPELESS} CALL (i) { UNWIND range(1, 100) AS x WITH x WHERE x + i < 0 RETURN count(*) AS n } RETURN sum(n)`,
    'call with scans': 'MATCH (a:T) CALL (a) { MATCH (b:T) WHERE b.l = a.s RETURN count(*) AS n } RETURN sum(n)',
    'unit subquery': 'UNWIND range(1, 100000000) AS i CALL (i) { WITH i WHERE i < 0 MATCH (x:Nothing) RETURN count(x) AS n } RETURN sum(n)',
  }),
  optionalApply: reading('optionalApply', 'OptionalApply', {
    'no match': `${HOPELESS} OPTIONAL MATCH (n:T {i: -i}) RETURN count(n)`,
    scans: 'MATCH (a:T) OPTIONAL MATCH (b:T) WHERE b.l = a.s RETURN count(b)',
    walks: `${HOPELESS} OPTIONAL MATCH (:F {i: 0})-[:F*1..4]->(x {nothing: i}) RETURN count(x)`,
  }),
  semiApply: reading('semiApply', 'SemiApply', {
    exists: 'MATCH (a:T) WHERE EXISTS { MATCH (b:T) WHERE b.k = -1 - a.k AND b.s <> a.s } RETURN count(*)',
    'not exists over a walk': 'MATCH (a:F) WHERE NOT EXISTS { MATCH (a)-[:F*]->(b) WHERE b.i < 0 } RETURN count(*)',
    'exists for each row': `${HOPELESS} WITH i WHERE EXISTS { MATCH (b:T) WHERE b.nothing = i } RETURN count(*)`,
  }),
  countedJoin: reading('countedJoin', 'CountedJoin', {
    'counted cycles': 'MATCH (a)-[:Q]->(b)-[:Q]->(c)-[:Q]->(d)-[:Q]->(a) RETURN count(*)',
    'counted cycles for each row': `${HOPELESS} MATCH (a)-[:Q]->(b)-[:Q]->(c)-[:Q]->(d)-[:Q]->(a) WHERE a.i = i % 40 RETURN count(*)`,
    'counted cycles over the hub': 'MATCH (a)-[:H]-(b)-[:H]-(c)-[:H]-(d)-[:H]-(a) RETURN count(*)',
  }),
  cartesianProduct: reading('cartesianProduct', 'CartesianProduct', {
    'of two': 'MATCH (a:T), (b:T) WHERE a.k + b.k < 0 RETURN count(*)',
    'of four': 'MATCH (a:C), (b:C), (c:C), (d:C) RETURN count(a.i + d.i)',
    'all rows out': 'MATCH (a:T), (b:T) RETURN a, b',
  }),
  hashJoin: reading('hashJoin', 'ValueHashJoin', {
    'by texts': 'MATCH (a:T), (b:T) WHERE a.m = b.m AND a.s = b.s + b.k RETURN count(*)',
    'few values': 'MATCH (a:T), (b:T) WHERE a.l[0] = b.l[0] RETURN count(*)',
    'of lists': 'MATCH (a:T), (b:T) WHERE a.l = b.l AND a.s < b.s RETURN count(*)',
  }),
  unionAll: reading('unionAll', 'Union', {
    'many rows': `${HOPELESS} RETURN i UNION ALL ${HOPELESS} RETURN -i AS i`,
    distinct: `${HOPELESS} RETURN i UNION ${HOPELESS} RETURN -i AS i`,
    'many parts': Array.from({ length: 200 }, () => 'MATCH (n:T) WHERE n.l[0] < 0 RETURN n.i AS i').join(' UNION ALL '),
  }),
  create: writing('create', 'Create', {
    nodes: 'UNWIND range(1, 1000000000) AS i CREATE (:New {i: i})',
    'nodes with long texts': "UNWIND range(1, 1000000) AS i CREATE (:New {s: reduce(s = 'x', x IN range(1, 12) | s + s + i)})",
    paths: 'UNWIND range(1, 1000000000) AS i CREATE (:New {i: i})-[:R {i: i}]->(:New)-[:R]->(:New)',
    relationships: 'MATCH (a:T), (b:T) CREATE (a)-[:New]->(b)',
    'relationships of a hub': 'MATCH (h:Hub) UNWIND range(1, 100000000) AS i CREATE (h)-[:New {i: i}]->(h)',
    'behind a walk': 'MATCH (:F {i: 0})-[:F*]->(b) CREATE (:New)',
    'behind a failing walk': 'MATCH (:F {i: 0})-[:F*]->(b {i: -1}) CREATE (:New)',
    'with labels that vary': "UNWIND range(1, 1000000000) AS i CREATE (n:$(['L' + i % 10000])) SET n.i = i",
  }),
  merge: writing('merge', 'Merge', {
    'by an index': 'UNWIND range(1, 1000000000) AS i MERGE (:T {i: i})',
    'by a scan': 'UNWIND range(1, 1000000) AS i MERGE (:T {nothing: i})',
    relationships: 'MATCH (a:T), (b:T) MERGE (a)-[:New]->(b)',
    'relationships of a hub': 'MATCH (h:Hub), (t:T) UNWIND range(1, 1000) AS i MERGE (h)-[r:H {i: -i}]->(t) ON CREATE SET r.x = i',
  }),
  setProperties: writing('setProperties', 'SetProperty', {
    'again and again': 'MATCH (n:T) UNWIND range(1, 1000) AS i SET n.i = i',
    'whole maps': 'MATCH (n:T) UNWIND range(1, 1000) AS i SET n = {i: i, s: n.s}',
    'long texts': 'MATCH (n:T) SET n.s = reduce(s = n.s, x IN range(1, 10) | s + s)',
    labels: 'MATCH (n:T) UNWIND range(1, 100) AS i SET n:Again, n:Further',
    'of one node': 'MATCH (n:Hub) UNWIND range(1, 1000000000) AS i SET n.i = i',
    relationships: 'MATCH ()-[r:H]->() UNWIND range(1, 1000) AS i SET r.i = i',
    'lists that grow': 'MATCH (n:Hub) UNWIND range(1, 1000000) AS i SET n.grown = coalesce(n.grown, []) + i',
  }),
  removeItems: writing('removeItems', 'Remove', {
    properties: 'MATCH (n:T) UNWIND range(1, 1000) AS i REMOVE n.s, n.l',
    labels: 'MATCH (n:T) UNWIND range(1, 1000) AS i REMOVE n:T',
  }),
  delete: writing('delete', 'DetachDelete', {
    everything: 'MATCH (n) DETACH DELETE n',
    'the hub': 'MATCH (n:Hub) DETACH DELETE n',
    relationships: 'MATCH ()-[r]->() DELETE r',
    'again and again': 'MATCH (n:T) UNWIND range(1, 1000) AS i DETACH DELETE n',
    'behind a walk': 'MATCH p = (:F {i: 0})-[:F*]->() DETACH DELETE p',
  }),
  foreach: writing('foreach', 'Foreach', {
    creates: 'FOREACH (i IN range(1, 100000000) | CREATE (:New {i: i}))',
    nested: 'FOREACH (i IN range(1, 100000) | FOREACH (j IN range(1, 100000) | CREATE (:New {i: i, j: j})))',
    'nested without any write': 'FOREACH (i IN range(1, 100000) | FOREACH (j IN [x IN range(1, 100000) WHERE x < 0] | CREATE (:New)))',
    sets: 'MATCH (h:Hub) FOREACH (i IN range(1, 30000000) | SET h.i = i)',
    'of large lists': 'UNWIND range(1, 1000) AS i FOREACH (x IN [y IN range(1, 1000000) | y + i] | MERGE (:T {i: x}))',
  }),
  emptyResult: writing('emptyResult', 'EmptyResult', {
    'rows before FINISH': 'UNWIND range(1, 1000000000) AS i CREATE (:New {i: i}) FINISH',
    'reads before FINISH': 'MATCH (a:T), (b:T) FINISH',
  }),
  procedureCall: reading('procedureCall', 'ProcedureCall', {
    labels: `${HOPELESS} CALL db.labels() YIELD label RETURN count(*)`,
    'property keys': `${HOPELESS} CALL db.propertyKeys() YIELD propertyKey RETURN count(*)`,
    'properties of nodes': `${HOPELESS} CALL db.schema.nodeTypeProperties() YIELD propertyName RETURN count(*)`,
    'properties of relationships': `${HOPELESS} CALL db.schema.relTypeProperties() YIELD propertyName RETURN count(*)`,
    'shape of the graph': `${HOPELESS} CALL apoc.meta.data() YIELD label RETURN count(*)`,
    visualization: `${HOPELESS} CALL db.schema.visualization() YIELD nodes RETURN count(*)`,
    'neighbours of the hub': "MATCH (t:T) CALL apoc.neighbors.tohop(t, 'H', 3) YIELD node RETURN count(*)",
    'neighbours by hop': "MATCH (c:C) CALL apoc.neighbors.byhop(c, 'C', 50000) YIELD nodes RETURN count(*)",
    'all within a clique and a hub': "MATCH (n) CALL apoc.neighbors.tohop.count(n, '<|>', 6) YIELD value RETURN sum(value)",
    'schema and long work': `CALL apoc.schema.nodes() YIELD name ${HOPELESS} WITH name WHERE toUpper(name) = 'x' RETURN count(*)`,
    'neighbours counted': "MATCH (c:C) CALL apoc.neighbors.athop.count(c, 'C', 50000) YIELD value RETURN sum(value)",
  }),
  transactionApply: writing('transactionApply', 'TransactionApply', {
    'many small transactions': 'UNWIND range(1, 1000000000) AS i CALL (i) { CREATE (:New {i: i}) } IN TRANSACTIONS OF 10 ROWS',
    'one large transaction': 'UNWIND range(1, 1000000000) AS i CALL (i) { CREATE (:New {i: i}) } IN TRANSACTIONS OF 1000000000 ROWS',
    'failing ones': 'UNWIND range(1, 1000000000) AS i CALL (i) { CREATE (:Q {i: 0}) } IN TRANSACTIONS OF 100 ROWS ON ERROR CONTINUE',
  }),
  loadCsv: reading('loadCsv', 'LoadCSV', {
    rows: "UNWIND range(1, 100) AS i LOAD CSV WITH HEADERS FROM 'file:///rows.csv' AS row RETURN count(row.a)",
    'rows kept': "LOAD CSV FROM 'file:///rows.csv' AS row RETURN collect(row)",
    'quoted fields': "UNWIND range(1, 100) AS i LOAD CSV FROM 'file:///quoted.csv' AS row RETURN count(row[0])",
    'a line without end': "LOAD CSV FROM 'file:///long-line.csv' AS row RETURN count(row[0])",
    'a quote without end': "LOAD CSV FROM 'file:///open-quote.csv' AS row RETURN count(row[0])",
    'quotes without end': "LOAD CSV FROM 'file:///quotes.csv' AS row RETURN count(row[0])",
    'many columns': "LOAD CSV WITH HEADERS FROM 'file:///wide.csv' AS row RETURN count(row.c1)",
    'digits and a letter': "LOAD CSV WITH HEADERS FROM 'file:///digits.csv' AS row RETURN count(toFloat(row.a))",
  }),
  database: reading('database', 'Database', { 'on a server of one': 'CREATE DATABASE other IF NOT EXISTS' }),
  schema: writing('schema', 'Schema', {
    'index of texts': 'CREATE INDEX FOR (n:T) ON (n.s)',
    'composite index': 'CREATE INDEX FOR (n:T) ON (n.m, n.l, n.s)',
    'uniqueness that holds': 'CREATE CONSTRAINT FOR (n:T) REQUIRE n.s IS UNIQUE',
    'uniqueness that fails': 'CREATE CONSTRAINT FOR (n:T) REQUIRE n.l IS UNIQUE',
    existence: 'CREATE CONSTRAINT FOR (n:T) REQUIRE n.s IS NOT NULL',
    'type of a property': 'CREATE CONSTRAINT FOR (n:T) REQUIRE n.l IS :: LIST<INTEGER NOT NULL>',
    'node key': 'CREATE CONSTRAINT FOR (n:T) REQUIRE (n.s, n.i) IS NODE KEY',
    'text index of relationships': 'CREATE TEXT INDEX FOR ()-[r:H]-() ON (r.s)',
  }),
  show: reading('show', 'Show', {
    functions: `SHOW FUNCTIONS YIELD name, description RETURN size([x IN range(1, 100000000) WHERE x < 0])`,
    'rows with long work': 'SHOW INDEXES YIELD name WHERE any(x IN range(1, 100000000) WHERE x < 0)',
    indexes: 'SHOW INDEXES YIELD name RETURN [x IN range(1, 10000) | name + x]',
  }),
};
