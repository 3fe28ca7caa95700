/**
 * EXISTS, COUNT and COLLECT over queries that are joined by UNION, wherever an expression can stand; and the names that
 * a subquery may give.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Engine, type EngineParts, openEngine, ReadWorkers } from '../../src/engine/index.ts';
import type { ResultValue } from '../../src/value/index.ts';
import { type Random, seededRandom } from '../support/random.ts';

/** All of its reads are made by a worker. */
const workers = new ReadWorkers({ count: 1, firstSliceMs: 0 });
after(() => workers.close());

let databases = 0;

async function opened(parts: EngineParts, ...statements: string[]): Promise<Engine> {
  const engine = await openEngine(`memory://subqueries-${databases++}`, {}, parts);
  for (const statement of statements) await engine.execute(statement, new Map());
  return engine;
}

async function rows(engine: Engine, query: string): Promise<ResultValue[][]> {
  return (await engine.execute(query, new Map())).rows;
}

function randomGraph(random: Random): string {
  const nodes = Array.from({ length: 8 }, (_, n) => `(n${n}:${random.pick(['A', 'B', 'A:B'])} {n: ${n}})`);
  const relationships = Array.from(
    { length: 16 },
    () => `(n${random.between(0, 7)})-[:${random.pick(['R', 'R', 'S'])} {w: ${random.between(1, 3)}}]->(n${random.between(0, 7)})`,
  );
  return `CREATE ${[...nodes, ...relationships].join(', ')}`;
}

/** Queries about `n` without RETURN: what is counted by degrees, joined or walked where it stands alone, and what is none of it. */
const PARTS = [
  'MATCH (n)-[:R]->()',
  'MATCH (n)<-[:S]-(:A)',
  'MATCH (n)-[r]-(m) WHERE r.w > m.n',
  'MATCH (n)-[:R*1..2]->(m:B)',
  'MATCH (m:A {n: n.n})',
  'OPTIONAL MATCH (n)-[:S]->(m)',
  'UNWIND range(1, n.n % 3) AS i',
  'MATCH (n)-->(m) WITH m LIMIT 1',
  'MATCH (n)-->(m) WHERE EXISTS { MATCH (m)-[:S]->() UNION MATCH (m)<-[:R]-(n) }',
  'CALL (n) { MATCH (n)-->(m) RETURN m UNION MATCH (n)<--(m) RETURN m }',
];

/** Places for an expression about `n`. */
const PLACES: readonly ((expression: string) => string)[] = [
  (expression) => `MATCH (n) RETURN n.n, ${expression} AS x ORDER BY n.n`,
  (expression) => `MATCH (n) RETURN n.n ORDER BY ${expression} DESC, n.n`,
  (expression) => `MATCH (n) WITH n, ${expression} AS x RETURN collect(x) AS xs, count(*) AS c`,
  (expression) => `MATCH (n) RETURN collect(${expression}) AS xs`,
  (expression) => `MATCH (n) RETURN ${expression} AS key, count(*) AS c ORDER BY key`,
  (expression) =>
    `MATCH (n) RETURN n.n, CASE ${expression} WHEN true THEN 't' WHEN 0 THEN 'none' WHEN 1 THEN 'one' ELSE 'else' END AS x ORDER BY n.n`,
  (expression) => `MATCH (n) RETURN n.n, [j IN [1, 2] | toString(${expression})] AS x ORDER BY n.n`,
];

const CONDITIONS: readonly ((condition: string) => string)[] = [
  (condition) => `MATCH (n) WHERE ${condition} RETURN n.n ORDER BY n.n`,
  (condition) => `MATCH (n) WHERE NOT ${condition} RETURN n.n ORDER BY n.n`,
  (condition) => `MATCH (n) WHERE ${condition} OR n.n = 0 RETURN n.n ORDER BY n.n`,
  (condition) => `MATCH (n:A)-->(o WHERE o.n > 1) WHERE ${condition} RETURN count(*)`,
  (condition) => `MATCH (n) WITH n WHERE ${condition} RETURN DISTINCT n.n ORDER BY n.n`,
  (condition) => `MATCH (o) RETURN o.n, COUNT { MATCH (o)-->(n) WHERE ${condition} } AS c ORDER BY o.n`,
];

