/** `graphdb import` as a process, and what queries see of a namespace that it made: every type, every id, later writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import { importFiles } from '../src/import/index.ts';
import { displayText } from '../src/value/index.ts';
import { cleanEnvironment } from './server/launched-server.ts';
import { CLI } from './support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-import-cli-'));
mkdirSync(join(folder, 'store'));
after(() => rmSync(folder, { recursive: true, force: true }));

function graphdb(...args: string[]) {
  return spawnSync(CLI, args, { env: cleanEnvironment(), cwd: folder, encoding: 'utf8', timeout: 60_000 });
}

function store(namespace: string): string {
  return `file://${folder}/store?ns=${namespace}`;
}

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

async function rows(engine: Engine, query: string): Promise<string[]> {
  const { rows: found } = await engine.execute(query, new Map());
  return found.map((row) => row.map(displayText).join(' | '));
}

const PERSONS = `id:ID(Person),name,age:int,height:double,born:date,seen:datetime,tags:string[],active:boolean,:LABEL
a,"Ada ""the first""",36,1.70,1815-12-10,2024-01-01T10:00:00Z,math;poetry,true,Author
b,Bob,,2,,,,false,
c,Cy,9007199254740993,,,,x,,Author
`;
const KNOWS = `:START_ID(Person),:END_ID(Person),since:int,note
c,a,3,
a,b,1,"two
lines"
a,c,2,
`;

function importSample(namespace: string, ...more: string[]) {
  const nodes = `Person=${file('persons.csv', PERSONS)}`;
  const relationships = `KNOWS=${file('knows.csv', KNOWS)}`;
  return graphdb('import', '--store', store(namespace), '--nodes', nodes, '--relationships', relationships, ...more);
}

test('what was imported is there for queries, and later writes stand beside it', async () => {
  const run = importSample('sample');
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /^imported 3 nodes and 3 relationships in \d+\.\d+ s \(.* rows\/s, .*\/s\); .* written\n$/);
  assert.equal(run.stderr, '');
  const engine = await openEngine(store('sample'), {});
  try {
    assert.deepEqual(
      await rows(engine, 'MATCH (p:Person) RETURN p.name, p.age, p.height, p.born, p.seen, p.tags, p.active, labels(p) ORDER BY p.id'),
      [
        "Ada \"the first\" | 36 | 1.7 | 1815-12-10 | 2024-01-01T10:00:00Z | ['math', 'poetry'] | true | ['Person', 'Author']",
        "Bob | null | 2.0 | null | null | null | false | ['Person']",
        "Cy | 9007199254740993 | null | null | null | ['x'] | null | ['Person', 'Author']",
      ],
    );
    assert.deepEqual(await rows(engine, 'MATCH (x:Person)-[k:KNOWS]->(y) RETURN x.id, y.id, k.since, k.note ORDER BY k.since'), [
      'a | b | 1 | two\nlines',
      'a | c | 2 | null',
      'c | a | 3 | null',
    ]);
    assert.deepEqual(
      await rows(
        engine,
        "MATCH (p {id: 'b'}) CREATE (p)-[:KNOWS {since: 4}]->(:Person {id: 'd', name: 'Ada \"the first\"'}) SET p.age = 1",
      ),
      [],
    );
    await engine.flush();
  } finally {
    await engine.close();
  }
  const again = await openEngine(store('sample'), { readOnly: true });
  try {
    assert.deepEqual(await rows(again, 'MATCH (p:Person) RETURN p.name, count(*) AS n, max(p.age) ORDER BY n DESC, p.name'), [
      'Ada "the first" | 2 | 36',
      'Bob | 1 | 1',
      'Cy | 1 | 9007199254740993',
    ]);
    assert.deepEqual(await rows(again, "MATCH (:Author {id: 'c'})-[k:KNOWS*3]->(e) RETURN [r IN k | r.since], e.id"), ['[3, 1, 4] | d']);
  } finally {
    await again.close();
  }
});

test('several files behind one header, id spaces with equal ids, integer ids, internal identifiers', async () => {
  const run = graphdb(
    'import',
    '--store',
    store('spaces'),
    '--id-type',
    'integer',
    ...['--nodes', `B:A=${file('a.csv', 'n:ID(A),_id\n1,first\n2,\n')}`],
    ...['--nodes', `A:C=${file('c-header.csv', ':ID(B),v:int[]\n')},${file('c-1.csv', '1,1;2\n')},${file('c-2.csv', '2,\n')}`],
    ...['--relationships', file('r.csv', ':TYPE,:START_ID(A),:END_ID(B)\nX,1,2\nY,2,1\n')],
  );
  assert.equal(run.status, 0, run.stderr);
  const engine = await openEngine(store('spaces'), { readOnly: true });
  try {
    assert.deepEqual(await rows(engine, 'MATCH (a)-[r]->(b) RETURN labels(a), a.n, id(a), type(r), b.v, labels(b) ORDER BY type(r)'), [
      "['B', 'A'] | 1 | first | X | null | ['A', 'C']",
      "['B', 'A'] | 2 | n1 | Y | [1, 2] | ['A', 'C']",
    ]);
    assert.deepEqual(await rows(engine, "MATCH (a {_id: 'first'}) RETURN a.n"), ['1']);
  } finally {
    await engine.close();
  }
});

test('labels that UTF-8 and UTF-16 sort differently name one table', async () => {
  const run = graphdb('import', '--store', store('label-order'), '--nodes', file('order.csv', ':ID,x:int,:LABEL\n1,1,\uff21;\u{1f600}\n'));
  assert.equal(run.status, 0, run.stderr);
  const engine = await openEngine(store('label-order'), {});
  try {
    await rows(engine, 'MATCH (n) SET n.y = n.x + 1');
    await engine.flush();
  } finally {
    await engine.close();
  }
  const again = await openEngine(store('label-order'), { readOnly: true });
  try {
    assert.deepEqual(await rows(again, 'MATCH (n:`\uff21`:`\u{1f600}`) RETURN n.x, n.y'), ['1 | 2']);
  } finally {
    await again.close();
  }
});

test('a bad row: file, line and reason, exit status 1, and nothing loaded; or it is left out', () => {
  writeFileSync(join(folder, 'bad.csv'), ':ID,v:int\na,1\nb,two\nc,3\n');
  const failed = graphdb('import', '--store', store('bad'), '--nodes', 'N=bad.csv');
  assert.equal(failed.status, 1);
  assert.match(
    failed.stderr,
    /^graphdb: bad\.csv:3: column v:int: "two" is not an Integer of 64 bits; nothing was imported.*\(ARGUMENT_ERROR\)\n$/,
  );
  const skipped = graphdb('import', '--store', store('bad'), '--nodes', 'N=bad.csv', '--skip-bad-rows');
  assert.equal(skipped.status, 0, skipped.stderr);
  assert.match(
    skipped.stdout,
    /^imported 2 nodes.*\n1 bad row left out:\n {2}bad\.csv:3: column v:int: "two" is not an Integer of 64 bits\n$/,
  );
});

test('wrong usage is told apart from wrong data', () => {
  assert.equal(graphdb('import', '--nodes', 'x.csv').status, 2, 'no store');
  assert.equal(graphdb('import', '--store', 'nowhere://x', '--nodes', 'x.csv').status, 2, 'no storage URI');
  assert.equal(graphdb('import', '--store', store('usage'), '--nodes', 'A=').status, 2, 'no file');
  assert.equal(graphdb('import', '--store', store('usage'), '--id-type', 'uuid', '--nodes', 'x.csv').status, 2, 'no id type');
  const missing = graphdb('import', '--store', store('usage'), '--nodes', 'missing.csv');
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /cannot read missing\.csv: no such file/);
});

test('a namespace with data is refused', () => {
  assert.equal(importSample('twice').status, 0);
  const again = importSample('twice');
  assert.equal(again.status, 1);
  assert.match(again.stderr, /namespace "twice" holds data already.*\(UNSUPPORTED\)/);
});

test('tables of several files, with columns of several kinds, are one graph', async () => {
  const nodes = Array.from({ length: 9_000 }, (_, i) => `n${i},${i},${['A', 'B', 'C'][i % 3]}`);
  const others = Array.from({ length: 1_000 }, (_, i) => `m${i},text ${i % 7},A`);
  const relationships = Array.from({ length: 20_000 }, (_, i) => `n${(i * 7919) % 9_000},m${(i * 31) % 1_000},${i}`);
  const inFolder = (name: string, content: string) => join(folder, file(name, content));
  await importFiles({
    store: store('files'),
    nodes: [
      { labels: ['N'], files: [inFolder('n.csv', `:ID,v:int,:LABEL\n${nodes.join('\n')}`)] },
      { labels: ['N'], files: [inFolder('m.csv', `:ID,v,:LABEL\n${others.join('\n')}`)] },
    ],
    relationships: [{ type: 'R', files: [inFolder('nm.csv', `:START_ID,:END_ID,w:long\n${relationships.join('\n')}`)] }],
    bufferBytes: 1,
  });
  const engine = await openEngine(store('files'), { readOnly: true });
  try {
    assert.deepEqual(await rows(engine, 'MATCH (n:N) RETURN count(*), count(DISTINCT n.v)'), ['10000 | 9007']);
    assert.deepEqual(await rows(engine, "MATCH (n:A {v: 'text 3'}) RETURN count(*)"), ['143']);
    assert.deepEqual(await rows(engine, 'MATCH (n:B {v: 4000}) RETURN labels(n), n.v'), ["['N', 'B'] | 4000"]);
    assert.deepEqual(await rows(engine, 'MATCH (a)-[r:R]->(b) RETURN count(*), sum(r.w), sum(a.v)'), [
      `20000 | ${(20_000 * 19_999) / 2} | ${relationships.reduce((sum, _, i) => sum + ((i * 7919) % 9_000), 0)}`,
    ]);
    const ends = relationships.flatMap((_, i) => ((i * 7919) % 9_000 === 4000 ? [`text ${((i * 31) % 1_000) % 7} | ${i}`] : []));
    assert.deepEqual(await rows(engine, 'MATCH (:B {v: 4000})-[r:R]->(b) RETURN b.v, r.w ORDER BY r.w'), ends);
  } finally {
    await engine.close();
  }
});

test('types are guessed where the header has none, on demand, and told', async () => {
  const guessed = file(
    'guessed.csv',
    'code:ID,zip,count,share,flag,day,at,mixed,empty,named:float\nx,01234,7,0.5,true,2024-02-29,2024-02-29T10:00:00Z,1,,1\n' +
      'y,00012,-3,2,FALSE,2024-03-01,2024-03-01T10:00:00+02:00,one,,2\n',
  );
  const run = graphdb('import', '--store', store('guessed'), '--guess-types', '--nodes', `T=${guessed}`);
  assert.equal(run.status, 0, run.stderr);
  assert.equal(
    run.stderr,
    'guessed.csv: guessed count int, share float, flag boolean, day date, at datetime; a header that names types is not guessed\n',
  );
  const engine = await openEngine(store('guessed'), {});
  try {
    const query =
      'MATCH (t:T) RETURN t.zip, t.count + 1, t.share, t.flag, t.day.year, t.at.month, t.mixed, t.empty, t.named ORDER BY t.code';
    assert.deepEqual(await rows(engine, query), [
      '01234 | 8 | 0.5 | true | 2024 | 2 | 1 | null | 1.0',
      '00012 | -2 | 2.0 | false | 2024 | 3 | one | null | 2.0',
    ]);
  } finally {
    await engine.close();
  }
  const plain = graphdb('run', '--store', store('guessed'), 'RETURN 1');
  assert.equal(plain.status, 0);
  assert.equal(graphdb('import', '--store', store('unguessed'), '--nodes', `T=${guessed}`).status, 0);
  const { stdout } = graphdb(
    'run',
    '--store',
    store('unguessed'),
    '--format',
    'csv',
    "MATCH (t:T {code: 'x'}) RETURN t.count + 'x' AS text",
  );
  assert.equal(stdout, 'text\r\n7x\r\n');
});

test('a dry run tells of all bad rows at once, with their columns', () => {
  const bad = file('bad.csv', 'id:ID,age:int,born:date\na,1,2024-01-01\nb,one,2024-13-01\nc,2\nd,3,soon\n');
  const args = ['import', '--store', store('dry'), '--nodes', `P=${bad}`];
  const dry = graphdb(...args, '--dry-run');
  assert.equal(dry.status, 1);
  assert.match(dry.stderr, /^graphdb: 3 rows cannot be loaded; nothing was imported/);
  assert.match(
    dry.stderr,
    /\n {2}bad\.csv:3: column age:int: "one" is not an Integer of 64 bits; column born:date: month must lie.*\n {2}bad\.csv:4: 2 fields.*\n {2}bad\.csv:5: column born:date: /,
  );
  const real = graphdb(...args);
  assert.match(real.stderr, /^graphdb: bad\.csv:(?:3: column age:int|4): /);
  assert.equal(graphdb(...args, '--dry-run', '--skip-bad-rows').status, 0);
});
