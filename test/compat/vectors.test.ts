/** Vectors as stored values: columns of their own, other values among them, flushes, merges, reopening, and measures of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, makeFloat } from '../../src/value/index.ts';

const open = (): Promise<Engine> => openEngine('memory://compat-vectors', { flushIntervalMs: 0 });

async function answer(engine: Engine, query: string): Promise<string[]> {
  return (await engine.execute(query, new Map())).rows.map((row) => row.map(literalText).join(' | '));
}

const NEAREST = 'MATCH (d:Document) WHERE d.e IS NOT NULL RETURN d.i ORDER BY cosine_similarity(d.e, [3, 1]) DESC, d.i LIMIT 3';
const ALL = 'MATCH (d:Document) WHERE d.e IS NOT NULL RETURN d.i, d.e, dot_product(d.e, d.e) ORDER BY d.i';

test('vectors are the same in memory, in files, merged and opened again', async () => {
  let engine = await open();
  const check = async (): Promise<void> => {
    assert.deepEqual(await answer(engine, NEAREST), ['3', '4', '2']);
    const rows = await answer(engine, ALL);
    assert.equal(rows.length, 26);
    assert.equal(rows[2], '3 | vector([3.0, 1.0]) | 10.0');
    assert.deepEqual(await answer(engine, 'MATCH (d:Document {i: 7}) RETURN d.e'), ['null']);
    assert.deepEqual(await answer(engine, 'MATCH ()-[r:NEAR]->() RETURN r.e, euclidean_distance(r.e, vector([0, 4]))'), [
      'vector([3.0, 0.0]) | 5.0',
    ]);
  };
  await answer(engine, 'UNWIND range(1, 20) AS i CREATE (:Document {i: i, e: vector([i, 1])})');
  await answer(engine, 'MATCH (a:Document {i: 1}), (b:Document {i: 2}) CREATE (a)-[:NEAR {e: vector([3, 0])}]->(b)');
  await engine.flush();
  await answer(engine, 'MATCH (d:Document {i: 7}) REMOVE d.e');
  await answer(engine, 'MATCH (d:Document {i: 5}) SET d.e = vector([-1, 0.5])');
  await answer(engine, 'UNWIND range(21, 27) AS i CREATE (:Document {i: i, e: vector([0, i])})');
  await check();
  for (const step of ['flush', 'compact'] as const) {
    await engine[step]();
    await check();
    await engine.close();
    engine = await open();
    await check();
  }
  await engine.close();
});

test('a column that holds vectors may come to hold other values, and vectors of other lengths', async () => {
  const engine = await openEngine('memory://compat-vectors-mixed', { flushIntervalMs: 0 });
  await answer(engine, 'CREATE (:M {k: 1, e: vector([1, 2])}), (:M {k: 2, e: vector([])}), (:M {k: 3, e: vector([1, 2, 3])})');
  await assert.rejects(answer(engine, 'MATCH (m:M) RETURN dot_product(m.e, [1, 2])'), { code: 'ARGUMENT_ERROR' });
  await engine.flush();
  await answer(engine, "CREATE (:M {k: 4, e: 'text'}), (:M {k: 5, e: [1, 2]})");
  const expected = ['1 | vector([1.0, 2.0])', '2 | vector([])', '3 | vector([1.0, 2.0, 3.0])', "4 | 'text'", '5 | [1, 2]'];
  for (const step of ['flush', 'compact'] as const) {
    assert.deepEqual(await answer(engine, 'MATCH (m:M) RETURN m.k, m.e ORDER BY m.k'), expected);
    await engine[step]();
  }
  assert.deepEqual(await answer(engine, 'MATCH (m:M) RETURN m.k, m.e ORDER BY m.k'), expected);
  assert.deepEqual(await answer(engine, 'MATCH (m:M {k: 1}) RETURN m.e = vector([1, 2]), valueType(m.e), size(m.e)'), [
    "true | 'VECTOR<FLOAT32>(2) NOT NULL' | 2",
  ]);
  await engine.close();
});

/** Expressions that go through a list, with `v` for it: over a vector each must answer as over the list of its components. */
const OVER_LISTS = [
  '[x IN v | x / 2]',
  '[x IN v WHERE x > 1]',
  'any(x IN v WHERE x / 2 = 0.5)',
  'all(x IN v WHERE x / 2 > 0.4)',
  'none(x IN v WHERE x / 2 = 0.5)',
  'single(x IN v WHERE x / 2 = 0.5)',
  'reduce(s = 0, x IN v | s + x)',
  'v[1]',
  'v[-1]',
  'v[9]',
  'v[0..2]',
  'v[..-1]',
  'v[1..]',
  '1 IN v',
  '9 IN v',
  'null IN v',
  'v + v',
  'v + [1]',
  '[1] + v',
  'v + 1',
  "'a' + v",
  'v || [1]',
  'size(v)',
  'isEmpty(v)',
  'head(v)',
  'last(v)',
  'tail(v)',
  'reverse(v)',
  'toFloatList(v)',
  'toIntegerList(v)',
  'toStringList(v)',
  'toBooleanList(v)',
  '[x IN v | valueType(x)]',
  'v IS :: LIST<FLOAT NOT NULL>',
  'v IS :: LIST<INTEGER>',
  'COLLECT { UNWIND v AS x RETURN x / 2 }',
  'COLLECT { UNWIND v AS x RETURN avg(x) }',
  'COLLECT { UNWIND v AS x RETURN percentileCont(x, 0.4) }',
  'apoc.map.clean({a: 1.0, b: 5}, [], v)',
  'cosine_similarity(v, [1, 2, 3])',
];

