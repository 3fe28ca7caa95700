/** `apoc.schema.assert`: what APOC's documentation shows, in its columns. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

let databases = 0;

async function opened(context: TestContext, ...statements: readonly string[]): Promise<Engine> {
  const engine = await openEngine(`memory://schema-assertion-${databases++}`);
  context.after(() => engine.close());
  for (const statement of statements) await engine.execute(statement, new Map());
  return engine;
}

async function rows(engine: Engine, query: string): Promise<string[]> {
  return (await engine.execute(query, new Map())).rows.map((row) => row.map(literalText).join(' '));
}

const SHOWN =
  "SHOW INDEXES YIELD labelsOrTypes, properties, type WHERE type <> 'LOOKUP' RETURN labelsOrTypes[0] + '.' + reduce(t = '', p " +
  'IN properties | t + p) AS on ORDER BY on';
const CALL = 'YIELD label, key, keys, unique, action RETURN label, key, keys, unique, action';

test('indexes and constraints are created once, and dropped when they are not asked for', async (context) => {
  const engine = await opened(context, "CREATE (:Foo {bar: 1, name: 'a'}), (:Foo {bar: 2, name: 'b'})");
  const wanted = "{Track: ['title', 'length'], Foo: [['bar', 'foo']]}, {Artist: ['name'], Foo: ['bar', ['bar', 'name']]}";
  assert.deepEqual(await rows(engine, `CALL apoc.schema.assert(${wanted}) ${CALL}`), [
    "'Track' 'title' ['title'] false 'CREATED'",
    "'Track' 'length' ['length'] false 'CREATED'",
    "'Foo' null ['bar', 'foo'] false 'CREATED'",
    "'Artist' 'name' ['name'] true 'CREATED'",
    "'Foo' 'bar' ['bar'] true 'CREATED'",
    "'Foo' null ['bar', 'name'] true 'CREATED'",
  ]);
  await assert.rejects(rows(engine, 'CREATE (:Foo {bar: 1, name: "c"})'), { code: 'CONSTRAINT_VIOLATION' });
  const again = await rows(engine, `CALL apoc.schema.assert(${wanted}) ${CALL}`);
  assert.deepEqual(again.toSorted(), [
    "'Artist' 'name' ['name'] true 'KEPT'",
    "'Foo' 'bar' ['bar'] true 'KEPT'",
    "'Foo' null ['bar', 'foo'] false 'KEPT'",
    "'Foo' null ['bar', 'name'] true 'KEPT'",
    "'Track' 'length' ['length'] false 'KEPT'",
    "'Track' 'title' ['title'] false 'KEPT'",
  ]);
  assert.deepEqual((await rows(engine, `CALL apoc.schema.assert({Track: ['title']}, {Artist: ['name']}) ${CALL}`)).toSorted(), [
    "'Artist' 'name' ['name'] true 'KEPT'",
    "'Foo' 'bar' ['bar'] true 'DROPPED'",
    "'Foo' null ['bar', 'foo'] false 'DROPPED'",
    "'Foo' null ['bar', 'name'] true 'DROPPED'",
    "'Track' 'length' ['length'] false 'DROPPED'",
    "'Track' 'title' ['title'] false 'KEPT'",
  ]);
  await rows(engine, 'CREATE (:Foo {bar: 1, name: "c"})');
});

test('nothing is dropped without dropExisting', async (context) => {
  const engine = await opened(context, 'CREATE INDEX FOR (n:A) ON (n.x)', 'CREATE INDEX FOR ()-[r:R]-() ON (r.x)');
  assert.deepEqual(await rows(engine, `CALL apoc.schema.assert({B: ['y']}, {}, false) ${CALL}`), [
    "'A' 'x' ['x'] false 'KEPT'",
    "'R' 'x' ['x'] false 'KEPT'",
    "'B' 'y' ['y'] false 'CREATED'",
  ]);
  assert.deepEqual(await rows(engine, SHOWN), ["'A.x'", "'B.y'", "'R.x'"]);
  assert.deepEqual((await rows(engine, `CALL apoc.schema.assert({}, {}) ${CALL}`)).length, 3);
  assert.deepEqual(await rows(engine, SHOWN), []);
  assert.deepEqual(await rows(engine, `CALL apoc.schema.assert(null, null) ${CALL}`), []);
});

test('a constraint that the graph breaks leaves everything as it was', async (context) => {
  const engine = await opened(context, 'CREATE INDEX FOR (n:A) ON (n.x)', 'CREATE (:B {y: 1}), (:B {y: 1})');
  await assert.rejects(rows(engine, `CALL apoc.schema.assert({C: ['z']}, {B: ['y']}) ${CALL}`), { code: 'CONSTRAINT_VIOLATION' });
  assert.deepEqual(await rows(engine, SHOWN), ["'A.x'"]);
  for (const wanted of ['{A: 1}, {}', '{A: [1]}, {}', '{}, {A: [[]]}'])
    await assert.rejects(rows(engine, `CALL apoc.schema.assert(${wanted}) ${CALL}`), { code: 'TYPE_ERROR' }, wanted);
});

test('what is committed is there when the store is opened again', async (context) => {
  const place = `memory://schema-assertion-${databases++}`;
  const first = await openEngine(place);
  await rows(first, `CALL apoc.schema.assert({A: ['x']}, {B: ['y']}) ${CALL}`);
  await first.close();
  const engine = await openEngine(place);
  context.after(() => engine.close());
  assert.deepEqual(await rows(engine, 'SHOW CONSTRAINTS YIELD labelsOrTypes, properties RETURN labelsOrTypes, properties'), [
    "['B'] ['y']",
  ]);
});

test('vector and full-text indexes of one label go with the others, those of several stay', async (context) => {
  const engine = await opened(
    context,
    'CREATE FULLTEXT INDEX words FOR (n:A|B) ON EACH [n.x, n.y]',
    'CREATE FULLTEXT INDEX one FOR (n:A) ON EACH [n.x]',
    'CREATE VECTOR INDEX near FOR (n:A) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}',
  );
  assert.deepEqual((await rows(engine, `CALL apoc.schema.assert({A: ['x']}, {}) ${CALL}`)).sort(), [
    "'A' 'v' ['v'] false 'DROPPED'",
    "'A' 'x' ['x'] false 'CREATED'",
    "'A' 'x' ['x'] false 'DROPPED'",
  ]);
  assert.deepEqual((await rows(engine, 'SHOW INDEXES YIELD type RETURN type')).sort(), ["'FULLTEXT'", "'RANGE'"]);
});
