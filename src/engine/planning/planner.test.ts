/**
 * S4: long statements are planned in a thread: they answer as those planned here, fail with their own errors, and leave
 * the main thread to others.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { monotonicMs } from '../../base/index.ts';
import { type Engine, openEngine, ReadWorkers } from '../index.ts';
import { Planner, type PlanRequest } from './planner.ts';

const workers = new ReadWorkers({ count: 1, firstSliceMs: 2 });
after(() => workers.close());

const NO_PARAMETERS = new Map();
const times = (count: number, part: (i: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

let stores = 0;

/** An engine that plans everything itself, one with the thread that plans, and one with workers beside it. */
async function withEngines(run: (engine: Engine, name: string) => Promise<void>): Promise<void> {
  for (const [name, parts] of Object.entries({ alone: {}, planner: { planner: true }, workers: { workers } })) {
    const engine = await openEngine(`memory://planner-test-${++stores}`, {}, parts);
    try {
      await engine.execute("UNWIND range(1, 50) AS i CREATE (:T {i: i, s: 's' + i})-[:R {x: i}]->(:U {i: -i})", NO_PARAMETERS);
      await run(engine, name);
    } finally {
      await engine.close();
    }
  }
}

const READS: Readonly<Record<string, string>> = {
  'literals of all types':
    `MATCH (t:T) WHERE t.i IN [${times(5_000, String)}] AND t.s <> '${'x'.repeat(20_000)}' AND t.i < ` +
    '9223372036854775807 AND t.i > -0.5 RETURN sum(t.i) AS sum',
  'long list of variables': `WITH 1 AS a RETURN size([${times(10_000, () => 'a')}]) AS n`,
  'many columns': `MATCH (t:T {i: 7}) RETURN ${times(1_200, (i) => `t.i + ${i} AS c${i}`)}`,
  'walk, subqueries and a map':
    'MATCH (t:T {i: 3})-[r:R]->(u) RETURN COUNT { (t)-[:R]->() } AS n, [(t)-->(x) | x.i] AS l, ' +
    `{${times(2_000, (i) => `k${i}: u.i`)}} AS m`,
  'many unions': times(250, (i) => `MATCH (t:T {i: ${i}}) RETURN t.s AS s, -0.0 AS zero`, ' UNION ALL '),
  parameters: `RETURN [${times(3_500, (i) => `$p${i % 3}`)}] AS l`,
  'hard to plan and short': `MATCH ${times(36, (i) => `(q${i % 6})-[:R]->(p${i % 7})`)} RETURN count(*) AS n`,
};

test('statements that another thread plans answer as others do', async () => {
  const answers = new Map<string, unknown>();
  const parameters = new Map([
    ['p0', 1],
    ['p1', 2.5],
    ['p2', 3],
  ]);
  await withEngines(async (engine, name) => {
    for (const [shape, text] of Object.entries(READS)) {
      for (const time of ['first', 'second']) {
        const { columns, rows } = await engine.execute(text, parameters);
        const known = answers.get(shape);
        if (known === undefined) answers.set(shape, { columns, rows });
        else assert.deepStrictEqual({ columns, rows }, known, `${shape}, ${name}, for the ${time} time`);
      }
      const stream = await engine.stream(text, parameters);
      const rows = (await Array.fromAsync(stream.batches)).flat();
      assert.deepStrictEqual({ columns: stream.columns, rows }, answers.get(shape), `${shape}, ${name}, as a stream`);
    }
  });
});

test('statements that write are planned elsewhere and run here, in transactions too', () =>
  withEngines(async (engine, name) => {
    const create = `CREATE ${times(1_000, (i) => `(n${i}:New {i: ${i}, s: 'text ${i}'})`)} RETURN n999.i AS last`;
    assert.deepEqual((await engine.execute(create, NO_PARAMETERS)).rows, [[999]], name);
    const transaction = await engine.begin({ mode: 'write' });
    assert.equal((await transaction.execute(create, NO_PARAMETERS)).writeOutcome?.nodesCreated, 1_000);
    const count = `MATCH (n:New) WHERE n.i IN [${times(5_000, String)}] RETURN count(n)`;
    assert.deepEqual((await transaction.execute(count, NO_PARAMETERS)).rows, [[2_000]], name);
    assert.deepEqual((await engine.execute(count, NO_PARAMETERS)).rows, [[1_000]], name);
    await transaction.rollback();
    assert.deepEqual((await engine.execute(count, NO_PARAMETERS)).rows, [[1_000]], name);
  }));

