/**
 * docs/import.md and docs/export.md are true: their commands run as written, on files of the kind that they speak of,
 * and what they show is what is printed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cleanEnvironment } from './server/launched-server.ts';
import { CLI } from './support/programs.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'graphdb-pages-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'data'));
mkdirSync(join(folder, 'programs'));
symlinkSync(CLI, join(folder, 'programs/graphdb'));

/** Blocks without a language. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
}

function run(script: string): string {
  const env = cleanEnvironment();
  const { status, stdout, stderr } = spawnSync('bash', ['-eu', '-c', script.replaceAll('file:///data?', `file://${folder}/data?`)], {
    cwd: folder,
    env: { ...env, PATH: `${join(folder, 'programs')}:${env['PATH']}` },
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(status, 0, `${script}\n${stdout}${stderr}`);
  return stdout;
}

function file(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, name), content);
}

const STORE = "--store 'file:///data?ns=social'";

test('the commands of both pages run as written', () => {
  const blocks = [...blocksOf('import.md'), ...blocksOf('export.md')];
  const [load, rows, failure, add, violation, save, ...others] = blocks;
  assert.deepEqual(others, [], 'a block that nothing tries');
  file('persons.csv', 'id:ID(Person),name,age:int\n1,Ada,36\n2,Bob,40\n');
  file('posts-header.csv', 'id:ID(Message),text\n');
  file('posts-1.csv.gz', gzipSync('10,first\n'));
  file('posts-2.csv.gz', gzipSync('11,second\n'));
  file('knows.csv', ':START_ID(Person),:END_ID(Person)\n1,2\n');
  file('likes.csv', ':START_ID(Person),:END_ID(Message)\n2,10\n');
  assert.match(run(load ?? ''), /^imported 4 nodes and 2 relationships/);

  const [node, relationship] = (rows ?? '').split('\n');
  file('nodes.ndjson', `${node}\n{"id:ID(Person)": 2}\n`);
  file('relationships.ndjson', `${relationship}\n`);
  assert.match(
    run("graphdb import --store 'file:///data?ns=rows' --nodes Person=nodes.ndjson --relationships relationships.ndjson"),
    /^imported 2 nodes and 1 relationship /,
  );

  file('knows.csv', `:START_ID(Person),:END_ID(Person)\n${'1,2\n'.repeat(15)}1,42\n`);
  const failing = "graphdb import --store 'file:///data?ns=bad' --nodes Person=persons.csv --relationships KNOWS=knows.csv 2>&1 || true";
  const [shown = ''] = (failure ?? '').split(' …');
  assert.ok(run(failing).startsWith(shown), `${shown}\n${run(failing)}`);

  run(`graphdb run ${STORE} 'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE'`);
  file('more-persons.csv', 'id:ID(Person),age:int\n2,41\n3,5\n');
  file('more-knows.csv', ':START_ID(Person),:END_ID(Person)\n3,1\n');
  assert.match(run(add ?? ''), /^imported 1 node and 1 relationship, 1 node updated/);

  const emails = Array.from({ length: 16 }, (_, i) => `${i}${i === 1 || i === 15 ? ',x@y' : ','}\n`);
  file('persons.csv', `id:ID(Person),email\n${emails.join('')}`);
  run("graphdb run --store 'file:///data?ns=mail' 'CREATE CONSTRAINT person_email FOR (p:Person) REQUIRE p.email IS UNIQUE'");
  const told = run("graphdb import --store 'file:///data?ns=mail' --nodes Person=persons.csv 2>&1 || true");
  assert.ok(told.startsWith((violation ?? '?').trimEnd()), told);

  const printed = run(save ?? '');
  assert.equal(printed.match(/^exported /gm)?.length, 3, printed);
  assert.equal(readFileSync(join(folder, 'people.csv'), 'utf8').split('\n').length, 5);
  assert.match(run("graphdb import --store 'file:///data?ns=copy' --from social/"), /^imported 5 nodes and 3 relationships/);
});
