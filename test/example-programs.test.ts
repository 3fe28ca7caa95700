/** The programs in `examples/patterns` are what strict TypeScript accepts, and run to their ends: each shows one way to use the library. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { cleanEnvironment, launchServer } from './server/launched-server.ts';
import { LIBRARY } from './support/programs.ts';

const ROOT = join(import.meta.dirname, '..');
const PATTERNS = join(ROOT, 'examples/patterns');
const programs = readdirSync(PATTERNS).filter((name) => name.endsWith('.ts'));
const folder = mkdtempSync(join(tmpdir(), 'graphdb-patterns-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const run = promisify(execFile);

/** Copies the programs into a project of their own, which has the library as this checkout's declarations, or the library. */
function project(name: string, library: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  for (const program of programs)
    writeFileSync(join(place, program), readFileSync(join(PATTERNS, program), 'utf8').replace("'graphdb'", library));
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  return place;
}

test('strict TypeScript accepts them, with the declarations that the package has', async () => {
  const declarations = join(folder, 'declarations');
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await run(tsc, ['-p', join(ROOT, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', declarations], { cwd: ROOT });
  const place = project('checked', JSON.stringify('../declarations/index.js'));
  writeFileSync(join(place, 'tsconfig.json'), readFileSync(join(PATTERNS, 'tsconfig.json')));
  await run(tsc, ['-p', place]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
});

for (const program of programs.filter((name) => name !== 'server.ts')) {
  test(`${program} runs to its end`, async () => {
    const place = project(program, JSON.stringify(LIBRARY));
    const { stdout } = await run(process.execPath, [join(place, program)], { env: cleanEnvironment() });
    assert.match(stdout, /: done\n$/);
  });
}

test('server.ts runs to its end, with a token', async (context) => {
  const server = await launchServer(['--store', 'memory://patterns', '--auth-token', 'secret']);
  context.after(() => server.end('SIGTERM'));
  const place = project('server', JSON.stringify(LIBRARY));
  const { stdout } = await run(process.execPath, [join(place, 'server.ts'), server.url], {
    env: cleanEnvironment({ GRAPHDB_AUTH_TOKEN: 'secret' }),
  });
  assert.match(stdout, /: done\n$/);
});
