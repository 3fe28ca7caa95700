/**
 * Images are those of their digests, and ours is built from what `.dockerignore` lets into its context: the steps of
 * the Dockerfile that build, run in a folder that holds just that.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copiesOf, fillContext } from './support/dockerfile.ts';

const ROOT = join(import.meta.dirname, '..');

/** The images that a Dockerfile or a compose file begins from. */
function images(text: string): string[] {
  const named = new Map([...text.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [`\${${name}}`, value!]));
  return [...text.matchAll(/^(?:FROM |\s*image: |# syntax=)(\S+)/gm)].map(([, image]) => named.get(image!) ?? image!);
}

test('images are pinned by their digests', () => {
  for (const file of ['Dockerfile', 'docker-compose.yml']) {
    const found = images(readFileSync(join(ROOT, file), 'utf8'));
    assert.ok(found.length >= 2, file);
    for (const image of found) assert.match(image, /:[^:@]+@sha256:[0-9a-f]{64}$/, file);
  }
});

test('every file that the image copies is let into its context, and what is copied builds', (context) => {
  const [everything, ...allowed] = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  assert.equal(everything, '*', 'nothing is let in but what is named');
  const names = new Set(allowed.map((line) => line.replace(/^!/, '')));
  const copied = copiesOf(ROOT);
  assert.ok(copied.length > 4);
  for (const { sources } of copied) {
    for (const source of sources) {
      assert.ok(existsSync(join(ROOT, source)), `${source} is there`);
      assert.ok(names.has(source.split('/')[0]!), `${source} is let in`);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-image-'));
  context.after(() => rmSync(folder, { recursive: true }));
  fillContext(
    ROOT,
    folder,
    copied.filter(({ stage }) => stage === 1),
  );
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: folder, stdio: 'pipe' });
  for (const file of ['server/main.js', 'cli/main.js', 'console/main.js']) assert.ok(existsSync(join(folder, 'dist', file)), file);
});
