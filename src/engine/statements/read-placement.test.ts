/** S1: reads begin on the main thread where each of their steps is of constant cost, and in a worker otherwise. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Value } from '../../value/index.ts';
import { openEngine } from '../open.ts';
import { ReadWorkers } from '../workers/read-workers.ts';

const none: ReadonlyMap<string, Value> = new Map();

const HERE = [
  'RETURN 1 AS one, "text" AS text, [1, 2] AS list, {a: 1} AS map',
  'MATCH (p:P {i: 1}) RETURN p',
  'MATCH (p:P) WHERE p.i = $i RETURN p.name AS name, labels(p) AS labels, id(p) AS id',
  'MATCH (p:P {i: 1})-[k:K]->(q) RETURN type(k) AS type, q.i AS i LIMIT 10',
  'MATCH (p:P) WHERE p.i IN [1, 2, 3] AND p.name STARTS WITH $text RETURN p.i + 1 AS next, p.name + "!" AS name',
  'MATCH (p:P) RETURN p.name AS name, count(*) AS c, sum(p.i) AS s ORDER BY name LIMIT 3',
  'MATCH (a:P {i: 1}) OPTIONAL MATCH (a)-[:K]->(b) RETURN a.i + b.i AS sum, coalesce(b.name, "none") AS name',
  'UNWIND [1, 2, 3] AS x RETURN x * 2 AS y, toString(1) AS s, CASE WHEN x > 1 THEN "many" ELSE "one" END AS c',
];

const IN_WORKER = [
  'RETURN range(1, $i) AS list',
  'MATCH (p:P {i: 1}) RETURN toUpper(p.name) AS name',
  'MATCH (p:P) WHERE p.name CONTAINS $text RETURN p.i',
  'MATCH (p:P) WHERE p.name =~ "a.*" RETURN p.i',
  'MATCH (p:P {i: 1}) RETURN split(p.name, $text) AS parts',
  'MATCH (p:P {i: 1})-[:K*]->(q) RETURN count(*) AS c',
  'MATCH path = shortestPath((a:P {i: 1})-[:K*]-(b:P {i: 2})) RETURN length(path) AS length',
  'MATCH (p:P {i: 1}) RETURN [x IN p.list | x + 1] AS list',
  'MATCH (p:P {i: 1}) RETURN reduce(sum = 0, x IN p.list | sum + x) AS sum',
  'MATCH (p:P {i: 1}) RETURN p.list[0..2] AS some',
  'WITH "text" AS s WITH s + s AS t, s AS s RETURN t + t AS u',
  'WITH {t: "text"} AS m WITH m.t + m.t AS s WITH {t: s} AS m RETURN m.t + m.t AS u',
];

const workers = new ReadWorkers({ count: 1, firstSliceMs: 60_000 });
after(() => workers.close());

test('what begins on the main thread, and what does not', async () => {
  const engine = await openEngine('memory://placement', { flushIntervalMs: 0 }, { workers });
  await engine.execute('UNWIND range(1, 20) AS i CREATE (:P {i: i, name: "name" + i, list: [i, i]})-[:K]->(:Q {i: i})', none);
  const parameters = new Map<string, Value>([
    ['i', 7],
    ['text', 'name'],
  ]);
  const wentToWorker = async (query: string, given: ReadonlyMap<string, Value>): Promise<boolean> => {
    const before = workers.reads;
    await engine.execute(query, given);
    return workers.reads > before;
  };
  for (const query of HERE) assert.equal(await wentToWorker(query, parameters), false, query);
  for (const query of IN_WORKER) assert.equal(await wentToWorker(query, parameters), true, query);
  const large: readonly Value[] = ['x'.repeat(2000), Array.from({ length: 1000 }, () => 1), new Map([['a', 1]]), [['nested']]];
  for (const value of large)
    assert.equal(await wentToWorker('MATCH (p:P) WHERE p.name = $value RETURN p', new Map([['value', value]])), true);
  await engine.close();
});