test('a vector is a list of Floats to whatever goes through lists: as a constant, a parameter, a variable and a property', async () => {
  const engine = await openEngine('memory://compat-vectors-as-lists', { flushIntervalMs: 0 });
  await answer(engine, 'CREATE (:V {v: vector([1, 2, 3]), l: [1.0, 2.0, 3.0]})');
  const parameters = { vector: Float32Array.of(1, 2, 3), list: [1, 2, 3].map(makeFloat) };
  const sources = (expression: string, which: 'vector' | 'list'): [string, string][] => [
    ['constant', `RETURN ${expression.replaceAll(/\bv\b/g, which === 'vector' ? 'vector([1, 2, 3])' : '[1.0, 2.0, 3.0]')}`],
    ['variable', `WITH ${which === 'vector' ? 'vector([1, 2, 3])' : '[1.0, 2.0, 3.0]'} AS v RETURN ${expression}`],
    ['parameter', `WITH $v AS v RETURN ${expression}`],
    ['property', `MATCH (n:V) RETURN ${expression.replaceAll(/\bv\b/g, which === 'vector' ? 'n.v' : 'n.l')}`],
  ];
  for (const expression of OVER_LISTS) {
    const answers = async (which: 'vector' | 'list'): Promise<unknown[]> => {
      const given = new Map([['v', parameters[which]]]);
      const ask = async ([source, query]: [string, string]) => [
        source,
        (await engine.execute(query, given)).rows.map((row) => row.map(literalText)),
      ];
      return Promise.all(sources(expression, which).map(ask));
    };
    assert.deepEqual(await answers('vector'), await answers('list'), expression);
  }
  await answer(engine, 'MATCH (n:V) FOREACH (x IN n.v | CREATE (:X {x: x}))');
  assert.deepEqual(await answer(engine, 'MATCH (x:X) RETURN x.x, x.x / 2 ORDER BY x.x'), ['1.0 | 0.5', '2.0 | 1.0', '3.0 | 1.5']);
  await engine.close();
});

test('a vector is equal to vectors only, and no list of the same numbers', async () => {
  const engine = await openEngine('memory://compat-vectors-equality', { flushIntervalMs: 0 });
  assert.deepEqual(
    await answer(engine, 'RETURN vector([1]) = [1.0], vector([1]) = vector([1]), [1.0] IN [vector([1])], valueType(vector([1]))'),
    ["false | true | false | 'VECTOR<FLOAT32>(1) NOT NULL'"],
  );
  await engine.close();
});
