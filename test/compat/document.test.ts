/**
 * Every example of docs/COMPAT.md, docs/cypher.md and docs/algorithms answers what stands there, in order, in one
 * database for each page. `UPDATE_GOLDEN=1` writes the answers anew.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { type Example, examplesOf, run, withAnswers } from './document.ts';

const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

const PAGES = {
  'COMPAT.md': 30,
  'guides/full-text.md': 3,
  'cypher.md': 30,
  'algorithms/graphs.md': 6,
  'algorithms/centrality.md': 8,
  'algorithms/communities.md': 10,
  'algorithms/paths.md': 5,
  'algorithms/similarity.md': 5,
};

for (const [name, least] of Object.entries(PAGES)) {
  test(`docs/${name} is true`, async (context) => {
    const path = join(import.meta.dirname, '../../docs', name);
    const document = await readFile(path, 'utf8');
    const examples = examplesOf(document);
    assert.ok(examples.length >= least, `only ${examples.length} examples were found`);
    assert.equal(examples.length, document.split('```cypher').length - 1, 'every block is an example');
    const engine = await openEngine(`memory://${name.replaceAll('/', '-')}`);
    context.after(() => engine.close());
    const answers: { kind: Example['kind']; answer: string }[] = [];
    for (const example of examples) {
      const answer = await run(engine, example);
      answers.push(answer);
      if (isUpdating) continue;
      await context.test(`line ${example.line}: ${example.statements.at(-1)}`, () => {
        assert.deepEqual(answer, { kind: example.kind, answer: example.answer });
      });
    }
    if (isUpdating) await writeFile(path, withAnswers(document, answers));
  });
}
