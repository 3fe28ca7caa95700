/** The layer check finds what it is there to find. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findViolations } from './layers.ts';

function check(path: string, text: string): string[] {
  return findViolations([{ path, text }]);
}

test('imports inside a layer and through the door of an earlier one are allowed', () => {
  assert.deepEqual(
    check('http/server.ts', "import { a } from './a.ts';\nimport { b } from '../engine/index.ts';\nimport fastify from 'fastify';"),
    [],
  );
  assert.deepEqual(check('index.ts', "export { open } from './engine/index.ts';"), []);
  assert.deepEqual(check('exec/functions/text.ts', "import { a } from '../operators/a.ts';"), []);
});

test('an arrow upwards is found, with its line, in every form of import', () => {
  for (const statement of [
    "import { b } from '../engine/index.ts';",
    "import type { B } from '../engine/index.ts';",
    "import '../engine/index.ts';",
    "export * from '../engine/index.ts';",
    "const b = await import('../engine/index.ts');",
    "import {\n  a,\n  b,\n} from '../engine/index.ts';",
  ]) {
    const line = 2 + statement.split('\n').length;
    assert.deepEqual(
      check('graph/table.ts', `/** A table. */\n\n${statement}\n`),
      [`src/graph/table.ts:${line}: graph must not import engine`],
      statement,
    );
  }
});

test('one rank does not know itself', () => {
  assert.deepEqual(check('http/a.ts', "import '../bolt/index.ts';"), ['src/http/a.ts:1: http must not import bolt']);
  assert.deepEqual(check('cli/a.ts', "import '../index.ts';"), ['src/cli/a.ts:1: cli must not import index.ts']);
});

test('going past a door is found', () => {
  assert.deepEqual(check('graph/a.ts', "import '../storage/manifest.ts';"), [
    'src/graph/a.ts:1: imports storage/manifest.ts past the door storage/index.ts',
  ]);
});

test('fixtures are for tests only, and follow the arrows too', () => {
  const text = "import '../engine/engine.fixture.ts';";
  assert.deepEqual(check('http/a.test.ts', text), []);
  assert.equal(check('http/a.ts', text).length, 1);
  assert.equal(check('graph/a.test.ts', text).length, 1);
});

test('a folder without a rank is found', () => {
  assert.equal(check('utilities/a.ts', "import '../base/index.ts';").length, 1);
  assert.equal(check('engine/a.ts', "import '../utilities/index.ts';").length, 1);
});

test('comments that speak of imports are no imports', () => {
  assert.deepEqual(check('base/a.ts', "/**\n * import { x } from '../engine/index.ts';\n */\n// import '../engine/index.ts';"), []);
});
