/** `apoc.neighbors.*`: patterns of types and directions, distances, what each procedure yields, against paths of variable length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

const PEOPLE = `CREATE (mark:Person {name: 'Mark'}), (praveena:Person {name: 'Praveena'}), (joe:Person {name: 'Joe'}),
 (lju:Person {name: 'Lju'}),
  (michael:Person {name: 'Michael'}), (emil:Person {name: 'Emil'}), (ryan:Person {name: 'Ryan'}),
  (ryan)-[:FOLLOWS]->(joe), (joe)-[:FOLLOWS]->(mark), (mark)-[:FOLLOWS]->(emil), (michael)-[:KNOWS]->(emil), (michael)-[:KNOWS]->(lju),
  (michael)-[:KNOWS]->(praveena), (emil)-[:FOLLOWS]->(joe), (praveena)-[:FOLLOWS]->(joe), (joe)-[:FOLLOWS]->(joe),
  (joe)-[:\`TYPE WITH | BAR\`]->(lju)`;

async function answer(engine: Engine, query: string, parameters = new Map()): Promise<string[]> {
  return (await engine.execute(query, parameters)).rows.map((row) => row.map(literalText).join(' | '));
}

const around = (engine: Engine, name: string, args: string): Promise<string[]> =>
  answer(engine, `MATCH (p:Person {name: '${name}'}) CALL apoc.neighbors.tohop(p${args}) YIELD node RETURN node.name ORDER BY node.name`);

test('patterns of types and directions', async () => {
  const engine = await openEngine('memory://compat-neighbours', { flushIntervalMs: 0 });
  await answer(engine, PEOPLE);
  for (const [name, args, expected] of [
    ['Praveena', ", 'FOLLOWS>', 1", ['Joe']],
    ['Praveena', ", 'FOLLOWS>', 2", ['Joe', 'Mark']],
    ['Praveena', ", 'FOLLOWS>'", ['Joe']],
    ['Joe', ", '<FOLLOWS', 1", ['Emil', 'Praveena', 'Ryan']],
    ['Joe', ", 'FOLLOWS<', 1", ['Emil', 'Praveena', 'Ryan']],
    ['Joe', ", 'FOLLOWS', 1", ['Emil', 'Mark', 'Praveena', 'Ryan']],
    ['Joe', ", '>FOLLOWS', 1", ['Mark']],
    ['Emil', ", 'KNOWS', 2", ['Lju', 'Michael', 'Praveena']],
    ['Emil', ", 'KNOWS|FOLLOWS>', 1", ['Joe', 'Michael']],
    ['Emil', ", '<KNOWS|<FOLLOWS', 1", ['Mark', 'Michael']],
    ['Emil', ", ':KNOWS', 1", ['Michael']],
    ['Emil', ", '`KNOWS`', 1", ['Michael']],
    ['Emil', ", '`KNOWS`>', 1", []],
    ['Emil', ", '>', 1", ['Joe']],
    ['Emil', ", '<', 1", ['Mark', 'Michael']],
    ['Emil', ", '<|>', 1", ['Joe', 'Mark', 'Michael']],
    ['Emil', ", 'KNOWS|', 1", ['Michael']],
    ['Emil', ", 'NOTHING>', 5", []],
    ['Emil', ", '>', 0", []],
    ['Emil', ", '>', -1", []],
    ['Emil', ", '', 1", []],
    ['Emil', ', null, 1', []],
    ['Emil', '', []],
    ['Ryan', ", '>', 9223372036854775807", ['Emil', 'Joe', 'Lju', 'Mark']],
  ] as const)
    assert.deepEqual(
      await around(engine, name, args),
      expected.map((each) => `'${each}'`),
      `${name}${args}`,
    );
  assert.deepEqual(await answer(engine, "OPTIONAL MATCH (p:Nobody) CALL apoc.neighbors.tohop(p, '>', 1) YIELD node RETURN node"), []);
  await assert.rejects(answer(engine, "WITH $p AS p CALL apoc.neighbors.tohop(p, '>', 1) YIELD node RETURN node", new Map([['p', 1]])), {
    code: 'TYPE_ERROR',
  });
  await assert.rejects(answer(engine, "MATCH (p) CALL apoc.neighbors.tohop(p, '>', 'far') YIELD node RETURN node"), {
    code: 'SEMANTIC_ERROR',
  });
  await engine.close();
});

test('nodes and counts, to, by and at a distance', async () => {
  const engine = await openEngine('memory://compat-neighbours-forms', { flushIntervalMs: 0 });
  await answer(engine, PEOPLE);
  const ask = (call: string): Promise<string[]> =>
    answer(engine, `MATCH (p:Person {name: 'Emil'}) CALL apoc.neighbors.${call} RETURN *`.replace('RETURN *', 'RETURN x'));
  assert.deepEqual(await ask("tohop.count(p, 'KNOWS', 3) YIELD value AS x"), ['3']);
  assert.deepEqual(await ask("byhop(p, 'KNOWS', 3) YIELD nodes WITH [n IN nodes | n.name] AS x"), [
    "['Michael']",
    "['Praveena', 'Lju']",
    '[]',
  ]);
  assert.deepEqual(await ask("byhop.count(p, 'KNOWS', 3) YIELD value AS x"), ['[1, 2, 0]']);
  assert.deepEqual(await ask("athop(p, 'KNOWS', 2) YIELD node WITH node.name AS x"), ["'Praveena'", "'Lju'"]);
  assert.deepEqual(await ask("athop(p, 'KNOWS', 3) YIELD node WITH node.name AS x"), []);
  assert.deepEqual(await ask("athop.count(p, 'KNOWS', 2) YIELD value AS x"), ['2']);
  assert.deepEqual(await ask("athop.count(p, 'KNOWS', 7) YIELD value AS x"), ['0']);
  await engine.close();
});

test('what is around a node is what paths reach, after writes, deletions, flushes and an opening', async () => {
  const name = 'memory://compat-neighbours-paths';
  let engine = await openEngine(name, { flushIntervalMs: 0 });
  await answer(engine, 'UNWIND range(0, 59) AS i CREATE (:N {i: i})');
  await answer(engine, 'UNWIND range(0, 119) AS k MATCH (a:N {i: k % 60}), (b:N {i: (k * 7 + 3) % 60}) CREATE (a)-[:R]->(b)');
  await answer(engine, 'UNWIND range(0, 59) AS k MATCH (a:N {i: k}), (b:N {i: (k * k) % 60}) CREATE (a)-[:S]->(b)');
  const check = async (): Promise<void> => {
    for (const [pattern, path] of [
      ['R>', '-[:R*1..3]->'],
      ['<R', '<-[:R*1..3]-'],
      ['R>|S>', '-[:R|S*1..3]->'],
      ['>', '-[*1..3]->'],
      ['S', '-[:S*1..3]-'],
    ] as const) {
      const found =
        `MATCH (a:N) WHERE a.i % 9 = 0 CALL apoc.neighbors.tohop(a, '${pattern}', 3) YIELD node RETURN a.i AS a, ` +
        'node AS n, node.i AS i ORDER BY a, i';
      const reached =
        `MATCH (a:N)${path}(node) WHERE a.i % 9 = 0 AND node <> a RETURN DISTINCT a.i AS a, node AS n, node.i AS i ` + 'ORDER BY a, i';
      assert.deepEqual(await answer(engine, found), await answer(engine, reached), pattern);
    }
  };
  await check();
  await engine.flush();
  await answer(engine, 'MATCH (:N {i: 9})-[r:R]->() DELETE r');
  await answer(engine, 'MATCH (a:N {i: 18}), (b:N {i: 1}) CREATE (a)-[:R]->(b)-[:R]->(:N {i: 100})');
  await answer(engine, 'MATCH (n:N {i: 30}) DETACH DELETE n');
  await check();
  await engine.flush();
  await engine.close();
  engine = await openEngine(name, { flushIntervalMs: 0 });
  await check();
  await engine.close();
});
