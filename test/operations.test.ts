/** docs/operations.md is true: its shell blocks run, in order and in one shell, and print what the blocks after them show. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanEnvironment } from './server/launched-server.ts';

const ROOT = join(import.meta.dirname, '..');
const END_OF_BLOCK = '-- end of block --';

test('the examples of the operations page run as written', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-operations-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text: text ?? '' }));
  const scripts = blocks.flatMap(({ language, text }, i) =>
    language === 'sh' ? [{ text, shown: blocks[i + 1]?.language === 'text' ? blocks[i + 1]?.text : undefined }] : [],
  );
  const script = scripts.map(({ text }) => `${text}echo '${END_OF_BLOCK}'\n`).join('');
  const env = { ...cleanEnvironment(), TMPDIR: folder };
  const { status, stdout, stderr } = spawnSync('bash', ['-eu', '-c', script], { cwd: ROOT, env, encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0, stderr);
  const printed = stdout.replaceAll('\r\n', '\n').split(`${END_OF_BLOCK}\n`);
  scripts.forEach(({ text, shown }, i) => {
    if (shown !== undefined) assert.ok(printed[i]?.endsWith(shown), `${text}\nprinted\n${printed[i]}`);
  });
  assert.ok(scripts.length >= 3);
});
