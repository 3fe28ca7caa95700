/** LOAD CSV: what it gives, and that it reads nothing outside of its directory. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { GraphDBError } from '../../src/base/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

let folder: string;
let engine: Engine;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graphdb-csv-'));
  const directory = join(folder, 'csv');
  await mkdir(join(directory, 'deep'), { recursive: true });
  await writeFile(join(folder, 'secret.csv'), 'secret');
  await writeFile(join(directory, 'people.csv'), '\ufeffname,age,\nAnn,30,x\n"Bob ""B""",\n\nCid,50,y,more\n');
  await writeFile(join(directory, 'deep', 'a b.csv'), 'x;y\n1;\n');
  await writeFile(join(directory, 'latin.csv'), Buffer.from([0x61, 0xe9, 0x0a]));
  await writeFile(join(directory, 'many.csv'), Array.from({ length: 20_000 }, (_, i) => `${i},"é${i}"\n`).join(''));
  await symlink(join(folder, 'secret.csv'), join(directory, 'link.csv'));
  await symlink(folder, join(directory, 'up'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(directory, 'pipe.csv')]);
  engine = await openEngine('memory://load-csv', { flushIntervalMs: 0, csvDirectory: directory });
});

after(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

async function answer(query: string, params: Record<string, string | null> = {}): Promise<string> {
  const { rows } = await engine.execute(query, new Map(Object.entries(params)));
  return rows.map((row) => row.map(literalText).join(' | ')).join('\n');
}

async function faultOf(url: string | null): Promise<string> {
  try {
    await answer('LOAD CSV FROM $url AS row RETURN row', { url });
  } catch (error) {
    assert(error instanceof GraphDBError, String(error));
    assert.equal(error.code, 'ARGUMENT_ERROR');
    return error.message;
  }
  return assert.fail(`${url} was read`);
}

test('rows are lists', async () => {
  assert.equal(
    await answer("LOAD CSV FROM 'file:///people.csv' AS row RETURN row, linenumber()"),
    "['name', 'age', null] | 1\n['Ann', '30', 'x'] | 2\n['Bob \"B\"', null] | 3\n['Cid', '50', 'y', 'more'] | 5",
  );
});

test('rows are maps with headers', async () => {
  assert.equal(
    await answer("LOAD CSV WITH HEADERS FROM 'file:///people.csv' AS row RETURN row.name, toInteger(row.age), keys(row), file()"),
    "'Ann' | 30 | ['name', 'age'] | 'file:///people.csv'\n" +
      "'Bob \"B\"' | null | ['name', 'age'] | 'file:///people.csv'\n" +
      "'Cid' | 50 | ['name', 'age'] | 'file:///people.csv'",
  );
});

test('a terminator, folders, spaces; URLs per row', async () => {
  assert.equal(
    await answer("LOAD CSV WITH HEADERS FROM 'file:///deep/a%20b.csv' AS row FIELDTERMINATOR ';' RETURN row"),
    "{x: '1', y: null}",
  );
  assert.equal(
    await answer("UNWIND ['people', 'many'] AS name LOAD CSV FROM 'file:///' + name + '.csv' AS row RETURN name, count(*)"),
    "'people' | 4\n'many' | 20000",
  );
  assert.equal(await answer('RETURN file(), linenumber()'), 'null | null');
});

test('the line is that of the row, whatever the rows go through later', async () => {
  const load = "LOAD CSV FROM 'file:///people.csv' AS row ";
  assert.equal(await answer(`${load}RETURN row[0] AS name, linenumber() AS line ORDER BY name LIMIT 2`), "'Ann' | 2\n'Bob \"B\"' | 3");
  assert.equal(await answer(`${load}WITH row, linenumber() + 1 AS next ORDER BY row[0] DESC SKIP 3 RETURN row[0], next`), "'Ann' | 3");
  assert.equal(
    await answer(`${load}WITH row[0] AS name, linenumber() AS line ORDER BY name WHERE line > 3 RETURN name, line`),
    "'Cid' | 5",
  );
  assert.equal(await answer(`${load}RETURN row[0] AS name, file() AS url ORDER BY name LIMIT 1`), "'Ann' | 'file:///people.csv'");
});

test('a condition on the line is asked where the row is read', async () => {
  await answer("UNWIND ['Ann', 'Cid', 'Eve'] AS name CREATE (:Left {name: name, x: size(name)}), (:Right {x: size(name), name: name})");
  const load = "LOAD CSV FROM 'file:///people.csv' AS row ";
  const match = 'MATCH (a:Left {name: row[0]}), (b:Right) WHERE a.x = b.x AND b.name = a.name AND b.x < linenumber() + 1';
  assert.equal(await answer(`${load}${match} RETURN b.name, linenumber()`), "'Cid' | 5");
  assert.equal(await answer(`${load}MATCH (b:Right) WHERE b.x = linenumber() - 2 AND b.name = row[0] RETURN b.name`), "'Cid'");
  await answer('MATCH (n:Left|Right) DELETE n');
});

test('what a file holds becomes a graph, by batches', async () => {
  const load = `LOAD CSV FROM 'file:///many.csv' AS row
    CALL (row) { CREATE (:Row {i: toInteger(row[0]), text: row[1]}) } IN TRANSACTIONS OF 6000 ROWS`;
  await answer(load);
  assert.equal(
    await answer("MATCH (n:Row) RETURN count(*), sum(n.i), count(CASE WHEN n.text = 'é' + n.i THEN 1 END)"),
    '20000 | 199990000 | 20000',
  );
});

test('a file that is left early is closed', async () => {
  const open = async (): Promise<number> => (await readdir('/dev/fd')).length;
  const before = await open();
  for (let i = 0; i < 50; i++) await answer("LOAD CSV FROM 'file:///many.csv' AS row RETURN row LIMIT 1");
  const stream = await engine.stream("LOAD CSV FROM 'file:///many.csv' AS row RETURN row", new Map());
  for await (const _ of stream.batches) break;
  await assert.rejects(answer("LOAD CSV FROM 'file:///many.csv' AS row RETURN 1 / (toInteger(row[0]) - 5)"));
  assert.ok((await open()) < before + 10);
});

test('nothing outside of the directory is read', async () => {
  const attacks = [
    'file:///../secret.csv',
    'file:///deep/../../secret.csv',
    'file:///%2e%2e/secret.csv',
    'file:///..%2fsecret.csv',
    'file:///deep\\..\\..\\secret.csv',
    `file://${folder}/secret.csv`,
    `file:///${folder}/secret.csv`,
    'file:///link.csv',
    'file:///up/secret.csv',
    'file:///pipe.csv',
    'file:///deep',
    'file:///',
    'file:///people.csv%00',
    'file:///%zz',
    'file://elsewhere/people.csv',
    'people.csv',
    '/people.csv',
    'http://127.0.0.1/people.csv',
    'ftp://127.0.0.1/people.csv',
    '',
  ];
  for (const url of attacks) assert.doesNotMatch(await faultOf(url), /secret$/, url);
  assert.match(await faultOf('http://127.0.0.1/x.csv'), /reads files only/);
  assert.match(await faultOf('file:///link.csv'), /symbolic links are not followed/);
  assert.match(await faultOf('file:///nobody.csv'), /there is no such file/);
  assert.match(await faultOf('file:///latin.csv'), /not text in UTF-8/);
  assert.match(await faultOf(null), /this is null/);
});

test('without a directory it is refused, and a terminator is one character', async () => {
  const other = await openEngine('memory://load-csv-off', { flushIntervalMs: 0 });
  await assert.rejects(other.execute("LOAD CSV FROM 'file:///people.csv' AS row RETURN row", new Map()), { code: 'UNSUPPORTED' });
  await other.close();
  await assert.rejects(answer("LOAD CSV FROM 'file:///people.csv' AS row FIELDTERMINATOR '||' RETURN row"), { code: 'SYNTAX_ERROR' });
});
