/**
 * `node scripts/make-format-example.ts <folder>`: writes the stored example of a storage format, a namespace `example`
 * in a folder that must not exist yet.
 *
 * `test/fixtures/format-<n>/` were made by this script when these formats were the present one; none is ever made
 * again, since a test opens them for ever as they are. A new format gets an example of its own. It holds every kind of
 * column and of value, tables in files that a merge and two flushes made, a compressed file, updates, deletions and
 * changes of labels on each side of a flush, schema, artefacts over nodes, more than one manifest holds without a
 * child, and a log of two epochs after the files. Beside it `content.txt` says what it holds.
 */
import { access, lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Engine, openEngine } from '../src/engine/index.ts';
import { openObjectStore, parseStorageUri } from '../src/object-store/index.ts';
import type { SstTable } from '../src/storage/index.ts';
import { openWriterNamespace } from '../src/storage/open-namespace.ts';
import { encodeSst } from '../src/storage/sst/encode-sst.ts';
import { valueListKind } from '../src/storage/testing/value-list-kind.ts';
import { CypherFloat, type Value } from '../src/value/index.ts';
import { contentOf } from '../test/format/content.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/make-format-example.ts <folder>');
const isThere = await access(folder).then(
  () => true,
  () => false,
);
if (isThere) throw new Error(`${folder} is there already`);
const uri = `file://${resolve(folder)}?ns=example`;

/** As the fuzz test knows them. */
const ARTEFACT_KINDS = [valueListKind(['name', 'number'])];

const VALUES: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['zero', 0],
  ['negative', -1],
  ['largest safe', Number.MAX_SAFE_INTEGER],
  ['largest', 2n ** 63n - 1n],
  ['smallest', -(2n ** 63n)],
  ['float one', new CypherFloat(1)],
  ['minus zero', new CypherFloat(-0)],
  ['tenth', 0.1],
  ['tiny', Number.MIN_VALUE],
  ['infinity', Number.POSITIVE_INFINITY],
  ['nan', Number.NaN],
  ['empty', ''],
  ['emoji', 'a \u{1f409} e\u0301 \u0000 "\\\n'],
  ['no bytes', new Uint8Array(0)],
  ['bytes', Uint8Array.of(0, 127, 128, 255)],
  ['vector', Float32Array.of(0.5, -1, 3.25)],
  ['no items', []],
  ['integers', [1, 2 ** 40, -(2n ** 63n)]],
  ['floats', [new CypherFloat(1), 0.5]],
  ['texts', ['', 'ß', 'b']],
  ['booleans', [true, false]],
]);

const TEMPORAL = [
  "date('2024-02-29')",
  "date('-0044-03-15')",
  "localtime('23:59:59.999999999')",
  "time('12:00:00.5+05:30')",
  "localdatetime('1969-12-31T23:59:59.1')",
  "datetime('2024-06-01T10:00:00+02:00')",
  "datetime('2024-06-01T10:00:00[Europe/Stockholm]')",
  "duration('P1Y2M3DT4H5M6.789S')",
  "duration('PT-0.5S')",
  "[date('2000-01-01'), date('2000-01-02')]",
];

