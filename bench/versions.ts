/**
 * `npm run bench:versions -- <folder>`: the processor time of statements in this checkout against another one, such as
 * a worktree of the commit before a change.
 *
 *   npm run bench:versions -- <folder> [--rounds <n>] [--only <text>]
 *
 * Each statement runs in two processes, one of each checkout, which are asked in turns, some milliseconds each, so that
 * what else the machine does disturbs both alike. The median of each is that of its processor time; its main thread
 * collects garbage alone. Rounds are other pairs of processes: how V8 compiles differs from one to the next. Printed:
 * the medians over the rounds, the median of their ratios (below 1: this checkout is faster), and the ratio of each
 * round.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '../src/index.ts';

interface Contest {
  readonly name: string;
  readonly setUp: (db: Database) => Promise<void>;
  readonly statement: string;
  /** For the run of that number. */
  readonly parameters?: (run: number) => Record<string, unknown>;
  /** How often it is asked for one measurement. */
  readonly together?: number;
}

const BATCH = 3_000;
const UNTIMED_RUNS = 15;
const TIMED_RUNS = 41;

const CONTESTS: readonly Contest[] = [
  {
    name: 'CREATE nodes',
    setUp: async () => undefined,
    statement: 'UNWIND $rows AS row CREATE (:Person {id: row.id, name: row.name, age: row.age})',
    parameters: (run) => ({ rows: people(run * BATCH, BATCH) }),
  },
  {
    name: 'CREATE relationships',
    setUp: withPeople,
    statement: 'UNWIND $rows AS row MATCH (a:Person {id: row.from}), (b:Person {id: row.to}) CREATE (a)-[:KNOWS {since: row.since}]->(b)',
    parameters: (run) => ({ rows: numbers(BATCH).map((i) => ({ from: i, to: (i * 7 + run) % BATCH, since: i })) }),
  },
  {
    name: 'CREATE relationships of all pairs',
    setUp: withPeople,
    statement: 'MATCH (a:Person), (b:Person) WHERE a.id < 30 AND b.id < 100 CREATE (a)-[:KNOWS]->(b)',
  },
  {
    name: 'SET by key',
    setUp: withPeople,
    statement: 'UNWIND $rows AS row MATCH (a:Person {id: row.id}) SET a.age = row.age',
    parameters: (run) => ({ rows: numbers(BATCH).map((i) => ({ id: i, age: i + run })) }),
  },
  { name: 'SET of all', setUp: withPeople, statement: 'MATCH (a:Person) SET a.age = a.age + 1' },
  {
    name: 'MERGE by key',
    setUp: withPeople,
    statement: 'UNWIND $rows AS row MERGE (a:Person {id: row.id}) ON CREATE SET a.name = row.name, a.age = row.age',
    parameters: (run) => ({ rows: people((run * BATCH) / 2, BATCH) }),
  },
  {
    name: 'CREATE one node',
    setUp: withPeople,
    statement: 'CREATE (:Person {id: $id, name: $name})',
    parameters: (run) => ({ id: run + BATCH, name: 'Ada' }),
    together: 200,
  },
  {
    name: 'read one node',
    setUp: withPeople,
    statement: 'MATCH (a:Person {id: $id}) RETURN a.name AS name, a.age AS age',
    parameters: (run) => ({ id: run % BATCH }),
    together: 500,
  },
  {
    name: 'variable length 1 to 3',
    setUp: withFriends,
    statement: 'MATCH (a:Person {id: 1})-[:KNOWS*1..3]->(b) RETURN count(b) AS n',
    together: 20,
  },
  {
    name: 'variable length from all',
    setUp: withFriends,
    statement: 'MATCH (a:Person)-[:KNOWS*1..2]->(b) WHERE b.age > 30 RETURN count(*) AS n, sum(b.age) AS ages',
  },
  {
    name: 'variable length 1 to 4, trails',
    setUp: withFriends,
    statement: 'MATCH p = (a:Person {id: 1})-[:KNOWS*1..4]->(b) WHERE b.age > 30 RETURN sum(length(p)) AS n',
  },
  {
    name: 'cycles of three',
    setUp: withFriends,
    statement: 'MATCH (a:Person)-[r:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[s:KNOWS]->(a) RETURN sum(r.since + s.since) AS n',
  },
  {
    name: 'cycles of three, counted',
    setUp: withFriends,
    statement: 'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(a) RETURN count(*) AS n',
  },
  {
    name: 'string functions',
    setUp: withPeople,
    statement: 'MATCH (a:Person) RETURN sum(size(toUpper(a.name) + trim(a.name) + substring(a.name, 2) + replace(a.name, "e", "i"))) AS n',
    together: 5,
  },
  {
    name: 'scan, filter and sum',
    setUp: withPeople,
    statement: 'MATCH (a:Person) WHERE a.age % 3 = 1 RETURN sum(a.age) AS n',
    together: 40,
  },
  { name: 'group by', setUp: withPeople, statement: 'MATCH (a:Person) RETURN a.age AS age, count(*) AS n', together: 10 },
  {
    name: 'two hops',
    setUp: withFriends,
    statement: 'MATCH (a:Person)-[:KNOWS]->(b)-[:KNOWS]->(c) WHERE a.age < c.age RETURN count(*) AS n',
  },
  {
    name: 'list comprehension',
    setUp: withPeople,
    statement: 'UNWIND range(1, 2000) AS i RETURN sum(size([x IN range(1, 20) WHERE x % 3 = i % 3 | x + i])) AS n',
  },
  { name: 'collect', setUp: withPeople, statement: 'MATCH (a:Person) RETURN a.age AS age, collect(a.name) AS names', together: 4 },
  {
    name: 'distinct',
    setUp: withPeople,
    statement: 'MATCH (a:Person) WITH DISTINCT a.name AS name, a.age AS age RETURN count(*) AS n',
    together: 4,
  },
  {
    name: 'union',
    setUp: withPeople,
    statement: 'MATCH (a:Person) RETURN a.age AS x UNION MATCH (a:Person) RETURN a.name AS x',
    together: 2,
  },
  {
    name: 'hash join',
    setUp: withPeople,
    statement: 'MATCH (a:Person), (b:Person) WHERE a.name = b.name RETURN count(a.age + b.age) AS n',
    together: 2,
  },
  { name: 'sort', setUp: withPeople, statement: 'MATCH (a:Person) WITH a ORDER BY a.name SKIP 10 RETURN count(*) AS n', together: 2 },
];

