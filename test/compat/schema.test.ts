/**
 * Constraints and indexes as users see them: enforced in statements, transactions and races, on what was there before,
 * and after a flush and reopening.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { ResultValue, Value } from '../../src/value/index.ts';

const VIOLATION = { code: 'CONSTRAINT_VIOLATION' };

let databases = 0;

/** Without a URI, a new database. */
async function opened(context: TestContext, uri = `memory://schema-${databases++}`): Promise<Engine> {
  const engine = await openEngine(uri);
  context.after(() => engine.close());
  return engine;
}

async function rows(engine: Engine, query: string): Promise<ResultValue[][]> {
  return (await engine.execute(query, new Map())).rows;
}

async function runAll(engine: Engine, ...queries: string[]): Promise<void> {
  for (const query of queries) await rows(engine, query);
}

test('a constraint is refused when what is there violates it, and leaves nothing behind', async (context) => {
  const engine = await opened(context);
  await rows(engine, 'CREATE (:A {x: 1, y: 1}), (:A {x: 1, y: 2}), (:A {y: 3}), ()-[:R]->()');
  for (const rule of ['n.x IS UNIQUE', 'n.x IS NOT NULL', 'n.x IS NODE KEY', '(n.x, n.y) IS NODE KEY'])
    await assert.rejects(rows(engine, `CREATE CONSTRAINT FOR (n:A) REQUIRE ${rule}`), VIOLATION, rule);
  await rows(engine, 'MATCH (a:A {x: 1}) CREATE (a)-[:S {w: 1}]->(a)');
  for (const rule of [
    '-[r:R]-() REQUIRE r.w IS NOT NULL',
    '-[r:S]-() REQUIRE r.w IS UNIQUE',
    '-[r:R]-() REQUIRE r.w IS REL KEY',
    '-[r:S]-() REQUIRE r.w IS :: STRING',
  ])
    await assert.rejects(rows(engine, `CREATE CONSTRAINT FOR ()${rule}`), VIOLATION, rule);
  await assert.rejects(rows(engine, 'CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS :: STRING | FLOAT'), VIOLATION);
  assert.deepEqual(await rows(engine, 'SHOW CONSTRAINTS'), []);
  assert.deepEqual(await rows(engine, 'SHOW INDEXES'), []);
  await runAll(engine, 'CREATE CONSTRAINT FOR (n:A) REQUIRE (n.x, n.y) IS UNIQUE', 'CREATE (:A {x: 1})', 'CREATE (:A {x: 1})');
});

