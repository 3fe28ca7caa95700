/** Constant expressions of statements that are made into SQL. That their rows are those of the engine, tck.ts holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { translate } from '../../src/sql/index.ts';

test('what does not depend on the graph is computed once, and is a value of the text', async () => {
  const engine = await openEngine('memory://constants-of-sql', { flushIntervalMs: 0 });
  try {
    const translated = (text: string) =>
      translate((query) => engine.execute(query, new Map()), { text, dialect: 'duckdb', parameters: new Map() });
    assert.match((await translated('RETURN date({year: 1984, month: 10, day: 11}) AS d')).sql, /CAST\('1984-10-11' AS DATE\) AS v\d+/);
    assert.match((await translated("WITH {a: 1, b: 'x'} AS map UNWIND range(1, 3) AS i RETURN i, map")).sql, /'\{"a":1,"b":"x"\}'/);
    assert.match(
      (await translated('WITH 2 AS two WITH two, two * 2 AS four MATCH (n) RETURN four + two AS six')).sql,
      /CAST\(6 AS BIGINT\)/,
    );
    assert.match(
      (await translated('RETURN [x IN [1, 2, 3] WHERE x > 1 | x * 2] AS list')).sql,
      /\[CAST\(4 AS BIGINT\), CAST\(6 AS BIGINT\)\]/,
    );
    assert.match(
      (await translated("RETURN datetime.truncate('day', date('1984-10-11'), {nanosecond: 2}) AS x")).sql,
      /'"1984-10-11T00:00:00.000000002Z"'/,
    );
    for (const text of ["RETURN date.truncate('day') AS d", 'RETURN rand() AS r', 'RETURN datetime() AS d', 'RETURN date() AS d'])
      await assert.rejects(translated(text), { code: 'UNSUPPORTED' }, text);
  } finally {
    await engine.close();
  }
});

test('the items of list properties have the types of the values that the graph has', async () => {
  const engine = await openEngine('memory://lists-of-sql', { flushIntervalMs: 0 });
  try {
    await engine.execute("CREATE (:A {l: ['x'], m: [1, 'x'], e: []}), (:A {l: []}), (:B {l: [1.5]})", new Map());
    const translated = (text: string) =>
      translate((query) => engine.execute(query, new Map()), { text, dialect: 'duckdb', parameters: new Map() });
    assert.match((await translated("MATCH (n:A) RETURN 'x' IN n.l AS x")).sql, /list_transform\(c\d+, lambda y\d+: \('x' = y\d+\)\)/);
    assert.match((await translated('MATCH (n:B) RETURN n.l[0] + 1 AS x')).sql, /list_extract\(c\d+/);
    for (const text of ['MATCH (n:A) RETURN n.m[0] AS x', 'MATCH (n:A) RETURN n.e[0] AS x', 'MATCH (n) RETURN n.l[0] AS x'])
      await assert.rejects(translated(text), { code: 'UNSUPPORTED' }, text);
  } finally {
    await engine.close();
  }
});
