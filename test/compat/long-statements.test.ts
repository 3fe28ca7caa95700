/** Statements that are long without being deep, as programs write them: they are planned and run in time that grows with their length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

const TERMS = 1_500;

const terms = (count: number, term: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => term(i));
const joined = (operator: string, term: (i: number) => string): string => terms(TERMS, term).join(` ${operator} `);

/** Expressions over `a`, which is 1, `t`, which is 'x', and `b`, which is true; and what they give. */
const CHAINS: Readonly<Record<string, readonly [expression: string, answer: string]>> = {
  'sum of numbers': [joined('+', () => '1'), String(TERMS)],
  'sum of variables': [joined('+', () => 'a'), String(TERMS)],
  'sum of Floats': [joined('+', () => '0.5'), `${TERMS / 2}.0`],
  'sum with a null at its end': [`${joined('+', () => 'a')} + null`, 'null'],
  difference: [joined('-', () => 'a'), String(2 - TERMS)],
  product: [joined('*', () => 'a'), '1'],
  quotient: [joined('/', () => 'a'), '1'],
  remainder: [joined('%', () => 'a'), '0'],
  power: [joined('^', () => 'a'), '1.0'],
  'sums of products': [joined('+', () => 'a * 2'), String(2 * TERMS)],
  'text by +': [`size(${joined('+', () => 't')})`, String(TERMS)],
  'text by ||': [`size(${joined('||', (i) => `'${i % 10}'`)})`, String(TERMS)],
  lists: [`size(${joined('+', (i) => `[${i}]`)})`, String(TERMS)],
  AND: [joined('AND', () => 'b'), 'true'],
  OR: [joined('OR', () => 'NOT b'), 'false'],
  XOR: [joined('XOR', () => 'b'), 'false'],
  equalities: [joined('=', () => 'a'), 'true'],
  order: [joined('<', (i) => String(i)), 'true'],
  'equalities in OR': [joined('OR', (i) => `a = ${TERMS - i}`), 'true'],
  'inequalities in AND': [joined('AND', (i) => `a <> ${i + 2}`), 'true'],
  'CASE with conditions': [`CASE ${terms(TERMS, (i) => `WHEN a = ${TERMS - i} THEN ${i}`).join(' ')} ELSE -1 END`, String(TERMS - 1)],
  'CASE of a value': [`CASE a ${terms(TERMS, (i) => `WHEN ${i + 2} THEN ${i}`).join(' ')} ELSE -1 END`, '-1'],
  coalesce: [`coalesce(${terms(TERMS, () => 'null').join(', ')}, a)`, '1'],
};

test('long chains of operators are parsed, planned, explained and run', async () => {
  const engine = await openEngine('memory://compat-long-chains', { flushIntervalMs: 0 });
  await engine.execute('CREATE (:N {a: 1, t: $t, b: true})', new Map([['t', 'x']]));
  const bound = { variables: "UNWIND [1] AS a WITH a, 'x' AS t, true AS b", properties: 'MATCH (n:N) WITH n.a AS a, n.t AS t, n.b AS b' };
  for (const [name, [expression, answer]] of Object.entries(CHAINS)) {
    for (const [source, prefix] of Object.entries(bound)) {
      const { rows } = await engine.execute(`${prefix} RETURN ${expression} AS x`, new Map());
      assert.equal(literalText(rows[0]![0]!), answer, `${name} of ${source}`);
      await engine.execute(`EXPLAIN ${prefix} RETURN ${expression} AS x`, new Map());
    }
    await engine.execute(`MATCH (n:N) WITH n, n.a AS a, n.t AS t, n.b AS b SET n.x = ${expression}`, new Map());
    const { rows } = await engine.execute('MATCH (n:N) RETURN n.x', new Map());
    assert.equal(literalText(rows[0]![0]!), answer, `${name} in SET`);
  }
  await engine.close();
});

test('long conditions over properties are run by scans and filters', async () => {
  const engine = await openEngine('memory://compat-long-conditions', { flushIntervalMs: 0 });
  await engine.execute('UNWIND range(1, 100) AS i CREATE (:N {a: i, t: toString(i)})', new Map());
  for (const [condition, count] of [
    [joined('AND', (i) => `n.a <> ${i + 51}`), 50],
    [joined('OR', (i) => `n.a = ${i + 51}`), 50],
    [joined('AND', (i) => `NOT n.t CONTAINS '${i + 51}'`), 50],
    [joined('AND', (i) => `n.a < ${2_000 - i}`), 100],
    [joined('OR', (i) => `n.t STARTS WITH '${i + 90}'`), 11],
  ] as const) {
    const { rows } = await engine.execute(`MATCH (n:N) WHERE ${condition} RETURN count(*)`, new Map());
    assert.equal(rows[0]![0], count, condition.slice(0, 40));
  }
  await engine.close();
});

test('what is deep is refused, with what is wrong', async () => {
  const engine = await openEngine('memory://compat-deep', { flushIntervalMs: 0 });
  for (const expression of [
    `${'('.repeat(TERMS)}1${')'.repeat(TERMS)}`,
    `${'['.repeat(TERMS)}1${']'.repeat(TERMS)}`,
    `${'(1 + '.repeat(TERMS)}1${')'.repeat(TERMS)}`,
    `${'- '.repeat(TERMS)}1`,
    `${'NOT '.repeat(TERMS)}true`,
    `null${'.a'.repeat(TERMS)}`,
  ])
    await assert.rejects(engine.execute(`RETURN ${expression} AS x`, new Map()), { code: 'SYNTAX_ERROR', message: /nested too deeply/ });
  await engine.close();
});

