/** Grouping and DISTINCT by several values: whatever they are, equal rows come together and no others do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/index.ts';
import { seededRandom } from './support/random.ts';

/**
 * As a property: strings of a dictionary, small and large Integers, Floats that are equal to Integers and those that
 * are not equal to themselves, Dates, lists, nothing.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  name: ["'a'", "'b'", "''", "'1'", 'null'],
  small: ['0', '1', '-1', 'null'],
  large: ['9223372036854775807', '-9223372036854775808', '4503599627370496', '1', 'null'],
  float: ['1.0', '0.0', '-0.0', '0.0 / 0.0', '0.5', 'null'],
  flag: ['true', 'false', 'null'],
  day: ["date('2020-01-01')", "date('1969-12-31')", "date('1970-01-01')", 'null'],
  mixed: ["'1'", '1', '1.0', 'true', '[1, 2]', "['1', 2]", "date('1970-01-02')", 'null'],
};

async function filled(name: string, rows: number): Promise<Database> {
  const db = await open(name);
  const random = seededRandom(5);
  for (let row = 0; row < rows; row++) {
    const properties = Object.entries(KINDS).map(([key, values]) => `${key}: ${random.pick(values)}`);
    await db.query(`CREATE (:${row % 3 === 0 ? 'T:Third' : 'T'} {row: ${row}, ${properties.join(', ')}})`);
  }
  await db.query('MATCH (a:T), (b:T) WHERE b.row = a.row + 1 AND a.row % 2 = 0 CREATE (a)-[:NEXT]->(b)');
  await db.query('MATCH (a:T), (b:T) WHERE b.row = a.row + 3 AND a.row % 5 = 0 CREATE (a)-[:THIRD]->(b)');
  return db;
}

/** Equal for values that are equivalent. */
function keyOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `number ${value}`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  return `${typeof value} ${value}`;
}

/** Counts rows and adds up their numbers, by the values of the columns. */
async function groupsOf(db: Database, match: string, columns: readonly string[], row: string): Promise<Map<string, [number, number]>> {
  const groups = new Map<string, [number, number]>();
  const { rows } = await db.query(`${match} RETURN ${columns.map((column, i) => `${column} AS c${i}`).join(', ')}, ${row} AS row`);
  for (const one of rows) {
    const key = columns.map((_, i) => keyOf(one[`c${i}`])).join('; ');
    const [count, sum] = groups.get(key) ?? [0, 0];
    groups.set(key, [count + 1, sum + Number(one['row'])]);
  }
  return groups;
}

async function assertGrouped(db: Database, match: string, columns: readonly string[], row: string): Promise<void> {
  const expected = await groupsOf(db, match, columns, row);
  const shown = columns.map((column, i) => `${column} AS c${i}`).join(', ');
  const grouped = await db.query(`${match} RETURN ${shown}, count(*) AS count, sum(${row}) AS sum`);
  const found = grouped.rows.map((one): [string, [number, number]] => [
    columns.map((_, i) => keyOf(one[`c${i}`])).join('; '),
    [Number(one['count']), Number(one['sum'])],
  ]);
  assert.deepEqual(new Map(found), expected, columns.join());
  assert.equal(found.length, expected.size, columns.join());
  const distinct = await db.query(`${match} RETURN DISTINCT ${shown}`);
  const keys = distinct.rows.map((one) => columns.map((_, i) => keyOf(one[`c${i}`])).join('; '));
  assert.deepEqual(keys.toSorted(), [...expected.keys()].toSorted(), `DISTINCT ${columns.join()}`);
}

test('groups by several properties of any kinds are those of the rows', async () => {
  await using db = await filled('memory://composite-keys', 400);
  const names = Object.keys(KINDS);
  for (const first of names) for (const second of names) await assertGrouped(db, 'MATCH (n:T)', [`n.${first}`, `n.${second}`], 'n.row');
  await assertGrouped(db, 'MATCH (n:T)', ['n.name', 'n.small', 'n.flag'], 'n.row');
  await assertGrouped(db, 'MATCH (n:T)', ['n.day', 'n.mixed', 'n.float', 'n.large'], 'n.row');
  await assertGrouped(db, 'MATCH (n:T)', ['n.name', 'n.missing'], 'n.row');
});

test('nodes, labels and types are parts of keys, and what an OPTIONAL MATCH has not found', async () => {
  await using db = await filled('memory://composite-keys-graph', 60);
  const match = 'MATCH (n:T) OPTIONAL MATCH (n)-[r]->(m)';
  await assertGrouped(db, match, ['labels(m)', 'type(r)'], 'n.row');
  await assertGrouped(db, match, ['labels(m)'], 'n.row');
  await assertGrouped(db, match, ['type(r)'], 'n.row');
  await assertGrouped(db, match, ['labels(n)', 'm.name'], 'n.row');
  const byNodes = await db.query(`${match} WITH n, m, count(*) AS count RETURN n.row AS n, m.row AS m, count`);
  const byRows = await db.query(`${match} RETURN n.row AS n, m.row AS m, count(*) AS count`);
  assert.deepEqual(byNodes.rows.map(keyOfRow).toSorted(), byRows.rows.map(keyOfRow).toSorted());
});

function keyOfRow(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(row);
}

test('within a subquery and in a statement that writes', async () => {
  await using db = await filled('memory://composite-keys-inner', 60);
  const inner = 'MATCH (n:T) CALL (n) { MATCH (m:T) WHERE m.small = n.small RETURN m.name AS name, m.flag AS flag, count(*) AS count }';
  const { rows } = await db.query(`${inner} RETURN sum(count) AS total, count(*) AS groups`);
  const expected = await db.query('MATCH (n:T), (m:T) WHERE m.small = n.small RETURN count(*) AS total');
  const groups = await db.query(
    'MATCH (n:T), (m:T) WHERE m.small = n.small WITH DISTINCT n, m.name AS name, m.flag AS flag RETURN count(*) AS groups',
  );
  assert.deepEqual(rows, [{ ...expected.rows[0], ...groups.rows[0] }]);
  const written = await db.query(
    'MATCH (n:T) SET n:Seen WITH labels(n) AS labels, n.small AS small, count(*) AS count RETURN sum(count) AS all',
  );
  assert.deepEqual(written.rows, [{ all: 60 }]);
});

test('the labels that a statement gives are the caller’s to change', async () => {
  await using db = await filled('memory://composite-keys-lists', 6);
  const query = 'MATCH (n:T) RETURN labels(n) AS labels, count(*) AS count ORDER BY count';
  const before = await db.query(query);
  for (const row of before.rows) (row['labels'] as string[]).push('Changed');
  assert.deepEqual(
    (await db.query(query)).rows.map(({ labels }) => labels),
    [['T', 'Third'], ['T']],
  );
});
