/** The modules that a command loads when it starts: time that every run of it takes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-start-'));
after(() => rmSync(folder, { recursive: true }));

const WATCH = `
import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, urls.join('\\n')));`;

/** Folders of src/, and packages. */
function loadedBy(...args: readonly string[]): ReadonlySet<string> {
  const list = join(folder, 'modules');
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  execFileSync(process.execPath, ['--import', watch, join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...process.env, LOADED_MODULES: list },
    stdio: 'ignore',
  });
  const part = /\/(?:src|node_modules)\/([^/]+)/;
  return new Set(
    readFileSync(list, 'utf8')
      .split('\n')
      .flatMap((url) => part.exec(url)?.[1] ?? []),
  );
}

test('the version is told without any command', () => {
  assert.deepEqual(loadedBy('--version'), new Set(['base', 'cli', 'commander']));
});

test('an import into an empty namespace loads nothing that plans or executes statements', () => {
  const file = join(folder, 'nodes.csv');
  writeFileSync(file, 'id:ID,name\n1,Ada\n');
  const loaded = loadedBy('import', '--store', `file://${folder}?ns=start`, '--nodes', `Person=${file}`);
  assert.ok(loaded.has('import') && loaded.has('storage'));
  for (const part of ['cypher', 'plan', 'exec', 'engine', 'graph', 'transfer', 'hyparquet']) assert.equal(loaded.has(part), false, part);
});
