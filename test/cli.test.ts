/** The command as a process: formats, inputs, exit statuses, and that reading a store does not fence its writer. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cleanEnvironment, launchServer } from './server/launched-server.ts';
import { CLI } from './support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function graphdb(args: string[], input = ''): Run {
  return spawnSync(CLI, args, { env: cleanEnvironment(), input, cwd: folder, encoding: 'utf8', timeout: 30_000 });
}

function store(namespace: string): string {
  return `file://${folder}/store?ns=${namespace}`;
}

test('run answers in the format asked for', () => {
  const query = "UNWIND [1, 9223372036854775807] AS i RETURN i, i / 1.0 > 1 AS big, 'x' AS s";
  const run = (...format: string[]) => graphdb(['run', ...format, query]).stdout;
  assert.equal(run('--format', 'csv'), 'i,big,s\r\n1,false,x\r\n9223372036854775807,true,x\r\n');
  assert.equal(run('--format', 'ndjson'), '{"i":1,"big":false,"s":"x"}\n{"i":9223372036854775807,"big":true,"s":"x"}\n');
  const json = '{"columns":["i","big","s"],"rows":[{"i":1,"big":false,"s":"x"},{"i":9223372036854775807,"big":true,"s":"x"}]}\n';
  assert.equal(run('--format', 'json'), json);
  assert.match(run(), /\| 9223372036854775807 \| true {2}\| x \|\n.*\n2 rows\n$/);
});

test('statement and parameters come from the argument, a file or standard input', () => {
  writeFileSync(join(folder, 'query.cypher'), 'RETURN $a AS a');
  writeFileSync(join(folder, 'params.json'), '{"a": 1.0}');
  assert.equal(graphdb(['run', '--format', 'ndjson', '--params', '{"a": 1}', '@query.cypher']).stdout, '{"a":1}\n');
  assert.equal(graphdb(['run', '--format', 'ndjson', '--params', '@params.json', '-'], 'RETURN $a AS a').stdout, '{"a":1.0}\n');
});

test('what one run writes another reads', () => {
  const written = graphdb(['run', '--store', store('w'), "CREATE (:Person {name: 'Ada'})"]);
  assert.equal(written.stdout, '1 node created, 1 property set, 1 label added\n', written.stderr);
  assert.equal(
    graphdb(['run', '--store', store('w'), '--format', 'csv', 'MATCH (p:Person) RETURN p.name AS name']).stdout,
    'name\r\nAda\r\n',
  );
});

test('reading does not take the place of the server that writes', async () => {
  const server = await launchServer(['--store', store('served')]);
  try {
    await server.cypher('CREATE (:N)');
    const read = graphdb(['run', '--store', store('served'), '--format', 'csv', 'MATCH (n) RETURN count(*) AS n']);
    assert.equal(read.stdout, 'n\r\n1\r\n', read.stderr);
    assert.match(graphdb(['explain', '--store', store('served'), 'CREATE (n)']).stdout, /\S/);
    assert.equal((await server.cypher('CREATE (:N)')).status, 200);
  } finally {
    await server.end('SIGTERM');
  }
});

test('a store is merged, looked at and read as it was', () => {
  const uri = store('maintained');
  graphdb(['run', '--store', uri, 'CREATE (:Person {name: "Ada"})-[:KNOWS]->(:Person {name: "Mary"})']);
  const compacted = graphdb(['compact', '--store', uri]);
  assert.match(compacted.stdout, /^0 SSTs of 0 tables merged into 0, 0 rows written; .*; manifest version 3\n$/, compacted.stderr);
  graphdb(['run', '--store', uri, 'MATCH (n {name: "Ada"}) SET n.name = "Augusta"']);
  assert.match(graphdb(['compact', '--store', uri]).stdout, /^2 SSTs of 1 table merged into 1, 2 rows written/);
  const names = (...options: string[]): string =>
    graphdb(['run', '--store', uri, '--format', 'csv', ...options, 'MATCH (n) RETURN n.name AS n ORDER BY n']).stdout;
  assert.equal(names(), 'n\r\nAugusta\r\nMary\r\n');
  assert.equal(names('--at-version', '3'), 'n\r\nAda\r\nMary\r\n');
  assert.equal(graphdb(['run', '--store', uri, '--at-version', '3', 'CREATE (n)']).status, 1);
  assert.match(graphdb(['run', '--store', uri, '--at-version', '99', 'RETURN 1']).stderr, /NOT_FOUND/);
  const inspected = graphdb(['inspect', '--store', uri, '--verify']);
  assert.equal(inspected.status, 0, inspected.stderr);
  assert.match(inspected.stdout, /nodes :Person: 2 rows in 1 SST.*no problem was found/s);
  const description = JSON.parse(graphdb(['inspect', '--store', uri, '--json']).stdout) as { tables: unknown[]; problems: unknown[] };
  assert.deepEqual([description.tables.length, description.problems], [2, []]);
});

test('a backup is the whole of a namespace, and restores it', () => {
  const [from, to] = [store('original'), store('copy')];
  graphdb(['run', '--store', from, 'UNWIND range(1, 100) AS i CREATE (:N {i: i})']);
  graphdb(['compact', '--store', from]);
  graphdb(['run', '--store', from, 'CREATE (:N {i: 101})']);
  const copied = graphdb(['backup', '--from', from, '--to', to]);
  assert.match(copied.stdout, /^copied 1 SST \(.*\) and 1 commit of manifest version/, copied.stderr);
  const sum = (uri: string): string => graphdb(['run', '--store', uri, '--format', 'csv', 'MATCH (n:N) RETURN sum(n.i) AS s']).stdout;
  assert.deepEqual([sum(from), sum(to)], ['s\r\n5151\r\n', 's\r\n5151\r\n']);
  graphdb(['run', '--store', from, 'MATCH (n) DELETE n']);
  assert.match(graphdb(['backup', '--from', to, '--to', from]).stderr, /has content already.*ARGUMENT_ERROR/s);
  assert.equal(graphdb(['backup', '--from', to, '--to', from, '--replace']).status, 0);
  assert.equal(sum(from), 's\r\n5151\r\n');
  assert.match(graphdb(['backup', '--from', to, '--to', to, '--replace']).stderr, /same namespace/);
  assert.equal(graphdb(['backup', '--from', store('nothing'), '--to', store('other')]).status, 1);
});

test('inspect names what is damaged, and is status 1', () => {
  const uri = store('damaged');
  graphdb(['run', '--store', uri, 'CREATE (:N {v: "some text"})']);
  graphdb(['compact', '--store', uri]);
  const data = join(folder, 'store/damaged/data');
  const [name] = readdirSync(data);
  const file = join(data, name!);
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  assert.equal(graphdb(['inspect', '--store', uri]).status, 0);
  const { status, stdout } = graphdb(['inspect', '--store', uri, '--verify']);
  assert.equal(status, 1);
  assert.match(stdout, new RegExp(`1 problem\\n {2}data/${name}: .*checksum`));
});

test('parse shows the canonical text, which parses to itself, or the tree', () => {
  const canonical = graphdb(['parse', "match (n:Person{name:'Ada'}) return n"]);
  assert.equal(canonical.status, 0, canonical.stderr);
  assert.match(canonical.stdout, /^MATCH \(n:Person \{name: 'Ada'\}\)/);
  assert.equal(graphdb(['parse', '-'], canonical.stdout).stdout, canonical.stdout);
  const tree = JSON.parse(graphdb(['parse', '--json', 'RETURN 1']).stdout) as { kind: string };
  assert.equal(tree.kind, 'statement');
});

test('sql shows a statement over the tables of a store, or refuses it at its place', () => {
  const uri = store('as-sql');
  graphdb(['run', '--store', uri, "CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Mary'})"]);
  const text = graphdb(['sql', '--dialect', 'duckdb', '--store', uri, 'MATCH (p:Person)-[:KNOWS]->() RETURN p.name AS name']);
  assert.match(
    text.stdout,
    /^-- nodes_1: nodes with Person; columns <ordinal>.*name\n[\s\S]*\nWITH [\s\S]* AS "name" FROM q\d+\n$/,
    text.stderr,
  );
  const json = graphdb(['sql', '--json', '--store', uri, 'MATCH ()-[r:KNOWS]->() RETURN count(*)']);
  const { sources } = JSON.parse(json.stdout) as { sources: { name: string; labels: string[] | null; type: string | null }[] };
  assert.deepEqual(
    sources.map(({ labels, type }) => [labels, type]),
    [
      [[], null],
      [null, 'KNOWS'],
    ],
  );
  const refused = graphdb(['sql', '--store', uri, 'MATCH p = ()-->()\nRETURN p']);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /a column of paths has no form in SQL \(line 2, column 8\) \(UNSUPPORTED\)\n/);
});

test('a fault in the text shows line and caret, and is status 1', () => {
  for (const command of ['parse', 'run', 'explain']) {
    const { status, stdout, stderr } = graphdb([command, 'MATCH (n)\nRETURN )']);
    assert.equal(status, 1, command);
    assert.equal(stdout, '');
    assert.match(stderr, /SYNTAX_ERROR/);
    assert.ok(stderr.endsWith('  2 | RETURN )\n    |        ^\n'), stderr);
  }
});

test('a statement or a store that fails is status 1', () => {
  assert.equal(graphdb(['run', 'RETURN 1 / 0']).status, 1);
  writeFileSync(join(folder, 'no-directory'), '');
  assert.equal(graphdb(['run', '--store', `file://${folder}/no-directory?ns=x`, 'CREATE (n)']).status, 1);
});

test('wrong usage is status 2, on stderr', () => {
  const cases = [
    ['run'],
    ['unheard-of'],
    ['run', '--format', 'xml', 'RETURN 1'],
    ['run', '--params', '[]', 'RETURN 1'],
    ['run', '--params', '{', 'RETURN 1'],
    ['run', '--params', '@missing.json', 'RETURN 1'],
    ['run', '@missing.cypher'],
    ['run', '--store', 'file:///x', 'RETURN 1'],
    ['parse', 'RETURN 1', 'stray'],
    ['run', '--at-version', '0', 'RETURN 1'],
    ['compact'],
    ['inspect', '--store', 'nowhere://x'],
    ['backup', '--from', 'file:///x?ns=a'],
  ];
  for (const args of cases) {
    const { status, stdout, stderr } = graphdb(args);
    assert.equal(status, 2, `${args.join(' ')}: ${stderr}`);
    assert.equal(stdout, '');
    assert.notEqual(stderr, '');
  }
});

test('no command shows the help', () => {
  assert.match(graphdb(['--help']).stdout, /Commands:/);
  assert.equal(graphdb(['--help']).status, 0);
  assert.equal(graphdb([]).status, 2);
});
