/** Shapes for each kind of expression and of clause: a kind without an entry does not compile. */
import type { Clause, Expression } from '../../../src/cypher/index.ts';
import { type Shape, withParameters } from './shape.ts';

const ROWS = 'UNWIND range(1, 1000000000) AS i';
const FEW = 'UNWIND range(1, 1000000) AS i';

type Statements = Readonly<Record<string, string>>;

const EXPRESSIONS: Readonly<Record<Expression['kind'], Statements>> = {
  literal: { 'text for each row': `${ROWS} WITH i, '${'x'.repeat(10_000)}' AS s WHERE s = toString(i) RETURN count(*)` },
  parameter: {
    'list compared': `${FEW} WITH i WHERE $list = [i] + $list RETURN count(*)`,
    'list answered for each row': `${FEW} RETURN $list AS l`,
    'text answered for each row': `${FEW} RETURN $text AS s`,
  },
  variable: { 'list in each row': `WITH range(1, 1000000) AS l UNWIND range(1, 1000000) AS i RETURN l, i` },
  property: {
    'of nodes': `${ROWS} MATCH (n:T) WHERE n.s = i RETURN count(*)`,
    'of maps': `${ROWS} WITH {a: {b: i}} AS m WHERE m.a.b < 0 RETURN count(*)`,
    'long ones': `${ROWS} MATCH (n:Long) WITH n.l AS l, n.s AS s, i WHERE size(l) < 0 AND s = i RETURN count(*)`,
  },
  index: { 'of a parameter': `${ROWS} WITH $list[i % 300000] AS x WHERE x < 0 RETURN count(*)` },
  slice: {
    'of a parameter': `${FEW} WITH i, $list[1..-1] AS l WHERE size(l) = i - 2000000 RETURN count(*)`,
    'of a list in a row': `WITH range(1, 1000000) AS l ${FEW} WITH i, l[i % 10..] AS part WHERE size(part) < 0 RETURN count(*)`,
    'kept ones': `WITH range(1, 1000000) AS l ${FEW} RETURN collect(l[i % 10..])`,
  },
  list: {
    '100 long sums': `WITH range(1, 10000000) AS l RETURN size([${Array.from({ length: 100 }, (_, i) => `l + ${i}`).join(', ')}])`,
    'deep ones': 'WITH range(1, 1000000) AS l UNWIND range(1, 2000) AS i RETURN size(collect([[[[[l + i]]]]]))',
    wide: `${ROWS} WITH [${Array.from({ length: 500 }, (_, x) => `i + ${x}`).join(', ')}] AS l WHERE size(l) = 0 RETURN count(*)`,
  },
  map: {
    'long values': `WITH range(1, 10000000) AS l RETURN size(keys({${Array.from({ length: 50 }, (_, i) => `k${i}:l+${i}`).join()}}))`,
    collected: `${ROWS} RETURN collect({a: i, b: {c: [i]}})`,
  },
  mapProjection: {
    'of nodes': `${ROWS} MATCH (n:T) RETURN n {.*, i: i}`,
    'of a map': `${FEW} WITH $map AS m, i RETURN collect(m {.*, i: i})`,
    'of long nodes': `${ROWS} MATCH (n:Long) RETURN collect(n {.*})`,
  },
  unary: { negation: `${ROWS} WITH i WHERE NOT -i < 0 RETURN count(*)` },
  arithmetic: {
    numbers: `${ROWS} WITH i * 7919 % 1000003 / 3 - i ^ 2 AS x WHERE x > 0 RETURN count(*)`,
    'texts that double': "WITH reduce(s = 'ab', x IN range(1, 40) | s + s) AS s RETURN size(s)",
    'long texts and numbers': `${FEW} WITH i, $text + i AS s WHERE s = '' RETURN count(*)`,
    'long texts kept': `${FEW} RETURN collect($text + i)`,
    'flattened texts kept': `${FEW} RETURN collect(toUpper($text + i))`,
    'lists appended': `${FEW} WITH $list + i AS l WHERE size(l) = 0 RETURN count(*)`,
    'lists that double': 'WITH reduce(l = [1], x IN range(1, 40) | l + l) AS l RETURN size(l)',
    'lists nested in each other': 'WITH reduce(l = [1], x IN range(1, 10000000) | [l]) AS l RETURN l = [1]',
    'list of itself': 'WITH reduce(l = [1], x IN range(1, 60) | [l, l]) AS l RETURN l = [1]',
    'list of itself answered': 'RETURN reduce(l = [1], x IN range(1, 60) | [l, l]) AS l',
  },
  binary: {
    'in a long list': `${FEW} WITH i WHERE -i IN $list RETURN count(*)`,
    'in a list of lists': `${FEW} WITH [x IN range(1, 100000) | [x]] AS l, i WHERE [-i] IN l RETURN count(*)`,
    'in a list that each row makes': `${FEW} WITH i WHERE -i IN [x IN range(1, 100000) | x + i] RETURN count(*)`,
    contains: `${FEW} WITH i WHERE $text CONTAINS ('q' + i) RETURN count(*)`,
    'contains nearly': `${FEW} WITH i WHERE $blanks CONTAINS ('                                z' + i) RETURN count(*)`,
    'starts and ends': `${FEW} WITH i WHERE ($text + i) STARTS WITH $text + 'x' OR ('x' + $text) ENDS WITH $text + i RETURN count(*)`,
    'regular expression': `${FEW} WITH i WHERE $text =~ ('(a+)+b' + i) RETURN count(*)`,
    'regular expression with alternatives': `${FEW} WITH i WHERE $text =~ '.*(Lorem|ipsum|dolor).*(sit|amet).*x{1,5}' + i RETURN count(*)`,
    'regular expressions that counts multiply': `${ROWS} WITH i WHERE 'a' =~ ('(?:${'ab'.repeat(100)}' + i + '){1000}') RETURN count(*)`,
    'many regular expressions': `${ROWS} WITH i WHERE 'aaaaaaaaaaaaaaaaaaaaaaaa' =~ ('(a|aa)+' + i + '{1,500}') RETURN count(*)`,
  },
  logical: {
    'many operands':
      `${ROWS} WITH i WHERE ${Array.from({ length: 300 }, (_, x) => `i % ${x + 2} = ${x + 2}`).join(' OR ')} ` + 'RETURN count(*)',
    'nested closures':
      `${FEW} WITH i WHERE all(x IN range(1, 1000) WHERE any(y IN range(1, 1000) WHERE x + y < i)) XOR i > 0 ` + 'RETURN count(*)',
  },
  comparison: {
    'long texts': `${FEW} WITH i, $text + i AS a, $text + (i + 1) AS b WHERE a = b OR a > b RETURN count(*)`,
    'long lists': `${FEW} WITH i, $list + i AS a, $list + (i + 1) AS b WHERE a = b OR a > b RETURN count(*)`,
    'long maps': `${FEW} WITH i, $map AS a, properties($map) AS b WHERE a <> b RETURN count(*)`,
    'list of references to one list': `WITH range(1, 1000000) AS l ${FEW} WITH collect(l) AS a RETURN a = a AS x`,
    'lists in lists': `WITH [x IN range(1, 1000) | range(1, 1000)] AS l ${FEW} WITH l, i WHERE l = [x IN l | x + i] RETURN count(*)`,
  },
  isNull: { 'of a list that each row makes': `${FEW} WITH i WHERE [x IN range(1, 100000) | x + i] IS NULL RETURN count(*)` },
  hasLabels: { 'of each node': `${ROWS} MATCH (n) WHERE n:F&Q&!T RETURN count(n)` },
  isTyped: {
    'of a long list': `${FEW} WITH $list + i AS l WHERE NOT l IS :: LIST<INTEGER NOT NULL> RETURN count(*)`,
    'of a list of lists':
      `WITH [x IN range(1, 1000) | range(1, 1000)] AS l ${FEW} WITH l, i WHERE NOT l IS :: LIST<LIST<INTEGER>> ` + 'RETURN count(*)',
  },
  isNormalized: { 'of a long text': `${FEW} WITH $text + i AS s WHERE s IS NOT NFKD NORMALIZED RETURN count(*)` },
  function: {
    'list of references to one list': `WITH range(1, 1000000) AS l ${FEW} WITH collect(l) AS a RETURN apoc.coll.contains(a, 1) AS x`,
    'calls in calls': `${FEW} WITH toUpper(toLower(reverse(replace($text + i, 'o', 'oo')))) AS s WHERE s = '' RETURN count(*)`,
  },
  countStar: { 'of a product': 'MATCH (a:T), (b:T), (c:T) WHERE a.s < b.s RETURN count(*)' },
  case: {
    'many branches':
      `${ROWS} WITH CASE i % 1000 ${Array.from({ length: 900 }, (_, x) => `WHEN ${x} THEN '${x}'`).join(' ')} ` +
      `ELSE null END AS x WHERE x = 'x' RETURN count(*)`,
  },
  listComprehension: {
    'one of many': 'RETURN size([x IN range(1, 1000000000) WHERE x < 0 | x])',
    kept: 'RETURN [x IN range(1, 1000000000) | x] AS l',
    nested: 'RETURN size([x IN range(1, 100000) | [y IN range(1, 100000) | x * y]])',
    'nested without results': 'RETURN size([x IN range(1, 100000) WHERE size([y IN range(1, 100000) WHERE y < 0]) > 0])',
    texts: "RETURN size([x IN range(1, 100000000) | 'text ' + x])",
    'long texts': 'RETURN size([x IN range(1, 100000) | toUpper($text + x)])',
  },
  patternComprehension: {
    'over a walk': 'MATCH (f:F {i: 0}) RETURN size([(f)-[:F*]->(b) | b.i])',
    'over a walk without results': 'MATCH (f:F {i: 0}) RETURN size([(f)-[:F*]->(b) WHERE b.i < 0 | b.i])',
    'over the hub for each node': 'MATCH (t:T) RETURN sum(size([(t)<-[:H]-(h)-[:H]->(o) WHERE o.i < 0 | o.i]))',
    kept: 'MATCH (t:T) RETURN collect([(t)<-[:H]-(h)-[:H]->(o) | o.s])',
  },
  quantifier: {
    all: 'RETURN all(x IN range(1, 1000000000) WHERE x > 0)',
    any: `${FEW} WITH i WHERE any(x IN $list WHERE x = -i) RETURN count(*)`,
    none: `${FEW} WITH i WHERE NOT none(x IN range(1, 1000000) WHERE x = -i) RETURN count(*)`,
    single: `${FEW} WITH i WHERE single(x IN $list WHERE x = -i) RETURN count(*)`,
    nested: 'RETURN all(x IN range(1, 100000) WHERE none(y IN range(1, 100000) WHERE x + y < 0))',
  },
  reduce: {
    sum: 'RETURN reduce(s = 0, x IN range(1, 1000000000) | s + x % 7)',
    'text that grows': "RETURN size(reduce(s = '', x IN range(1, 100000000) | s + x))",
    'text that grows and is read': "RETURN reduce(s = '', x IN range(1, 1000000) | CASE WHEN s CONTAINS 'xy' THEN s ELSE s + x END)",
    'list that grows': 'RETURN size(reduce(l = [], x IN range(1, 10000000) | l + x))',
    'map that grows': 'RETURN reduce(m = {}, x IN range(1, 100000000) | {a: m, b: x}) IS NULL',
  },
  patternExpression: {
    exists: 'MATCH (a:T), (b:T) WHERE NOT (a)<-[:H]-()-[:H]->(b) RETURN count(*)',
    walk: 'MATCH (a:F), (b:C) WHERE (a)-[:F*]->(b) RETURN count(*)',
  },
  subquery: {
    'count over a walk': 'MATCH (f:F {i: 0}) RETURN COUNT { (f)-[:F*]->() }',
    'count over a quantified path': 'MATCH (f:F {i: 0}) RETURN COUNT { (f) (()-[:F]->())+ () }',
    'count for each row': 'MATCH (a:T) RETURN sum(COUNT { MATCH (b:T) WHERE b.k = -1 - a.k AND b.s = a.s })',
    collect: 'MATCH (a:T) RETURN COLLECT { MATCH (b:T) RETURN b.s + a.i }',
    'exists over a walk': 'MATCH (f:F {i: 0}) RETURN EXISTS { (f)-[:F*]->(x) WHERE x.i < 0 }',
  },
};