test('EXPLAIN, PROFILE, warnings and errors are told as by this thread', async () => {
  const told = new Map<string, unknown>();
  const long = times(3_000, (i) => `'item ${i}'`);
  await withEngines(async (engine, name) => {
    const asked: Readonly<Record<string, () => Promise<unknown>>> = {
      explain: async () => engine.execute(`EXPLAIN MATCH (t:Unknown) WHERE t.s IN [${long}] RETURN t.i`, NO_PARAMETERS),
      'explain by its own call': async () => engine.explain(`MATCH (t:T) WHERE t.s IN [${long}] RETURN t.i`, { verbose: true }),
      profile: async () => (await engine.execute(`PROFILE MATCH (t:T) WHERE t.s IN [${long}] RETURN t.i`, NO_PARAMETERS)).rows,
      warning: async () => (await engine.execute(`MATCH (t:Tt) WHERE t.s IN [${long}] RETURN t.i`, NO_PARAMETERS)).notifications,
      'syntax error': async () => errorOf(engine.execute(`RETURN [${long},]`, NO_PARAMETERS)),
      'semantic error': async () => errorOf(engine.execute(`RETURN [${long}, nothing]`, NO_PARAMETERS)),
      'missing parameter': async () => errorOf(engine.execute(`RETURN [${long}, $nothing]`, NO_PARAMETERS)),
      'error of its values': async () => errorOf(engine.execute(`UNWIND [${long}] AS x RETURN 1 / (size(x) - size(x))`, NO_PARAMETERS)),
    };
    for (const [what, ask] of Object.entries(asked)) {
      const answer = await ask();
      assert.ok(answer !== undefined, what);
      const known = told.get(what);
      if (known === undefined) told.set(what, answer);
      else assert.deepStrictEqual(answer, known, `${what}, ${name}`);
    }
  });
});

async function errorOf(answer: Promise<unknown>): Promise<unknown> {
  const error = await answer.then(
    () => assert.fail('no error'),
    (failure: unknown) => failure as Error & { code: string; line?: number; column?: number },
  );
  const { code, message, line, column } = error;
  return { code, message, line, column };
}

test('the main thread turns while a long statement is planned', async () => {
  const engine = await openEngine(`memory://planner-test-${++stores}`, {}, { planner: true });
  const text = `EXPLAIN WITH 1 AS a RETURN size([${times(4_000, (i) => `a + ${i}`)}]) AS n`;
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await engine.execute(text, NO_PARAMETERS);
  clearInterval(timer);
  assert.ok(turns >= 5, `${turns} turns`);
  await engine.close();
});

/** Statistics of an empty graph, and one answer that takes what it takes. */
function statistics(nodesWithLabel = () => 0): PlanRequest['statistics'] {
  return {
    nodeCount: 0,
    relationshipCount: 0,
    nodesWithLabel,
    relationshipsOfType: () => 0,
    relationships: () => 0,
    distinctValues: () => null,
    distinctRelationshipValues: () => null,
    findIndex: () => null,
  };
}

const FLAGS = { factorize: false, wcoj: false };
const request = (text: string, changes: Partial<PlanRequest> = {}): PlanRequest => ({
  text,
  flags: FLAGS,
  statistics: statistics(),
  deadline: Number.POSITIVE_INFINITY,
  signal: null,
  memoryBytes: Number.POSITIVE_INFINITY,
  ...changes,
});

