/**
 * The guides are true: the shell blocks of a page run in order, in one shell and in an empty folder, and print what the
 * blocks after them show (whole lines, in order); its programs run and print what stands behind them. Blocks of other
 * languages are shown only, or have tests of their own. Replaced is what would clash with the machine: ports, and the
 * package by that of support/programs.ts.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanEnvironment } from './server/launched-server.ts';
import { freePort } from './support/free-port.ts';
import { CLI, LIBRARY, SERVER } from './support/programs.ts';

const ROOT = join(import.meta.dirname, '..');

interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({ language: match[1] ?? '', text: match[2] ?? '' }));
}

/** With the programs of support/programs.ts on PATH. */
function emptyFolder(context: TestContext): { folder: string; env: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-guide-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const programs = join(folder, '.programs');
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, 'graphdb'));
  symlinkSync(SERVER, join(programs, 'graphdb-server'));
  const env = cleanEnvironment({ TMPDIR: folder, HOME: folder });
  return { folder, env: { ...env, PATH: `${programs}:${env['PATH']}` } };
}

/** `docs/guides/python.md` is run by the tests of the Python client, `docs/COMPAT.md` and `docs/cypher.md` by test/compat. */
const SHELL_PAGES = ['docs/guides/cli.md', 'docs/guides/server.md', 'docs/migration.md'];

for (const page of SHELL_PAGES) {
  test(`${page}: the commands run as written`, async (context) => {
    const { folder, env } = emptyFolder(context);
    const ports = [await freePort(), await freePort()];
    const shown: string[] = [];
    const script = ['set -eu', "trap 'kill -9 $(jobs -p) 2>/dev/null || :' EXIT"];
    let isShell = false;
    for (const { language, text } of blocksOf(page)) {
      if (language === 'sh')
        script.push(text.replaceAll('127.0.0.1:8080', `127.0.0.1:${ports[0]}`).replaceAll('127.0.0.1:8081', `127.0.0.1:${ports[1]}`));
      else if (isShell || shown.length > 0) if (language === 'text' || language === 'json') shown.push(text);
      isShell = language === 'sh';
    }
    const run = spawnSync('bash', ['-c', script.join('\n')], { cwd: folder, env, encoding: 'utf8', timeout: 240_000 });
    assert.equal(run.status, 0, `${run.stdout}\n${run.stderr}`);
    const stdout = run.stdout.replaceAll('\r\n', '\n');
    assert.ok(shown.length > 0);
    let from = 0;
    for (const answer of shown.filter((text) => !text.startsWith('graphdb '))) {
      const text = answer.trimEnd();
      const at = stdout.indexOf(text, from);
      assert.ok(at >= 0, `${page} shows\n${text}\nbut the shell printed\n${stdout.slice(from)}`);
      from = at + text.length;
    }
  });
}

for (const [page, fewest] of [
  ['library', 6],
  ['changes', 2],
] as const) {
  test(`docs/guides/${page}.md: the programs run and print what is shown`, (context) => {
    const { folder, env } = emptyFolder(context);
    const blocks = blocksOf(`docs/guides/${page}.md`);
    const programs = blocks.flatMap(({ language, text }, index) =>
      language === 'ts' ? [{ text, expected: blocks[index + 1]!.text }] : [],
    );
    assert.ok(programs.length >= fewest);
    for (const { text, expected } of programs) {
      const file = join(folder, 'program.mts');
      writeFileSync(file, text.replace("'graphdb'", JSON.stringify(LIBRARY)));
      const { stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8', timeout: 120_000 });
      assert.equal(stdout, expected, stderr);
    }
  });
}
