/**
 * Point indexes: how they are declared and shown, what they answer, and that every answer is that of a scan, whatever
 * was written meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, Point, type Value } from '../../src/value/index.ts';
import { point as anyPoint } from '../../src/value/testing/arbitraries.ts';

let stores = 0;

async function withEngine(run: (engine: Engine, uri: string) => Promise<void>): Promise<void> {
  const uri = `memory://point-index-${++stores}`;
  const engine = await openEngine(uri, { flushIntervalMs: 0 });
  try {
    await run(engine, uri);
  } finally {
    await engine.close();
  }
}

async function answer(engine: Engine, query: string, parameters: Readonly<Record<string, Value>> = {}): Promise<string[]> {
  return (await engine.execute(query, new Map(Object.entries(parameters)))).rows.map((row) => row.map(literalText).join(' | '));
}

async function plan(engine: Engine, query: string): Promise<string> {
  return (await engine.execute(`EXPLAIN ${query}`, new Map([['at', null]]))).plan ?? '';
}

test('a point index is declared, shown, dropped and there again after opening', () =>
  withEngine(async (engine, uri) => {
    const config = '{indexConfig: {`spatial.cartesian.min`: [-100.0, -100.0], `spatial.wgs-84.max`: [180.0, 90.0]}}';
    await answer(engine, `CREATE POINT INDEX places FOR (p:Place) ON (p.at) OPTIONS ${config}`);
    await answer(engine, 'CREATE POINT INDEX places IF NOT EXISTS FOR (p:Place) ON (p.at)');
    await answer(engine, 'CREATE POINT INDEX FOR ()-[r:TRACK]-() ON (r.at)');
    await answer(engine, 'CREATE INDEX FOR (p:Place) ON (p.at)');
    await assert.rejects(answer(engine, 'CREATE POINT INDEX FOR (p:Place) ON (p.at)'), { code: 'CONSTRAINT_VIOLATION' });
    await assert.rejects(answer(engine, 'CREATE POINT INDEX FOR (p:Place) ON (p.at, p.to)'), {
      code: 'SEMANTIC_ERROR',
      message: /on one property/,
    });
    const shown = [
      "'index_track_at' | 'POINT' | 'RELATIONSHIP' | ['TRACK'] | ['at'] | 'point-1.0'",
      "'places' | 'POINT' | 'NODE' | ['Place'] | ['at'] | 'point-1.0'",
    ];
    const show = 'SHOW POINT INDEXES YIELD name, type, entityType, labelsOrTypes, properties, indexProvider';
    assert.deepEqual((await answer(engine, show)).sort(), shown);
    assert.deepEqual(await answer(engine, "SHOW INDEXES YIELD name, createStatement WHERE name = 'places' RETURN createStatement"), [
      "'CREATE POINT INDEX `places` FOR (n:`Place`) ON (n.`at`)'",
    ]);
    await engine.flush();
    const other = await openEngine(uri, { flushIntervalMs: 0, readOnly: true });
    assert.deepEqual((await answer(other, show)).sort(), shown);
    await other.close();
    await answer(engine, 'DROP INDEX places');
    await answer(engine, 'DROP INDEX places IF EXISTS');
    assert.deepEqual(await answer(engine, show), shown.slice(0, 1));
  }));

test('the index answers equality, boxes and circles, written either way round', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE POINT INDEX places FOR (p:Place) ON (p.at)');
    await answer(engine, 'CREATE POINT INDEX tracks FOR ()-[r:TRACK]-() ON (r.at)');
    await answer(
      engine,
      'UNWIND range(0, 999) AS i CREATE (:Place {i: i, at: point({x: i % 40, y: i / 40})})-[:TRACK {at: point({x: i, y: 0})}]->(:End)',
    );
    const seeks: readonly (readonly [condition: string, seek: RegExp, count: number])[] = [
      ['p.at = point({x: 3, y: 2})', /NodeIndexSeek /, 1],
      ['p.at IN [point({x: 3, y: 2}), point({x: 4, y: 2}), 5]', /NodeIndexSeek /, 2],
      ['point.distance(p.at, point({x: 3, y: 2})) <= 1', /NodeIndexSeekByRange .*circle/, 5],
      ['point.distance(point({x: 3, y: 2}), p.at) < 1', /NodeIndexSeekByRange .*circle/, 1],
      ['1 >= point.distance(p.at, point({x: 3, y: 2}))', /NodeIndexSeekByRange .*circle/, 5],
      ['point.withinBBox(p.at, point({x: 1, y: 1}), point({x: 3, y: 2}))', /NodeIndexSeekByRange .*box/, 6],
    ];
    for (const [condition, seek, count] of seeks) {
      const query = `MATCH (p:Place) WHERE ${condition} RETURN count(*)`;
      assert.match(await plan(engine, query), seek);
      assert.deepEqual(await answer(engine, query), [String(count)], condition);
    }
    for (const condition of [
      'point.distance(p.at, point({x: 3, y: 2})) > 1',
      'point.distance(p.at, p.at) < 1',
      'point.withinBBox(point({x: 1, y: 1}), p.at, p.at)',
    ])
      assert.doesNotMatch(await plan(engine, `MATCH (p:Place) WHERE ${condition} RETURN count(*)`), /Index/, condition);
    const track = 'MATCH ()-[r:TRACK]->() WHERE point.distance(r.at, $at) < 2.5 RETURN count(*)';
    assert.match(await plan(engine, track), /RelationshipIndexSeekByRange/);
    assert.deepEqual(await answer(engine, track, { at: new Point(7203, 10, 0) }), ['5']);
    await answer(engine, 'MATCH ()-[r:TRACK]->() WHERE r.at.x = 11 SET r.at = point({x: 500, y: 0})');
    await answer(engine, 'MATCH ()-[r:TRACK]->() WHERE r.at.x = 12 DELETE r');
    assert.deepEqual(await answer(engine, track, { at: new Point(7203, 10, 0) }), ['3']);
    const joined = 'MATCH (a:Place), (b:Place) WHERE point.distance(a.at, b.at) <= 0.5 RETURN count(*)';
    assert.match(await plan(engine, joined), /NodeIndexSeekByRange/);
    assert.deepEqual(await answer(engine, joined), ['1000']);
  }));

test('areas that are none find nothing, with the index as without', () =>
  withEngine(async (engine) => {
    await answer(
      engine,
      "UNWIND [point({x: 1, y: 1}), 1, 'a', [point({x: 1, y: 1})], point({latitude: 1, longitude: 1}), null] AS at CREATE " +
        '(:Place {at: at}), (:Bare {at: at})',
    );
    await answer(engine, 'CREATE POINT INDEX FOR (p:Place) ON (p.at)');
    const odd: readonly Value[] = [
      null,
      1,
      'a',
      true,
      [],
      new Map(),
      new Point(7203, 1, 1),
      new Point(4326, 1, 1),
      new Point(9157, 1, 1, 1),
      Number.NaN,
      -1,
      Infinity,
    ];
    for (const a of odd) {
      for (const b of odd) {
        for (const condition of ['point.distance(n.at, $a) <= $b', 'point.withinBBox(n.at, $a, $b)', 'n.at = $a']) {
          const [place, bare] = await Promise.all(
            ['Place', 'Bare'].map((label) => answer(engine, `MATCH (n:${label}) WHERE ${condition} RETURN n.at`, { a, b })),
          );
          assert.deepEqual(place, bare, `${condition} ${literalText(a)} ${literalText(b)}`);
        }
      }
    }
  }));

type Step =
  | { readonly kind: 'create' | 'move'; readonly at: Point; readonly i: number }
  | { readonly kind: 'delete' | 'clear' | 'flush' | 'compact' | 'rollback'; readonly i: number };

const i = fc.nat(40);
/** Close to each other, so that areas hold some. */
const crowded = fc.oneof(
  anyPoint,
  fc
    .tuple(fc.constantFrom(7203, 4326), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))
    .map((parts) => new Point(...parts)),
  fc.tuple(fc.integer({ min: 178, max: 182 }), fc.constantFrom(88, 89, 90)).map(([x, y]) => new Point(4326, x, y)),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('create' as const, 'move' as const), at: crowded, i }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'clear' as const, 'rollback' as const), i }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('flush' as const, 'compact' as const), i }) },
);
const question = fc.record({
  a: crowded,
  b: crowded,
  reach: fc.oneof(fc.constantFrom(0, 1, 2, 150_000, 400_000, 1e9), fc.double({ min: 0, noNaN: true })),
});

