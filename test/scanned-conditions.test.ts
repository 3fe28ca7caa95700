/**
 * Conditions and aggregations over scans, which look at many rows at a time: they answer as the same statements that
 * hide their properties in `coalesce()`, which are computed row by row.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, open, type Parameters } from '../src/index.ts';

const ROWS = 2_600;
let db: Database;

before(async () => {
  db = await open('memory://scanned-conditions');
  // Two tables with other forms of some columns, nulls in others; then rows that have ended, and later versions.
  await db.query(
    `UNWIND range(0, ${ROWS - 1}) AS i
     CREATE (:Item:A {id: i, small: i % 7, day: date('2020-01-01') + duration({days: i % 400}), price: i % 11 / 2.0, name:
     'name ' + (i % 5), text: 'some text ' + i,
                      wide: 3000000000000000 + i, huge: 9007199254740990 + i, rare: CASE WHEN i % 3 = 0 THEN i % 300 END, mixed:
                      CASE WHEN i % 2 = 0 THEN i ELSE toString(i) END})`,
  );
  await db.query(
    `UNWIND range(0, 1499) AS i
     CREATE (:Item:B {id: ${ROWS} + i, small: -(i % 400), day: date('1960-01-01') + duration({days: i % 40}), price: CASE WHEN i
     % 100 = 0 THEN 0.0 / 0.0 ELSE -0.0 - i END,
                      name: 'name ' + (i % 700), text: 'other text ' + i, rare: CASE WHEN i % 5 = 0 THEN 1000000 + i END, mixed: i})`,
  );
  await db.query('MATCH (n:Item) WHERE n.id % 17 = 3 DELETE n');
  await db.query("MATCH (n:Item) WHERE n.id % 13 = 5 SET n.small = n.small + 1000, n.text = 'changed ' + n.id");
});

after(() => db.close());

const CONDITIONS: readonly (readonly [string, Parameters])[] = [
  ['@small = $a', { a: 3 }],
  ['@small > $a AND @small <= $b', { a: -20, b: 4 }],
  ['@small >= $a', { a: 2.5 }],
  ['$a < @small', { a: 5 }],
  ["@day >= date($a) AND @day < date('2020-03-01')", { a: '1960-02-01' }],
  ['@price > $a', { a: -1 }],
  ['@price <= 0.0', {}],
  ['@name = $a', { a: 'name 4' }],
  ['@name = $a', { a: 'nobody' }],
  ["@name STARTS WITH 'name 1'", {}],
  ['@name CONTAINS $a AND @small > 1', { a: '3' }],
  ['@text CONTAINS $a', { a: 'ext 99' }],
  ['@text CONTAINS $a', { a: '' }],
  ["@text STARTS WITH $a AND @text CONTAINS '7'", { a: 'other' }],
  ['@text = $a', { a: 'some text 1001' }],
  ['@wide > $a', { a: 3000000000001000 }],
  ['@huge > $a', { a: 9007199254741501n }],
  ['@rare < $a', { a: 250 }],
  ['@rare = @small', {}],
  ['@mixed = $a', { a: 8 }],
  ['@mixed CONTAINS $a', { a: '77' }],
  ['@small = $a', { a: null }],
  ['@small = $a', { a: 'text' }],
  ['@absent > $a', { a: 1 }],
  ['NOT @small > $a', { a: 3 }],
];

for (const [condition, parameters] of CONDITIONS) {
  test(`WHERE ${condition} ${JSON.stringify(parameters, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`, async () => {
    const statement = (property: (key: string) => string): string =>
      `MATCH (n:Item) WHERE ${condition.replace(/@(\w+)/g, (_, key: string) => property(key))} `;
    const answers = async (on: Pick<Database, 'query'>): Promise<void> => {
      for (const rest of [
        'RETURN count(*) AS n, sum(n.id) AS ids, avg(n.small) AS mean',
        'RETURN n.name AS name, count(*) AS n, max(n.id) AS id ORDER BY name',
      ]) {
        const [plain, hidden] = [statement((key) => `n.${key}`), statement((key) => `coalesce(n.${key})`)];
        assert.deepEqual(
          (await on.query(plain + rest, parameters)).rows,
          (await on.query(hidden + rest.replace('n.name', 'coalesce(n.name)'), parameters)).rows,
        );
      }
    };
    await answers(db);
    const transaction = await db.begin({ mode: 'write' });
    await transaction.query("UNWIND range(1, 1100) AS i CREATE (:Item:A {id: 100000 + i, small: 3, name: 'name 4', text: 'next 991'}) ");
    await transaction.query('MATCH (n:Item:B) WHERE n.id % 10 = 0 DELETE n');
    await answers(transaction);
    await transaction.rollback();
    await answers(db);
  });
}

const AGGREGATES = ['count(#)', 'count(DISTINCT #)', 'min(#)', 'max(#)'] as const;
const KEYS = ['small', 'day', 'name', 'rare', 'price', 'mixed'] as const;

for (const key of [null, ...KEYS]) {
  test(`aggregates of all rows, ${key === null ? 'without groups' : `by ${key}`}`, async () => {
    const items = KEYS.flatMap((value) => AGGREGATES.map((aggregate) => aggregate.replace('#', `@${value}`)));
    items.push(
      'sum(@small)',
      'avg(@small)',
      'sum(@wide)',
      'avg(@wide)',
      'sum(@rare)',
      'avg(@rare)',
      'sum(n.id + @small)',
      'avg(@price)',
      'sum(@price)',
      'count(*)',
    );
    const statement = (property: (name: string) => string): string => {
      const all = items.map((item, i) => `${item} AS c${i}`).join(', ');
      const text = key === null ? `RETURN ${all}` : `WITH @${key} AS key, ${all} RETURN * ORDER BY key, c0`;
      return `MATCH (n:Item) ${text.replace(/@(\w+)/g, (_, name: string) => property(name))}`;
    };
    const plain = await db.query(statement((name) => `n.${name}`));
    const hidden = await db.query(statement((name) => `coalesce(n.${name})`));
    assert.ok(plain.rows.length > 0);
    assert.deepEqual(plain.rows, hidden.rows);
  });
}

test('groups by strings of which there are few: null is one, and a string without rows is none', async () => {
  await using db = await open('memory://scanned-groups');
  await db.query(
    "UNWIND range(0, 4999) AS i CREATE (:Item {id: i, tone: CASE WHEN i % 4 > 0 THEN 'tone ' + (i % 20) END, size: i % 7, next: i + 1})",
  );
  await db.query("CREATE (:Item {id: 5000, tone: 'gone', size: 1})");
  await db.query('MATCH (n:Item) WHERE n.id = 5000 OR n.id % 5 = 3 DELETE n');
  const plain =
    'MATCH (n:Item) RETURN n.tone AS tone, count(*) AS n, sum(n.size) AS sum, avg(n.size) AS mean, max(n.id) AS most, ' +
    'collect(DISTINCT n.size) AS sizes ORDER BY tone';
  const others = [
    plain.replace('count(*) AS n, ', ''),
    plain.replace('RETURN', 'WHERE n.size > 2 AND n.id < 4500 RETURN'),
    plain.replace('RETURN', "WHERE n.tone <> 'tone 2' RETURN"),
    plain.replace('ORDER BY tone', 'ORDER BY n DESC, tone LIMIT 3'),
    'MATCH (n:Item) WITH n.tone AS tone, count(*) AS n WHERE tone IS NULL OR n > 100 RETURN tone, n ORDER BY tone',
    'MATCH (n:Item) RETURN n.tone AS tone ORDER BY tone LIMIT 1',
    'UNWIND [1, 2] AS i MATCH (n:Item) WITH i, n.tone AS tone, count(*) AS n RETURN i, tone, n ORDER BY i, tone',
  ];
  assert.match(await db.explain(plain, { verbose: true }), /new CodeGroups/);
  const same = async (on: Pick<Database, 'query'>): Promise<void> => {
    for (const statement of [plain, ...others]) {
      const hidden = statement.replaceAll('n.tone', 'coalesce(n.tone)');
      assert.deepEqual((await on.query(statement)).rows, (await on.query(hidden)).rows, statement);
    }
  };
  await same(db);
  const { rows } = await db.query(plain);
  assert.deepEqual([rows.length, rows.some(({ tone }) => tone === null), rows.some(({ tone }) => tone === 'gone')], [13, true, false]);
  const transaction = await db.begin({ mode: 'write' });
  await transaction.query("UNWIND range(0, 99) AS i CREATE (:Item {id: 6000 + i, tone: 'new ' + i, size: 3000000000})");
  await same(transaction);
  await transaction.commit();
  await same(db);
  await db.query("MATCH (n:Item) WHERE n.id % 2 = 0 SET n.tone = 'own ' + n.id");
  await same(db);
  assert.doesNotMatch(await db.explain(plain, { verbose: true }), /new CodeGroups/);
});

test('a bound that is an error is told where a row is compared with it, and not where there is none', async () => {
  const bad = "WHERE n.day >= date('2020-01-01') AND n.day < date($bad) RETURN count(*) AS n";
  assert.deepEqual((await db.query(`MATCH (n:Nothing) ${bad}`, { bad: 'no date' })).rows, [{ n: 0 }]);
  await assert.rejects(db.query(`MATCH (n:Item) ${bad}`, { bad: 'no date' }), { code: 'ARGUMENT_ERROR' });
  // No row gets as far as the second bound.
  const never = "MATCH (n:Item) WHERE n.day >= date('2999-01-01') AND n.day < date($bad) RETURN count(*) AS n";
  assert.deepEqual((await db.query(never, { bad: 'no date' })).rows, [{ n: 0 }]);
  await assert.rejects(db.query('MATCH (n:Item) WHERE 1 / (n.small - n.small) = 1 AND n.small = 5000 RETURN count(*) AS n'), {
    code: 'ARITHMETIC_ERROR',
  });
});