for (const [name, parts] of [
  ['on the main thread', {}],
  ['in a worker', { workers }],
] as const) {
  test(`a union without RETURN has the rows of its parts, ${name}`, async () => {
    let asked = 0;
    for (let seed = 1; seed <= 2; seed++) {
      const engine = await opened(parts, randomGraph(seededRandom(seed)));
      const random = seededRandom(seed + 100);
      const same = async (place: (expression: string) => string, union: string, expected: string): Promise<void> => {
        assert.deepEqual(await rows(engine, place(union)), await rows(engine, place(expected)), place(union));
        asked++;
      };
      for (const part of PARTS) {
        const other = random.pick(PARTS);
        const exists = `(EXISTS { ${part} } OR EXISTS { ${other} })`;
        for (const place of [...PLACES, ...CONDITIONS]) {
          await same(place, `EXISTS { ${part} UNION ${other} }`, exists);
          await same(place, `EXISTS { ${part} UNION ALL ${other} UNION ALL ${part} }`, exists);
        }
        const counted = `(COUNT { ${part} } + COUNT { ${other} })`;
        for (const place of PLACES) await same(place, `COUNT { ${part} UNION ALL ${other} }`, counted);
        for (const place of CONDITIONS) await same(place, `COUNT { ${part} UNION ALL ${other} } > 2`, `${counted} > 2`);
      }
      await engine.close();
    }
    assert.equal(asked, 2 * PARTS.length * 39);
  });
}

const PETS = `CREATE (andy:Swedish:Person {name: 'Andy', age: 36}), (timothy:Person {name: 'Timothy', age: 25}),
  (peter:Person {name: 'Peter', age: 35}), (andy)-[:HAS_DOG]->(:Dog {name:'Andy'}), (timothy)-[:HAS_CAT]->(:Cat {name:'Mittens'}),
  (fido:Dog {name:'Fido'})<-[:HAS_DOG]-(peter)-[:HAS_DOG]->(:Dog {name:'Ozzy'}), (peter)-[:HAS_CAT]->(:Cat {name: 'Ozzy'})`;

test('what RETURN says decides which rows of a distinct union are one', async () => {
  const engine = await opened({}, PETS);
  const pets = (mode: string, union: string, returned: string): string =>
    `MATCH (p:Person) RETURN p.name, ${mode} { MATCH (p)-[:HAS_DOG]->(d) ${returned} ${union} MATCH (p)-[:HAS_CAT]->(d) ` +
    `${returned} } AS x ORDER BY p.name`;
  const column = async (query: string): Promise<ResultValue[]> => (await rows(engine, query)).map((row) => row[1]!);
  assert.deepEqual(await column(pets('COUNT', 'UNION', 'RETURN d.name AS name')), [1, 2, 1]);
  assert.deepEqual(await column(pets('COUNT', 'UNION ALL', 'RETURN d.name AS name')), [1, 3, 1]);
  assert.deepEqual(await column(pets('COUNT', 'UNION ALL', '')), [1, 3, 1]);
  assert.deepEqual(await column(pets('COUNT', 'UNION', 'RETURN 1 AS one')), [1, 1, 1]);
  assert.deepEqual(await column(pets('EXISTS', 'UNION', 'RETURN d')), [true, true, true]);
  assert.deepEqual(await column(pets('EXISTS', 'UNION', '')), [true, true, true]);
  assert.deepEqual(await column(pets('COLLECT', 'UNION', "WITH d ORDER BY d.name RETURN 'x' + d.name AS name")), [
    ['xAndy'],
    ['xFido', 'xOzzy'],
    ['xMittens'],
  ]);
  for (const [mode, union] of [
    ['COUNT', 'UNION'],
    ['COUNT', 'UNION DISTINCT'],
    ['COLLECT', 'UNION'],
    ['COLLECT', 'UNION ALL'],
  ] as const) {
    await assert.rejects(rows(engine, pets(mode, union, '')), { code: 'SYNTAX_ERROR', tck: fault('InvalidClauseComposition') }, mode);
  }
  for (const [first, second] of [
    ['RETURN d', ''],
    ['', 'RETURN d'],
  ]) {
    const query = `MATCH (p) RETURN EXISTS { MATCH (p)-->(d) ${first} UNION ALL MATCH (p)<--(d) ${second} }`;
    await assert.rejects(rows(engine, query), { tck: fault('DifferentColumnsInUnion') }, query);
  }
  await engine.close();
});