test('a column that is the beginning of a chain of ORDER BY stands for it behind an aggregation', async () => {
  const engine = await openEngine('memory://compat-chain-columns', { flushIntervalMs: 0 });
  await engine.execute('UNWIND [[1, 2], [3, 1], [1, 2]] AS p CREATE (:N {a: p[0], b: p[1]})', new Map());
  for (const order of ['n.a + n.b + 1', '(n.a + n.b) + 1', 'n.a + n.b - 2 * 3 + 1', 'n.a + n.b']) {
    for (const [columns, expected] of [
      ['DISTINCT n.a + n.b AS s', [[4], [3]]],
      [
        'n.a + n.b AS s, count(*) AS c',
        [
          [4, 1],
          [3, 2],
        ],
      ],
    ] as const) {
      const { rows } = await engine.execute(`MATCH (n:N) RETURN ${columns} ORDER BY ${order} DESC`, new Map());
      assert.deepEqual(rows, expected, order);
    }
  }
  await assert.rejects(engine.execute('MATCH (n:N) RETURN DISTINCT n.a + n.b AS s ORDER BY n.a + n.b + n.a', new Map()), {
    code: 'SEMANTIC_ERROR',
  });
  await engine.close();
});

const MANY = 100_000;
const numbers = terms(MANY, String).join(', ');

/** Statements, with the answer of each. */
const LARGE_LITERALS: Readonly<Record<string, readonly [query: string, answer: string]>> = {
  numbers: [`RETURN size([${numbers}])`, String(MANY)],
  Floats: [`RETURN [${terms(MANY, (i) => `${i}.5`).join(', ')}][-1]`, `${MANY - 1}.5`],
  texts: [`RETURN [${terms(MANY, (i) => `'t${i}'`).join(', ')}][7]`, "'t7'"],
  'a sum over them': [`RETURN reduce(s = 0, x IN [${numbers}] | s + x)`, String((MANY * (MANY - 1)) / 2)],
  lists: [`RETURN size([${terms(MANY / 10, (i) => `[${terms(10, (j) => String(i * j)).join(', ')}]`).join(', ')}][7])`, '10'],
  maps: [
    `UNWIND [${terms(MANY / 2, (i) => `{a: ${i}, b: 'x'}`).join(', ')}] AS row RETURN sum(row.a)`,
    String((MANY / 4) * (MANY / 2 - 1)),
  ],
  'a map of many keys': [`RETURN {${terms(MANY, (i) => `k${i}: ${i}`).join(', ')}}['k77']`, '77'],
  'IN them': [`UNWIND [1, ${MANY}] AS x WITH x WHERE x IN [${numbers}] RETURN count(x)`, '1'],
  'IN them and a variable': [`UNWIND [1, ${MANY}] AS x WITH x WHERE x IN [x, ${numbers}] RETURN count(x)`, '2'],
  'rows of them': [`UNWIND [${numbers}] AS x RETURN count(x)`, String(MANY)],
  'a property IN them': [`MATCH (n:N) WHERE n.a IN [${numbers}] RETURN count(*)`, '2'],
  'grouped by them': [`MATCH (n:N) RETURN size([${numbers}]) AS s, count(*) AS c ORDER BY s`, String(MANY)],
};

test('lists and maps of 100,000 literals are values like any other', async () => {
  const engine = await openEngine('memory://compat-large-literals', { flushIntervalMs: 0 });
  await engine.execute('CREATE (:N {a: 1}), (:N {a: 77}), (:N {a: -1})', new Map());
  for (const [name, [query, answer]] of Object.entries(LARGE_LITERALS)) {
    const { rows } = await engine.execute(query, new Map());
    assert.equal(literalText(rows[0]![0]!), answer, name);
    await engine.execute(`EXPLAIN ${query}`, new Map());
  }
  await engine.close();
});

test('constants that differ are different ones, whatever their types', async () => {
  const engine = await openEngine('memory://compat-constants', { flushIntervalMs: 0 });
  const long = (last: string): string => `[${terms(99, String).join(', ')}, ${last}]`;
  const texts = [
    '1',
    '1.0',
    "'1'",
    'true',
    'null',
    '[1]',
    '[[1]]',
    '{a: 1}',
    '{a: 1.0}',
    "{a: '1'}",
    '-0.0',
    '0.0',
    '9223372036854775807',
    '{`a: 1, b`: 2}',
  ];
  const { rows } = await engine.execute(`RETURN ${texts.map((text, i) => `${long(text)}[-1] AS c${i}`).join(', ')}`, new Map());
  assert.deepEqual(rows[0]!.map(literalText), texts);
  const counted =
    `UNWIND [1, 1] AS x RETURN ${texts.map((text, i) => `${long(text)} AS c${i}`).join(', ')}, count(*) AS n ` + `ORDER BY ${long('1')}, n`;
  const grouped = (await engine.execute(counted, new Map())).rows;
  assert.deepEqual(
    grouped[0]!.slice(0, -1).map((value) => literalText((value as unknown[]).at(-1) as never)),
    texts,
  );
  assert.equal(grouped[0]!.at(-1), 2);
  await engine.close();
});
