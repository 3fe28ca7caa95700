/** Values in JSON, a test for each row of the table: as results, and as parameters where JSON has them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, cypher, serve } from './outside.ts';

const server = await serve(['--store', 'memory://values']);

/** The text of the value of an expression. */
async function valueOf(expression: string, params = '{}'): Promise<string> {
  const body = `{"query":${JSON.stringify(`RETURN ${expression} AS v`)},"params":${params}}`;
  const answer = await ask(server, 'POST', '/v0/cypher', { body, headers: { 'content-type': 'application/json' } });
  return /^\{"columns":\["v"\],"rows":\[\{"v":(.*)\}\]\}$/s.exec(answer.body)?.[1] ?? answer.body;
}

async function assertValues(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [expression, json] of Object.entries(values)) assert.equal(await valueOf(expression), json, expression);
}

/** Asserts that a parameter comes back as it was given; `json` where it is written in another way. */
async function assertParameter(given: string, json = given): Promise<void> {
  assert.equal(await valueOf('$p', `{"p":${given}}`), json);
}

test('null, true, false, String', async () => {
  await assertValues({ null: 'null', true: 'true', false: 'false', "'é\\n\\u0001\"'": '"é\\n\\u0001\\""' });
  for (const given of ['null', 'true', 'false', '"text"', '"😀"']) await assertParameter(given);
  await assertParameter('"\\u00e9"', '"é"');
});

test('Integer: exact over 64 bits, both ways', async () => {
  await assertValues({
    '9223372036854775807': '9223372036854775807',
    '-9223372036854775808': '-9223372036854775808',
    '9007199254740993': '9007199254740993',
  });
  for (const given of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']) await assertParameter(given);
  assert.match(await valueOf('$p', '{"p":9223372036854775808}'), /"code":"ARGUMENT_ERROR"/);
});

test('Float: an integral one keeps its point; NaN and infinities are null', async () => {
  await assertValues({
    '1.0': '1.0',
    '0.1': '0.1',
    '1e21': '1e+21',
    '-0.0': '-0.0',
    '0.0 / 0.0': 'null',
    '1.0 / 0.0': 'null',
    '-1.0 / 0.0': 'null',
  });
  for (const [given, json] of [['1.0'], ['1e2', '100.0'], ['1E+2', '100.0'], ['0.5']] as const) await assertParameter(given, json);
  assert.equal(await valueOf('[$i / 2, $f / 2]', '{"i":3,"f":3.0}'), '[1,1.5]');
});

test('Vector: an array of numbers', () => assertValues({ 'vector([1, 2.5])': '[1.0,2.5]' }));

test('List and Map', async () => {
  await assertValues({ "[1, [2.0, null], {b: 'x', a: {}}]": '[1,[2.0,null],{"b":"x","a":{}}]' });
  for (const given of ['[]', '[1,[2.0,null]]', '{}', '{"b":1,"a":{"c":[]}}', '{"__proto__":1}']) await assertParameter(given);
});

test('Date', () => assertValues({ "date('2024-02-29')": '"2024-02-29"' }));

test('DateTime: RFC 3339', () =>
  assertValues({
    "datetime('2015-07-21T21:40:32.142+01:00')": '"2015-07-21T21:40:32.142+01:00"',
    "datetime('2015-07-21T21:40Z')": '"2015-07-21T21:40:00Z"',
    "datetime({year: 2015, month: 7, day: 21, timezone: 'Europe/London'})": '"2015-07-21T00:00:00+01:00"',
  }));

test('LocalDateTime, Time, LocalTime, Duration: ISO 8601', () =>
  assertValues({
    "localdatetime('2015-07-21T21:40:32')": '"2015-07-21T21:40:32"',
    "time('21:40:32.5+02:30')": '"21:40:32.500+02:30"',
    "localtime('21:40:32')": '"21:40:32"',
    "duration('P1Y2M3DT4H5M6.7S')": '"P1Y2M3DT4H5M6.7S"',
  }));

test('Point: an object of srid, x, y and z; a parameter of that shape is a Map', async () => {
  await assertValues({
    'point({longitude: 12.5, latitude: 55})': '{"_kind":"point","srid":4326,"x":12.5,"y":55.0}',
    '[point({x: -0.0, y: 1, z: 1e21})]': '[{"_kind":"point","srid":9157,"x":-0.0,"y":1.0,"z":1e+21}]',
  });
  const point = '{"_kind":"point","srid":4979,"x":1.0,"y":-0.0,"z":3.5}';
  await assertParameter(point);
  assert.equal(await valueOf('valueType($p)', `{"p":${point}}`), '"MAP NOT NULL"');
  assert.equal(await valueOf('point($p)', `{"p":${point}}`), point);
  const body = { query: 'RETURN $p AS v', params: { p: { $: 'point', value: { srid: 7203, x: 1, y: -2 } } }, value_format: 'typed' };
  const typed = await ask(server, 'POST', '/v0/cypher', { body });
  assert.equal(typed.body, '{"columns":["v"],"rows":[{"v":{"$":"point","value":{"_kind":"point","srid":7203,"x":1.0,"y":-2.0}}}]}');
});

test('Node, Relationship, Path', async () => {
  const created = await cypher(server, "CREATE (a:P:Q {_id: 'a', n: 1})-[r:K {w: 1.0}]->(b {_id: 'b'}) RETURN a, b, r, id(r) AS i");
  const { a, b, r, i } = created.json.rows[0] ?? {};
  assert.deepEqual(a, { _kind: 'node', id: 'a', label: 'P', labels: ['P', 'Q'], properties: { n: 1 } });
  assert.deepEqual(b, { _kind: 'node', id: 'b', label: '', labels: [], properties: {} });
  assert.deepEqual(r, { _kind: 'rel', id: i, edge_type: 'K', src: 'a', dst: 'b', properties: { w: 1 } });
  assert.match(created.body, /"r":\{"_kind":"rel","id":"[^"]+","edge_type":"K","src":"a","dst":"b","properties":\{"w":1\.0\}\}/);
  const against = await cypher(server, 'MATCH p = (:Q)-->() MATCH q = ()<--(:Q) RETURN p, q');
  assert.deepEqual(against.json.rows, [{ p: [a, r, b], q: [b, r, a] }], 'src and dst are the stored direction');
});

test('Bytes: base64', async () => {
  const body = { query: 'RETURN $p AS v', params: { p: { $: 'bytes', value: '3q2+7w==' } }, value_format: 'typed' };
  const typed = await ask(server, 'POST', '/v0/cypher', { body });
  assert.equal(typed.body, '{"columns":["v"],"rows":[{"v":{"$":"bytes","value":"3q2+7w=="}}]}');
  await ask(server, 'POST', '/v0/cypher', { body: { ...body, query: 'CREATE (:Bytes {b: $p})' } });
  assert.deepEqual((await cypher(server, 'MATCH (n:Bytes) RETURN n.b AS b')).json.rows, [{ b: '3q2+7w==' }]);
});

test('a row has every column as a key, in the order of RETURN', async () => {
  const { body } = await cypher(server, 'RETURN 1 AS b, null AS a, 2 AS `1`, 3 AS `0`, 4 AS `__proto__`');
  assert.equal(body, '{"columns":["b","a","1","0","__proto__"],"rows":[{"b":1,"a":null,"1":2,"0":3,"__proto__":4}]}');
});
