/** `graphdb export` as a process: every format, files and standard output, a query's result, failures. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { cleanEnvironment } from './server/launched-server.ts';
import { CLI } from './support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-export-cli-'));
mkdirSync(join(folder, 'store'));
after(() => rmSync(folder, { recursive: true, force: true }));
const STORE = `file://${folder}/store?ns=sample`;

function graphdb(...args: string[]) {
  return spawnSync(CLI, args, { env: cleanEnvironment(), cwd: folder, encoding: 'utf8', timeout: 60_000 });
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

before(() => {
  const statement = `CREATE (a:Person {_id: 'ada', name: 'Ada "L"', born: date('1815-12-10'), tags: ['x', 'y']}),
    (b:Person:Author {_id: 'bob', name: '', score: 1.0}), (a)-[:KNOWS {since: 1842}]->(b), (b)-[:KNOWS {since: 'then'}]->(b)`;
  assert.equal(graphdb('run', '--store', STORE, statement).status, 0);
});

test('CSV: a file per label set and type, with headers of neo4j-admin, and what it cannot say by itself is said', () => {
  const run = graphdb('export', '--store', STORE, '--to', 'csv', '--format', 'csv');
  assert.equal(run.status, 0, run.stderr);
  assert.match(
    run.stdout,
    /^exported 2 nodes and 2 relationships to 3 files \(.*\) in .* s\nnote: relationships-KNOWS: CSV has no type for all values of "since".*\n$/,
  );
  assert.deepEqual(readdirSync(join(folder, 'csv')).sort(), ['nodes-Person-Author.csv', 'nodes-Person.csv', 'relationships-KNOWS.csv']);
  assert.equal(read('csv/nodes-Person.csv'), '_id:ID,:LABEL,name:string,born:date,tags:string[]\nada,Person,"Ada ""L""",1815-12-10,x;y\n');
  assert.equal(read('csv/relationships-KNOWS.csv'), ':START_ID,:END_ID,:TYPE,since:json\nada,bob,KNOWS,1842\nbob,bob,KNOWS,"""then"""\n');
});

test('NDJSON packed, imported into another store by --from', () => {
  assert.equal(graphdb('export', '--store', STORE, '--to', 'nd', '--format', 'ndjson.zst').status, 0);
  const copy = `file://${folder}/store?ns=copy`;
  assert.match(
    graphdb('import', '--store', copy, '--from', 'nd', '--dry-run').stdout,
    /^checked 2 nodes and 2 relationships .* nothing was written/,
  );
  assert.match(graphdb('import', '--store', copy, '--from', 'nd').stdout, /^imported 2 nodes and 2 relationships/);
  assert.match(graphdb('import', '--store', copy, '--from', 'nd').stderr, /holds data already; say with --merge-on/);
  const merged = `file://${folder}/store?ns=merged`;
  assert.equal(graphdb('run', '--store', merged, "CREATE ({_id: 'bob', age: 1}), (:Person)").status, 0);
  assert.match(
    graphdb('import', '--store', merged, '--from', 'nd', '--merge-on', '_id').stdout,
    /^imported 1 node and 2 relationships, 1 node updated in/,
  );
  assert.match(
    graphdb('run', '--store', merged, 'MATCH (n)-[k:KNOWS]->(m {age: 1}) RETURN id(n), labels(m), m.score ORDER BY id(n)').stdout,
    /ada .*Person.*Author.*1\.0.*bob .*Person.*Author/s,
  );
  const { stdout } = graphdb(
    'run',
    '--store',
    copy,
    '--format',
    'csv',
    'MATCH (a)-[k]->(b) RETURN id(a), k.since, b.score, a.born, a.tags ORDER BY id(a)',
  );
  assert.equal(stdout, 'id(a),k.since,b.score,a.born,a.tags\r\nada,1842,1.0,1815-12-10,"[""x"",""y""]"\r\nbob,then,1.0,,\r\n');
});

test('a Cypher script makes the graph again, statement by statement', () => {
  assert.equal(graphdb('export', '--store', STORE, '--to', 'graph.cypher').status, 0);
  const statements = read('graph.cypher')
    .split(/;\n/)
    .filter((text) => text !== '');
  const copy = `file://${folder}/store?ns=script`;
  for (const statement of statements) assert.equal(graphdb('run', '--store', copy, statement).status, 0, statement);
  const { stdout } = graphdb(
    'run',
    '--store',
    copy,
    '--format',
    'csv',
    'MATCH (a)-[k]->(b) RETURN a.name, k.since, labels(b), a.born ORDER BY id(a)',
  );
  assert.equal(
    stdout,
    'a.name,k.since,labels(b),a.born\r\n"Ada ""L""",1842,"[""Person"",""Author""]",1815-12-10\r\n"",then,"[""Person"",""Author""]",\r\n',
  );
});

test('GraphML: keys are declared, text is escaped', () => {
  assert.equal(graphdb('export', '--store', STORE, '--to', 'graph.graphml.gz').status, 0);
  const text = gunzipSync(readFileSync(join(folder, 'graph.graphml.gz'))).toString();
  assert.match(text, /<key id="n\d" for="node" attr.name="score" attr.type="double"\/>/);
  assert.match(text, /<node id="ada" labels=":Person"><data key="labels">:Person<\/data>.*Ada &quot;L&quot;/);
  assert.match(text, /<edge id="r0" source="ada" target="bob" label="KNOWS">/);
});

test('GEXF: attributes are declared, nodes stand before edges, and are called by their names', () => {
  assert.equal(graphdb('export', '--store', STORE, '--to', 'graph.gexf').status, 0);
  const text = read('graph.gexf');
  assert.match(text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<gexf xmlns="http:\/\/gexf\.net\/1\.3" version="1\.3">\n/);
  assert.match(
    text,
    /<attributes class="node">\n<attribute id="labels" title="labels" type="string"\/>\n(?:<attribute .*\n)*<attribute id="n\d" title="score" type="double"\/>/,
  );
  assert.match(text, /<node id="ada" label="Ada &quot;L&quot;"><attvalues><attvalue for="labels" value=":Person"\/>/);
  assert.match(
    text,
    /<\/nodes>\n<edges>\n<edge id="r0" source="ada" target="bob" kind="KNOWS" label="KNOWS">[\s\S]*<\/edges>\n<\/graph>\n<\/gexf>\n$/,
  );
  const query = "MATCH (p {_id: 'ada'}) RETURN p";
  const alone = graphdb('export', '--store', STORE, '--query', query, '--format', 'gexf', '--to', '-');
  assert.match(alone.stdout, /<\/nodes>\n<edges>\n<\/edges>/);
});

test('DOT: texts are quoted, and properties do not change the drawing', () => {
  assert.equal(graphdb('export', '--store', STORE, '--to', 'graph.gv').status, 0);
  const text = read('graph.gv');
  assert.match(text, /^digraph G \{\n {2}"ada" \[label="Ada \\"L\\"", labels=":Person", .*p_name="Ada \\"L\\""/m);
  assert.match(text, /\n {2}"ada" -> "bob" \[label="KNOWS", p_since="1842"\];\n/);
  assert.ok(text.endsWith('}\n'));
});

test("a query's result: Parquet with types, CSV on standard output, a graph of what it holds", async () => {
  const query = 'MATCH (p:Person) RETURN p.name AS name, p.born AS born, p.score AS score, [1, 2] AS list, p ORDER BY id(p)';
  assert.equal(graphdb('export', '--store', STORE, '--query', query, '--to', 'rows.parquet').status, 0);
  const bytes = readFileSync(join(folder, 'rows.parquet'));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const rows = await parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
  assert.deepEqual(
    rows.map(({ name, list }) => ({ name, list })),
    [
      { name: 'Ada "L"', list: [1n, 2n] },
      { name: '', list: [1n, 2n] },
    ],
  );
  assert.deepEqual(rows[0]!['born'], new Date('1815-12-10'));
  assert.equal(rows[0]!['score'] ?? null, null);
  assert.equal(rows[1]!['score'], 1);
  assert.match(String(rows[0]!['p']), /"_kind":"node"/);
  const csv = graphdb('export', '--store', STORE, '--query', 'UNWIND [1, null, "a,b", ""] AS x RETURN x', '--format', 'csv', '--to', '-');
  assert.equal(csv.stdout, 'x\n1\n\n"a,b"\n""\n');
  assert.match(csv.stderr, /^exported 4 rows in/);
  const part = graphdb(
    'export',
    '--store',
    STORE,
    '--query',
    'MATCH (p {_id: "ada"})-[k]->() RETURN p, k',
    '--format',
    'cypher',
    '--to',
    '-',
  );
  assert.match(part.stdout, /id: 'ada'/);
  assert.match(part.stderr, /note: 1 relationships were left out/);
});

test('failures leave nothing behind, and wrong usage has a status of its own', () => {
  writeFileSync(join(folder, 'plain'), '');
  assert.equal(graphdb('export', '--store', STORE, '--to', join('plain', 'x'), '--format', 'csv').status, 1);
  mkdirSync(join(folder, 'full'));
  writeFileSync(join(folder, 'full/other'), '');
  assert.match(graphdb('export', '--store', STORE, '--to', 'full', '--format', 'csv').stderr, /the folder full is not empty/);
  const failed = graphdb(
    'export',
    '--store',
    STORE,
    '--query',
    'UNWIND range(1, 100000) AS x RETURN 1 / (100000 - x)',
    '--to',
    'failed.csv',
  );
  assert.equal(failed.status, 1);
  assert.ok(!existsSync(join(folder, 'failed.csv')) && !existsSync(join(folder, 'failed.csv.part')));
  assert.equal(graphdb('export', '--store', STORE, '--to', 'x', '--format', 'xml').status, 2);
  assert.equal(graphdb('export', '--store', STORE, '--to', 'x').status, 2);
  assert.equal(graphdb('export', '--store', STORE, '--to', '-', '--format', 'csv').status, 2);
  const dashed = graphdb('export', '--store', STORE, '--to', 'dashed', '--format', 'csv', '--delimiter', '-');
  assert.equal(dashed.status, 2);
  assert.match(dashed.stderr, /must not be a letter, a digit, a point or a sign/);
});