test('every way to violate a constraint is refused and undone', async (context) => {
  const engine = await opened(context);
  await runAll(
    engine,
    'CREATE CONSTRAINT u FOR (n:A) REQUIRE n.x IS UNIQUE',
    'CREATE CONSTRAINT e FOR (n:B) REQUIRE n.y IS NOT NULL',
    'CREATE CONSTRAINT k FOR (n:C) REQUIRE (n.p, n.q) IS NODE KEY',
    'CREATE CONSTRAINT r FOR ()-[r:R]-() REQUIRE r.w IS NOT NULL',
    'CREATE CONSTRAINT s FOR ()-[r:S]-() REQUIRE r.w IS UNIQUE',
    'CREATE CONSTRAINT t FOR ()-[r:T]-() REQUIRE (r.p, r.q) IS RELATIONSHIP KEY',
    'CREATE CONSTRAINT nt FOR (n:A) REQUIRE n.name IS :: STRING',
    'CREATE CONSTRAINT rt FOR ()-[r:R]-() REQUIRE r.list IS :: LIST<INTEGER NOT NULL>',
    "CREATE (:A {x: 1}), (:A {x: 2}), (:B {y: 1}), (:C {p: 1, q: 'a'}), (:D {x: 1}), (:D)-[:R {w: 1}]->(:D)",
    "MATCH (a:A {x: 1}) CREATE (a)-[:S {w: 1}]->(a), (a)-[:S {w: 2}]->(a), (a)-[:T {p: 1, q: 'a'}]->(a)",
  );
  for (const query of [
    'CREATE (:A {x: 1})',
    'CREATE (:A {x: 1.0})',
    'CREATE (:A {x: 7}), (:A {x: 7})',
    'MATCH (n:A {x: 2}) SET n.x = 1',
    'MATCH (n:D {x: 1}) SET n:A',
    'CREATE (:B)',
    'MATCH (n:B) SET n.y = null',
    'MATCH (n:B) REMOVE n.y',
    'MATCH (n:B) SET n = {}',
    'MATCH (n:A {x: 1}) SET n:B',
    'CREATE (:C {p: 1})',
    "CREATE (:C {p: 1, q: 'a'})",
    'CREATE (:D)-[:R]->(:D)',
    'MATCH ()-[r:R]->() REMOVE r.w',
    'MERGE (:A {x: 1, other: true})',
    'UNWIND [5, 6, 1] AS x CREATE (:A {x: x})',
    'MATCH (a:A {x: 1}), (b:B) CREATE (a)-[:S {w: 1.0}]->(b)',
    'MATCH ()-[r:S {w: 2}]->() SET r.w = 1',
    'MATCH (a:A {x: 1}) CREATE (a)-[:T {p: 1}]->(a)',
    "MATCH (a:A {x: 1}) CREATE (a)-[:T {p: 1, q: 'a'}]->(a)",
    'MATCH ()-[r:T]->() REMOVE r.q',
    'MATCH (n:A {x: 1}) SET n.name = 7',
    'CREATE (:A {name: true})',
    "MATCH ()-[r:R]->() SET r.list = [1, 'a']",
  ]) {
    const whole = 'MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN labels(n), properties(n), type(r), properties(r) ORDER BY id(n), id(r)';
    const before = await rows(engine, whole);
    await assert.rejects(rows(engine, query), VIOLATION, query);
    assert.deepEqual(await rows(engine, whole), before, query);
  }
  await runAll(engine, 'MATCH ()-[r:S]->() SET r.w = 3 - r.w', "MATCH (n:A) SET n.name = 'text'", 'MATCH ()-[r:R]->() SET r.list = [1, 2]');
  await runAll(engine, 'MATCH (n:A {x: 1}) DETACH DELETE n', 'CREATE (:A {x: 1})', 'MATCH (n:A) SET n.x = n.x + 10', 'CREATE (:A {x: 1})');
});

test('constraints are checked at the commit: values may be exchanged within a statement', async (context) => {
  const engine = await opened(context);
  await runAll(engine, 'CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS UNIQUE', 'CREATE (:A {x: 1, i: 1}), (:A {x: 2, i: 2})');
  await rows(engine, 'MATCH (n:A) SET n.x = 3 - n.x');
  assert.deepEqual(await rows(engine, 'MATCH (n:A) RETURN n.i, n.x ORDER BY n.i'), [
    [1, 2],
    [2, 1],
  ]);
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute('CREATE (:A {x: 1})', new Map());
  await assert.rejects(transaction.commit(), VIOLATION);
  assert.deepEqual(await rows(engine, 'MATCH (n:A) RETURN count(n)'), [[2]]);
});

test('many callers that merge the same key make one node', async (context) => {
  const engine = await opened(context);
  await rows(engine, 'CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS UNIQUE');
  const callers = Array.from({ length: 40 }, (_, i) =>
    rows(engine, `MERGE (n:A {x: ${i % 4}}) ON CREATE SET n.made = 1 ON MATCH SET n.met = coalesce(n.met, 0) + 1`),
  );
  await Promise.all(callers);
  assert.deepEqual(
    await rows(engine, 'MATCH (n:A) RETURN n.x, n.made, n.met ORDER BY n.x'),
    [0, 1, 2, 3].map((x) => [x, 1, 9]),
  );
});

