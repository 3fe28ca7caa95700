/**
 * `docs/guides/graphrag.md` runs: its Python blocks, one after the other in one program, against a server of its own,
 * print what the blocks after them show. It needs a Python with the packages that the page names; `GRAPHDB_TEST_PYTHON`
 * says which one, and without them the test is skipped.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchServer } from './server/launched-server.ts';

const PAGE = join(import.meta.dirname, '../docs/guides/graphrag.md');
const PYTHON = process.env['GRAPHDB_TEST_PYTHON'] ?? 'python3';
const PACKAGES = ['langchain_neo4j', 'llama_index.graph_stores.neo4j', 'neo4j_graphrag'];

/** Why the page cannot be run here; false: it can. */
function obstacle(): string | false {
  const { status, error } = spawnSync(PYTHON, ['-c', `import ${PACKAGES.join(', ')}`], { encoding: 'utf8', timeout: 120_000 });
  if (error !== undefined) return `${PYTHON} cannot be run`;
  return status === 0 ? false : `${PYTHON} lacks one of ${PACKAGES.join(', ')}`;
}

test('docs/guides/graphrag.md: the programs run and print what is shown', async (context) => {
  const skipped = obstacle();
  if (skipped !== false) return context.skip(skipped);
  const server = await launchServer([
    '--store',
    'memory://graphrag-guide?ns=guide',
    '--bolt-listen',
    '127.0.0.1:0',
    '--auth-token',
    'secret',
  ]);
  context.after(() => server.end('SIGKILL'));
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    language,
    text: text!,
  }));
  const textsOf = (wanted: string): string[] => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);
  assert.equal(textsOf('python').length, 4);
  const program = textsOf('python')
    .join('\n')
    .replace('bolt://127.0.0.1:7687', (await server.boltUrl)!);
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', program], { encoding: 'utf8', timeout: 240_000 });
  assert.equal(stdout, textsOf('text').join(''), stderr.slice(-4000));
});
