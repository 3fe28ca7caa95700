/** No fact about an operator or an expression can be forgotten, and the check would see it if one could. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { deletionsOf, findForgettable } from './operator-facts.ts';

const isTable = (line: string): boolean => line.startsWith('const table: ');
const path = join(import.meta.dirname, '../src/plan/planted.ts');

test('each entry is deleted whole, and only entries of tables are', () => {
  const text = [
    'const other: Other = {',
    '  x: 1,',
    '};',
    'const table: Table = {',
    '  a: f(',
    '    1,',
    '  ),',
    '  b,',
    '};',
    'f({',
    '  y: 2,',
    '});',
  ];
  const deletions = deletionsOf({ text: text.join('\n'), isTable });
  assert.deepEqual(
    deletions.map(({ name }) => name),
    ['table.a', 'table.b'],
  );
  assert.equal(deletions[0]?.text, text.toSpliced(4, 3).join('\n'));
  assert.equal(deletions[1]?.text, text.toSpliced(7, 1).join('\n'));
});

test('an optional fact, and one that another record fills in, could be forgotten', () => {
  const planted = (type: string, record: string): string => `const table: ${type} = {\n${record}  a: 1,\n  b: 2,\n};\nexport { table };\n`;
  const texts = [
    planted('{ a: number; b: number }', ''),
    planted('{ a: number; b?: number }', ''),
    `const base = { a: 3 };\n${planted('{ a: number; b: number }', '  ...base,\n')}`,
  ];
  const found = texts.map((text) => findForgettable([{ path, text, isTable }]));
  assert.deepEqual(found, [
    { entries: 2, forgettable: [], faulty: [] },
    { entries: 2, forgettable: ['src/plan/planted.ts table.b'], faulty: [] },
    { entries: 2, forgettable: ['src/plan/planted.ts table.a'], faulty: [] },
  ]);
});

test('a module that has faults by itself proves nothing, and is named', () => {
  const text = 'const table: { a: number } = {\n  a: true,\n};\nexport { table };\n';
  assert.deepEqual(findForgettable([{ path, text, isTable }]).faulty, ['src/plan/planted.ts']);
});

test('every fact of every kind of operator and expression is required by its type', () => {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'check-operator-facts.ts')], { encoding: 'utf8' });
  const [, entries] = /^facts of operators and expressions: (\d+) entries, 0 that could be forgotten$/m.exec(output) ?? [];
  assert(Number(entries) >= 1000, output);
});