class Child {
  private readonly process: ChildProcess;

  constructor(checkout: string, name: string) {
    this.process = fork(import.meta.filename, [checkout, '--child', name], { execArgv: ['--single-threaded-gc'] });
  }

  ask(): Promise<number> {
    this.process.send('run');
    return this.answer();
  }

  async answer(): Promise<number> {
    const [ms] = (await once(this.process, 'message')) as [number];
    return ms;
  }

  end(): void {
    this.process.disconnect();
  }
}

const { values: options, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' }, child: { type: 'string' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? '.');
if (options.child !== undefined) await answerParent(folder, CONTESTS.find(({ name }) => name === options.child)!);
else await compareAll(Number(options.rounds));

async function compareAll(rounds: number): Promise<void> {
  console.log('statement'.padEnd(36), 'there ms', ' here ms', '   ratio', '  of each round');
  for (const { name } of CONTESTS.filter((contest) => contest.name.includes(options.only))) {
    const results: (readonly [number, number])[] = [];
    for (let round = 0; round < rounds; round++) results.push(await compareOnce(name));
    const ratios = results.map(([there, here]) => here / there).toSorted((a, b) => a - b);
    const [there, here] = [0, 1].map((side) => median(results.map((result) => result[side]!))) as [number, number];
    const row = [there, here, median(ratios)].map((value) => value.toFixed(4).padStart(8));
    console.log(name.padEnd(36), ...row, ' ', ratios.map((ratio) => ratio.toFixed(2)).join(' '));
  }
}

/** @returns medians of milliseconds for once, there and here */
async function compareOnce(name: string): Promise<readonly [number, number]> {
  const children = [new Child(folder, name), new Child(join(import.meta.dirname, '..'), name)] as const;
  const samples: [number[], number[]] = [[], []];
  for (const child of children) await child.answer();
  for (let run = 0; run < TIMED_RUNS; run++) {
    for (const side of run % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) samples[side].push(await children[side].ask());
  }
  for (const child of children) child.end();
  return [median(samples[0]), median(samples[1])];
}

/** Measures once more whenever the parent asks; ends with it. */
async function answerParent(checkout: string, { setUp, statement, parameters, together = 1 }: Contest): Promise<void> {
  const { open } = (await import(join(checkout, 'src/index.ts'))) as typeof import('../src/index.ts');
  const db = await open('memory://bench', { flushIntervalMs: 0 });
  await setUp(db);
  let runs = 0;
  const measure = async (): Promise<number> => {
    const given = numbers(together).map((i) => (parameters?.(runs * together + i) ?? {}) as Record<string, never>);
    runs++;
    const start = process.cpuUsage();
    for (const each of given) await db.query(statement, each);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e3 / together;
  };
  for (let i = 0; i < UNTIMED_RUNS; i++) await measure();
  process.on('message', async () => process.send!(await measure()));
  process.once('disconnect', () => process.exit());
  process.send!(0);
}

async function withPeople(db: Database): Promise<void> {
  await db.query('CREATE INDEX person_id FOR (p:Person) ON (p.id)');
  await db.query('UNWIND $rows AS row CREATE (:Person {id: row.id, name: row.name, age: row.age})', { rows: people(0, BATCH) });
}

/** Fifteen relationships each. */
async function withFriends(db: Database): Promise<void> {
  await withPeople(db);
  const rows = numbers(15 * BATCH).map((i) => ({ from: i % BATCH, to: (i * 7919 + Math.floor(i / BATCH) * 31) % BATCH, since: i % 50 }));
  await db.query(
    'UNWIND $rows AS row MATCH (a:Person {id: row.from}), (b:Person {id: row.to}) CREATE (a)-[:KNOWS {since: row.since}]->(b)',
    { rows },
  );
}

function people(first: number, count: number): { id: number; name: string; age: number }[] {
  return numbers(count).map((i) => ({ id: first + i, name: `name of person ${first + i}`, age: 20 + ((i * 31) % 60) }));
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