test('constraints and indexes hold after a flush, and after reopening', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-schema-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const uri = `file://${folder}?ns=schema`;
  const first = await openEngine(uri);
  await runAll(
    first,
    'UNWIND range(1, 500) AS x CREATE (:A {x: x, s: toString(x), t: x % 10})',
    'CREATE CONSTRAINT u FOR (n:A) REQUIRE n.x IS UNIQUE',
    'CREATE CONSTRAINT k FOR (n:A) REQUIRE (n.s, n.t) IS NODE KEY',
    'CREATE INDEX s FOR (n:A) ON (n.s)',
    'MATCH (n:A) CREATE (n)-[:R {x: n.x}]->(n)',
    'CREATE CONSTRAINT r FOR ()-[r:R]-() REQUIRE r.x IS REL KEY',
    'CREATE CONSTRAINT v FOR (n:A) REQUIRE n.x IS :: INTEGER',
    'CREATE LOOKUP INDEX l FOR (n) ON EACH labels(n)',
  );
  await first.flush();
  await assert.rejects(rows(first, "CREATE (:A {x: 17, s: 'new', t: 1})"), VIOLATION);
  await rows(first, 'MATCH (n:A {x: 18})-[r:R]->() SET n.x = 1018, r.x = 1018');
  await first.close();

  const second = await openEngine(uri);
  await assert.rejects(rows(second, "CREATE (:A {x: 1018, s: 'new', t: 1})"), VIOLATION);
  await assert.rejects(rows(second, "CREATE (:A {x: 5000, s: '17', t: 7})"), VIOLATION);
  await assert.rejects(rows(second, "CREATE (:A {x: 1.5, s: 'half', t: 7})"), VIOLATION);
  await assert.rejects(rows(second, 'MATCH (n:A {x: 17}) CREATE (n)-[:R {x: 1018}]->(n)'), VIOLATION);
  await assert.rejects(rows(second, 'CREATE ()-[:R {x: 17}]->()'), VIOLATION);
  await assert.rejects(rows(second, 'CREATE ()-[:R]->()'), VIOLATION);
  await runAll(second, 'MATCH ()-[r:R {x: 19}]->() DELETE r', 'CREATE ()-[:R {x: 18}]->()', 'CREATE ()-[:R {x: 19}]->()');
  assert.match(await second.explain('MATCH (a)-[r:R {x: 17}]->() RETURN a'), /RelationshipUniqueIndexSeek/);
  assert.deepEqual(await rows(second, 'MATCH (a)-[r:R {x: 1018}]->() RETURN a.x, r.x'), [[1018, 1018]]);
  await second.compact();
  assert.deepEqual(await rows(second, 'UNWIND [17, 18, 19, 1018] AS x MATCH (a)-[r:R {x: x}]->() RETURN x, a.x'), [
    [17, 17],
    [18, null],
    [19, null],
    [1018, 1018],
  ]);
  await runAll(second, "CREATE (:A {x: 18, s: 'new', t: 1})", 'DROP INDEX s', 'CREATE INDEX t FOR (n:A) ON (n.t)', 'DROP CONSTRAINT k');
  await second.close();

  const third = await opened(context, uri);
  await rows(third, "CREATE (:A {x: 6000, s: '17', t: 7})");
  assert.deepEqual(await rows(third, 'SHOW INDEXES YIELD name RETURN name ORDER BY name'), [['l'], ['r'], ['t'], ['u']]);
  assert.deepEqual(await rows(third, 'MATCH (a)-[r:R {x: 20}]-(b) RETURN a.x, b.x'), [[20, 20]]);
  await assert.rejects(rows(third, 'CREATE ()-[:R {x: 18}]->()'), VIOLATION);
  assert.deepEqual(await rows(third, "MATCH (n:A) WHERE n.s = '17' RETURN n.x ORDER BY n.x"), [[17], [6000]]);
});