async function apply(engine: Engine, one: Step): Promise<void> {
  switch (one.kind) {
    case 'create':
      await answer(engine, 'CREATE (:Place {i: $i, at: $at, k: $at}), (:Place:Other {i: $i, k: $i, at: $at})', { i: one.i, at: one.at });
      return;
    case 'move':
      await answer(engine, 'MATCH (p:Place {i: $i}) SET p.at = $at, p.k = $at', { i: one.i, at: one.at });
      return;
    case 'delete':
      await answer(engine, 'MATCH (p:Place {i: $i}) DETACH DELETE p', { i: one.i });
      return;
    case 'clear':
      await answer(engine, 'MATCH (p:Place {i: $i}) REMOVE p.at', { i: one.i });
      return;
    case 'rollback':
      await assert.rejects(answer(engine, 'MATCH (p:Place) SET p.at = point({x: 1, y: 1}) CREATE (:Place {i: 1 / (count(p) - count(p))})'));
      return;
    case 'flush':
      await engine.flush();
      return;
    case 'compact':
      await engine.compact();
  }
}

const CONDITIONS = [
  'point.distance(p.at, $a) <= $reach',
  'point.distance(p.at, $a) < $reach',
  'point.withinBBox(p.at, $a, $b)',
  'p.at = $a',
];

