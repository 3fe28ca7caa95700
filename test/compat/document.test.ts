/** Every example of docs/COMPAT.md and docs/cypher.md answers what stands there, in order, in one database for each page. `UPDATE_GOLDEN=1` writes the answers anew. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { type Example, examplesOf, run, withAnswers } from './document.ts';

const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

for (const name of ['COMPAT.md', 'cypher.md']) {
  test(`docs/${name} is true`, async (context) => {
    const path = join(import.meta.dirname, '../../docs', name);
    const document = await readFile(path, 'utf8');
    const examples = examplesOf(document);
    assert.ok(examples.length > 30, `only ${examples.length} examples were found`);
    assert.equal(examples.length, document.split('```cypher').length - 1, 'every block is an example');
    const engine = await openEngine(`memory://${name}`);
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
