/** Values that Neo4j takes where a list is gone through: a single value is the only element of a list, null is null. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

const CASES: Readonly<Record<string, string>> = {
  '[x IN 1 | x + 1]': '[2]',
  "[x IN 'ab' | x + 'c']": "['abc']",
  '[x IN 5 WHERE x > 5]': '[]',
  '[x IN true WHERE x]': '[true]',
  '[x IN {a: 1} | x.a]': '[1]',
  "[x IN date('2024-02-29') | x.year]": '[2024]',
  '[x IN null | x]': 'null',
  '[x IN [] | x]': '[]',
  "any(x IN 'a' WHERE x = 'a')": 'true',
  'all(x IN 1 WHERE x = 2)': 'false',
  'none(x IN 1 WHERE x = 2)': 'true',
  'single(x IN 1 WHERE x = 1)': 'true',
  'any(x IN null WHERE x = 1)': 'null',
  'reduce(s = 1, x IN 41 | s + x)': '42',
  'reduce(s = 1, x IN null | s + x)': 'null',
  'COLLECT { UNWIND 1 AS x RETURN x + 1 }': '[2]',
};

test('a single value is gone through as a list of one: as a constant, a variable and a parameter', async () => {
  const engine = await openEngine('memory://compat-single-values', { flushIntervalMs: 0 });
  const ask = async (query: string, parameters = new Map()): Promise<string> =>
    literalText((await engine.execute(query, parameters)).rows[0]![0]!);
  for (const [expression, expected] of Object.entries(CASES)) {
    assert.equal(await ask(`RETURN ${expression}`), expected, expression);
    const [, source] = / IN ('[^']*'|\{[^}]*\}|date\([^)]*\)|\[\]|\w+)/.exec(expression) ?? [];
    if (source === undefined) continue;
    const general = expression.replace(` IN ${source}`, ' IN source');
    assert.equal(await ask(`WITH ${source} AS source RETURN ${general}`), expected, `a variable: ${expression}`);
    const value = (await engine.execute(`RETURN ${source}`, new Map())).rows[0]![0]!;
    assert.equal(
      await ask(`WITH $source AS source RETURN ${general}`, new Map([['source', value]])),
      expected,
      `a parameter: ${expression}`,
    );
  }
  await engine.execute("CREATE (:Person {name: 'Ada'})", new Map());
  assert.equal(await ask('MATCH (n:Person) RETURN [m IN n | m.name]'), "['Ada']");
  await engine.execute('MATCH (n:Person) FOREACH (x IN 7 | SET n.age = x)', new Map());
  assert.equal(await ask('MATCH (n:Person) RETURN n.age'), '7');
  await engine.close();
});

test('IN, indexing and slicing want lists', async () => {
  const engine = await openEngine('memory://compat-single-values-refused', { flushIntervalMs: 0 });
  for (const expression of ['1 IN 1', '1[0]', "'a'[0..1]"])
    await assert.rejects(engine.execute(`RETURN ${expression}`, new Map()), expression);
  await engine.close();
});