test('the planner uses an index for equality, IN, ranges and prefixes, and the answers are those of a scan', async (context) => {
  const engine = await opened(context);
  await rows(engine, "UNWIND range(1, 1000) AS x CREATE (:A {x: x, s: 'k' + toString(x)}), (:A {x: x + 0.5})");
  const predicates = {
    'n.x = 7': 'NodeIndexSeek',
    'n.x IN [3, 9, null, 9]': 'NodeIndexSeek',
    'n.x > 997 AND n.x <= 999': 'NodeIndexSeekByRange',
    'n.x < 3': 'NodeIndexSeekByRange',
    "n.s STARTS WITH 'k99'": 'NodeIndexSeekByRange',
    "n.s >= 'k998'": 'NodeIndexSeekByRange',
    "n.x = 7 AND n.s = 'k7'": 'NodeIndexSeek',
  };
  const answer = (predicate: string) => rows(engine, `MATCH (n:A) WHERE ${predicate} RETURN n.x, n.s ORDER BY n.x, n.s`);
  const scanned = new Map<string, ResultValue[][]>();
  for (const predicate of Object.keys(predicates)) scanned.set(predicate, await answer(predicate));
  await runAll(engine, 'CREATE INDEX x FOR (n:A) ON (n.x)', 'CREATE INDEX s FOR (n:A) ON (n.s)');
  for (const [predicate, operator] of Object.entries(predicates)) {
    assert.match(await engine.explain(`MATCH (n:A) WHERE ${predicate} RETURN n.x, n.s`), new RegExp(`${operator} `), predicate);
    assert.ok((await answer(predicate)).length > 0, predicate);
    assert.deepEqual(await answer(predicate), scanned.get(predicate), predicate);
  }
});

test('indexes on relationships are used from either side and over several types, with the answers of a scan', async (context) => {
  const engine = await opened(context);
  await rows(
    engine,
    `UNWIND range(1, 1000) AS x CREATE (a:A {x: x}), (b:B {x: x})
     CREATE (a)-[:R {x: x, s: 'k' + toString(x)}]->(b), (b)-[:S {x: x}]->(a), (a)-[:R {x: x + 0.5}]->(a)`,
  );
  const questions = {
    '(a)-[r:R]->(b) WHERE r.x = 7': 'RelationshipIndexSeek',
    '(a)<-[r:R]-(b) WHERE r.x = 7': 'RelationshipIndexSeek',
    '(a)-[r:R]-(b) WHERE r.x IN [3, 9, null, 9, 9.5]': 'RelationshipIndexSeek',
    '(a)-[r:R|S]->(b:A) WHERE r.x = 7': 'RelationshipIndexSeek',
    '(a)-[r:R|S]-(b) WHERE r.x > 997 AND r.x <= 999': 'RelationshipIndexSeekByRange',
    "(a)-[r:R]->(b) WHERE r.s STARTS WITH 'k99'": 'RelationshipIndexSeekByRange',
    "(a)-[r:R {x: 7, s: 'k7'}]->(b)": 'RelationshipIndexSeek',
    '(a)-[r:S {x: 7}]->(b)-[q:R]->(c)': 'RelationshipIndexSeek',
  };
  const answer = (pattern: string) => rows(engine, `MATCH ${pattern} RETURN a.x, r.x, type(r), b.x ORDER BY a.x, r.x, type(r), labels(a)`);
  const scanned = new Map<string, ResultValue[][]>();
  for (const pattern of Object.keys(questions)) scanned.set(pattern, await answer(pattern));
  await runAll(
    engine,
    'CREATE INDEX FOR ()-[r:R]-() ON (r.x)',
    'CREATE TEXT INDEX FOR ()-[r:R]-() ON (r.s)',
    'CREATE INDEX FOR ()-[r:S]-() ON (r.x)',
  );
  for (const [pattern, operator] of Object.entries(questions)) {
    assert.match(await engine.explain(`MATCH ${pattern} RETURN a.x, b.x`), new RegExp(`${operator} `), pattern);
    assert.ok((await answer(pattern)).length > 0, pattern);
    assert.deepEqual(await answer(pattern), scanned.get(pattern), pattern);
  }
});

