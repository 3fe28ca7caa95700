/** New users who install: from npm's package, as a unit of systemd, from a wheel. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment, launchServer } from '../server/launched-server.ts';
import { firstGraph } from './first-graph.ts';
import type { Steps } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The user nobody of Debian, in place of one that systemd makes. */
const NOBODY = 65_534;

/** Packs the checkout, and installs it in the folder with its dependencies. Returns the folder of its programs. */
async function installPacked(steps: Steps): Promise<string> {
  const { folder } = steps;
  await steps.step('npm pack (by us)', () => steps.run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT }));
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  await steps.step('npm install', () => {
    steps.run('npm', ['init', '--yes']);
    steps.run('npm', ['install', `./${packed}`, 'node@24']);
  });
  return join(folder, 'node_modules/.bin');
}

/** A developer: a command, a program with the library, a server. */
export async function npmPackage(steps: Steps): Promise<void> {
  const programs = await installPacked(steps);
  await steps.step('npx graphdb run', () => {
    assert.match(steps.run('npx', ['graphdb', 'run', '--format', 'json', 'RETURN 1 AS x']), /"rows":\[\{"x":1\}\]/);
  });
  await steps.step('a program', () => {
    const program = `
      import { open } from 'graphdb';
      await using db = await open('file://./people?ns=first');
      await db.query("CREATE (:Person {name: 'Ada'})");
      console.log((await db.query('MATCH (p:Person) RETURN p.name AS name')).rows[0].name);`;
    writeFileSync(join(steps.folder, 'first.mjs'), program);
    assert.equal(steps.run(join(programs, 'node'), ['first.mjs']), 'Ada\n');
  });
  const server = await steps.step('npx graphdb-server', () =>
    launchServer(['--store', `file://${steps.folder}/served?ns=first`], { program: join(programs, 'graphdb-server') }),
  );
  await firstGraph(steps, steps.endLater(server));
}

/** An administrator: what the unit says is done by hand, as a user without rights, with its example as the configuration. */
export async function systemdUnit(steps: Steps): Promise<void> {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/graphdb.service'), 'utf8');
  const [, start = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const [program = '', ...args] = start.split(' ');
  await installPacked(steps);
  const state = join(steps.folder, 'state');
  const configuration = join(steps.folder, 'graphdb.conf');
  await steps.step('the configuration', () => {
    mkdirSync(state);
    chownSync(state, NOBODY, NOBODY);
    chmodSync(steps.folder, 0o755);
    const example = [...unit.matchAll(/^# {3}(.* = .*)$/gm)].map(([, line]) => line).join('\n');
    writeFileSync(configuration, `${example.replace('/var/lib/graphdb', state).replace(/:\d+$/m, ':0')}\n`);
  });
  const installed = program.replace('/opt/graphdb', steps.folder);
  const told = args.map((argument) => argument.replace('/etc/graphdb/graphdb.conf', configuration));
  const asNobody = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs', installed, ...told];
  const server = await steps.step('the start', () => launchServer(asNobody, { program: 'setpriv', listen: null, env: { HOME: state } }));
  await firstGraph(steps, steps.endLater(server));
  await steps.step('the stop', async () => assert.equal(await server.end('SIGTERM'), 0));
}

/** An analyst: a wheel in an environment of its own, and a first program. */
export async function wheel(steps: Steps): Promise<void> {
  const environment = join(steps.folder, 'environment');
  const python = join(environment, 'bin/python');
  const wheels = join(steps.folder, 'wheels');
  await steps.step('the wheel (by us)', () => {
    steps.run('python3', ['-m', 'venv', environment]);
    steps.run(python, ['-m', 'pip', 'install', '--quiet', 'setuptools>=77', 'wheel']);
    const client = join(ROOT, 'clients/python');
    steps.run(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', wheels, client]);
  });
  const [packed = ''] = readdirSync(wheels);
  await steps.step('pip install', () => steps.run(python, ['-m', 'pip', 'install', '--quiet', join(wheels, packed)]));
  await steps.step('a program', () => {
    const program = `
import graphdb
with graphdb.Client("file://./people?ns=first") as db:
    db.merge_nodes("Person", [{"_id": "ada", "name": "Ada"}])
    print(db.cypher("MATCH (p:Person) RETURN p.name AS name").first()["name"])
`;
    writeFileSync(join(steps.folder, 'first.py'), program);
    assert.equal(steps.run(python, ['first.py']), 'Ada\n');
  });
  await steps.step('the command', () => {
    const asked = ['run', '--store', 'file://./people?ns=first', '--format', 'json', 'MATCH (p:Person) RETURN count(p) AS n'];
    assert.match(steps.run(join(environment, 'bin/graphdb'), asked, { env: cleanEnvironment() }), /"rows":\[\{"n":1\}\]/);
  });
}
