/** The check of the language finds what it is there to find. */
import assert from 'node:assert/strict';
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
