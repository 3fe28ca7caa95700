/** The check of the language finds what it is there to find. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fragments, homeMadeWords, longCells, longLines, undocumentedExports } from './language.ts';

test('docstrings without a subject are fragments', () => {
  const text = ['/** Of the column. */', 'a;', '/**', ' * What it holds.', ' */', '/** Returns what it holds. */', '/** Officers. */'].join(
    '\n',
  );
  assert.deepEqual(
    fragments(text).map(({ line }) => line),
    [1, 3],
  );
});

test('lines are counted in characters, and regular expressions are left alone', () => {
  const long = 'x '.repeat(71);
  assert.deepEqual(
    longLines(`${'é'.repeat(140)}\n${long}\n  /${long}/u,\n// biome-ignore format: ${long}`).map(({ line }) => line),
    [2],
  );
});

test('an exported name needs a docstring right above it, once for all overloads', () => {
  const text = [
    '/** Header. */',
    "import a from 'a';",
    'export const one = 1;',
    '/** Two. */',
    'export function two(a: string): void;',
    'export function two(a: number): void;',
    '/** Three. */',
    '// biome-ignore lint: reason',
    'export class Three {}',
  ].join('\n');
  const { exported, undocumented } = undocumentedExports(text);
  assert.equal(exported, 3);
  assert.deepEqual(
    undocumented.map(({ fault }) => fault),
    ['one has no docstring'],
  );
});

test('home-made words are found as whole words', () => {
  assert.deepEqual(
    homeMadeWords('// the recipe\nconst recipes = RoomPool;').map(({ line }) => line),
    [1, 2],
  );
});

test('cells are measured outside of code, with bars that are escaped', () => {
  const long = 'x'.repeat(121);
  const table = `| a | ${long} |\n| a\\|${'x'.repeat(100)} | b |`;
  assert.deepEqual(
    longCells(`${table}\n\`\`\`\n${table}\n\`\`\``).map(({ line }) => line),
    [1],
  );
});

test('each word of the field stands once in its list, in its place, and somewhere in the sources', () => {
  const root = join(import.meta.dirname, '..');
  const groups = readFileSync(join(root, 'scripts/field-words.txt'), 'utf8').split('\n\n').slice(1);
  const words = groups.flatMap((group) => group.trim().split('\n').slice(1));
  assert.equal(new Set(words).size, words.length);
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'test', 'bench', 'scripts', 'console'], {
    cwd: root,
    encoding: 'utf8',
  });
  const sources = files.split('\n').filter((file) => /\.tsx?$/.test(file));
  const text = sources.map((file) => readFileSync(join(root, file), 'utf8').toLowerCase()).join('\n');
  assert.deepEqual(
    words.filter((word) => !text.includes(word.toLowerCase())),
    [],
  );
  for (const group of groups) {
    const [heading, ...listed] = group.trim().split('\n');
    assert.match(heading!, /^# /);
    assert.deepEqual(
      listed,
      listed.toSorted((a, b) => a.localeCompare(b, 'en')),
      heading,
    );
  }
});