test('names of indexes and constraints may be parameters', async (context) => {
  const engine = await opened(context);
  const run = (query: string, name: Value) => engine.execute(query, new Map([['name', name]]));
  await run('CREATE INDEX $name FOR (n:A) ON (n.x)', 'ix');
  await run('CREATE CONSTRAINT $name FOR (n:A) REQUIRE n.y IS UNIQUE', 'cy 😀');
  await run('CREATE INDEX $name IF NOT EXISTS FOR ()-[r:R]-() ON (r.x)', 'ix');
  await assert.rejects(run('CREATE INDEX $name FOR ()-[r:R]-() ON (r.x)', 'ix'), VIOLATION);
  assert.deepEqual(await rows(engine, 'SHOW INDEXES YIELD name'), [['ix'], ['cy 😀']]);
  assert.deepEqual(await rows(engine, 'SHOW CONSTRAINTS YIELD name'), [['cy 😀']]);
  const statements = [
    'CREATE INDEX $name FOR (n:A) ON (n.z)',
    'CREATE INDEX $name IF NOT EXISTS FOR (n:A) ON (n.z)',
    'CREATE CONSTRAINT $name FOR (n:A) REQUIRE n.z IS NOT NULL',
    'DROP INDEX $name',
    'DROP INDEX $name IF EXISTS',
    'DROP CONSTRAINT $name IF EXISTS',
  ];
  for (const statement of statements) {
    for (const wrong of [null, 1, true, ['ix'], new Map()]) await assert.rejects(run(statement, wrong), { code: 'TYPE_ERROR' }, statement);
    await assert.rejects(run(statement, ''), { code: 'ARGUMENT_ERROR' }, statement);
    await assert.rejects(rows(engine, statement), { code: 'PARAMETER_MISSING' }, statement);
    assert.deepEqual((await run(`EXPLAIN ${statement}`, 'x')).columns, ['plan']);
  }
  await run('DROP INDEX $name', 'ix');
  await run('DROP INDEX $name IF EXISTS', 'ix');
  await assert.rejects(run('DROP INDEX $name', 'ix'), { code: 'ENTITY_NOT_FOUND' });
  await run('DROP CONSTRAINT $name', 'cy 😀');
  assert.deepEqual(await rows(engine, 'SHOW INDEXES'), []);
});