const CLAUSES: Readonly<Record<Clause['kind'], Statements>> = {
  match: { 'many patterns': 'MATCH (a:T), (b:T), (c:T) WHERE a.i + b.i + c.i < 0 RETURN count(*)' },
  unwind: { 'of a parameter for each row': `${FEW} UNWIND $list AS x WITH x WHERE x < 0 RETURN count(*)` },
  with: {
    'many of them': `${ROWS} ${Array.from({ length: 100 }, (_, x) => `WITH i, i + ${x} AS x${x}`).join(' ')} WHERE i < 0 RETURN count(*)`,
  },
  return: {
    'nodes with all their properties': 'MATCH (n:T) RETURN n',
    'long nodes': `${FEW} MATCH (n:Long) RETURN n, i`,
    'long paths': 'MATCH p = (:C {i: 0})-[:C*]->() RETURN p',
    'one long list': 'RETURN range(1, 30000000) AS l',
    'one long text': "RETURN reduce(s = 'abcdefgh', x IN range(1, 23) | s + s) AS s",
    'one list of texts': "RETURN [x IN range(1, 3000000) | 'text ' + x] AS l",
    'one deep value': 'RETURN reduce(l = [1], x IN range(1, 100000) | [l]) AS l',
    'parameters back': 'RETURN $list AS l, $map AS m, $text AS t, $texts AS ts',
    distinct: `${ROWS} RETURN DISTINCT [i, toString(i)] AS x`,
  },
  create: {
    'many items': `${FEW} CREATE ${Array.from({ length: 100 }, (_, x) => `(n${x}:New {i: i})`).join(', ')}`,
    'long lists': 'UNWIND range(1, 1000000) AS i CREATE (:New {l: range(1, 100000)})',
    'from parameters': 'UNWIND $list AS x UNWIND $list AS y CREATE (:New {x: x, y: y})',
    'long parameters': `${FEW} CREATE (:New {s: $text + i})`,
    'long names': `${FEW} CREATE (n:$($text + i)) SET n[$text + i] = i`,
    'long values answered': `${FEW} CREATE (n:New {s: $text}) RETURN n`,
  },
  merge: {
    'long texts': `${FEW} MERGE (:New {s: $text + i})`,
    'pattern over the hub': 'MATCH (t:T) MERGE (t)<-[:H]-(h:Hub)-[:H]->(o:T {i: -t.i})',
  },
  set: {
    'from a long map': 'MATCH (n:T) SET n += $map',
    'long lists': 'MATCH (n:T) SET n.l = $list',
    'walk in the value': 'MATCH (n:F) SET n.x = COUNT { (n)-[:F*]->() }',
    vectors: `${FEW} MATCH (n:Hub) SET n.v = vector($floats)`,
  },
  remove: { 'behind a product': 'MATCH (a:T), (b:T) REMOVE a.s' },
  delete: { 'behind a product': 'MATCH (a:T), (b:T) WHERE a.i < b.i DETACH DELETE a' },
  foreach: {
    'over a parameter': `${FEW} FOREACH (x IN $list | CREATE (:New {x: x}))`,
    'over a walk': 'MATCH p = (:F {i: 0})-[:F*]->() FOREACH (n IN nodes(p) | SET n.seen = true)',
  },
  callProcedure: { 'merges nodes': `${ROWS} CALL apoc.merge.node(['New'], {i: i}) YIELD node RETURN count(node)` },
  callSubquery: {
    'that writes': `${ROWS} CALL (i) { CREATE (:New {i: i}) } RETURN count(*)`,
    'in transactions': `${ROWS} CALL (i) { MATCH (t:T) SET t.x = i } IN TRANSACTIONS OF 1 ROWS`,
  },
  loadCsv: { 'that writes': "LOAD CSV WITH HEADERS FROM 'file:///rows.csv' AS row CREATE (:New {a: row.a, b: row.b})" },
  finish: { 'behind a walk': 'MATCH (:F {i: 0})-[:F*]->() FINISH' },
};

const WRITING: ReadonlySet<string> = new Set<Clause['kind']>([
  'create',
  'merge',
  'set',
  'remove',
  'delete',
  'foreach',
  'callProcedure',
  'callSubquery',
  'loadCsv',
]);

export function languageShapes(): Shape[] {
  return [
    ...Object.entries(EXPRESSIONS).flatMap(([kind, statements]) => withParameters(kind, statements)),
    ...Object.entries(CLAUSES).flatMap(([kind, statements]) =>
      withParameters(`clause ${kind}`, statements).map((shape): Shape => (WRITING.has(kind) ? { ...shape, writes: true } : shape)),
    ),
  ];
}