test('texts wait for each other, each for its own time', async () => {
  const planner = new Planner();
  const stop = new AbortController();
  const long = `WITH 1 AS a RETURN size([${times(6_000, (i) => `a + ${i}`)}]) AS n`;
  const first = planner.plan(request(long));
  const late = assert.rejects(planner.plan(request('RETURN 1', { deadline: monotonicMs() + 1 })), { code: 'QUERY_TIMEOUT' });
  const left = assert.rejects(planner.plan(request('RETURN 2', { signal: stop.signal })), { code: 'CANCELLED' });
  const last = planner.plan(request('MATCH (n:L) RETURN n.x AS x', { statistics: statistics(() => 12) }));
  stop.abort();
  await Promise.all([late, left]);
  assert.equal((await first).type, 'read');
  assert.deepEqual((await last).columns, ['x']);
  await planner.close();
  await assert.rejects(planner.plan(request('RETURN 1')), { code: 'SHUTTING_DOWN' });
});

test('a text whose time is over while it is planned is answered, and the next one is planned', async () => {
  const planner = new Planner();
  await planner.plan(request('RETURN 1'));
  const long = `WITH 1 AS a RETURN size([${times(20_000, (i) => `a + ${i}`)}]) AS n`;
  await assert.rejects(planner.plan(request(long, { deadline: monotonicMs() + 5 })), { code: 'QUERY_TIMEOUT' });
  assert.deepEqual((await planner.plan(request('RETURN 1 AS one'))).columns, ['one']);
  await planner.close();
});

test('a thread whose heap is full fails its text with MEMORY_LIMIT, and another one plans the next', async () => {
  const planner = new Planner(24);
  const list = `RETURN [${times(100_000, (i) => `{a: ${i}}`)}] AS l`;
  await assert.rejects(planner.plan(request(list)), { code: /MEMORY_LIMIT|UNSUPPORTED/ });
  assert.deepEqual((await planner.plan(request('RETURN 1 AS one'))).columns, ['one']);
  await planner.close();
});

test('a text may take as much memory when it is planned as its statement may use, and the thread that refuses it goes on', async () => {
  const planner = new Planner();
  const list = `RETURN size([${times(700_000, String, ',')}]) AS n`;
  await assert.rejects(planner.plan(request(list, { memoryBytes: 2 ** 20 })), { code: 'MEMORY_LIMIT' });
  assert.deepEqual((await planner.plan(request('RETURN 1 AS one', { memoryBytes: 2 ** 20 }))).columns, ['one']);
  assert.equal(planner.texts, 2);
  await planner.close();
});

test('statistics that fail end the text, and a text that is too deep for this thread is refused', async () => {
  const planner = new Planner();
  const failing = statistics(() => {
    throw new Error('no such table');
  });
  await assert.rejects(planner.plan(request('MATCH (n:L) RETURN n', { statistics: failing })), { code: 'INTERNAL' });
  const deep = `EXPLAIN ${times(1_500, (i) => `RETURN ${i} AS x`, ' UNION ')}`;
  const outcome = await planner.plan(request(deep)).then(
    ({ explanation }) => typeof explanation?.plan,
    ({ code }: { code: string }) => code,
  );
  assert.ok(outcome === 'string' || outcome === 'UNSUPPORTED', outcome);
  await planner.close();
});

test('a text whose time is over when its turn comes does not let the thread end under a later one', async () => {
  const idleMs = 200;
  const planner = new Planner(undefined, idleMs);
  await planner.plan(request('RETURN 1'));
  const idleFrom = monotonicMs();
  await assert.rejects(planner.plan(request('RETURN 2', { deadline: monotonicMs() - 1 })), { code: 'QUERY_TIMEOUT' });
  const long = `WITH 1 AS a RETURN size([${times(2_000, (i) => `a + ${i}`)}]) AS n`;
  while (monotonicMs() < idleFrom + 2 * idleMs)
    assert.deepEqual((await planner.plan(request(long, { deadline: monotonicMs() + 5_000 }))).columns, ['n']);
  await planner.close();
});

test('closing refuses what is planned and what waits', async () => {
  const planner = new Planner();
  const plans = [planner.plan(request('RETURN 1')), planner.plan(request('RETURN 2'))].map((plan) =>
    assert.rejects(plan, { code: 'SHUTTING_DOWN' }),
  );
  await planner.close();
  await Promise.all(plans);
});

test('a thread that has nothing to plan does not keep the process alive', async () => {
  const ports = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;
  const before = ports();
  const planner = new Planner();
  planner.start();
  assert.equal(ports(), before);
  await planner.close();
});