test('options of indexes and constraints are those of Neo4j, and others are refused', async (context) => {
  const engine = await opened(context);
  await runAll(
    engine,
    "CREATE INDEX a FOR (n:A) ON (n.a) OPTIONS {indexProvider: 'range-1.0', indexConfig: {}}",
    "CREATE TEXT INDEX b FOR (n:A) ON (n.b) OPTIONS {`indexProvider`: 'text-1.0'}",
    "CREATE LOOKUP INDEX c FOR (n) ON EACH labels(n) OPTIONS {indexProvider: 'token-lookup-1.0'}",
    'CREATE LOOKUP INDEX d FOR ()-[r]-() ON type(r)',
    "CREATE CONSTRAINT e FOR (n:A) REQUIRE n.e IS UNIQUE OPTIONS {indexProvider: 'range-1.0'}",
    'CREATE CONSTRAINT f FOR (n:A) REQUIRE (n.f, n.g) IS NODE KEY OPTIONS {}',
    'CREATE CONSTRAINT g FOR (n:A) REQUIRE n.g IS NOT NULL OPTIONS {}',
  );
  await engine.execute('CREATE INDEX h FOR (n:A) ON (n.h) OPTIONS $options', new Map([['options', new Map([['indexConfig', new Map()]])]]));
  const map = (...entries: [string, Value][]): Value => new Map(entries);
  const range = map(['indexConfig', map()], ['indexProvider', 'range-1.0']);
  assert.deepEqual(await rows(engine, "SHOW INDEXES YIELD name, options WHERE name IN ['a', 'c', 'e'] RETURN * ORDER BY name"), [
    ['a', range],
    ['c', map(['indexConfig', map()], ['indexProvider', 'token-lookup-1.0'])],
    ['e', range],
  ]);
  assert.deepEqual(await rows(engine, 'SHOW CONSTRAINTS YIELD name, options RETURN * ORDER BY name'), [
    ['e', range],
    ['f', range],
    ['g', null],
  ]);
  const refused: Record<string, string> = {
    "CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {indexProvider: 'text-1.0'}": 'ARGUMENT_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: {`spatial.cartesian.min`: [0.0, 0.0]}}': 'ARGUMENT_ERROR',
    "CREATE POINT INDEX FOR (n:A) ON (n.z) OPTIONS {indexProvider: 'range-1.0'}": 'ARGUMENT_ERROR',
    'CREATE POINT INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: {`spatial.other.min`: [0.0, 0.0]}}': 'ARGUMENT_ERROR',
    'CREATE POINT INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: {`spatial.cartesian.min`: [0.0]}}': 'ARGUMENT_ERROR',
    "CREATE POINT INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: {`spatial.wgs-84-3d.max`: [0.0, 'a', 1]}}": 'ARGUMENT_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {indexProvider: 1}': 'TYPE_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: {a: 1}}': 'ARGUMENT_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: [1]}': 'TYPE_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {provider: 1}': 'ARGUMENT_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS {indexConfig: 1 + 1}': 'ARGUMENT_ERROR',
    "CREATE CONSTRAINT FOR (n:A) REQUIRE n.z IS UNIQUE OPTIONS {indexProvider: 'text-2.0'}": 'ARGUMENT_ERROR',
    "CREATE CONSTRAINT FOR (n:A) REQUIRE n.z IS NOT NULL OPTIONS {indexProvider: 'range-1.0'}": 'ARGUMENT_ERROR',
    "CREATE CONSTRAINT FOR (n:A) REQUIRE n.z IS :: STRING OPTIONS {indexProvider: 'range-1.0'}": 'ARGUMENT_ERROR',
    'CREATE INDEX FOR (n:A) ON (n.z) OPTIONS $missing': 'PARAMETER_MISSING',
  };
  for (const [query, code] of Object.entries(refused)) await assert.rejects(rows(engine, query), { code }, query);
});

test('generated names never collide', async (context) => {
  const engine = await opened(context);
  const statements = [
    'CREATE INDEX FOR (n:A) ON (n.b)',
    'CREATE INDEX FOR (n:a) ON (n.b)',
    'CREATE INDEX FOR (n:A) ON (n.B)',
    'CREATE INDEX FOR (n:A_b) ON (n.c)',
    'CREATE INDEX FOR (n:A) ON (n.b_c)',
    'CREATE INDEX FOR (n:A) ON (n.b, n.c)',
    'CREATE INDEX FOR ()-[r:A]-() ON (r.b)',
    'CREATE TEXT INDEX FOR (n:A) ON (n.b)',
    'CREATE CONSTRAINT FOR (n:A) REQUIRE n.u IS UNIQUE',
    'CREATE CONSTRAINT FOR (n:A) REQUIRE n.u IS NOT NULL',
    'CREATE CONSTRAINT FOR (n:A) REQUIRE n.u IS :: STRING',
    'CREATE CONSTRAINT FOR (n:a) REQUIRE n.u IS UNIQUE',
    'CREATE CONSTRAINT FOR ()-[r:A]-() REQUIRE r.u IS UNIQUE',
  ];
  await runAll(engine, ...statements);
  for (const statement of statements) {
    await assert.rejects(rows(engine, statement), VIOLATION, statement);
    await rows(engine, statement.replace(/ FOR /, ' IF NOT EXISTS FOR '));
  }
  const names = await rows(engine, 'SHOW INDEXES YIELD name, owningConstraint WHERE owningConstraint IS NULL RETURN name');
  const constraints = await rows(engine, 'SHOW CONSTRAINTS YIELD name');
  assert.equal(names.length, 8);
  assert.equal(constraints.length, 5);
  assert.equal(new Set([...names, ...constraints].flat()).size, 13);
  for (const [name] of names) await engine.execute('DROP INDEX $name', new Map([['name', name as Value]]));
  for (const [name] of constraints) await engine.execute('DROP CONSTRAINT $name', new Map([['name', name as Value]]));
});

