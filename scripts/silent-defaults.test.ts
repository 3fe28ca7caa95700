/** Silent `default:` branches are found; loud ones, and members of that name, are left alone. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentDefaults } from './silent-defaults.ts';

const SWITCH = (body: string): string => `switch (x.kind) {\n  case 'a':\n    return 1;\n${body}\n}\n`;

test('a default that answers, breaks or does so in a block is silent', () => {
  for (const body of [
    '  default:\n    return null;',
    '  default:\n    break;',
    '  default: {\n    const y = 1;\n    return y;\n  }',
    '  default:\n    // Others.\n    return [];',
  ]) {
    assert.deepEqual(silentDefaults(SWITCH(body)), [4], body);
  }
});

test('a default that cannot be reached or throws is not', () => {
  for (const body of [
    "  default:\n    return unreachable(x, 'x');",
    "  default:\n    unreachable(x, 'x');",
    "  default:\n    // Others.\n    throw new Error('x');",
  ]) {
    assert.deepEqual(silentDefaults(SWITCH(body)), [], body);
  }
});

test('a member called default is no branch', () => {
  assert.deepEqual(silentDefaults("const x = {\n  default: 1,\n};\n// default:\nconst y = '  default:';\n"), []);
});

test('the layers of trees and plans have none', () => {
  const source = join(import.meta.dirname, '../src');
  const paths = globSync('{cypher,plan,exec}/**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] });
  assert(paths.length > 100, 'they are there');
  assert.deepEqual(
    paths.filter((path) => silentDefaults(readFileSync(join(source, path), 'utf8')).length > 0),
    [],
  );
});
