/**
 * Vector indexes as they are searched: every answer is that of a look at each vector, whatever was written, flushed or
 * opened meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, makeFloat, toNumber, type Value } from '../../src/value/index.ts';

let stores = 0;

const parametersOf = (given: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> => new Map(Object.entries(given));

async function withEngine(run: (engine: Engine, uri: string) => Promise<void>): Promise<void> {
  const uri = `memory://vector-index-${++stores}`;
  const engine = await openEngine(uri, { flushIntervalMs: 0 });
  try {
    await run(engine, uri);
  } finally {
    await engine.close();
  }
}

async function answer(engine: Pick<Engine, 'execute'>, query: string, parameters: Readonly<Record<string, Value>> = {}): Promise<string[]> {
  return (await engine.execute(query, parametersOf(parameters))).rows.map((row) => row.map(literalText).join(' | '));
}

const NODES = 'CALL db.index.vector.queryNodes($index, $k, $v) YIELD node, score RETURN node.i AS i, score';

test('the nearest nodes and relationships come with the scores of Neo4j, nearest first', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE VECTOR INDEX cosines FOR (n:A|B) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}');
    const euclidean = "OPTIONS {indexConfig: {`vector.similarity_function`: 'euclidean'}}";
    await answer(engine, `CREATE VECTOR INDEX squares FOR ()-[r:R]-() ON (r.v) ${euclidean}`);
    await answer(
      engine,
      'CREATE (:A {i: 1, v: [1, 0]}), (:B {i: 2, v: vector([0, 2])}), (:A:B {i: 3, v: [-3.0, 0]}), (:C {i: 4, v: [1, 0]})',
    );
    await answer(engine, "CREATE (:A {i: 5, v: 'text'}), (:A {i: 6}), (:A {i: 7, v: [0, 0]})");
    await answer(
      engine,
      'MATCH (a:C) CREATE (a)-[:R {i: 1, v: [3, 4]}]->(a), (a)-[:R {i: 2, v: vector([0, 1])}]->(a), (a)-[:S {v: [0, 0]}]->(a)',
    );
    assert.deepEqual(await answer(engine, NODES, { index: 'cosines', k: 10, v: [1, 0] }), ['1 | 1.0', '2 | 0.5', '3 | 0.0']);
    assert.deepEqual(await answer(engine, NODES, { index: 'cosines', k: 1, v: new Float32Array([-1, 0]) }), ['3 | 1.0']);
    const relationships =
      'CALL db.index.vector.queryRelationships($index, 5, [0, 0]) YIELD relationship, score RETURN relationship.i, ' +
      'type(relationship), score';
    assert.deepEqual(await answer(engine, relationships, { index: 'squares' }), [
      "2 | 'R' | 0.5",
      `1 | 'R' | ${literalText(makeFloat(1 / 26))}`,
    ]);
    await answer(engine, 'MATCH ()-[r:R {i: 2}]->() DELETE r');
    await answer(engine, 'MATCH ()-[r:R]->() SET r.v = [0, 3]');
    assert.deepEqual(await answer(engine, relationships, { index: 'squares' }), ["1 | 'R' | 0.1"]);
  }));

test('what cannot be searched is refused, and says why', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE VECTOR INDEX one FOR (n:A) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}');
    const refused = async (given: Readonly<Record<string, Value>>, code: string, message: RegExp): Promise<void> => {
      await assert.rejects(answer(engine, NODES, { index: 'one', k: 1, v: [1, 1], ...given }), { code, message });
    };
    await refused({ index: 'two' }, 'ARGUMENT_ERROR', /There is no such vector schema index: two/);
    await refused({ k: 0 }, 'ARGUMENT_ERROR', /must be positive/);
    await refused({ v: [1, 1, 1] }, 'ARGUMENT_ERROR', /Index query vector has 3 dimensions, but indexed vectors have 2/);
    await refused({ v: [0, 0] }, 'ARGUMENT_ERROR', /length zero/);
    await refused({ v: 'x' }, 'TYPE_ERROR', /a Vector or a List of numbers/);
    await assert.rejects(answer(engine, "CALL db.index.vector.queryRelationships('one', 1, [1, 1])"), { message: /queryNodes/ });
  }));

test('numbers count as 32-bit floats: others are refused in a query, and are not found', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE VECTOR INDEX cosines FOR (n:A) ON (n.v)');
    await answer(
      engine,
      "CREATE VECTOR INDEX squares FOR (n:B) ON (n.v) OPTIONS {indexConfig: {`vector.similarity_function`: 'euclidean'}}",
    );
    await answer(engine, 'CREATE FULLTEXT INDEX texts FOR (n:A) ON EACH [n.t]');
    const stored: Readonly<Record<number, Value>> = {
      1: [1, 1].map(makeFloat),
      2: [1e300, 1].map(makeFloat),
      3: [1e39, 1].map(makeFloat),
      4: [1e-100, 1e-100].map(makeFloat),
      5: [Number.POSITIVE_INFINITY, 1].map(makeFloat),
      6: new Float32Array([Number.NEGATIVE_INFINITY, 1]),
      7: new Float32Array([Number.NaN, 1]),
      8: [1e-45, 1e-45].map(makeFloat),
    };
    for (const [i, v] of Object.entries(stored)) await answer(engine, 'CREATE (:A:B {i: $i, v: $v})', { i: Number(i), v });
    const found = async (index: string): Promise<string[]> =>
      (await answer(engine, NODES, { index, k: 9, v: [1, 1] })).map((row) => row.split(' ')[0]!).sort();
    assert.deepEqual(await found('cosines'), ['1', '8']);
    assert.deepEqual(await found('squares'), ['1', '4', '8']);
    const refused = async (index: string, v: Value, message: RegExp): Promise<void> => {
      await assert.rejects(answer(engine, NODES, { index, k: 1, v }), { code: 'ARGUMENT_ERROR', message });
    };
    const tooLarge = [1e300, 1].map(makeFloat);
    const tooSmall = [1e-300, 1e-300].map(makeFloat);
    await refused('cosines', tooLarge, /finite numbers of 32 bits only/);
    await refused('squares', [1e39, 1].map(makeFloat), /finite numbers of 32 bits only/);
    await refused('cosines', tooSmall, /length zero/);
    assert.equal((await answer(engine, NODES, { index: 'squares', k: 1, v: tooSmall })).length, 1);
    for (const [v, message] of [
      [tooLarge, /finite numbers of 32 bits only/],
      [tooSmall, /length zero/],
    ] as const) {
      for (const query of [
        "CALL search.hybrid({vectorIndex: 'cosines', vector: $v, fulltextIndex: 'texts', query: 'x'}) YIELD node RETURN node.i",
        'MATCH (n:A) SEARCH n IN (VECTOR INDEX cosines FOR $v LIMIT 2) RETURN n.i',
      ])
        await assert.rejects(answer(engine, query, { v }), { code: 'ARGUMENT_ERROR', message }, query);
    }
  }));

test('a vector of another dimension is refused at the write, and left alone where it stood before the index', () =>
  withEngine(async (engine, uri) => {
    await answer(engine, 'CREATE (:A {i: 0, v: [1, 2, 3]}), (:B {i: 1, v: [1, 2, 3]})-[:R {v: [1]}]->(:A {i: 2, v: [4, 5]})');
    await answer(engine, 'CREATE VECTOR INDEX one FOR (n:A) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}');
    await answer(engine, 'CREATE VECTOR INDEX two FOR ()-[r:R]-() ON (r.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}');
    const wrong = { code: 'ARGUMENT_ERROR', message: /takes vectors of 2 dimensions, and v has 3/ };
    for (const write of [
      'CREATE (:A {v: [1, 2, 3]})',
      'CREATE (:A {v: vector([1, 2, 3])})',
      'MATCH (n:A {i: 2}) SET n.v = [1, 2, 3]',
      'MATCH (n:A {i: 2}) SET n += {v: [1, 2, 3]}',
      'MATCH (n:B) SET n:A',
      "MATCH (n:A {i: 2}) CALL db.create.setNodeVectorProperty(n, 'v', [1, 2, 3])",
      'MATCH ()-[r:R]->() SET r.v = [1, 2, 3]',
      "MATCH ()-[r:R]->() CALL db.create.setRelationshipVectorProperty(r, 'v', [1, 2, 3])",
      'MATCH (a:B) CREATE (a)-[:R {v: [1, 2, 3]}]->(a)',
    ])
      await assert.rejects(answer(engine, write), wrong, write);
    await answer(engine, 'MATCH (n:A {i: 0}) SET n.other = 1, n:C');
    await answer(engine, "MATCH ()-[r:R]->() CALL db.create.setRelationshipVectorProperty(r, 'v', [1, 2])");
    await answer(engine, "MATCH (n:A {i: 2}) CALL db.create.setVectorProperty(n, 'v', [4, 6]) YIELD node RETURN node");
    assert.deepEqual(await answer(engine, `${NODES}, node.v`, { index: 'one', k: 9, v: [4, 6] }), ['2 | 1.0 | vector([4.0, 6.0])']);
    const other = await openEngine(uri, { flushIntervalMs: 0, readOnly: true });
    assert.deepEqual(await answer(other, NODES, { index: 'one', k: 9, v: [4, 6] }), ['2 | 1.0']);
    await other.close();
  }));

test('a transaction finds what it has written, and nobody else does before its commit', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE VECTOR INDEX one FOR (n:A) ON (n.v)');
    await answer(engine, 'UNWIND range(1, 5) AS i CREATE (:A {i: i, v: [i, 1]})');
    const found = { index: 'one', k: 2, v: [1, 1] };
    const before = await answer(engine, NODES, found);
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute('CREATE (:A {i: 6, v: [2, 2]})', parametersOf({}));
    await transaction.execute('MATCH (n:A {i: 1}) DELETE n', parametersOf({}));
    await transaction.execute('MATCH (n:A {i: 2}) SET n.v = [-1, -1]', parametersOf({}));
    const inside = (await transaction.execute(NODES, parametersOf(found))).rows.map((row) => toNumber(row[0] as number));
    assert.deepEqual(inside, [6, 3]);
    assert.deepEqual(await answer(engine, NODES, found), before);
    await transaction.commit();
    assert.equal((await answer(engine, NODES, found))[0], '6 | 1.0');
  }));

test('SEARCH finds k of what its WHERE and the labels of the pattern let through, and matches around it', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE VECTOR INDEX one FOR (n:A|B) ON n.v WITH [n.i, n.s] OPTIONS {indexConfig: {`vector.dimensions`: 2}}');
    await answer(engine, 'CREATE VECTOR INDEX two FOR ()-[r:R]-() ON (r.v)');
    await answer(engine, "UNWIND range(1, 200) AS i CREATE (a:A {i: i, s: 's' + i % 5, v: [i, 1]})-[:R {v: [1, i]}]->(:C {i: -i})");
    await answer(engine, "UNWIND range(201, 300) AS i CREATE (:B {i: i, s: 's1', v: vector([i, 1])})");
    const search = (within: string, rest = 'RETURN n.i'): string =>
      `MATCH (n:A) SEARCH n IN (VECTOR INDEX one FOR $v ${within}) SCORE AS score ${rest}`;
    const found = { v: [1, 0] };
    assert.deepEqual(await answer(engine, search('LIMIT 2'), found), ['200', '199']);
    assert.deepEqual(await answer(engine, search('WHERE n.i < $max AND n.s = "s3" LIMIT 3'), { ...found, max: 100 }), ['98', '93', '88']);
    assert.deepEqual(await answer(engine, search('WHERE 10 <= n.i < 12 LIMIT 1 + 2'), found), ['11', '10']);
    assert.deepEqual(await answer(engine, search('WHERE n.i = 7.0 LIMIT 9', 'WHERE score > 0.5 MATCH (n)-->(c) RETURN n.i, c.i'), found), [
      '7 | -7',
    ]);
    assert.deepEqual(
      await answer(engine, `MATCH (n)-->(c:C) SEARCH n IN (VECTOR INDEX one FOR [0, 1] LIMIT 2) WHERE c.i < -1 RETURN n.i, c.i`),
      ['2 | -2'],
    );
    const relationship = 'MATCH (a)-[r:R]->() SEARCH r IN (VECTOR INDEX $name FOR [0, 1] LIMIT 1) SCORE AS s RETURN a.i, s > 0.99';
    assert.deepEqual(await answer(engine, relationship, { name: 'two' }), ['200 | true']);
    assert.deepEqual(await answer(engine, 'RETURN COUNT { MATCH (n:B) SEARCH n IN (VECTOR INDEX one FOR [1, 1] LIMIT 7) }'), ['7']);
    const optional =
      'UNWIND [199, 999] AS x OPTIONAL MATCH (n:A)-->(c) SEARCH n IN (VECTOR INDEX one FOR $v WHERE n.i >= x LIMIT 1) SCORE AS score';
    assert.deepEqual(await answer(engine, `${optional} RETURN x, n.i, c.i, score > 0.5`, found), [
      '199 | 200 | -200 | true',
      '999 | null | null | null',
    ]);
    const bound = 'MATCH (c:C {i: -7}) OPTIONAL MATCH (n:A)-->(c) SEARCH n IN (VECTOR INDEX one FOR $v LIMIT 300) RETURN n.i, c.i';
    assert.deepEqual(await answer(engine, bound, found), ['7 | -7']);
    const { plan } = await engine.execute(`EXPLAIN ${search('LIMIT 2')}`, parametersOf(found));
    assert.match(plan ?? '', /ProcedureCall.*db\.index\.vector\.queryNodes\(/);
    const refused = async (query: string, code: string, message: RegExp): Promise<void> => {
      await assert.rejects(answer(engine, query, found), { code, message }, query);
    };
    await refused(search('WHERE n.other = 1 LIMIT 1'), 'ARGUMENT_ERROR', /does not filter by .*other.*WITH \[n\.other\]/);
    await refused(search('WHERE n.i <> 1 LIMIT 1'), 'SYNTAX_ERROR', /equalities and ranges/);
    await refused(search('WHERE n.i = 1 OR n.i = 2 LIMIT 1'), 'SYNTAX_ERROR', /equalities and ranges/);
    await refused(search('WHERE n.i = n.s LIMIT 1'), 'SYNTAX_ERROR', /equalities and ranges/);
    await refused(search(''), 'SYNTAX_ERROR', /LIMIT/);
    await refused('MATCH (n:A) SEARCH m IN (VECTOR INDEX one FOR $v LIMIT 1) RETURN n', 'SEMANTIC_ERROR', /of the MATCH before it/);
    await refused('MATCH (n:A) MATCH (n) SEARCH n IN (VECTOR INDEX one FOR $v LIMIT 1) RETURN n', 'SEMANTIC_ERROR', /n/);
    await refused('MATCH (n:A) SEARCH n IN (VECTOR INDEX none FOR $v LIMIT 1) RETURN n', 'ARGUMENT_ERROR', /no such vector schema index/);
    await refused(
      "MATCH (n:A) SEARCH n IN (FULLTEXT INDEX texts FOR 'x' LIMIT 1) RETURN n",
      'ARGUMENT_ERROR',
      /no such fulltext schema index/,
    );
  }));

const component = fc.integer({ min: -4, max: 4 });
const vector = fc.tuple(component, component, component).filter((numbers) => numbers.some((number) => number !== 0));
type Write =
  | { readonly kind: 'create' | 'set'; readonly i: number; readonly v: readonly number[]; readonly isList: boolean }
  | { readonly kind: 'delete' | 'remove' | 'removeLabel'; readonly i: number }
  | { readonly kind: 'flush' | 'compact' | 'reopen' };
const at = fc.integer({ min: 0, max: 30 });
const writes: fc.Arbitrary<Write> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('create', 'set'), i: at, v: vector, isList: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('delete', 'remove', 'removeLabel'), i: at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('flush', 'compact', 'reopen') }) },
);

const STATEMENTS = {
  delete: 'MATCH (n {i: $i}) DELETE n',
  remove: 'MATCH (n {i: $i}) REMOVE n.v',
  removeLabel: 'MATCH (n {i: $i}) REMOVE n:A',
};

function scoreOf(similarity: string, a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, each, i) => sum + each * y[i]!, 0);
  if (similarity === 'euclidean') return 1 / (1 + a.reduce((sum, each, i) => sum + (each - b[i]!) ** 2, 0));
  return (1 + Math.max(-1, Math.min(1, dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))))) / 2;
}

test('after any writes exactly k rows come where k qualify, with the scores of a look at each', async () => {
  const cases = fc.record({
    similarity: fc.constantFrom('cosine', 'euclidean'),
    all: fc.array(writes, { maxLength: 40 }),
    k: fc.integer({ min: 1, max: 12 }),
    query: vector,
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ similarity, all, k, query }) => {
      const uri = `memory://vector-index-${++stores}`;
      let engine = await openEngine(uri, { flushIntervalMs: 0 });
      try {
        await answer(
          engine,
          `CREATE VECTOR INDEX one FOR (n:A) ON (n.v) OPTIONS {indexConfig: {\`vector.similarity_function\`: '${similarity}'}}`,
        );
        const model = new Map<number, readonly number[] | null>();
        for (const write of all) {
          if (write.kind === 'reopen') {
            await engine.close();
            engine = await openEngine(uri, { flushIntervalMs: 0 });
          } else if (write.kind === 'flush' || write.kind === 'compact') await engine[write.kind]();
          else if ('v' in write) {
            const v = write.isList ? [...write.v] : Float32Array.from(write.v);
            await answer(engine, 'MERGE (n {i: $i}) SET n:A, n.v = $v', { i: write.i, v });
            model.set(write.i, write.v);
          } else if ('i' in write) {
            await answer(engine, STATEMENTS[write.kind], { i: write.i });
            model.delete(write.i);
          }
        }
        const expected = [...model.values()]
          .map((v) => scoreOf(similarity, v!, query))
          .sort((a, b) => b - a)
          .slice(0, k);
        const { rows } = await engine.execute(NODES, parametersOf({ index: 'one', k, v: [...query] }));
        assert.equal(rows.length, expected.length);
        for (const [i, [id, score]] of rows.entries()) {
          assert.ok(Math.abs(toNumber(score as number) - expected[i]!) < 1e-12, `${literalText(score!)} and ${expected[i]}`);
          assert.ok(Math.abs(scoreOf(similarity, model.get(Number(id))!, query) - expected[i]!) < 1e-12);
        }
        assert.equal(new Set(rows.map(([id]) => Number(id))).size, rows.length);
      } finally {
        await engine.close();
      }
    }),
    { numRuns: 40 },
  );
});
