/** The site has a page for each document, and none of its links is dead. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

test('every link of the site leads to a page or a file of it', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-site-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(import.meta.dirname, 'build-site.ts'), '--out', folder], { stdio: 'pipe' });
  const pages = globSync('**/*.html', { cwd: folder });
  assert.ok(pages.length > 60, `${pages.length} pages`);
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  for (const [page, text] of texts) {
    for (const [, link] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link!)) continue;
      const [file = '', anchor] = link!.split('#');
      const target = file === '' ? page : normalize(join(dirname(page), decodeURI(file)));
      assert.ok(existsSync(join(folder, target)), `${page}: ${link} leads nowhere`);
      if (anchor !== undefined && texts.has(target))
        assert.ok(texts.get(target)!.includes(`id="${anchor}"`), `${page}: ${link} has no heading`);
    }
  }
});

test('the search knows the headings of all pages', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-site-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(import.meta.dirname, 'build-site.ts'), '--out', folder], { stdio: 'pipe' });
  const text = readFileSync(join(folder, 'search-index.js'), 'utf8');
  const entries = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(';'))) as { page: string; heading: string; words: string }[];
  assert.ok(entries.some(({ page, heading }) => page === 'docs/planning.html' && heading === 'Planning: Reading a plan'));
  assert.ok(entries.some(({ page, words }) => page === 'docs/functions.html' && words.split(' ').includes('apoc.coll.zip')));
});
