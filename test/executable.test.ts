/** The single executable: a machine that has no Node, no npm and no checkout runs command line and server from one file. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchServer } from './server/launched-server.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'graphdb-executable-test-'));
const executable = join(folder, 'graphdb');
const server = join(folder, 'graphdb-server');
const home = join(folder, 'home');
const unpacked = join(home, '.cache/graphdb');

before(() => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-executable.ts'), '--out', executable], { cwd: ROOT, stdio: 'pipe' });
  symlinkSync('graphdb', server);
  mkdirSync(home);
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing on PATH, and nothing of whoever runs the tests. */
const BARE = { PATH: '/nonexistent', HOME: home, TMPDIR: folder };

function run(args: readonly string[], env: Readonly<Record<string, string>> = BARE) {
  return spawnSync(executable, args, { env, cwd: folder, encoding: 'utf8' });
}

test('a statement runs, with nothing on PATH; the program is unpacked once', () => {
  const answer = run(['run', '--format', 'json', 'RETURN 1 AS x']);
  assert.deepEqual([answer.stdout, answer.stderr, answer.status], ['{"columns":["x"],"rows":[{"x":1}]}\n', '', 0]);
  const [build, ...others] = readdirSync(unpacked);
  assert.deepEqual(others, []);
  const { ino, mode } = statSync(join(unpacked, build!));
  assert.equal(mode & 0o077, 0, 'others can read or write it');
  assert.equal(run(['--version']).status, 0);
  assert.deepEqual([readdirSync(unpacked), statSync(join(unpacked, build!)).ino], [[build], ino]);
});

test('under the name of the server it is the server, with its threads and its console; so it is with "server"', async () => {
  for (const [program, args] of [
    [server, []],
    [executable, ['server']],
  ] as const) {
    const launched = await launchServer([...args, '--listen', '127.0.0.1:0', '--store', 'memory://executable', '--read-workers', '1'], {
      env: BARE,
      program,
      listen: null,
    });
    assert.deepEqual((await launched.cypher('CREATE (n:N {a: 1}) RETURN n.a AS a')).body.rows, [{ a: 1 }]);
    const { body } = await launched.cypher('UNWIND range(1, 2000000) AS i WITH i WHERE i % 7 = 0 RETURN count(*) AS c');
    assert.deepEqual(body.rows, [{ c: 285_714 }]);
    assert.match(await (await fetch(`${launched.url}/console`)).text(), /<title>GraphDB/);
    assert.equal(await launched.end('SIGTERM'), 0);
  }
});

test('files are imported by threads', () => {
  const store = `file://${join(folder, 'imported')}?ns=main`;
  const nodes = join(folder, 'people.csv');
  execFileSync('/bin/sh', ['-c', `printf 'id:ID,name\\n1,Ada\\n2,Bea\\n' > ${nodes}`]);
  const imported = run(['import', '--store', store, '--nodes', `Person=${nodes}`]);
  assert.match(imported.stdout + imported.stderr, /imported 2 nodes/);
  const asked = run(['run', '--store', store, '--format', 'json', 'MATCH (p:Person) RETURN count(p) AS n']);
  assert.match(asked.stdout, /"rows":\[\{"n":2\}\]/);
});

test('where the home cannot be written it unpacks beside temporary files, and never where others can write', () => {
  const file = join(folder, 'no-folder');
  copyFileSync(join(ROOT, 'package.json'), file);
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const elsewhere = { ...BARE, HOME: file, TMPDIR: temporary };
  assert.equal(run(['run', 'RETURN 1'], elsewhere).status, 0);
  const [place] = readdirSync(temporary);
  assert.match(place ?? '', /^graphdb-\d+$/);
  chmodSync(join(temporary, place!), 0o777);
  const refused = run(['run', 'RETURN 1'], elsewhere);
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /can be written by others/);
});

const chroot = ['/usr/sbin/chroot', '/sbin/chroot', '/usr/bin/chroot'].find((path) => existsSync(path)) ?? null;
/** Containers may forbid it to root, too. */
const canChangeRoot =
  process.platform === 'linux' && chroot !== null && existsSync('/usr/bin/ldd') && spawnSync(chroot, ['/', '/bin/true']).status === 0;
test('it runs where there is nothing but the C library', { skip: canChangeRoot ? false : 'needs root, to change the root' }, () => {
  const bare = join(folder, 'bare');
  const libraries = execFileSync('ldd', [executable], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const library of libraries) {
    mkdirSync(dirname(join(bare, library)), { recursive: true });
    copyFileSync(library, join(bare, library));
  }
  mkdirSync(join(bare, 'tmp'));
  copyFileSync(executable, join(bare, 'graphdb'));
  const inside = spawnSync(chroot!, [bare, '/graphdb', 'run', '--format', 'json', 'RETURN 1 AS x'], { env: {}, encoding: 'utf8' });
  assert.equal(inside.stdout, '{"columns":["x"],"rows":[{"x":1}]}\n', inside.stderr);
});
