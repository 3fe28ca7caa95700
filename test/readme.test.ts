/**
 * The README is true: its shell blocks run, in order and in one shell, and print what the blocks after them show; its
 * program runs too. Only what would clash with the machine is replaced: the port, and the package by its sources. The
 * first block (`npm ci`, `npm start`) is held against package.json and started on a free port.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { cleanEnvironment } from './server/launched-server.ts';
import { freePort } from './support/free-port.ts';

const ROOT = join(import.meta.dirname, '..');
const README = await readFile(join(ROOT, 'README.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = [...README.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
  language: match[1] ?? '',
  text: match[2] ?? '',
}));

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-readme-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('npm ci && npm start: the first block serves', async (context) => {
  assert.deepEqual(BLOCKS[0], { language: 'sh', text: 'npm ci\nnpm start\n' });
  const store = `file://${await temporaryFolder(context)}?ns=start`;
  const env = cleanEnvironment({ GRAPHDB_LISTEN: '127.0.0.1:0', GRAPHDB_STORE: store });
  const npm = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  context.after(() => process.kill(-(npm.pid as number), 'SIGKILL'));
  const [line] = (await once(createInterface({ input: npm.stdout }), 'line')) as [string];
  const url = /listening on (\S+)/.exec(line)?.[1];
  assert.ok(url, line);
  assert.equal((await fetch(`${url}/v0/health`)).status, 200);
});

test('the tour through a server runs as written', async (context) => {
  const port = await freePort();
  const shown: string[] = [];
  const script: string[] = ['set -eu', "trap 'kill -9 $server 2>/dev/null || :' EXIT"];
  const tour = BLOCKS.slice(
    1,
    BLOCKS.findIndex(({ language }) => language === 'ts'),
  );
  for (const { language, text } of tour) {
    if (language === 'sh') script.push(`echo '=== block'`, text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`));
    else shown.push(text);
  }
  const temporary = await temporaryFolder(context);
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script.join('\n')], {
    cwd: ROOT,
    env: cleanEnvironment({ TMPDIR: temporary }),
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.ok(shown.length >= 4, `${shown.length} answers are shown`);
  let from = 0;
  for (const answer of shown) {
    const at = stdout.indexOf(answer, from);
    assert.ok(at >= 0, `the README shows\n${answer}\nbut the shell printed\n${stdout}`);
    from = at + answer.length;
  }
});

test('the program runs and prints what is shown', async (context) => {
  const at = BLOCKS.findIndex(({ language }) => language === 'ts');
  const program = BLOCKS[at]?.text.replace("'graphdb'", JSON.stringify(join(ROOT, 'src/index.ts')));
  assert.ok(program?.includes('src/index.ts'));
  const file = join(await temporaryFolder(context), 'program.mts');
  await writeFile(file, program ?? '');
  const { stdout, stderr } = spawnSync(process.execPath, [file], { env: cleanEnvironment(), encoding: 'utf8', timeout: 30_000 });
  assert.equal(stdout, BLOCKS[at + 1]?.text, stderr);
});