await write('first', async (engine) => {
  await run(engine, 'CREATE CONSTRAINT person_name FOR (n:Person) REQUIRE n.name IS UNIQUE');
  await run(engine, 'CREATE CONSTRAINT city_code FOR (n:City) REQUIRE n.code IS NOT NULL');
  await run(engine, 'CREATE INDEX person_age FOR (n:Person) ON (n.age)');
  await run(engine, 'CREATE INDEX person_age_and_name FOR (n:Person) ON (n.age, n.name)');
  // A column of each kind, with nulls.
  await run(
    engine,
    `UNWIND range(0, 19) AS i
     CREATE (n:Kinds {small: i - 10, large: i * 1099511627776, huge: 4611686018427387904 + i, ratio: i / 4.0, flag: i % 2 = 0,
                      day: date('2024-01-01') + duration({days: i}), word: ['red', 'green', 'blue'][i % 3], text: 'text ' +
                      toString(i) + ' of the example'})
     FOREACH (_ IN CASE WHEN i % 5 = 4 THEN [1] ELSE [] END | REMOVE n.large, n.huge, n.ratio, n.flag, n.day, n.word, n.text)`,
  );
  for (const [name, value] of VALUES) await run(engine, 'CREATE (:Value {name: $name, value: $value})', { name, value });
  for (const [i, text] of TEMPORAL.entries()) await run(engine, `CREATE (:Value {name: 'temporal ${i}', value: ${text}})`);
  await run(
    engine,
    "UNWIND range(0, 9) AS i CREATE (:Person {_id: 'person-' + toString(i), name: 'Person ' + toString(i), age: 20 + i, `_private`: i})",
  );
  await run(
    engine,
    "CREATE (:City {_id: 'lodz', code: 'LDZ', name: 'Łódź'}), (:City {code: 'GOT'}), (), (:`Odd label \u{1f388}` {`odd key \u{1f388}`: 1})",
  );
  await run(
    engine,
    'MATCH (a:Person), (b:Person) WHERE b.age = a.age + 1 CREATE (a)-[:KNOWS {since: date("2020-01-01") + duration({days: ' +
      'a.age}), weight: a.age / 2.0}]->(b)',
  );
  await run(engine, "MATCH (a:Person), (c:City {code: 'LDZ'}) WHERE a.age < 25 CREATE (a)-[:LIVES_IN]->(c)");
  await run(
    engine,
    "MATCH (a:Person {name: 'Person 3'}) CREATE (a)-[:KNOWS {note: 'self'}]->(a), (a)-[:KNOWS {note: 'self'}]->(a), (a)-[:`odd " +
      'type \u{1f388}`]->(a)',
  );
  await engine.flush();
  await run(engine, "MATCH (n:Person) WHERE n.age < 23 SET n.age = n.age + 100, n.nick = 'old ' + n.name");
  await run(engine, "MATCH (n:Person {name: 'Person 9'}) DETACH DELETE n");
  await run(engine, 'MATCH (n:Person) WHERE n.age = 25 SET n:Admin REMOVE n.`_private`');
  await run(engine, 'MATCH (:Person)-[r:LIVES_IN]->(:City) WITH r ORDER BY id(startNode(r)) LIMIT 2 DELETE r');
  await engine.compact();
  await run(engine, "MATCH (n:Value {name: 'zero'}) SET n.value = 'no number any more'");
  await run(engine, "MATCH (n:Person {name: 'Person 8'}) SET n.age = 'unknown'");
  await run(engine, 'MATCH (:Person)-[r:KNOWS]->(:Person) WHERE r.weight > 12 SET r.weight = -r.weight, r.since = null');
  await engine.flush();
  await run(engine, "MATCH (n:Value {name: 'tiny'}) DELETE n");
  await run(engine, 'MATCH (n:Person:Admin) REMOVE n:Admin SET n:Retired');
  await run(engine, "MATCH (:Person {name: 'Person 6'})-[r:KNOWS]->() DELETE r");
  await engine.flush();
});
await compressKinds();
await write('second', async (engine) => {
  await run(
    engine,
    "CREATE (:Person {_id: 'late', name: 'Late', age: 40})-[:KNOWS {since: date('2025-01-01')}]->(:Person {name: 'Later', age: 41})",
  );
  await run(engine, "MATCH (n:Person {name: 'Person 0'}) SET n.age = 0, n += {nick: 'changed in the log'}");
  await run(engine, "MATCH (n:Person {name: 'Person 1'}) DETACH DELETE n");
  await run(engine, 'MATCH (n:Person:Retired) REMOVE n:Retired');
  await run(engine, "MATCH (:Person {name: 'Person 2'})-[r:KNOWS]->() SET r.weight = 0.5");
  await run(engine, "MATCH (:Person {name: 'Person 7'})-[r:KNOWS]->() DELETE r");
  await run(engine, 'DROP INDEX person_age_and_name');
  await run(engine, 'CREATE INDEX value_name FOR (n:Value) ON (n.name)');
  await run(engine, 'CREATE (:NewInTheLog {`new key`: [1, 2, 3]})');
});
await writeContent();
await removeJournal();

async function write(writerId: string, work: (engine: Engine) => Promise<void>): Promise<void> {
  const clock = { now: () => 1_800_000_000_000, sleep: async () => {} };
  const engine = await openEngine(
    uri,
    { flushIntervalMs: 0, graceMs: 0, retainVersions: 1 },
    { writerId, clock, artefactKinds: ARTEFACT_KINDS, artefactsFromRows: 0 },
  );
  await work(engine);
  await engine.close();
}

async function writeContent(): Promise<void> {
  const engine = await openEngine(uri, { readOnly: true, pollIntervalMs: 0 });
  await writeFile(join(folder!, 'content.txt'), await contentOf(engine));
  await engine.close();
}

async function run(engine: Engine, query: string, params: Readonly<Record<string, Value>> = {}): Promise<void> {
  await engine.execute(query, new Map(Object.entries(params)));
}

/** Removes the files that a closed store leaves beside its objects: names that it held for its log, and empty folders. */
async function removeJournal(): Promise<void> {
  const root = join(folder!, 'example');
  for (const name of ['.journal', '.tmp', 'probe']) await rm(join(root, name), { recursive: true, force: true });
  for (const name of await readdir(join(root, 'wal'))) {
    const path = join(root, 'wal', name);
    if ((await lstat(path)).isSymbolicLink()) await rm(path);
  }
}

/** A file that is compressed takes the place of one that is not. */
async function compressKinds(): Promise<void> {
  const store = await openObjectStore(parseStorageUri(uri));
  const namespace = await openWriterNamespace(store, { name: 'example', writerId: 'compressor' });
  const table = namespace.manifest.tables.find(({ labels }) => labels?.[0] === 'Kinds')!;
  const [file] = table.files;
  if (file === undefined || table.files.length > 1) throw new Error('the table is not in one file');
  const reader = await namespace.openSst(file);
  const columns = await Promise.all(file.columns.map(async ({ name }) => (await reader.readColumn(name))!));
  const copy: SstTable = { ...file, kind: 'nodes', labels: table.labels ?? [], columns };
  const encoded = await encodeSst(copy, { compression: 'zstd' });
  const uploaded = await namespace.uploadFile(copy, encoded);
  await namespace.publish({ add: [], addUploaded: [uploaded], remove: [file.key] });
  await namespace.close();
  await store.close();
}
