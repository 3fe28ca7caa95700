/**
 * The packed package, installed elsewhere: both programs and the library run from it, without a checkout around them. Its dependencies are
 * linked from here instead of downloaded.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { cleanEnvironment, launchServer } from './server/launched-server.ts';

const ROOT = join(import.meta.dirname, '..');
const application = mkdtempSync(join(tmpdir(), 'graphdb-package-'));
const installed = join(application, 'node_modules/graphdb');
const programs = join(application, 'node_modules/.bin');

before(() => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', application], { cwd: ROOT, env: cleanEnvironment() });
  const tarball = readdirSync(application).find((name) => name.endsWith('.tgz'));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(application, tarball ?? ''), '-C', installed, '--strip-components=1']);
  mkdirSync(programs);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
    dependencies: Record<string, string>;
  };
  for (const [name, path] of Object.entries(manifest.bin)) symlinkSync(join('../graphdb', path), join(programs, name));
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(application, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});

after(() => rmSync(application, { recursive: true, force: true }));

/** As on a machine that has Node 24 of its own on PATH, and nothing of this checkout. */
function environment(): Record<string, string> {
  return cleanEnvironment({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin` });
}

test('it holds what runs, and neither sources nor tests', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  for (const file of ['bin/graphdb', 'bin/launch.sh', 'dist/index.js', 'dist/index.d.ts', 'dist/server/main.js', 'README.md', 'LICENSE']) {
    assert.ok(files.includes(file), file);
  }
  assert.deepEqual(
    files.filter((file) => /\.test\.|\.fixture\.|\/testing\/|^src\b|^test\b/.test(file)),
    [],
  );
});

test('the clients of cloud stores come with it', () => {
  const stores = {
    's3://bucket?ns=a&region=us-east-1&endpoint=http://127.0.0.1:9&allow_http=true': 's3',
    'az://devstoreaccount1/container?ns=a&endpoint=http://127.0.0.1:9&allow_http=true': 'az',
    'gs://bucket?ns=a&endpoint=http://127.0.0.1:9&allow_http=true': 'gs',
  };
  for (const [store, scheme] of Object.entries(stores)) {
    const { stderr, status } = spawnSync(join(programs, 'graphdb'), ['run', '--store', store, 'RETURN 1'], {
      env: { ...environment(), AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AZURE_STORAGE_KEY: 'YQ==' },
      cwd: application,
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`^graphdb: cannot .* ${scheme}://.*STORE_UNAVAILABLE`), stderr);
  }
  assert.match(readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8'), /@aws-sdk\/client-s3 .*Apache/);
});

test('the command runs through its link', () => {
  const run = spawnSync(join(programs, 'graphdb'), ['run', '--format', 'json', 'RETURN 1 AS x'], {
    env: environment(),
    cwd: application,
    encoding: 'utf8',
  });
  assert.equal(run.stdout, '{"columns":["x"],"rows":[{"x":1}]}\n', run.stderr);
  assert.equal(run.status, 0);
});

test('the server runs through its link, under the process id that was started', async () => {
  const server = await launchServer(['--store', 'memory://packed'], { program: join(programs, 'graphdb-server'), env: environment() });
  assert.deepEqual((await server.cypher('RETURN 2 AS x')).body.rows, [{ x: 2 }]);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('the library is imported by its name', () => {
  const program = `
    import { open, GraphDBError } from 'graphdb';
    const db = await open('memory://packed');
    console.log(JSON.stringify((await db.query('RETURN $x AS x', { x: [1, 'a'] })).rows));
    await db.query('RETURN').catch((error) => console.log(error instanceof GraphDBError, error.code));
    await db.close();`;
  writeFileSync(join(application, 'program.mjs'), program);
  const run = spawnSync(process.execPath, ['program.mjs'], { cwd: application, env: environment(), encoding: 'utf8' });
  assert.equal(run.stdout, '[{"x":[1,"a"]}]\ntrue SYNTAX_ERROR\n', run.stderr);
});

test('what it exports is called what it is imported by', () => {
  const program = `
    import * as library from 'graphdb';
    for (const [name, value] of Object.entries(library)) if (value.name !== name) console.log(name, value.name);`;
  writeFileSync(join(application, 'names.mjs'), program);
  assert.equal(execFileSync(process.execPath, ['names.mjs'], { cwd: application, encoding: 'utf8' }), '');
});

/** Several hundred small ones take half a second to load. */
test('the library is a few files of JavaScript, and loads no other package', () => {
  const program = `
    import { registerHooks } from 'node:module';
    let [own, others] = [0, 0];
    registerHooks({ load: (url, context, next) => {
      if (url.includes('/graphdb/dist/')) own++;
      else if (url.startsWith('file:')) others++;
      return next(url, context);
    } });
    const { open } = await import('graphdb');
    const db = await open('file://' + process.cwd() + '/loaded?ns=x');
    await db.query('MATCH (n {a: 1})-->(m) RETURN m.b AS b');
    await db.close();
    console.log(own < 40, others);`;
  writeFileSync(join(application, 'loaded.mjs'), program);
  assert.equal(execFileSync(process.execPath, ['loaded.mjs'], { cwd: application, encoding: 'utf8' }), 'true 0\n');
});

test('its threads start: those that read, that plan and of files', () => {
  const program = `
    import { open } from 'graphdb';
    let started = 0;
    process.on('worker', () => started++);
    const db = await open('memory://threads', { readWorkers: 1 });
    console.log((await db.query('UNWIND range(1, 1000000) AS i WITH i WHERE i % 2 = 0 RETURN count(i) AS n')).rows);
    await db.query('UNWIND range(1, 60000) AS i CREATE (:N {text: "text of node " + i, n: i})');
    // A text that is long enough for the thread that plans.
    await db.query('UNWIND [' + Array.from({ length: 5000 }, (_, i) => i).join(', ') + '] AS i RETURN max(i) AS n');
    const { rows: found } = await db.query('MATCH (n:N) WHERE n.text =~ "text of node 1.*9" RETURN count(n) AS n');
    console.log((await db.flush()).sstsWritten, found, started);
    await db.close();`;
  writeFileSync(join(application, 'threads.mjs'), program);
  const run = spawnSync(process.execPath, ['threads.mjs'], { cwd: application, env: environment(), encoding: 'utf8' });
  assert.equal(run.stdout, '[ { n: 500000 } ]\n1 [ { n: 1111 } ] 3\n', run.stderr);
});

test('the threads of an import start', { skip: availableParallelism() === 1 }, () => {
  const lines = Array.from({ length: 600_000 }, (_, i) => `${i},a text of some length,${i % 7}`);
  writeFileSync(join(application, 'nodes.csv'), `:ID,text,n:int\n${lines.join('\n')}\n`);
  const store = `file://${application}/imported?ns=x`;
  const options = { cwd: application, env: environment(), encoding: 'utf8' } as const;
  const run = spawnSync(join(programs, 'graphdb'), ['import', '--store', store, '--nodes', 'N=nodes.csv'], options);
  assert.equal(run.status, 0, run.stderr);
  const count = spawnSync(join(programs, 'graphdb'), ['run', '--store', store, '--format', 'csv', 'MATCH (n:N) RETURN sum(n.n)'], options);
  assert.match(count.stdout, /\n1799995\s*$/);
});

test('its types hold in a TypeScript program', () => {
  const program = `
    import { type Database, float, type GraphValue, GraphDBError, Node, open } from 'graphdb';
    await using db: Database = await open('memory://typed', { readOnly: false });
    const { columns, rows, writeOutcome } = await db.query('RETURN $x AS x', { x: [1, float(1), null] }, { timeoutMs: 5 });
    const value: GraphValue = rows[0]!.x!;
    const created: number | undefined = writeOutcome?.nodesCreated;
    for await (const row of db.stream('MATCH (n) RETURN n')) if (row.n instanceof Node) row.n.properties satisfies object;
    export const all = [columns, value, created, GraphDBError];
    // @ts-expect-error parameters are an object
    db.query('RETURN $x', 'x');`;
  writeFileSync(join(application, 'program.mts'), program);
  const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,esnext.disposable'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const run = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...settings, ...types, 'program.mts'], {
    cwd: application,
    encoding: 'utf8',
  });
  assert.equal(run.stdout, '');
  assert.equal(run.status, 0);
});

test('the example project runs: TypeScript and JavaScript, by import and by require', () => {
  cpSync(join(ROOT, 'examples/people'), join(application, 'people'), { recursive: true });
  const run = (file: string): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join('people', file)], {
      cwd: application,
      env: environment(),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    return stdout;
  };
  assert.equal(run('people.ts'), 'Ada knows Charles since 1833\nAda knows Mary since 1833\nCONSTRAINT_VIOLATION\n');
  assert.equal(run('people.mjs'), '[ 1, 4611686018427387904n, null ] 2024-02-29\n');
  assert.equal(run('people.cjs'), '1\n');
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
  const check = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'people', ...types], { cwd: application, encoding: 'utf8' });
  assert.equal(check.stdout, '');
});

test('under an old Node it says so in one line', () => {
  const tools = join(application, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'node'), '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 });
  for (const tool of ['basename', 'dirname', 'readlink']) {
    symlinkSync(execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(), join(tools, tool));
  }
  const run = spawnSync(join(programs, 'graphdb'), ['--version'], { env: { PATH: tools }, cwd: application, encoding: 'utf8' });
  assert.equal(run.status, 1);
  assert.match(run.stderr, /^graphdb: needs Node 24 or newer.*\n$/);
});

test('options that Node refuses are what the message is about, not its version', () => {
  const env = { ...environment(), NODE_OPTIONS: '--trace-gc' };
  const run = spawnSync(join(programs, 'graphdb'), ['--version'], { env, cwd: application, encoding: 'utf8' });
  assert.match(run.stderr, /--trace-gc is not allowed in NODE_OPTIONS/);
  assert.doesNotMatch(run.stderr, /needs Node/);
});
