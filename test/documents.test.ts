/** Documents hold what they promise: their links lead somewhere, and the page of errors has every code as it is. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { headingAnchor } from '../scripts/heading-anchor.ts';
import { ERROR_CODES } from '../src/base/index.ts';
import { GraphDBError, open } from '../src/index.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'clients/*/*.md', 'examples/**/*.md', 'deploy/**/*.md', '.github/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((path) => !path.includes('node_modules'));

/** The text without its blocks of code, in which brackets are no links. */
function prose(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** The anchors that a page of Markdown gets from its headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading] of prose(path).matchAll(/^#{1,6} +(.*)$/gm)) {
    const anchor = headingAnchor(heading!);
    for (let at = 0; ; at++) {
      const numbered = at === 0 ? anchor : `${anchor}-${at}`;
      if (anchors.has(numbered)) continue;
      anchors.add(numbered);
      break;
    }
  }
  return anchors;
}

test('no link of a document is dead', () => {
  let links = 0;
  for (const path of DOCUMENTS) {
    for (const [, link] of prose(path)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link!)) continue;
      links++;
      const [file, anchor] = link!.split('#') as [string, string | undefined];
      const target = file === '' ? path : normalize(join(dirname(path), decodeURI(file)));
      assert.ok(existsSync(join(ROOT, target)), `${path}: ${link} leads nowhere`);
      if (anchor !== undefined && target.endsWith('.md'))
        assert.ok(anchorsOf(target).has(anchor), `${path}: ${target} has no heading for #${anchor}`);
    }
  }
  assert.ok(links >= 100, `${links} links were found`);
});

test('every code of errors has its row, and no other code has one', () => {
  const rows = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(
    /^\| `([A-Z_]+)` \| (\d+) \| (yes|no) \| `([^`]+)` \| [^|]+ \|$/gm,
  );
  const documented = [...rows].map(([, code, status, again, bolt]) => [
    code,
    { httpStatus: Number(status), neo4jCode: `Neo.${bolt}`, retriable: again === 'yes' },
  ]);
  const byCode = (a: unknown[], b: unknown[]): number => String(a[0]).localeCompare(String(b[0]));
  assert.deepEqual(documented.sort(byCode), Object.entries(ERROR_CODES).sort(byCode));
});

test('the examples of the page of errors fail with their codes', async () => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const examples = [...page.slice(page.indexOf('## Examples')).matchAll(/^\| `([^`]+)` \| `([A-Z_]+)` \|$/gm)];
  assert.ok(examples.length >= 9);
  const database = await open('memory://errors?ns=main');
  try {
    for (const [, statement, code] of examples) {
      await assert.rejects(
        async () => database.query(statement!),
        (error: unknown) => {
          assert.ok(error instanceof GraphDBError, statement);
          assert.equal(error.code, code, statement);
          return true;
        },
      );
    }
  } finally {
    await database.close();
  }
});
