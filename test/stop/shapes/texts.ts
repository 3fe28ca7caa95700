/** Shapes whose texts are hard to read, to bind, to plan or to compile, and requests that are large in another way. */
import { type Shape, shapes } from './shape.ts';

function times(count: number, part: (i: number) => string, between = ', '): string {
  return Array.from({ length: count }, (_, i) => part(i)).join(between);
}

function chain(count: number): string {
  return `MATCH (n0:T)${times(count, (i) => `-[:H]-(n${i + 1})`, '')} WHERE n0.i < 0 RETURN count(*)`;
}

export function textShapes(): Shape[] {
  const planned = shapes('planning', {
    'chain of 20': chain(20),
    'chain of 60': chain(60),
    'chain of 150': chain(150),
    'star of 20': `MATCH ${times(20, (i) => `(h:Hub)-[:H]->(t${i}:T {i: ${i}})`)} RETURN count(*)`,
    'star of 60': `MATCH ${times(60, (i) => `(h:Hub)-[:H]->(t${i}:T {i: ${i}})`)} RETURN count(*)`,
    'clique of 9': `MATCH ${times(36, (i) => `(q${Math.floor(i / 6)}:Q)-[:Q]->(p${i % 6}:Q)`)} WHERE q0.i < -1 RETURN count(*)`,
    'product of 60': `MATCH ${times(60, (i) => `(n${i}:T)`)} WHERE n0.i < 0 RETURN count(*)`,
    'conditions between all':
      `MATCH ${times(30, (i) => `(n${i}:T)`)} WHERE ` +
      `${times(29, (i) => `n${i}.i = n${i + 1}.i`, ' AND ')} AND n0.i < 0 RETURN count(*)`,
    'many optional matches': `MATCH (n:T {i: 1}) ${times(300, (i) => `OPTIONAL MATCH (n)-[:H]-(m${i} {i: -1})`, ' ')} RETURN count(*)`,
    'many subqueries':
      `MATCH (n:T {i: 1}) ${times(300, (i) => `CALL (n) { MATCH (n)<-[:H]-(x) RETURN count(x) AS c${i} }`, ' ')} ` + 'RETURN c0',
    'many unions': times(1000, (i) => `MATCH (n:T {i: ${i}}) RETURN n.s AS s`, ' UNION '),
    'many columns': `MATCH (n:Hub) RETURN ${times(5000, (i) => `n.i + ${i} AS c${i}`)}`,
    'selector with many parts':
      'MATCH p = SHORTEST 2 (a:F {i: 0}) ' +
      `${times(30, (i) => `((x${i})-[:F]->(y${i}) WHERE x${i}.i < y${i}.i)+`, ' ')} (b:F {i: 59}) RETURN count(p)`,
  });
  const hard = shapes(
    'parsing',
    {
      'many clauses': `${times(150, (i) => `MATCH (n${i}:T {i: ${i}})`, ' ')} RETURN count(*)`,
      'nested parentheses': `RETURN ${'('.repeat(100_000)}1${')'.repeat(100_000)} AS x`,
      'nested lists': `RETURN ${'['.repeat(100_000)}1${']'.repeat(100_000)} AS x`,
      'nested maps': `RETURN ${'{a:'.repeat(50_000)}1${'}'.repeat(50_000)} AS x`,
      'nested subqueries': `${'CALL () { '.repeat(5_000)}RETURN 1 AS x${' } RETURN 1 AS x'.repeat(5_000)}`,
      'nested case': `RETURN ${'CASE WHEN true THEN '.repeat(20_000)}1${' END'.repeat(20_000)} AS x`,
      'long sum': `RETURN ${times(300_000, () => '1', ' + ')} AS x`,
      'long conjunction': `MATCH (n:Hub) WHERE ${times(100_000, (i) => `n.i <> ${-1 - i}`, ' AND ')} RETURN n.i`,
      'long list': `RETURN size([${times(1_000_000, String, ',')}]) AS x`,
      'long map': `RETURN size(keys({${times(200_000, (i) => `k${i}: ${i}`, ',')}})) AS x`,
      'long text': `RETURN size('${'x'.repeat(20_000_000)}') AS x`,
      'many escapes': `RETURN size('${'\\u0041\\n'.repeat(2_000_000)}') AS x`,
      'many comments': `${'/* */ '.repeat(3_000_000)}RETURN 1 AS x`,
      'one open comment': `RETURN 1 /* ${'* '.repeat(5_000_000)}`,
      'many blanks': `RETURN ${' '.repeat(20_000_000)}1 AS x`,
      'long number': `RETURN ${'1'.repeat(2_000_000)} AS x`,
      'long number with a letter': `RETURN ${'1'.repeat(2_000_000)}x AS x`,
      'long float': `RETURN 0.${'1'.repeat(2_000_000)}e1 AS x`,
      'long name': `RETURN 1 AS ${'x'.repeat(5_000_000)}`,
      'unknown name that is long': `RETURN ${'x'.repeat(1_000_000)}`,
      'many labels': `CREATE (n${times(20_000, (i) => `:L${i}`, '')}) RETURN n`,
      'nested label expression': `MATCH (n:${'!('.repeat(20_000)}T${')'.repeat(20_000)}) RETURN count(n)`,
      'many creates': times(50_000, (i) => `CREATE (:New {i: ${i}})`, ' '),
      'many not': `RETURN ${'NOT '.repeat(100_000)}true AS x`,
      'many minus': `RETURN ${'- '.repeat(100_000)}1 AS x`,
      'long comparison': `RETURN ${times(100_000, String, ' < ')} AS x`,
      'nested foreach': `${'FOREACH (x IN [1] | '.repeat(5_000)}CREATE (:New)${')'.repeat(5_000)}`,
      'regular expression that is long': `RETURN 'x' =~ '${'(a|b)'.repeat(100_000)}' AS x`,
      'regular expression with large counts': "RETURN 'x' =~ '((a{1,1000}){1,1000}){1,1000}' AS x",
    },
    { mayBeRefused: true, writes: true },
  );
  const long = shapes(
    'long text',
    {
      'list of variables': `WITH 1 AS a RETURN size([${times(100_000, () => 'a')}]) AS x`,
      'list of sums': `WITH 1 AS a RETURN size([${times(100_000, (i) => `a + ${i}`)}]) AS x`,
      'list of calls': `WITH 'x' AS a RETURN size([${times(30_000, () => 'toUpper(a)')}]) AS x`,
      'list behind IN': `MATCH (n:T) WHERE n.i IN [${times(100_000, String)}] RETURN count(n)`,
      'flat sum': `RETURN ${times(1_500, () => '1', ' + ')} AS x`,
      'flat sum of variables': `WITH 1 AS a RETURN ${times(20_000, () => 'a', ' + ')} AS x`,
      conjunction: `MATCH (n:Hub) WHERE ${times(20_000, (i) => `n.i <> ${-1 - i}`, ' AND ')} RETURN n.i`,
      disjunction: `MATCH (n:Hub) WHERE ${times(20_000, (i) => `n.i = ${-1 - i}`, ' OR ')} RETURN n.i`,
      comparison: `RETURN ${times(20_000, String, ' < ')} AS x`,
      'unions of scans': times(400, (i) => `MATCH (n:T {i: ${i}}) RETURN n.s AS s`, ' UNION '),
      'unions of constants': times(4_000, (i) => `RETURN ${i} AS s`, ' UNION ALL '),
      'simple case': `UNWIND [1, 2] AS a RETURN CASE a ${times(50_000, (i) => `WHEN ${i} THEN 'x${i}'`, ' ')} END AS x`,
      'searched case': `UNWIND [1, 2] AS a RETURN CASE ${times(10_000, (i) => `WHEN a = ${i} THEN a + ${i}`, ' ')} END AS x`,
      'map of variables': `WITH 1 AS a RETURN size(keys({${times(50_000, (i) => `k${i}: a`)}})) AS x`,
      'map projection': `MATCH (n:Hub) RETURN n {${times(20_000, (i) => `.k${i}`)}} AS x`,
      columns: `WITH 1 AS a RETURN ${times(20_000, (i) => `a AS c${i}`)}`,
      aggregates: `MATCH (n:Hub) RETURN ${times(5_000, (i) => `sum(n.i + ${i}) AS c${i}`)}`,
      'sort keys': `MATCH (n:Hub) RETURN n ORDER BY ${times(5_000, (i) => `n.i + ${i}`)}`,
      'unknown property keys': `MATCH (n:Hub) RETURN [${times(50_000, (i) => `n.unknown${i}`)}] AS x`,
      'with clauses': `UNWIND [1] AS i ${times(1_000, (x) => `WITH i + ${x} AS i`, ' ')} RETURN i`,
      'with clauses that keep all': `UNWIND [1] AS i ${times(500, (x) => `WITH *, i + ${x} AS x${x}`, ' ')} RETURN i`,
      'optional matches': `MATCH (n:T {i: 1}) ${times(2_000, (i) => `OPTIONAL MATCH (n)-[:H]-(m${i} {i: -1})`, ' ')} RETURN count(*)`,
      'matches without a common variable': `${times(100, (i) => `MATCH (n${i}:T {i: ${i}})`, ' ')} RETURN count(*)`,
      'existential subqueries': `MATCH (n:T) WHERE ${times(500, (i) => `EXISTS { (n)-[:H]->({i: ${i}}) }`, ' AND ')} RETURN count(*)`,
      'label alternatives': `MATCH (n:${times(5_000, (i) => `L${i}`, '|')}) RETURN count(n)`,
      'type alternatives': `MATCH ()-[r:${times(5_000, (i) => `L${i}`, '|')}]->() RETURN count(r)`,
      'nested comprehensions': `RETURN ${times(100, (i) => `[x${i} IN [1] | `, '')}1${']'.repeat(100)} AS x`,
      'nested conditions': `UNWIND [1] AS a RETURN ${'CASE WHEN a = 1 THEN '.repeat(90)}1${' END'.repeat(90)} AS x`,
      'create clauses': times(5_000, (i) => `CREATE (:New {i: ${i}})`, ' '),
      'created nodes': `CREATE ${times(5_000, (i) => `(n${i}:New {i: ${i}})`)}`,
      'more created nodes': `CREATE ${times(50_000, (i) => `(n${i}:New {i: ${i}})`)}`,
      'created chain': `CREATE (n0:New)${times(3_000, (i) => `-[:R]->(n${i + 1}:New {i: ${i}})`, '')}`,
      'merge clauses': times(500, (i) => `MERGE (n${i}:New {i: ${i}})`, ' '),
      'properties that are set': `MATCH (n:Hub) SET ${times(5_000, (i) => `n.p${i} = ${i}`)}`,
      'rows to be created': `UNWIND [${times(50_000, (i) => `{id: ${i}, name: 'n${i}'}`)}] AS row CREATE (n:New) SET n = row`,
      'explained chain': `EXPLAIN ${chain(150)}`,
      'explained list': `EXPLAIN WITH 1 AS a RETURN size([${times(100_000, () => 'a')}]) AS x`,
      'explained unions': `EXPLAIN ${times(400, (i) => `MATCH (n:T {i: ${i}}) RETURN n.s AS s`, ' UNION ')}`,
      'explained created nodes': `EXPLAIN CREATE ${times(20_000, (i) => `(n${i}:New {i: ${i}})`)}`,
      'unknown name behind many': `WITH ${times(5_000, (i) => `${i} AS variable${i}`)} RETURN variabel1`,
    },
    { mayBeRefused: true, writes: true, parameters: () => ({}) },
  );
  const requests: Shape[] = [
    {
      name: 'long text: list of parameters',
      statement: `RETURN size([${times(50_000, (i) => `$p${i}`)}]) AS x`,
      parameters: () => Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`p${i}`, i])),
      mayBeRefused: true,
    },
    {
      name: 'request: 40 MB of numbers',
      statement: 'RETURN size($p) AS n',
      parameters: () => ({ p: Array.from({ length: 6_000_000 }, (_, i) => i) }),
    },
    {
      name: 'request: 40 MB of maps',
      statement: 'RETURN size($p) AS n',
      parameters: () => ({ p: Array.from({ length: 1_500_000 }, (_, i) => ({ id: i, v: 'text' })) }),
    },
    { name: 'request: 40 MB of text', statement: 'RETURN size($p) AS n', parameters: () => ({ p: 'x'.repeat(40_000_000) }) },
    {
      name: 'request: 40 MB of texts created',
      statement: 'UNWIND $p AS s CREATE (:New {s: s})',
      parameters: () => ({ p: Array.from({ length: 2_000_000 }, (_, i) => `text ${i} text`) }),
      writes: true,
    },
    {
      name: 'request: deep parameters',
      statement: 'RETURN $p AS p',
      parametersText: () => `{"p":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
      mayBeRefused: true,
    },
    {
      name: 'request: many parameters',
      statement: 'RETURN $p1 AS p',
      parameters: () => Object.fromEntries(Array.from({ length: 500_000 }, (_, i) => [`p${i}`, i])),
    },
    {
      name: 'request: long integers',
      statement: 'RETURN size($p) AS n',
      parameters: () => ({ p: Array.from({ length: 1_000_000 }, (_, i) => `${i}`.repeat(4)) }),
    },
  ];
  return [...planned, ...hard, ...long, ...requests];
}
