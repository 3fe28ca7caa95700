/**
 * Functions of `apoc.date`, `apoc.convert` and `apoc.json`, and procedures of `apoc.create`, `apoc.refactor`,
 * `apoc.meta` and `apoc.schema`, with the answers that APOC documents.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { CypherFloat, Node, Relationship, type ResultValue } from '../../src/value/index.ts';

let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://apoc-library-${databases++}`);
  context.after(() => engine.close());
  return engine;
}

function plain(value: ResultValue | ReadonlyMap<string, ResultValue>): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (value instanceof CypherFloat) return value.value;
  if (value instanceof Node)
    return `(${value.labels.toSorted().join(':')} ${JSON.stringify(plain(value.properties as ReadonlyMap<string, ResultValue>))})`;
  if (value instanceof Relationship)
    return `[${value.type} ${JSON.stringify(plain(value.properties as ReadonlyMap<string, ResultValue>))}]`;
  return Array.isArray(value) ? value.map(plain) : value;
}

async function ask(engine: Engine, query: string): Promise<unknown[]> {
  const { rows } = await engine.execute(query, new Map());
  return rows.map((row) => (row.length === 1 ? plain(row[0]!) : row.map(plain)));
}

const ANSWERS: readonly (readonly [expression: string, answer: unknown])[] = [
  ['apoc.date.format(0)', '1970-01-01 00:00:00'],
  ["apoc.date.format(-1, 'ms', 'yyyy-MM-dd HH:mm:ss.SSS')", '1969-12-31 23:59:59.999'],
  [`apoc.date.format(1617887130, 's', "yyyy-MM-dd'T'HH:mm:ssXXX", 'Europe/Berlin')`, '2021-04-08T15:05:30+02:00'],
  ["apoc.date.format(1617887130123, 'ms', 'EEE, d MMM yy h:mm a SSS Z z')", 'Thu, 8 Apr 21 1:05 PM 123 +0000 UTC'],
  ["apoc.date.format(1617887130, 's', 'EEEE MMMM D')", 'Thursday April 98'],
  ["apoc.date.parse('2020-11-04 12:30:01')", 1604493001000],
  ["apoc.date.parse('Wed, 4 Nov 2020', 's', 'EEE, d MMM yyyy')", 1604448000],
  [`apoc.date.parse('2020-11-04T12:30:01+0200', 'ms', "yyyy-MM-dd'T'HH:mm:ssZ")`, 1604485801000],
  ["apoc.date.parse('20201104', 'd', 'yyyyMMdd')", 18570],
  ["apoc.date.parse('2020-07-01 00:00', 'ms', 'yyyy-MM-dd HH:mm', 'Europe/Berlin')", 1593554400000],
  ["apoc.date.parse('1:05 PM', 'm', 'h:mm a')", 785],
  ["apoc.date.add(0, 'ms', 1, 'd')", 86400000],
  ["apoc.date.convert(90061000, 'ms', 'h')", 25],
  ["apoc.date.convertFormat('2020-11-04', 'yyyy-MM-dd', 'dd.MM.yyyy')", '04.11.2020'],
  ["apoc.date.field(90061000, 'h')", 1],
  ["apoc.date.fields('2020-11-04 12:30:01')", { years: 2020, months: 11, days: 4, hours: 12, minutes: 30, seconds: 1, zoneid: 'UTC' }],
  ['apoc.date.toISO8601(1322907330000)', '2011-12-03T10:15:30.000Z'],
  ["apoc.date.fromISO8601('2011-12-03T10:15:30.000Z')", 1322907330000],
  ["apoc.temporal.format(date('2020-01-02'), 'dd/MM/yyyy')", '02/01/2020'],
  ["apoc.temporal.format(datetime('2020-01-02T03:04:05+01:00'), 'yyyy HH:mm XXX')", '2020 03:04 +01:00'],
  ["apoc.temporal.format(date({year: -5}), 'yyyy-MM-dd uuuu-MM-dd uu y u')", '0006-01-01 -0005-01-01 05 6 -5'],
  ["apoc.temporal.format(date({year: 0}), 'yyyy uuuu YYYY')", '0001 0000 -0001'],
  ["apoc.temporal.format(date({year: 12345}), 'yyyy u yyyyyy')", '+12345 12345 012345'],
  ["apoc.temporal.format(date('2024-12-30'), 'YYYY YY yyyy')", '2025 25 2024'],
  ["apoc.temporal.format(date('2021-01-03'), 'YYYY')", '2020'],
  ["apoc.date.parse(apoc.date.format(-99999999999999, 'ms', 'uuuu-MM-dd'), 'd', 'uuuu-MM-dd')", -1157408],
  ["apoc.date.field(-99999999999999, 'year')", -1199],
  ["apoc.date.fields('-0005-02', 'uuuu-MM')", { years: -5, months: 2, zoneid: 'UTC' }],
  ['apoc.date.toISO8601(-99999999999999)', '-1199-02-15T14:13:20.001Z'],
  ['apoc.date.format(null)', null],
  ["apoc.convert.toJson({a: [1, 2.0, 'x', null], d: date('2020-01-01')})", '{"a":[1,2.0,"x",null],"d":"2020-01-01"}'],
  ['apoc.convert.toJson(null)', 'null'],
  [`apoc.convert.fromJsonMap('{"a": [1, {"b": 2.5}]}')`, { a: [1, { b: 2.5 }] }],
  [`apoc.convert.fromJsonMap('{"a": [{"b c": {"d": 1}}]}', "$.a[0]['b c']")`, { d: 1 }],
  ["apoc.convert.fromJsonList('[1, [2]]')", [1, [2]]],
  ['apoc.convert.fromJsonMap(null)', null],
  [`apoc.json.path('{"a": [1, 2]}', '$.a[1]')`, 2],
  [`apoc.json.path('{"a": 1}', '$.b.c')`, null],
  ['apoc.convert.toList(1)', [1]],
  [`apoc.convert.toMap('{"a": 1}')`, { a: 1 }],
  ['size(apoc.create.uuid())', 36],
  ["apoc.util.validatePredicate(false, 'never', [])", true],
];

test('functions answer as APOC does', async (context) => {
  const engine = await opened(context);
  for (const [expression, answer] of ANSWERS) assert.deepEqual(await ask(engine, `RETURN ${expression}`), [answer], expression);
  assert.deepEqual(await ask(engine, 'RETURN abs(apoc.date.currentTimestamp() - timestamp()) < 60000'), [true]);
});

test('functions refuse what they cannot read', async (context) => {
  const engine = await opened(context);
  await ask(engine, 'CREATE (:J {j: \'{"x": [5]}\'})');
  const refused: [string, string, RegExp][] = [
    ["RETURN apoc.util.validatePredicate(true, 'wrong: %s of %d', ['a', 2])", 'ARGUMENT_ERROR', /^wrong: a of 2$/],
    ["CALL apoc.util.validate(1 = 1, 'wrong: %s', ['a'])", 'ARGUMENT_ERROR', /^wrong: a$/],
    ["RETURN apoc.date.parse('2020', 'ms', 'yyyy-MM')", 'ARGUMENT_ERROR', /not as the pattern/],
    ["RETURN apoc.date.parse('2020-13', 'ms', 'yyyy-MM')", 'ARGUMENT_ERROR', /tells no time/],
    ["RETURN apoc.date.format(0, 'ms', 'qq')", 'ARGUMENT_ERROR', /stands for no field/],
    ["RETURN apoc.date.format(0, 'weeks')", 'ARGUMENT_ERROR', /no unit "weeks"/],
    ["RETURN apoc.date.convert(1, 'constructor', 'ms')", 'ARGUMENT_ERROR', /no unit "constructor"/],
    ["RETURN apoc.date.convert(1, 'ms', 'toString')", 'ARGUMENT_ERROR', /no unit "toString"/],
    ["RETURN apoc.date.field(1, '__proto__')", 'ARGUMENT_ERROR', /no field "__proto__"/],
    ["RETURN apoc.date.parse('1', 'ms', apoc.text.repeat('yM', 1000))", 'ARGUMENT_ERROR', /2000 characters/],
    ["RETURN apoc.date.parse('1', 'ms', apoc.text.repeat('yM', 100))", 'ARGUMENT_ERROR', /200 fields/],
    ["RETURN apoc.date.parse(apoc.text.repeat('0', 2000) + '1', 'ms', 'y')", 'ARGUMENT_ERROR', /is not as the pattern/],
    ["RETURN apoc.convert.fromJsonMap('{a')", 'ARGUMENT_ERROR', /expects a text in JSON/],
    ["RETURN apoc.convert.fromJsonMap('[1]')", 'TYPE_ERROR', /holds a Map/],
    ["RETURN apoc.json.path('{}', '$..a')", 'ARGUMENT_ERROR', /takes paths/],
    ['MATCH (n:J) RETURN apoc.convert.toJson(n)', 'TYPE_ERROR', /properties\(n\)/],
  ];
  for (const [query, code, message] of refused) await assert.rejects(ask(engine, query), { code, message }, query);
  assert.deepEqual(await ask(engine, "CALL apoc.util.validate(1 = 2, 'wrong')"), []);
});

test('labels, properties and nodes that are computed', async (context) => {
  const engine = await opened(context);
  assert.deepEqual(await ask(engine, "CALL apoc.create.nodes(['A', 'B'], [{i: 1}, {i: 2}]) YIELD node RETURN node"), [
    '(A:B {"i":1})',
    '(A:B {"i":2})',
  ]);
  assert.deepEqual(await ask(engine, "MATCH (n:A {i: 1}) CALL apoc.create.setLabels(n, ['A', 'C']) YIELD node RETURN node"), [
    '(A:C {"i":1})',
  ]);
  const set =
    "MATCH (n:A) WITH collect(n) AS all CALL apoc.create.setProperties(all, ['x', 'y'], [1, 'z']) YIELD node RETURN node.x, node.y";
  assert.deepEqual(await ask(engine, set), [
    [1, 'z'],
    [1, 'z'],
  ]);
  assert.deepEqual(await ask(engine, "MATCH (n:A {i: 2}) CALL apoc.create.removeProperties(n, ['x', 'i']) YIELD node RETURN node"), [
    '(A:B {"y":"z"})',
  ]);
  await ask(engine, 'MATCH (a:C), (b:B) CREATE (a)-[:R {w: 1}]->(b)');
  assert.deepEqual(await ask(engine, "MATCH ()-[r:R]->() CALL apoc.create.setRelProperty(r, 'v', 2) YIELD rel RETURN rel"), [
    '[R {"w":1,"v":2}]',
  ]);
  assert.deepEqual(await ask(engine, "MATCH ()-[r:R]->() CALL apoc.create.setRelProperties([r], ['w'], [3]) YIELD rel RETURN rel.w"), [3]);
  assert.deepEqual(await ask(engine, "MATCH ()-[r:R]->() CALL apoc.create.removeRelProperties(r, ['v']) YIELD rel RETURN rel"), [
    '[R {"w":3}]',
  ]);
  await assert.rejects(ask(engine, "MATCH (n:A) CALL apoc.create.setProperties(n, ['x'], []) YIELD node RETURN node"), {
    code: 'ARGUMENT_ERROR',
  });
});

test('relationships of another type, direction and other ends, and copies of nodes', async (context) => {
  const engine = await opened(context);
  await ask(engine, "CREATE (:A {k: 'a'})-[:R {w: 1}]->(:B {k: 'b'}), (:C {k: 'c'})");
  const picture = 'MATCH (x)-[r]->(y) RETURN x.k + type(r) + y.k + r.w ORDER BY type(r), x.k';
  assert.deepEqual(await ask(engine, "MATCH ()-[r:R]->() CALL apoc.refactor.setType(r, 'S') YIELD output RETURN output"), ['[S {"w":1}]']);
  assert.deepEqual(await ask(engine, picture), ['aSb1']);
  await ask(engine, 'MATCH ()-[r:S]->() CALL apoc.refactor.invert(r) YIELD output RETURN output');
  assert.deepEqual(await ask(engine, picture), ['bSa1']);
  await ask(engine, 'MATCH ()-[r:S]->(), (c:C) CALL apoc.refactor.to(r, c) YIELD output RETURN output');
  assert.deepEqual(await ask(engine, picture), ['bSc1']);
  await ask(engine, 'MATCH ()-[r:S]->(), (a:A) CALL apoc.refactor.from(r, a) YIELD output RETURN output');
  assert.deepEqual(await ask(engine, picture), ['aSc1']);
  const clone =
    "MATCH (a:A) CALL apoc.refactor.cloneNodes([a], true, ['none']) YIELD input, output, error RETURN input = elementId(a), output, error";
  assert.deepEqual(await ask(engine, clone), [[true, '(A {"k":"a"})', null]]);
  assert.deepEqual(await ask(engine, picture), ['aSc1', 'aSc1']);
});

test('new names of labels, types and properties', async (context) => {
  const engine = await opened(context);
  await ask(engine, 'CREATE (:A {k: 1})-[:R {w: 1}]->(:A:B {k: 2}), (:C {k: 3})');
  const total = (call: string) =>
    ask(engine, `CALL apoc.refactor.rename.${call} YIELD total, committedOperations AS done RETURN total, done`);
  assert.deepEqual(await total("label('A', 'Z')"), [[2, 2]]);
  assert.deepEqual(await total("type('R', 'S')"), [[1, 1]]);
  assert.deepEqual(await total("nodeProperty('k', 'l')"), [[3, 3]]);
  assert.deepEqual(await total("typeProperty('w', 'v')"), [[1, 1]]);
  assert.deepEqual(await ask(engine, 'MATCH (n) RETURN n ORDER BY n.l'), ['(Z {"l":1})', '(B:Z {"l":2})', '(C {"l":3})']);
  assert.deepEqual(await ask(engine, 'MATCH ()-[r]->() RETURN r'), ['[S {"v":1}]']);
  assert.deepEqual(await ask(engine, "MATCH (n:B) CALL apoc.refactor.rename.label('Z', 'Y', [n]) YIELD total RETURN total"), [1]);
  assert.deepEqual(await ask(engine, 'MATCH (n:Y) RETURN n'), ['(B:Y {"l":2})']);
});

test('the schema as a map, and the values of a property', async (context) => {
  const engine = await opened(context);
  await ask(
    engine,
    "CREATE (a:Person:Admin {name: 'Ann', age: 30})-[:KNOWS {since: 2010}]->(:Person {name: 'Bob'}), (a)-[:OWNS]->(:Dog {name: " +
      "'Dot', tags: ['x']})",
  );
  await ask(engine, 'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.name IS UNIQUE');
  const [schema] = (await ask(engine, 'CALL apoc.meta.schema({sample: -1}) YIELD value RETURN value')) as [Record<string, unknown>];
  const property = (type: string, isUnique = false) => ({ existence: false, type, indexed: isUnique, unique: isUnique });
  const since = { existence: false, type: 'INTEGER', array: false };
  assert.deepEqual(schema['Person'], {
    type: 'node',
    count: 2,
    labels: ['Admin'],
    properties: { name: property('STRING', true), age: property('INTEGER') },
    relationships: {
      KNOWS: { count: 1, direction: 'out', labels: ['Person'], properties: { since } },
      OWNS: { count: 1, direction: 'out', labels: ['Dog'], properties: {} },
    },
  });
  assert.deepEqual(schema['KNOWS'], { type: 'relationship', count: 1, properties: { since } });
  assert.deepEqual((schema['Dog'] as Record<string, unknown>)['relationships'], {
    OWNS: { count: 1, direction: 'in', labels: ['Person', 'Admin'], properties: {} },
  });
  assert.deepEqual(await ask(engine, "CALL apoc.schema.properties.distinct('Person', 'name') YIELD value RETURN value"), [['Ann', 'Bob']]);
  assert.deepEqual(await ask(engine, "CALL apoc.schema.properties.distinct('Nobody', 'name') YIELD value RETURN value"), [[]]);
});