test('an index answers what a scan answers, whatever was written', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, question), { minLength: 5, maxLength: 40 }), async (steps) => {
      await withEngine(async (engine) => {
        await answer(engine, 'CREATE POINT INDEX FOR (p:Place) ON (p.at)');
        for (const [one, { a, b, reach }] of steps) {
          await apply(engine, one);
          for (const condition of CONDITIONS) {
            const parameters = { a, b, reach };
            const ids = async (label: string): Promise<string[]> =>
              (await answer(engine, `MATCH (p${label}) WHERE ${condition} RETURN id(p)`, parameters)).sort();
            const seek = await ids(':Place');
            found += seek.length;
            assert.deepEqual(seek, await ids(''), condition);
          }
        }
      });
    }),
    { numRuns: 40 },
  );
  assert.ok(found > 100, `only ${found} were found`);
});

test('thousands of points are found as a scan finds them', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE POINT INDEX FOR (p:Place) ON (p.at)');
    const random = fc.sample(fc.tuple(fc.double({ min: -50, max: 50, noNaN: true }), fc.double({ min: -50, max: 50, noNaN: true })), 6000);
    const make = (from: number, to: number): Promise<string[]> =>
      answer(engine, 'UNWIND $points AS at CREATE (:Place {at: at})', {
        points: random.slice(from, to).map(([x, y], n) => new Point(n % 3 === 0 ? 7203 : 4326, n % 5 === 0 ? 7 : x, y)),
      });
    for (const [from, to] of [
      [0, 4000],
      [4000, 4500],
      [4500, 6000],
    ] as const) {
      await make(from, to);
      for (const [x, y] of random.slice(to - 10, to)) {
        for (const srid of [7203, 4326]) {
          const [a, b] = [new Point(srid, x, y), new Point(srid, x + 5, y + 9)];
          for (const condition of CONDITIONS.slice(1)) {
            const count = async (label: string): Promise<string[]> =>
              answer(engine, `MATCH (p${label}) WHERE ${condition} RETURN count(*)`, { a, b, reach: srid === 7203 ? 8 : 900_000 });
            assert.deepEqual(await count(':Place'), await count(''), condition);
          }
        }
      }
    }
  }));

test('a transaction sees its own points, others only what was committed, and nothing is left of one that is taken back', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE POINT INDEX FOR (p:Place) ON (p.at)');
    await answer(engine, 'UNWIND range(1, 200) AS i CREATE (:Place {i: i, at: point({x: i, y: 0})})');
    const query = (label: string): string =>
      `MATCH (p${label}) WHERE point.distance(p.at, point({x: 10, y: 0})) <= 1 RETURN p.i ORDER BY p.i`;
    for (const end of ['rollback', 'commit'] as const) {
      const before = await answer(engine, query(':Place'));
      const transaction = await engine.begin({ mode: 'write' });
      const within = async (text: string): Promise<unknown[]> => (await transaction.execute(text, new Map())).rows.flat();
      assert.deepEqual(await within(query(':Place')), [9, 10, 11]);
      await within('MATCH (p:Place {i: 10}) SET p.at = point({x: 500, y: 0})');
      await within('CREATE (:Place {i: 1000, at: point({x: 10, y: 0.5})})');
      assert.deepEqual(await within(query(':Place')), [9, 11, 1000]);
      await within('MATCH (p:Place {i: 1000}) SET p.at = point({x: 10, y: 5})');
      await within('MATCH (p:Place {i: 100}) SET p.at = point({x: 10, y: 1})');
      await within('MATCH (p:Place {i: 11}) DELETE p');
      assert.deepEqual(await within(query(':Place')), [9, 100]);
      assert.deepEqual(await within(query('')), [9, 100]);
      assert.deepEqual(await answer(engine, query(':Place')), before);
      await transaction[end]();
      assert.deepEqual(await answer(engine, query(':Place')), end === 'commit' ? ['9', '100'] : ['9', '10', '11']);
      assert.deepEqual(await answer(engine, query('')), end === 'commit' ? ['9', '100'] : ['9', '10', '11']);
    }
    await answer(
      engine,
      'MATCH (p:Place) WHERE point.distance(p.at, point({x: 50, y: 0})) <= 20 SET p.at = point({x: p.at.x + 10, y: 0}), p.seen ' +
        '= coalesce(p.seen, 0) + 1',
    );
    assert.deepEqual(await answer(engine, 'MATCH (p:Place) WHERE p.seen IS NOT NULL RETURN count(*), max(p.seen)'), ['41 | 1']);
  }));