test('what cannot be beside an index or a constraint is refused, whatever the statement says', async (context) => {
  const engine = await opened(context);
  await runAll(
    engine,
    'CREATE INDEX index_x FOR (n:A) ON (n.x)',
    'CREATE INDEX index_r FOR ()-[r:R]-() ON (r.x)',
    'CREATE CONSTRAINT unique_y FOR (n:A) REQUIRE n.y IS UNIQUE',
    'CREATE CONSTRAINT key_z FOR (n:A) REQUIRE (n.z, n.w) IS NODE KEY',
    'CREATE CONSTRAINT there FOR (n:A) REQUIRE n.t IS NOT NULL',
    'CREATE CONSTRAINT typed FOR (n:A) REQUIRE n.t IS :: STRING',
  );
  const shown = async () => [await rows(engine, 'SHOW INDEXES'), await rows(engine, 'SHOW CONSTRAINTS')];
  const before = await shown();
  // Refused, with IF NOT EXISTS too.
  for (const statement of [
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE n.x IS UNIQUE',
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE n.x IS NODE KEY',
    'CREATE CONSTRAINT? FOR ()-[r:R]-() REQUIRE r.x IS RELATIONSHIP UNIQUE',
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE n.y IS NODE KEY',
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE (n.z, n.w) IS UNIQUE',
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE n.t IS :: INTEGER',
    'CREATE CONSTRAINT index_x? FOR (n:A) REQUIRE n.new IS NOT NULL',
    'CREATE INDEX there? FOR (n:A) ON (n.new)',
  ]) {
    await assert.rejects(rows(engine, statement.replace('?', '')), VIOLATION, statement);
    await assert.rejects(rows(engine, statement.replace('?', ' IF NOT EXISTS')), VIOLATION, statement);
  }
  // Refused, and nothing to do with IF NOT EXISTS.
  for (const statement of [
    'CREATE INDEX new? FOR (n:A) ON (n.y)',
    'CREATE INDEX? FOR (n:A) ON (n.z, n.w)',
    'CREATE INDEX new? FOR (n:A) ON (n.x)',
    'CREATE INDEX unique_y? FOR (n:A) ON (n.new)',
    'CREATE INDEX index_x? FOR (n:A) ON (n.new)',
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE n.y IS UNIQUE',
    'CREATE CONSTRAINT typed? FOR (n:B) REQUIRE n.new IS NOT NULL',
    'CREATE CONSTRAINT new? FOR (n:A) REQUIRE n.t IS :: STRING',
  ]) {
    await assert.rejects(rows(engine, statement.replace('?', '')), VIOLATION, statement);
    await rows(engine, statement.replace('?', ' IF NOT EXISTS'));
  }
  assert.deepEqual(await shown(), before);
  // What can be there beside.
  await runAll(
    engine,
    'CREATE TEXT INDEX FOR (n:A) ON (n.y)',
    'CREATE INDEX FOR (n:A) ON (n.w, n.z)',
    'CREATE INDEX FOR (n:A) ON (n.t)',
    'CREATE CONSTRAINT FOR (n:A) REQUIRE n.y IS NOT NULL',
    'CREATE CONSTRAINT FOR (n:A) REQUIRE n.y IS :: STRING',
    'CREATE CONSTRAINT FOR (n:B) REQUIRE n.x IS UNIQUE',
    'DROP INDEX index_x',
    'CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS UNIQUE',
  );
});
