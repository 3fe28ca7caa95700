/**
 * Grouping of many rows by integers and days: small ones are the numbers of their groups, others stand behind them; all
 * of them are groups of their own.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, open } from '../src/index.ts';

/** Enough for days too. */
const ROWS = 140_000;
const KEYS = [0, 1, 4_095, 4_096, 4_097, 70_000, 2 ** 21, -1, -4_096, 2 ** 31 - 1, -(2 ** 31)];
const DAYS = ['1970-01-01', '1969-12-31', '0001-01-01', '2024-02-29', '2059-09-18', '2059-09-19', '2059-09-20', '9999-12-31'];

let db: Database;
before(async () => {
  db = await open('memory://grouping-by-small-numbers');
  await db.query(
    `UNWIND range(0, ${ROWS - 1}) AS i
     CREATE (:N {k: $keys[i % size($keys)], d: date($days[i % size($days)]), v: i % 7, x: i})`,
    { keys: KEYS, days: DAYS },
  );
});
after(() => db.close());

/** Returns for each key its rows, the sum of their values, the least and the greatest row. */
function expected<K>(keys: readonly K[], isIn: (row: number) => boolean = () => true): Map<K, readonly [number, number, number, number]> {
  const groups = new Map<K, [number, number, number, number]>();
  for (let row = 0; row < ROWS; row++) {
    if (!isIn(row)) continue;
    const key = keys[row % keys.length]!;
    const [count, sum, least] = groups.get(key) ?? [0, 0, row, row];
    groups.set(key, [count + 1, sum + (row % 7), least, row]);
  }
  return groups;
}

async function grouped(key: string, where = ''): Promise<[unknown, number, number, number, number][]> {
  const { rows } = await db.query(
    `MATCH (n:N) ${where} RETURN ${key} AS key, count(*) AS n, sum(n.v) AS s, min(n.x) AS least, max(n.x) AS most, avg(n.v) AS mean`,
  );
  return rows.map(({ key, n, s, least, most, mean }) => {
    assert.equal(mean, Number(s) / Number(n));
    return [key === null ? null : typeof key === 'number' ? key : String(key), Number(n), Number(s), Number(least), Number(most)];
  });
}

function assertSame(found: readonly (readonly [unknown, ...number[]])[], wanted: ReadonlyMap<unknown, readonly number[]>): void {
  assert.equal(found.length, wanted.size);
  for (const [key, ...rest] of found) assert.deepEqual(rest, wanted.get(key), String(key));
}

test('every integer and every day is a group', async () => {
  assertSame(await grouped('n.k'), expected(KEYS));
  assertSame(await grouped('n.d'), expected(DAYS));
});

test('no group without a row', async () => {
  assertSame(
    await grouped('n.k', 'WHERE n.k < 4096'),
    expected(KEYS, (row) => KEYS[row % KEYS.length]! < 4_096),
  );
  assertSame(await grouped('n.k', 'WHERE n.x < 0'), new Map());
  assertSame(await grouped('n.d', "WHERE n.d > date('2024-02-28') AND n.x > 100"), expected(DAYS, (row) => row > 100 && DAYS[row % DAYS.length]! > '2024-02-28')); // biome-ignore format: one call
});

test('without a count of the rows the same groups are found', async () => {
  for (const [key, keys] of [
    ['n.k', KEYS],
    ['n.d', DAYS],
  ] as const) {
    // biome-ignore format: two pairs
    const { rows } = await db.query(`MATCH (n:N) RETURN ${key} AS key, max(n.x) AS most`);
    assert.deepEqual(
      new Map(rows.map(({ key, most }) => [typeof key === 'number' ? key : String(key), most])),
      new Map([...expected<number | string>(keys)].map(([key, [, , , most]]) => [key, most])),
    );
    const { rows: distinct } = await db.query(`MATCH (n:N) RETURN DISTINCT ${key} AS key`);
    assert.equal(distinct.length, keys.length);
    const { rows: kept } = await db.query(`MATCH (n:N) RETURN ${key} AS key, count(DISTINCT n.v) AS values, collect(n.v)[0] AS first`);
    assert.equal(kept.length, keys.length);
    assert.ok(kept.every(({ values }) => values === 7));
  }
});

test('rows without a key are one group', async () => {
  await db.query('MATCH (n:N {x: 5}) REMOVE n.k, n.d');
  const all = expected(KEYS, (row) => row !== 5);
  assertSame(await grouped('n.k'), new Map<unknown, readonly number[]>([...all, [null, [1, 5, 5, 5]]]));
  const days = expected(DAYS, (row) => row !== 5);
  assertSame(await grouped('n.d'), new Map<unknown, readonly number[]>([...days, [null, [1, 5, 5, 5]]]));
});