test('a union without RETURN is asked anew for each row of a statement that writes', async () => {
  const engine = await opened({}, PETS);
  const { rows: found } = await engine.execute(
    `MATCH (p:Person) SET p.pets = COUNT { MATCH (p)-[:HAS_DOG]->() UNION ALL MATCH (p)-[:HAS_CAT]->() }
     FOREACH (_ IN CASE WHEN EXISTS { MATCH (p)-[:HAS_CAT]->() UNION MATCH (p)-[:NONE]->() } THEN [1] ELSE [] END | SET p:CatPerson)
     RETURN p.name, p.pets, p:CatPerson ORDER BY p.name`,
    new Map(),
  );
  assert.deepEqual(found, [
    ['Andy', 1, false],
    ['Peter', 3, true],
    ['Timothy', 1, true],
  ]);
  await engine.execute('CALL { CREATE (:X) UNION UNWIND [1, 2] AS i CREATE (:X) }', new Map());
  await engine.execute('CREATE (:X) UNION ALL CREATE (:X)', new Map());
  assert.deepEqual(await rows(engine, 'MATCH (x:X) RETURN count(*)'), [[5]]);
  assert.deepEqual(await rows(engine, 'UNWIND [1, 2] AS i CALL (i) { CREATE (:Y) UNION UNWIND [1, 2] AS j CREATE (:Y) } RETURN i'), [
    [1],
    [2],
  ]);
  assert.deepEqual(await rows(engine, 'MATCH (y:Y) RETURN count(*)'), [[6]]);
  await engine.close();
});

const fault = (detail: string) => ({ type: 'SyntaxError', phase: 'compile time', detail });

