/** Statements whose plans or texts are unlike those of openCypher: computed types, steps that speak of the row, warnings. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { ResultValue } from '../../src/value/index.ts';

let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://statements-${databases++}`);
  context.after(() => engine.close());
  await rows(engine, 'CREATE (:A {n: 1})-[:KNOWS {w: 1}]->(:B)-[:OWNS {w: 2}]->(:C)');
  return engine;
}

async function rows(engine: Engine, query: string): Promise<ResultValue[][]> {
  return (await engine.execute(query, new Map())).rows;
}

test('computed types and labels are tested one by one', async (context) => {
  const engine = await opened(context);
  const expected: Record<string, ResultValue[][]> = {
    "MATCH ()-[r:$('KNOWS')]->() RETURN type(r)": [['KNOWS']],
    "MATCH ()-[r:!$('KNOWS')]->() RETURN type(r)": [['OWNS']],
    "MATCH ()-[r:$any(['KNOWS', 'X'])]->() RETURN type(r)": [['KNOWS']],
    "MATCH ()-[r:$('KNOWS')|OWNS]->() RETURN count(r)": [[2]],
    "MATCH ()-[r:$('KNOWS')*]->() RETURN count(r)": [[1]],
    "MATCH (a:$('A')|$('C')) RETURN count(a)": [[2]],
    "MATCH (a:!$('A')&$any(['A', 'B'])) RETURN labels(a)": [[['B']]],
    "UNWIND ['OWNS', 'X'] AS t MATCH ()-[r:$(t)]->() RETURN t, count(r)": [['OWNS', 1]],
    "UNWIND ['OWNS', 'X'] AS t MATCH ()-[r:$(t)*1..2]->() RETURN t, count(r)": [['OWNS', 1]],
  };
  for (const [query, answer] of Object.entries(expected)) assert.deepEqual(await rows(engine, query), answer, query);
});

test('steps of a pattern of variable length that speak of the row are matched beside it', async (context) => {
  const engine = await opened(context);
  const expected: Record<string, ResultValue[][]> = {
    'UNWIND [1, 3] AS t MATCH (a)-[r*1..2 {w: t}]->(b) RETURN t, count(*)': [[1, 1]],
    'UNWIND [1, 2] AS t MATCH (a)-[r*1..2]->(b) WHERE all(x IN r WHERE x.w = t) RETURN t, count(*)': [
      [1, 1],
      [2, 1],
    ],
    'UNWIND [1, 3] AS t MATCH ((x)-[r:KNOWS]->(y) WHERE r.w = t)+ RETURN t, count(*)': [[1, 1]],
    'UNWIND [1, 3] AS t MATCH (c:C), (a)-[r:KNOWS*1..2 {w: t}]->(b)-[s:OWNS]->(d) RETURN t, count(*)': [[1, 1]],
    'MATCH (x:A), (a)-[r*1..2 {w: x.n}]->(b) RETURN count(*)': [[1]],
  };
  for (const [query, answer] of Object.entries(expected)) assert.deepEqual(await rows(engine, query), answer, query);
});

test('the relationships of a repeated group stand in the order of the path, from whichever end it was walked', async (context) => {
  const engine = await opened(context);
  const labels = 'RETURN [n IN nodes(p) | labels(n)[0]], [r IN relationships(p) | type(r)]';
  const expected = [
    [
      ['A', 'B', 'C'],
      ['KNOWS', 'OWNS'],
    ],
  ];
  for (const known of ['', 'MATCH (a:A) ', 'MATCH (c:C) ', 'MATCH (a:A), (c:C) '])
    assert.deepEqual(await rows(engine, `${known}MATCH p = (a) ((x)-[r]->(y)-[s]-(z)){1,2} (c:C) WHERE a:A ${labels}`), expected, known);
});

test('functions that take a whole node see what was set before', async (context) => {
  const engine = await opened(context);
  for (const read of ["apoc.any.property(b, 'm')", "apoc.map.clean(apoc.any.properties(b), ['n'], [])['m']", "properties(b)['m']"]) {
    const query = `MATCH (a), (b) SET a.m = coalesce(a.m, 0) + 1 RETURN DISTINCT ${read} AS m`;
    assert.deepEqual(await rows(engine, `${query} ORDER BY m`), [[3]], read);
    await rows(engine, 'MATCH (n) REMOVE n.m');
  }
});

test('CASE compares its subject', async (context) => {
  const engine = await opened(context);
  const query = "UNWIND [null, 1, 3, 7, 9] AS x RETURN collect(CASE x WHEN < 2 THEN 'low' WHEN 3, > 8 THEN 'odd' ELSE 'other' END)";
  assert.deepEqual(await rows(engine, query), [[['other', 'low', 'odd', 'other', 'odd']]]);
});

test('an index in the form of old versions is made, once, and its new form is told', async (context) => {
  const engine = await opened(context);
  for (const added of [1, 0]) {
    const { schemaOutcome, notifications = [] } = await engine.execute('CREATE INDEX ON :Old(a, `b c`)', new Map());
    assert.equal(schemaOutcome?.indexesAdded, added);
    assert.deepEqual(
      notifications.map(({ code, line, column }) => [code, line, column]),
      [['Neo.ClientNotification.Statement.FeatureDeprecationWarning', 1, 1]],
    );
    assert.match(notifications[0]!.description, /CREATE INDEX IF NOT EXISTS FOR \(n:Old\) ON \(n\.a, n\.`b c`\)/);
  }
  const { rows } = await engine.execute('SHOW INDEXES YIELD labelsOrTypes, properties', new Map());
  assert.deepEqual(rows, [[['Old'], ['a', 'b c']]]);
  await assert.rejects(engine.execute('CREATE INDEX ON :Old()', new Map()), { code: 'SYNTAX_ERROR' });
  await assert.rejects(engine.execute('CREATE TEXT INDEX ON :Old(a)', new Map()), { code: 'SYNTAX_ERROR' });
});

test('a colon that is missing and comparisons with null are warned of', async (context) => {
  const engine = await opened(context);
  const expected: Record<string, string[]> = {
    'MATCH (n:A)-[KNOWS]->(m) RETURN m.n': ['VariableNamedLikeType 1:14'],
    'MATCH (n:A)-[KNOWS]->(m) RETURN type(KNOWS)': [],
    'MATCH (KNOWS)-->(m:B) RETURN m': [],
    'MATCH (A) RETURN 1': ['VariableNamedLikeType 1:8'],
    'MATCH (A)-->(b), (A)-->(c) RETURN b': [],
    'MATCH (A:A)-->(b) RETURN b': [],
    'MATCH (n) WHERE n.n = null RETURN n': ['ComparisonWithNull 1:17'],
    'MATCH (n) WHERE n.n = 1 RETURN n': [],
    'MATCH (n) WHERE n.n < 3 AND null <> n.n RETURN n': ['ComparisonWithNull 1:29'],
    'RETURN CASE null WHEN null THEN 1 END': [],
    "MATCH (n) WHERE n.n > '3' RETURN n": ['IncomparableTypes 1:17'],
    "MATCH (n) WHERE '3' = n.n RETURN n": ['IncomparableTypes 1:17'],
    'MATCH (n) WHERE n.n > $text RETURN n': [],
    'MATCH (n) WHERE n.n > 2.5 RETURN n': [],
    "RETURN 1 < 'a' AS x, 1 < 2 < 'b' AS y": ['IncomparableTypes 1:8', 'IncomparableTypes 1:26'],
    "WITH 1 AS one RETURN one = 'a', one <> size('a')": ['IncomparableTypes 1:22'],
    'MATCH (n:A) WHERE toString(n.n) = 1 RETURN n': ['IncomparableTypes 1:19'],
    'MATCH (n:A) WHERE id(n) = 1 OR n._id < 2 OR 3 IN [elementId(n)] RETURN n': ['IncomparableTypes 1:19', 'IncomparableTypes 1:32'],
    "MATCH (n:A) WHERE id(n) = '1' RETURN n": [],
    "MATCH (n:A) SET n.isLess = n.n < '3', n.isNull = (n.n = null)": ['IncomparableTypes 1:28', 'ComparisonWithNull 1:51'],
    "CREATE (:A {isLess: 1 < '3'})": ['IncomparableTypes 1:21'],
    "FOREACH (x IN [1 < 'a'] | CREATE (:A {isLess: 2 = 'z'}))": ['IncomparableTypes 1:16', 'IncomparableTypes 1:47'],
    'MATCH (n:A) SET n.isLess = 1 < 2, n.neverSeen = 1': [],
  };
  for (const [query, warnings] of Object.entries(expected)) {
    const { notifications = [] } = await engine.execute(query, new Map([['text', '3']]));
    const found = notifications.map(({ code, line, column }) => `${code.split('.').at(-1)} ${line}:${column}`);
    assert.deepEqual(found, warnings, query);
  }
});

test('names that nothing has are warned of where they stand, whatever text was planned first', async (context) => {
  const engine = await opened(context);
  const warnings = async (query: string): Promise<string[]> =>
    ((await engine.execute(query, new Map())).notifications ?? []).map(
      ({ code, line, column, description }) =>
        `${code.split('.').at(-1)} ${line}:${column} ${/did you mean `(.*)`/.exec(description)?.[1] ?? '-'}`,
    );
  assert.deepEqual(await warnings('MATCH (n:A {n: 1}) RETURN n.n'), []);
  assert.deepEqual(await warnings('MATCH (n:A {n: 1})-[:KNOWN]->(m:Zed)\nRETURN m.w, m.nope'), [
    'UnknownRelationshipTypeWarning 1:22 KNOWS',
    'UnknownLabelWarning 1:33 -',
    'UnknownPropertyKeyWarning 2:13 -',
  ]);
  assert.deepEqual(await warnings('MATCH (n:A {n: 12345})-[:KNOWN]->(m:Zed)\nRETURN m.w, m.nope'), [
    'UnknownRelationshipTypeWarning 1:26 KNOWS',
    'UnknownLabelWarning 1:37 -',
    'UnknownPropertyKeyWarning 2:13 -',
  ]);
  assert.deepEqual(await warnings('MERGE (n:Zed {nope: 1}) SET n.more = 2 RETURN n.more'), []);
  assert.deepEqual(await warnings('MATCH (m:Zed) RETURN m.nope'), []);
});

test('nodes of the same keys are one group, in whatever order they came to have them', async (context) => {
  const engine = await opened(context);
  await rows(engine, 'CREATE (:K {p: 1, q: 2}) CREATE (:K:L {q: 3, p: 4}) CREATE (n:M:K) SET n.q = 1 SET n.p = 2');
  assert.deepEqual(await rows(engine, 'MATCH (n:K) RETURN keys(n), count(*)'), [[['p', 'q'], 3]]);
});

test('the shortest of paths whose steps are groups, with conditions on the steps and on what was chosen', async (context) => {
  const engine = await openEngine(`memory://statements-${databases++}`);
  context.after(() => engine.close());
  await rows(
    engine,
    'CREATE (a:P {n: 1})-[:R {w: 1}]->(b:P {n: 2})-[:R {w: 2}]->(c:P:Q {n: 3})-[:R {w: 3}]->(d:P {n: 4}), (a)-[:R {w: 9}]->(c), ' +
      '(c)-[:S]->(a)',
  );
  const expected: Record<string, ResultValue[][]> = {
    'MATCH SHORTEST 1 (:P {n: 1}) ((x)-[r:R]->(y))+ (:P {n: 4}) RETURN [i IN x | i.n], [i IN y | i.n], [i IN r | i.w]': [
      [
        [1, 3],
        [3, 4],
        [9, 3],
      ],
    ],
    'MATCH SHORTEST 1 (:P {n: 1}) ((x)-[r:R]->(y) WHERE r.w < 9)+ (:P {n: 4}) RETURN [i IN x | i.n]': [[[1, 2, 3]]],
    'MATCH SHORTEST 1 (:P {n: 1}) ((x)-[r:R WHERE r.w <> 9]->(y:P {n: y.n}))+ (:P {n: 3}) RETURN size(y)': [[2]],
    'MATCH SHORTEST 1 (:P {n: 1}) ((x WHERE x.n + 1 = y.n)-[r]->(y))+ (z:P) RETURN z.n, size(r) ORDER BY z.n': [
      [2, 1],
      [3, 2],
      [4, 3],
    ],
    'MATCH p = SHORTEST 2 (:P {n: 1}) (()-[:R]->())+ (:P {n: 4}) RETURN length(p) ORDER BY length(p)': [[2], [3]],
    'MATCH p = ALL SHORTEST (:P {n: 1}) ((x)<-[r]-(y)){0,2} (z) RETURN z.n, length(p) ORDER BY z.n': [
      [1, 0],
      [2, 2],
      [3, 1],
    ],
    'MATCH SHORTEST 1 (:P {n: 1}) ((x)-[:R]->(y) WHERE EXISTS { (y)-[:R]->() })+ (z) RETURN z.n ORDER BY z.n': [[2], [3]],
    'MATCH SHORTEST 1 (:P {n: 1})-[r:R]->+(:P {n: 4}) WHERE all(i IN r WHERE i.w < 9) RETURN size(r)': [],
    'MATCH p = shortestPath((:P {n: 1})-[r:R*]->(:P {n: 4})) WHERE all(i IN r WHERE i.w < 9) RETURN length(p)': [[3]],
  };
  for (const [query, answer] of Object.entries(expected)) assert.deepEqual(await rows(engine, query), answer, query);
});

test('batches of a subquery that only reads, with every answer to a fault', async (context) => {
  const engine = await opened(context);
  const batches = (tail: string): string => `UNWIND [2, 0, 1] AS i CALL (i) { RETURN 10 / i AS x } IN ${tail}`;
  assert.deepEqual(await rows(engine, 'UNWIND [1, 2] AS i CALL (i) { RETURN i * 2 AS x } IN TRANSACTIONS OF 1 ROW RETURN x'), [[2], [4]]);
  assert.deepEqual(await rows(engine, `${batches('2 CONCURRENT TRANSACTIONS OF 1 ROW ON ERROR CONTINUE')} RETURN i, x`), [
    [2, 5],
    [0, null],
    [1, 10],
  ]);
  assert.deepEqual(
    await rows(engine, `${batches('TRANSACTIONS OF 1 ROW ON ERROR BREAK REPORT STATUS AS s')} RETURN i, x, s.started, s.committed`),
    [
      [2, 5, true, true],
      [0, null, true, false],
      [1, null, false, false],
    ],
  );
  for (const tail of ['TRANSACTIONS', 'TRANSACTIONS ON ERROR FAIL']) {
    await assert.rejects(rows(engine, `${batches(tail)} RETURN x`), { code: 'ARITHMETIC_ERROR' });
  }
  await assert.rejects(rows(engine, `${batches('TRANSACTIONS OF 0 ROWS')} RETURN x`), { code: 'ARGUMENT_ERROR' });
});

test('of a property that is written down twice the last value counts, and the log can be read again', async () => {
  const name = `memory://statements-${databases++}`;
  const engine = await openEngine(name);
  await rows(engine, 'CREATE (:Twice {a: 1, b: 2, a: 3})-[:R {w: 1, w: null}]->(:Other {a: null, a: 4})');
  await engine.close();
  const again = await openEngine(name);
  assert.deepEqual(await rows(again, 'MATCH (n:Twice)-[r]->(m) RETURN n.a, n.b, r.w, m.a'), [[3, 2, null, 4]]);
  await again.close();
});

test('a range is unwound up to the ends of 64 bits', async (context) => {
  const engine = await opened(context);
  const expected: Record<string, ResultValue[][]> = {
    'UNWIND range(9007199254740991, 9007199254740993) AS x RETURN x - 1': [[9007199254740990], [9007199254740991], [9007199254740992n]],
    'UNWIND range(9223372036854775807, 9223372036854775800, -5) AS x RETURN x': [[9223372036854775807n], [9223372036854775802n]],
    'UNWIND range(1, 9223372036854775807) AS x RETURN x LIMIT 2': [[1], [2]],
    'UNWIND range(9223372036854775807, 1) AS x RETURN x': [],
  };
  for (const [query, answer] of Object.entries(expected)) assert.deepEqual(await rows(engine, query), answer, query);
  await assert.rejects(rows(engine, 'UNWIND range(1, 9223372036854775807, 0) AS x RETURN x'), { code: 'ARGUMENT_ERROR' });
});

test('the internal identifier is no property of an index or a constraint', async (context) => {
  const engine = await opened(context);
  const commands = ['CREATE INDEX FOR (n:A) ON (n.n, n._id)', 'CREATE CONSTRAINT FOR (n:A) REQUIRE n._id IS NOT NULL'];
  for (const command of commands) await assert.rejects(rows(engine, command), { code: 'SEMANTIC_ERROR' }, command);
});

test('a subquery that aggregates over no list of its own aggregates for each row', async (context) => {
  const engine = await opened(context);
  const expected: Record<string, ResultValue[][]> = {
    'MATCH (n) CALL (n) { MATCH (n)-[:KNOWS]->(m) RETURN count(m) AS c } RETURN labels(n)[0] AS l, c ORDER BY l': [
      ['A', 1],
      ['B', 0],
      ['C', 0],
    ],
    'MATCH (n) CALL (n) { RETURN count(n) AS c, sum(n.n) AS s } RETURN labels(n)[0] AS l, c, s ORDER BY l': [
      ['A', 1, 1],
      ['B', 1, 0],
      ['C', 1, 0],
    ],
    'MATCH (n)-->(m) CALL (m) { MATCH (m)-[r]-() RETURN count(*) AS c, sum(r.w) AS s } RETURN labels(m)[0] AS l, c, s ORDER BY l': [
      ['B', 2, 3],
      ['C', 1, 2],
    ],
    'MATCH (n)-->(m) RETURN labels(m)[0] AS l, COUNT { MATCH (m)--(o) RETURN sum(o.n) AS s } AS c ORDER BY l': [
      ['B', 1],
      ['C', 1],
    ],
  };
  for (const [query, answer] of Object.entries(expected)) assert.deepEqual(await rows(engine, query), answer, query);
});

test('CONTAINS over nodes of several tables, some without the property', async (context) => {
  const engine = await opened(context);
  const word = '$w + toString(i * 7919)';
  const params = new Map([['w', 'wörd ']]);
  await engine.execute(
    `UNWIND range(0, 399) AS i CREATE (:T {t: ${word}}), (:T:U {t: toString(i) + ' ' + ${word}}), (:T:V {x: i})`,
    params,
  );
  for (const part of ['79', 'örd 15', ' ', '', '7 wörd', 'nothing']) {
    const asked = new Map([['part', part]]);
    const found = await engine.execute('MATCH (n:T) WHERE n.t CONTAINS $part RETURN count(*)', asked);
    const without = await engine.execute('MATCH (n:T) WHERE NOT n.t CONTAINS $part RETURN count(*)', asked);
    const expected = await engine.execute('MATCH (n:T) WITH collect(n.t) AS texts RETURN size([t IN texts WHERE t CONTAINS $part])', asked);
    assert.deepEqual(found.rows, expected.rows, part);
    assert.equal(Number(found.rows[0]![0]) + Number(without.rows[0]![0]), 800, part);
  }
});

test('both bounds of a property are asked as one: the second fails only where the first has let something through', async (context) => {
  const engine = await opened(context);
  await engine.execute(
    "UNWIND range(0, 9) AS i CREATE (:D {i: i, f: i / 2.0, day: date('2020-01-01') + duration({days: i})}), (:D {i: i})",
    new Map(),
  );
  const count = async (where: string, params: Record<string, string | number> = {}): Promise<ResultValue> =>
    (await engine.execute(`MATCH (d:D) WHERE ${where} RETURN count(*)`, new Map(Object.entries(params)))).rows[0]![0]!;
  assert.equal(await count("d.day >= date('2020-01-03') AND d.day < date('2020-01-06')"), 3);
  assert.equal(await count('d.day > date($from) AND d.day <= date($to)', { from: '2020-01-03', to: '2020-01-06' }), 3);
  assert.equal(await count('d.i >= $low AND d.i < $high', { low: 2, high: 5 }), 6);
  assert.equal(await count('d.f >= 0.5 AND d.f < 1.5 AND d.i < 2'), 1);
  assert.equal(await count('NOT (d.i >= 2 AND d.i < 5)'), 14);
  assert.equal(await count("d.day >= date('2021-01-01') AND d.day < date($to)", { to: 'no day' }), 0);
  await assert.rejects(count("d.day >= date('2020-01-03') AND d.day < date($to)", { to: 'no day' }), { code: 'ARGUMENT_ERROR' });
  await assert.rejects(count('d.day >= date($from) AND d.day < date($to)', { from: 'none', to: '2020-01-06' }), { code: 'ARGUMENT_ERROR' });
  assert.equal(await count('d.day >= $x AND d.day < $y', { x: 1, y: 'a' }), 0);
});
