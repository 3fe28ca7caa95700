/** The check of the house finds what it is there to find. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHouseFaults, type Group } from './house.ts';

/** Modules by path, each with the modules that it imports. */
function check(imports: Readonly<Record<string, readonly string[]>>, groups: readonly Group[] = []): string[] {
  const modules = Object.entries(imports).map(([path, imported]) => {
    const up = '../'.repeat(path.split('/').length - 1) || './';
    return { path, text: imported.map((other) => `import type { A } from '${up}${other}';\n`).join('') };
  });
  return findHouseFaults(modules, groups);
}

function filled(folder: string, count: number): Record<string, readonly string[]> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/file-${i}.ts`, []]));
}

const GRAMMAR: Group = { places: ['cypher/parser'], reason: 'the grammar recurses' };

test('a folder with 23 files is found; tests, fixtures and folders in it do not count', () => {
  const full = filled('graph/tables', 22);
  assert.deepEqual(check({ ...full, 'graph/tables/a.test.ts': [], 'graph/tables/a.fixture.ts': [], 'graph/tables/rows/a.ts': [] }), []);
  assert.deepEqual(check({ ...full, 'graph/tables/a.ts': [] }), [
    'src/graph/tables: 23 files; a folder holds at most 22 beside tests and fixtures',
  ]);
});

test('a cycle of imports is found, with a shortest way round', () => {
  assert.deepEqual(check({ 'graph/a.ts': ['graph/b.ts'], 'graph/b.ts': ['graph/c.ts'], 'graph/c.ts': [] }), []);
  assert.deepEqual(
    check({
      'graph/a.ts': ['graph/b.ts'],
      'graph/b.ts': ['graph/c.ts'],
      'graph/c.ts': ['graph/a.ts', 'graph/d.ts'],
      'graph/d.ts': ['graph/c.ts'],
    }),
    ['src/graph/c.ts → src/graph/d.ts → src/graph/c.ts: a cycle of imports among 4 files'],
  );
});

test('a cycle closed by an import that is made when it is called for is found', () => {
  const modules = [
    { path: 'graph/a.ts', text: "export * from './b.ts';\n" },
    { path: 'graph/b.ts', text: "export const load = async () => (await import('./a.ts')).load;\n" },
  ];
  assert.equal(findHouseFaults(modules, []).length, 1);
});

test('tests close no cycle', () => {
  assert.deepEqual(check({ 'graph/a.fixture.ts': ['graph/a.test.ts'], 'graph/a.test.ts': ['graph/a.fixture.ts'] }), []);
});

test('one cycle within a group is free; another one, one that leaves it, and a group without any are found', () => {
  const cycle = { 'cypher/parser/a.ts': ['cypher/parser/b.ts'], 'cypher/parser/b.ts': ['cypher/parser/a.ts'] };
  assert.deepEqual(check(cycle, [GRAMMAR]), []);
  const second = { 'cypher/parser/c.ts': ['cypher/parser/d.ts'], 'cypher/parser/d.ts': ['cypher/parser/c.ts'] };
  assert.deepEqual(check({ ...cycle, ...second }, [GRAMMAR]), [
    'src/cypher/parser/c.ts → src/cypher/parser/d.ts → src/cypher/parser/c.ts: a cycle of imports among 2 files beside the ' +
      'cycle of cypher/parser',
  ]);
  assert.equal(check({ 'cypher/parser/a.ts': ['cypher/b.ts'], 'cypher/b.ts': ['cypher/parser/a.ts'] }, [GRAMMAR]).length, 2);
  assert.deepEqual(check({ 'cypher/parser/a.ts': [] }, [GRAMMAR]), [
    'src/cypher/parser: a group without a cycle of imports; take it off the list',
  ]);
});

test('a group may be folders and files, each of which has a part in the cycle', () => {
  const cycle = {
    'plan/clauses/a.ts': ['plan/match/b.ts'],
    'plan/match/b.ts': ['plan/match/c.ts'],
    'plan/match/c.ts': ['plan/clauses/a.ts'],
  };
  const group = { places: ['plan/clauses', 'plan/match/b.ts', 'plan/match/c.ts'], reason: 'it recurses' };
  assert.deepEqual(check(cycle, [group]), []);
  assert.equal(check(cycle, [{ ...group, places: ['plan/clauses', 'plan/match/b.ts'] }]).length, 2);
  assert.deepEqual(check({ ...cycle, 'plan/match/d.ts': [] }, [{ ...group, places: [...group.places, 'plan/match/d.ts'] }]), [
    'src/plan/match/d.ts: has no part in the cycle of its group; take it off the list',
  ]);
});

test('a sixth group is found', () => {
  const groups = ['a', 'b', 'c', 'd', 'e', 'f'].map((folder) => ({ places: [folder], reason: 'it recurses' }));
  const cycles = groups.map(({ places: [folder] }) => [
    [`${folder}/a.ts`, [`${folder}/b.ts`]],
    [`${folder}/b.ts`, [`${folder}/a.ts`]],
  ]);
  assert.deepEqual(check(Object.fromEntries(cycles.flat()), groups), ['6 groups may import in a cycle; at most 5 may']);
});

test('folders side by side that import each other are found, at any depth, but not within a group', () => {
  const mutual = {
    'cypher/parser/x/a.ts': ['cypher/parser/y/a.ts'],
    'cypher/parser/y/a.ts': [],
    'cypher/parser/y/b.ts': ['cypher/parser/x/b.ts'],
    'cypher/parser/x/b.ts': [],
  };
  assert.deepEqual(check(mutual), [
    'src/cypher/parser/x and src/cypher/parser/y import each other: src/cypher/parser/x/a.ts imports src/cypher/parser/y/a.ts, ' +
      'src/cypher/parser/y/b.ts imports src/cypher/parser/x/b.ts',
  ]);
  const cycle = { 'cypher/parser/a.ts': ['cypher/parser/b.ts'], 'cypher/parser/b.ts': ['cypher/parser/a.ts'] };
  assert.deepEqual(check({ ...mutual, ...cycle }, [GRAMMAR]), []);
});

test('a folder and the files beside it may import each other, and layers are not folders side by side', () => {
  assert.deepEqual(check({ 'graph/tables/a.ts': ['graph/b.ts'], 'graph/b.ts': [], 'graph/c.ts': ['graph/tables/a.ts'] }), []);
  assert.deepEqual(check({ 'graph/a.ts': ['cypher/b.ts'], 'cypher/b.ts': [], 'cypher/c.ts': ['graph/d.ts'], 'graph/d.ts': [] }), []);
});