test('a subquery gives no name that is there outside', async () => {
  const engine = await opened({}, PETS);
  const refused = [
    "WITH 'Peter' AS name MATCH (p:Person {name: name}) WHERE EXISTS { WITH 'Ozzy' AS name MATCH (p)-->(d {name: name}) } RETURN p",
    "WITH 'Peter' AS name MATCH (p:Person {name: name}) WHERE COUNT { WITH 'Ozzy' AS name MATCH (p)-->(d {name: name}) } = 1 RETURN p",
    'MATCH (a) RETURN COUNT { MATCH (a)-->(b) WITH b AS a MATCH (b)-->(c) RETURN a }',
    'MATCH (a) RETURN COUNT { MATCH (b) RETURN b AS a UNION MATCH (a) RETURN a }',
    'MATCH (a) RETURN COUNT { MATCH (a) RETURN a UNION ALL MATCH (b) RETURN b AS a }',
    'MATCH (a) RETURN COLLECT { MATCH (a)-->(b) RETURN b.name AS a }',
    'MATCH (a) RETURN EXISTS { MATCH (b) WITH b, count(*) AS a RETURN b }',
    'MATCH (a) RETURN EXISTS { UNWIND [1] AS a RETURN 1 }',
    'MATCH (a) RETURN EXISTS { FOR a IN [1] RETURN 1 }',
    'MATCH (a) RETURN EXISTS { LET a = 1 RETURN 1 }',
    'MATCH (a) RETURN EXISTS { CALL db.labels() YIELD label AS a RETURN 1 }',
    'MATCH (a) RETURN EXISTS { CALL { RETURN 1 AS a } RETURN 1 }',
    'MATCH (a) RETURN EXISTS { MATCH a = (b)-->(c) }',
    'MATCH (a) RETURN EXISTS { MATCH (b) WHERE EXISTS { WITH 1 AS a MATCH (c) } }',
    'MATCH (a) RETURN EXISTS { MATCH (b) WHERE EXISTS { WITH 1 AS b MATCH (c) } }',
    'MATCH (a) CALL (a) { WITH 1 AS a RETURN a AS y } RETURN y',
    'MATCH (a) CALL (a) { MATCH (b) WITH b AS a RETURN a AS y } RETURN y',
    'MATCH (a) CALL (*) { WITH 1 AS a RETURN a AS y } RETURN y',
    'MATCH (a) CALL (a) { RETURN a {.name} } RETURN a',
    'MATCH (a) RETURN EXISTS { WITH a {.name} RETURN 1 }',
  ];
  for (const query of refused) {
    await assert.rejects(rows(engine, query), (error: { code: string; line: number; column: number; tck: { detail: string } }) => {
      assert.equal(error.code, 'SEMANTIC_ERROR', query);
      assert.equal(error.tck.detail, 'VariableAlreadyBound', query);
      assert.equal(error.line, 1, query);
      // The place is that of the name.
      assert.match(query.slice(error.column - 1), /^(a|b|name)\b/, query);
      return true;
    });
  }
  const accepted = [
    'MATCH (a) RETURN COUNT { MATCH (a)-->(b) WITH b AS c MATCH (c)-->(d) RETURN a }',
    'MATCH (a) WHERE COUNT { MATCH (a) RETURN * } > 3 RETURN a',
    'MATCH (a) RETURN COUNT { RETURN * }',
    'MATCH (a) RETURN COUNT { WITH a RETURN 1 }',
    'MATCH (a) RETURN COUNT { WITH a AS a RETURN 1 }',
    'MATCH (a) RETURN COUNT { WITH * RETURN 1 }',
    'MATCH (a) RETURN COUNT { MATCH (b) WHERE any(a IN [1, 2] WHERE a = 1) AND [a IN [1] | a] = [1] }',
    'MATCH (a) RETURN COUNT { MATCH (b) RETURN reduce(a = 0, x IN [1] | a + x) }',
    'MATCH (a) RETURN COUNT { CALL { MATCH (a) RETURN 1 AS b } RETURN b }',
    'WITH 1 AS x, 2 AS y RETURN COUNT { CALL { WITH y WITH y, 3 AS x MATCH (n) WHERE n.prop = x RETURN 1 AS a } RETURN a }',
    'WITH 1 AS n RETURN COUNT { WITH 1 AS a CALL (a) { WITH 3 AS n RETURN a + n AS result } RETURN result }',
    'WITH 10 AS a CALL { WITH a WITH 2 AS a RETURN a AS y } RETURN *',
    'WITH 10 AS a CALL (a) { WITH a AS a RETURN a AS y } RETURN *',
    'WITH 10 AS a CALL (a) { WITH * MATCH (b) RETURN * } RETURN count(*)',
    'MATCH (a) RETURN a.name AS x ORDER BY COUNT { MATCH (a)-->(b) RETURN a.name }',
    'MATCH (a) RETURN a.name ORDER BY COUNT { MATCH (a)-->(b) RETURN a.name }',
  ];
  for (const query of accepted) await assert.doesNotReject(rows(engine, query), query);
  assert.deepEqual(await rows(engine, 'MATCH (a:Person) RETURN DISTINCT COUNT { RETURN * }, COUNT { RETURN * UNION RETURN * }'), [[1, 1]]);
  await engine.close();
});

test('a map projection is named after its variable', async () => {
  const engine = await opened({}, PETS);
  const columns = async (query: string) => (await engine.execute(query, new Map())).columns;
  assert.deepEqual(await columns('MATCH (n:Dog) RETURN n {.name}'), ['n']);
  assert.deepEqual(await columns('MATCH (n:Dog) RETURN n{.*}, (n {.name}).name, n {.name} AS m'), ['n', '(n {.name}).name', 'm']);
  assert.deepEqual(await columns('MATCH (n:Dog) RETURN n{.*} UNION MATCH (n:Cat) RETURN n'), ['n']);
  assert.deepEqual(await rows(engine, 'MATCH (n:Dog) WITH n {.name, size: 1} ORDER BY n.name RETURN collect(n.name), sum(n.size)'), [
    [['Andy', 'Fido', 'Ozzy'], 3],
  ]);
  assert.deepEqual(
    await rows(engine, 'MATCH (p:Person) CALL (p) { MATCH (p)-[:HAS_CAT]->(c) RETURN c {.name} } RETURN c.name ORDER BY c.name'),
    [['Mittens'], ['Ozzy']],
  );
  assert.deepEqual(
    await rows(engine, 'MATCH (p:Person)-[:HAS_DOG]->(d) WITH p {.name}, count(d) AS dogs RETURN p.name, dogs ORDER BY dogs'),
    [
      ['Andy', 1],
      ['Peter', 2],
    ],
  );
  await assert.rejects(rows(engine, 'MATCH (n) RETURN n, n {.name}'), { code: 'SEMANTIC_ERROR' });
  await engine.close();
});
