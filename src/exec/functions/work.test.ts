/** Every function whose facts say that its work grows with an argument counts that work before it does it (S2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphCatalog, SharedCatalog } from '../../algorithms/index.ts';
import { projected } from '../../algorithms/testing/random-graphs.fixture.ts';
import type { Cost, Parameter } from '../../functions/index.ts';
import { PathValue, RelationshipValue, type Value } from '../../value/index.ts';
import { functions } from './index.ts';
import { testContext } from './testing/expression-evaluator.ts';

const SIZE = 40_000;
const LEAST_STEPS = SIZE / 8;

class Counted extends Error {}

const context = {
  ...testContext,
  allowance: {
    count: (steps: number) => {
      if (steps >= LEAST_STEPS) throw new Counted();
    },
    worked: () => false,
    hold: () => undefined,
    bytesOf: () => 8 * SIZE,
  },
};

const text = 'x'.repeat(SIZE);
const list: Value[] = Array.from({ length: SIZE }, (_, i) => i);

function large({ types }: Parameter): Value {
  if (types.includes('String')) return text;
  if (types.includes('List') || types.includes('Any')) return list;
  if (types.includes('Map')) return new Map(list.map((key) => [`key${key}`, 1]));
  if (types.includes('Path'))
    return new PathValue(
      list as number[],
      list.slice(1).map((row) => new RelationshipValue(0, row as number, 0, 0)),
    );
  if (types.includes('Vector')) return new Float32Array(SIZE);
  throw new Error(`no large value of ${types.join()}`);
}

function small({ types }: Parameter): Value {
  if (types.includes('String')) return 'x';
  if (types.includes('List')) return [1];
  return types.includes('Map') ? new Map() : 1;
}

function countedIn(cost: Cost): readonly string[] {
  if (cost === 'constant' || cost === 'answer') return [];
  if ('linearIn' in cost) return cost.linearIn;
  if ('textOf' in cost) return cost.textOf;
  return 'deepIn' in cost ? cost.deepIn : cost.productOf;
}

for (const { name, facts, evaluate } of functions.values()) {
  for (const costly of countedIn(facts.cost)) {
    test(`${name}() counts ${costly} before it works`, () => {
      const at = facts.parameters.findIndex((parameter) => parameter.name === costly);
      const given = facts.parameters.filter((parameter, i) => parameter.optional !== true || i <= at);
      const args = given.map((parameter) => (parameter.name === costly ? large(parameter) : small(parameter)));
      assert.throws(() => evaluate(context, ...args), Counted);
    });
  }
}

test('what is linear in its answer counts once it knows how long that is', () => {
  const deep = new Map<string, Value>([['a', large({ name: 'map', types: ['Map'], bound: ['Map'] })]]);
  const calls: Readonly<Record<string, readonly Value[]>> = {
    range: [1, SIZE],
    'apoc.coll.combinations': [[...list.slice(0, 20)], 10],
    'apoc.coll.fill': ['x', SIZE],
    'apoc.map.flatten': [deep],
    'apoc.map.unflatten': [new Map([['a.'.repeat(SIZE), 1]])],
    'apoc.text.repeat': ['x', 8 * SIZE],
    'gds.util.nodeProperty': ['wide', 10, 'x'],
  };
  const graph = projected({ name: 'one node', nodeCount: 1, edges: [], isUndirected: false });
  const offsets = Uint32Array.of(0, SIZE);
  graph.properties.set('x', { kind: 'floats', values: new Float64Array(SIZE), offsets, stored: false });
  const catalog = new GraphCatalog(new SharedCatalog({ mostBytes: Number.POSITIVE_INFINITY, publishedSequence: () => 0, isShared: true }), {
    transaction: null,
  });
  catalog.add({ name: 'wide', graph, configuration: new Map(), createdMs: 0, modifiedMs: 0 });
  for (const [name, args] of Object.entries(calls))
    assert.throws(() => functions.get(name.toLowerCase())!.evaluate({ ...context, catalog: () => catalog }, ...args), Counted, name);
  const linear = [...functions.values()].filter(({ facts }) => facts.cost === 'answer').map(({ name }) => name);
  assert.deepEqual(linear, Object.keys(calls));
});

test('text of digits that is no number is known to be none in one pass', () => {
  const digits = `${'1'.repeat(300_000)}x`;
  for (const name of ['tofloat', 'tointeger', 'tofloatornull', 'tointegerornull'])
    assert.equal(functions.get(name)!.evaluate(testContext, digits), null);
});

test('a message is read in one pass, however many digits stand in a form', () => {
  const call = functions.get('apoc.util.validatepredicate')!;
  for (const form of [`%${'0'.repeat(300_000)}`, `%1.${'1'.repeat(300_000)}`, `%${' '.repeat(300_000)}`])
    assert.throws(() => call.evaluate(testContext, true, form, []), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => call.evaluate(testContext, true, '%05d %-10.2f %% %s', [1, 2, 'x', 4]), { message: '1 2 % x' });
});

test('each comparison of long values that are sorted counts', () => {
  const lists = Array.from({ length: 64 }, (_, i) => [...list.slice(0, 1_000), (i * 37) % 64]);
  const maps = lists.map((each) => new Map<string, Value>([['a', each]]));
  const counts = (name: string, args: readonly Value[]): number => {
    let calls = 0;
    const allowance = { ...testContext.allowance, count: () => void calls++, bytesOf: () => 8_000 * 64 };
    functions.get(name)!.evaluate({ ...testContext, allowance }, ...args);
    return calls;
  };
  assert.ok(counts('apoc.coll.sort', [lists]) > 64);
  assert.ok(counts('apoc.coll.sortmaps', [maps, 'a']) > 64);
  assert.ok(counts('apoc.coll.sortmulti', [maps, ['^a']]) > 64);
});

test('long texts are parted, trimmed and reversed by code points', () => {
  const odd = `${'🙂a'.repeat(5000)}b`;
  const call = (name: string, ...args: Value[]): Value => functions.get(name)!.evaluate(testContext, ...args);
  assert.equal(call('reverse', odd), Array.from(odd).reverse().join(''));
  assert.equal(call('replace', odd, '', 'x'), `${Array.from(odd, (point) => `x${point}`).join('')}x`);
  assert.equal(call('replace', '', '', 'x'), 'x');
  assert.equal(call('left', odd, 3), '🙂a🙂');
  assert.equal(call('right', odd, 3), '🙂ab');
  assert.equal(call('substring', odd, 1, 2), 'a🙂');
  assert.equal(call('trim', '🙂🙂a🙂b🙂', '🙂'), 'a🙂b');
  assert.equal(call('rtrim', 'a🙂🙂', '🙂'), 'a');
  assert.equal(call('ltrim', '🙂🙂a', '🙂x'), 'a');
  assert.equal(call('trim', '🙂', '🙂'), '');
});
