/** `apoc.refactor.*`: what APOC's documentation says of the merged nodes and relationships. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

let databases = 0;

async function opened(context: TestContext, ...statements: readonly string[]): Promise<Engine> {
  const engine = await openEngine(`memory://refactoring-${databases++}`);
  context.after(() => engine.close());
  for (const statement of statements) await engine.execute(statement, new Map());
  return engine;
}

async function rows(engine: Engine, query: string): Promise<string[]> {
  return (await engine.execute(query, new Map())).rows.map((row) => row.map(literalText).join(' '));
}

const PEOPLE = "CREATE (:Person {ID: 1, name: 'Tom'}), (:Person:B {ID: 2, name: 'John', age: 5}), (:C {ID: 3, name: 'Anna'})";
const MERGE = 'MATCH (n) WITH n ORDER BY n.ID WITH collect(n) AS all CALL apoc.refactor.mergeNodes(all';

for (const [config, expected] of [
  ['', "['Person', 'B', 'C'] {ID: 3, age: 5, name: 'Anna'}"],
  [", {properties: 'override'}", "['Person', 'B', 'C'] {ID: 3, age: 5, name: 'Anna'}"],
  [", {properties: 'discard'}", "['Person', 'B', 'C'] {ID: 1, age: 5, name: 'Tom'}"],
  [", {properties: 'combine'}", "['Person', 'B', 'C'] {ID: [1, 2, 3], age: 5, name: ['Tom', 'John', 'Anna']}"],
  [", {properties: {name: 'discard', `I.`: 'combine'}}", "['Person', 'B', 'C'] {ID: [1, 2, 3], age: 5, name: 'Tom'}"],
  [", {properties: {`.*`: 'combine', name: 'overwrite'}}", "['Person', 'B', 'C'] {ID: [1, 2, 3], age: 5, name: 'Anna'}"],
]) {
  test(`nodes are merged with (nodes${config})`, async (context) => {
    const engine = await opened(context, PEOPLE);
    const [merged] = await rows(
      engine,
      `${MERGE}${config}) YIELD node RETURN labels(node) AS l, apoc.map.fromPairs(apoc.map.sortedProperties(properties(node), false)) AS p`,
    );
    assert.equal(merged, expected);
    assert.deepEqual(await rows(engine, 'MATCH (n) RETURN count(n)'), ['1']);
  });
}

test('equal values are combined to one, and values of several types to texts', async (context) => {
  const engine = await opened(context, "CREATE (:X {k: 1, a: 1, b: [1, 2], c: 'x'}), (:X {k: 2, a: 1, b: [2, 3], c: 2})");
  const query = (more: string): string =>
    `MATCH (n:X) WITH n ORDER BY n.k WITH collect(n) AS all CALL apoc.refactor.mergeNodes(all, {properties: 'combine'${more}}) ` +
    'YIELD node RETURN node.a, node.b, node.c';
  assert.deepEqual(await rows(engine, query('')), ["1 [1, 2, 3] ['x', '2']"]);
  await engine.execute('MATCH (n) DELETE n', new Map());
  await engine.execute('CREATE (:X {k: 1, a: 1}), (:X {k: 2, a: 1})', new Map());
  assert.deepEqual(await rows(engine, query(', singleElementAsArray: true')), ['[1] null null']);
});

const LINKS =
  "CREATE (a:P {k: 1}), (b:P {k: 2}), (c:Q {k: 3}), (a)-[:R {x: 'a'}]->(c), (b)-[:R {x: 'b'}]->(c), (b)-[:R {x: 'b2'}]->(c), " +
  "(c)-[:S]->(b), (a)-[:R {x: 'ab'}]->(b), (b)-[:T]->(b), (a)-[:T]->(a)";
const PAIR = 'MATCH (a:P {k: 1}), (b:P {k: 2}) CALL apoc.refactor.mergeNodes([a, b, a]';
const EDGES = 'MATCH (a)-[r]->(b) RETURN labels(a)[0] + type(r) + labels(b)[0] AS edge, r.x ORDER BY edge, r.x';

for (const [config, expected] of [
  ["{properties: 'discard'}", ["'PRP' 'ab'", "'PRQ' 'a'", "'PRQ' 'b'", "'PRQ' 'b2'", "'PTP' null", "'PTP' null", "'QSP' null"]],
  ['{mergeRels: true}', ["'PRP' 'ab'", "'PRQ' ['a', 'b', 'b2']", "'PTP' null", "'PTP' null", "'QSP' null"]],
  ["{properties: 'discard', mergeRels: true}", ["'PRP' 'ab'", "'PRQ' 'a'", "'PTP' null", "'PTP' null", "'QSP' null"]],
  [
    "{properties: 'overwrite', mergeRels: 'yes', preserveExistingSelfRels: false}",
    ["'PRP' 'ab'", "'PRQ' 'b2'", "'PTP' null", "'QSP' null"],
  ],
  [
    "{properties: 'discard', mergeRels: 'no', produceSelfRel: false}",
    ["'PRP' 'ab'", "'PRQ' 'a'", "'PRQ' 'b'", "'PRQ' 'b2'", "'PTP' null", "'QSP' null"],
  ],
] as const) {
  test(`relationships go to the first node with ${config}`, async (context) => {
    const engine = await opened(context, LINKS);
    assert.deepEqual(await rows(engine, `${PAIR}, ${config}) YIELD node RETURN node.k`), [config.includes('discard') ? '1' : '2']);
    assert.deepEqual(await rows(engine, EDGES), expected);
  });
}

test('relationships are merged into the first', async (context) => {
  const engine = await opened(context, LINKS);
  const query = (pattern: string, config: string): string =>
    `MATCH ${pattern} WITH r ORDER BY r.x WITH collect(r) AS all CALL apoc.refactor.mergeRelationships(all${config}) YIELD rel ` +
    'RETURN rel.x, type(rel)';
  assert.deepEqual(await rows(engine, query('(:P {k: 2})-[r:R]->(:Q)', ", {properties: 'discard'}")), ["'b' 'R'"]);
  assert.deepEqual(await rows(engine, 'MATCH ()-[r:R]->(:Q) RETURN count(r)'), ['2']);
  await assert.rejects(rows(engine, query('()-[r:R]->()', '')), { code: 'ARGUMENT_ERROR' });
  assert.deepEqual(await rows(engine, 'MATCH ()-[r]->() RETURN count(r)'), ['6']);
});

test('a key of the second node moves to the first, and what is nothing yields nothing', async (context) => {
  const engine = await opened(context, 'CREATE CONSTRAINT FOR (n:U) REQUIRE n.u IS UNIQUE', 'CREATE (:A {k: 1}), (:U {k: 2, u: 7})');
  assert.deepEqual(
    await rows(
      engine,
      'MATCH (n) WITH n ORDER BY n.k WITH collect(n) AS all CALL apoc.refactor.mergeNodes(all) YIELD node RETURN node.u, node.k',
    ),
    ['7 2'],
  );
  assert.deepEqual(await rows(engine, 'CALL apoc.refactor.mergeNodes([]) YIELD node RETURN node'), []);
  assert.deepEqual(await rows(engine, 'CALL apoc.refactor.mergeNodes(null) YIELD node RETURN node'), []);
});

test('faults leave the graph as it was', async (context) => {
  const engine = await opened(context, PEOPLE);
  for (const call of ['all + [1]', "all, {properties: 'all'}", 'all, {mergeRel: true}', 'all[0]'])
    await assert.rejects(
      rows(engine, `MATCH (n) WITH collect(n) AS all CALL apoc.refactor.mergeNodes(${call}) YIELD node RETURN node`),
      (error: { code: string }) => ['TYPE_ERROR', 'ARGUMENT_ERROR', 'SEMANTIC_ERROR'].includes(error.code),
      call,
    );
  await assert.rejects(
    rows(
      engine,
      'MATCH (n) WITH collect(n) AS all FOREACH (n IN all[1..] | DELETE n) WITH all CALL apoc.refactor.mergeNodes(all) YIELD ' +
        'node RETURN node',
    ),
    { code: 'ENTITY_NOT_FOUND' },
  );
  assert.deepEqual(await rows(engine, 'MATCH (n) RETURN count(n)'), ['3']);
});

test('the properties of thousands are combined in the memory of one list', async (context) => {
  const engine = await opened(context, 'CREATE (:A), (:B)');
  const merge = `MATCH (a:A), (b:B) UNWIND range(1, 20000) AS i CREATE (a)-[r:R {i: i, same: 1}]->(b)
    WITH collect(r) AS all CALL apoc.refactor.mergeRelationships(all) YIELD rel RETURN size(rel.i), rel.i[19999], rel.same`;
  const { rows: merged } = await engine.execute(merge, new Map(), { memoryBytes: 32 * 2 ** 20 });
  assert.deepEqual(merged, [[20_000, 20_000, 1]]);
  const nodes = `UNWIND range(1, 3000) AS i MATCH (b:B) CREATE (n:N {i: i})-[:S {i: i}]->(b) WITH collect(n) AS all
    CALL apoc.refactor.mergeNodes(all, {properties: 'combine', mergeRels: true}) YIELD node
    MATCH (node)-[s:S]->() RETURN size(node.i), size(s.i)`;
  const { rows: one } = await engine.execute(nodes, new Map(), { memoryBytes: 32 * 2 ** 20 });
  assert.deepEqual(one, [[3_000, 3_000]]);
});

test('a relationship that has changed is renamed once, and a new name that is the old one changes nothing', async (context) => {
  const engine = await opened(context, 'CREATE (a:N {i: 1})-[:R {w: 1}]->(:N {i: 2}), (a)-[:R {w: 2}]->(a)');
  for (const before of [1, 10, 100]) await engine.execute(`MATCH ()-[r:R {w: ${before}}]->() SET r.w = ${10 * before}`, new Map());
  const total = async (call: string): Promise<string[]> => rows(engine, `CALL apoc.refactor.rename.${call} YIELD total RETURN total`);
  assert.deepEqual(await total("type('R', 'S')"), ['2']);
  for (const call of ["type('S', 'S')", "label('N', 'N')", "nodeProperty('i', 'i')", "typeProperty('w', 'w')"])
    assert.deepEqual(await total(call), ['0']);
  assert.deepEqual(await rows(engine, 'MATCH (n:N) RETURN n.i ORDER BY n.i'), ['1', '2']);
  assert.deepEqual(await rows(engine, 'MATCH ()-[r]->() RETURN type(r), r.w ORDER BY r.w'), ["'S' 2", "'S' 1000"]);
});

const DELETED_NODE = 'CREATE (k:K), (n:A {a: 1}) WITH k, n DETACH DELETE n WITH k, n';
const DELETED_RELATIONSHIP = 'CREATE (k:K)-[r:Q {a: 1}]->(m:M), (k)-[s:Q]->(m) WITH r, s DELETE r WITH r, s';

for (const [deleted, call] of [
  [DELETED_NODE, 'cloneNodes([n]) YIELD output'],
  [DELETED_NODE, 'cloneNodes([k, n], true) YIELD output'],
  [DELETED_NODE, 'mergeNodes([n]) YIELD node'],
  [DELETED_NODE, 'mergeNodes([n, k]) YIELD node'],
  [DELETED_NODE, 'mergeNodes([k, n]) YIELD node'],
  [DELETED_NODE, "rename.label('A', 'B', [n]) YIELD total"],
  [DELETED_NODE, "rename.nodeProperty('a', 'b', [n]) YIELD total"],
  [DELETED_RELATIONSHIP, 'mergeRelationships([r]) YIELD rel'],
  [DELETED_RELATIONSHIP, 'mergeRelationships([r, s]) YIELD rel'],
  [DELETED_RELATIONSHIP, 'mergeRelationships([s, r]) YIELD rel'],
  [DELETED_RELATIONSHIP, "rename.type('R', 'S', [r]) YIELD total"],
  [DELETED_RELATIONSHIP, "rename.typeProperty('a', 'b', [r]) YIELD total"],
  [DELETED_RELATIONSHIP, "setType(r, 'S') YIELD output"],
] as const) {
  test(`what the statement has deleted is not found by apoc.refactor.${call}`, async (context) => {
    const engine = await opened(context);
    await assert.rejects(rows(engine, `${deleted} CALL apoc.refactor.${call} RETURN 1`), { code: 'ENTITY_NOT_FOUND' });
  });
}
