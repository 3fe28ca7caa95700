import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawingOf, PAGES } from './draw-algorithms.ts';

const DOCS = join(import.meta.dirname, '../docs');

for (const page of PAGES) {
  test(`the picture of docs/algorithms/${page}.md is what its algorithms find now, and stands in the page`, async () => {
    const file = `pictures/algorithms-${page}.svg`;
    assert.equal(readFileSync(join(DOCS, file), 'utf8'), await drawingOf(page), 'draw them: node scripts/draw-algorithms.ts');
    assert.ok(readFileSync(join(DOCS, 'algorithms', `${page}.md`), 'utf8').includes(`](../${file})`));
  });
}
