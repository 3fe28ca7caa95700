/**
 * `npm run bench:flags`: what each switch of the engine buys and costs, over the social network of `npm run bench`.
 *
 *   npm run bench:flags -- [--scale <n>] [--rounds <n>]
 *
 * For each switch its questions are asked in two processes, with it and without it, which take turns; printed are the
 * medians of the processor time of the thread, their ratio (below 1: the switch is worth it) and the memory of both.
 * Answers must be equal. `first`: the first question of all, which loads and builds what the questions need.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';
import { writeFiles } from './social/csv.ts';
import { LABELS, RELATIONSHIPS } from './social/peer.ts';

interface Switch {
  readonly name: string;
  /** The environment variables of the two runs: without the switch, and with it. */
  readonly settings: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  readonly questions: readonly string[];
}

const TRIANGLE = '(a:Person)-[r:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[s:KNOWS]->(a)';
const WALKS = [
  'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE a.age < c.age RETURN count(*) AS n',
  'MATCH (a:Person)-[:KNOWS*1..2]->(b) WHERE a.id % 1000 = 0 RETURN count(*) AS n',
];
const SWITCHES: readonly Switch[] = [
  {
    name: 'GRAPHDB_FACTORIZE',
    settings: [{ GRAPHDB_FACTORIZE: '0' }, { GRAPHDB_FACTORIZE: '1' }],
    questions: [
      'MATCH (p:Person)-[:LIKES]->(m)-[:HAS_CREATOR]->(f)-[:KNOWS]->(g) RETURN g.age AS age, count(*) AS n, min(g.id) AS least ' +
        'ORDER BY age',
      'MATCH (t)<-[:HAS_TAG]-(m)-[:HAS_CREATOR]->(f)-[:KNOWS]->(g) RETURN g.city AS city, count(*) AS n ORDER BY n DESC, city LIMIT 10',
      'MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN b.age AS age, count(*) AS n ORDER BY age',
    ],
  },
  {
    name: 'GRAPHDB_WCOJ',
    settings: [{ GRAPHDB_FACTORIZE: '1' }, { GRAPHDB_FACTORIZE: '1', GRAPHDB_WCOJ: '1' }],
    questions: [
      `MATCH ${TRIANGLE} RETURN count(*) AS n`,
      `MATCH ${TRIANGLE} RETURN sum(r.since + s.since) AS n`,
      'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(a), (a)-[:KNOWS]->(d:Person)-[:KNOWS]->(b) RETURN ' +
        'count(*) AS n',
    ],
  },
  { name: 'GRAPHDB_ADJACENCY', settings: [{ GRAPHDB_ADJACENCY: '0' }, { GRAPHDB_ADJACENCY: '1' }], questions: WALKS },
  {
    name: 'GRAPHDB_NODE_CACHE',
    settings: [{ GRAPHDB_NODE_CACHE: '0' }, { GRAPHDB_NODE_CACHE: '1' }],
    questions: ['MATCH (a:Person)-[:KNOWS]->(b:Person) WHERE a.id % 100 = 0 RETURN a, b.id AS id', 'MATCH (a:Person) RETURN a'],
  },
  {
    name: 'GRAPHDB_PROFILE_DUMP',
    settings: [{ GRAPHDB_PROFILE_DUMP: '0' }, { GRAPHDB_PROFILE_DUMP: '1' }],
    questions: ['RETURN 1 AS n', ...WALKS],
  },
];

interface Measured {
  readonly ms: readonly number[];
  readonly megabytes: number;
  readonly answers: readonly string[];
}

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const none: ReadonlyMap<string, Value> = new Map();

if (positionals.length > 0) console.log(JSON.stringify(await measure(positionals[0]!, positionals[1]!)));
else await compareAll();

/** In a process of its own, with the switches of its environment. */
async function measure(uri: string, name: string): Promise<Measured> {
  const { questions } = SWITCHES.find((each) => each.name === name)!;
  const engine = await openEngine(uri, { readOnly: true });
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1e3;
  };
  const timed = async (question: string, runs: number): Promise<number> => {
    const start = cpuMs();
    for (let i = 0; i < runs; i++) await engine.execute(question, none);
    return (cpuMs() - start) / runs;
  };
  const ms = [await timed(questions.at(-1)!, 1)];
  const answers: string[] = [];
  for (const question of questions) {
    const { rows } = await engine.execute(question, none);
    answers.push(JSON.stringify(rows.slice(0, 20), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
    const once = await timed(question, 1);
    ms.push(await timed(question, Math.max(1, Math.min(2_000, Math.round(100 / Math.max(once, 0.05))))));
  }
  await engine.close();
  return { ms, megabytes: process.memoryUsage.rss() / 1e6, answers };
}

async function compareAll(): Promise<void> {
  const data = join(import.meta.dirname, '../.bench/data', values.scale);
  await writeFiles(data, Number(values.scale));
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-flags-'));
  try {
    const uri = `file://${folder}?ns=flags`;
    const both = (file: string): string => `${join(data, `${file}-header.csv`)},${join(data, `${file}.csv`)}`;
    const nodes = Object.entries(LABELS).flatMap(([file, label]) => ['--nodes', `${label}=${both(file)}`]);
    const relationships = RELATIONSHIPS.flatMap(({ file, type }) => ['--relationships', `${type}=${both(file)}`]);
    execFileSync(join(import.meta.dirname, '../bin/graphdb'), ['import', '--store', uri, ...nodes, ...relationships], { stdio: 'ignore' });
    for (const each of SWITCHES) compare(uri, each);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(uri: string, { name, settings, questions }: Switch): void {
  const runs = settings.map((): Measured[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    settings.forEach((environment, i) => {
      const env = { ...process.env, ...environment };
      const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
      runs[i]!.push(
        JSON.parse(execFileSync(process.execPath, [import.meta.filename, uri, name], { env, stdio, encoding: 'utf8' })) as Measured,
      );
    });
  }
  const [without, withIt] = runs as [Measured[], Measured[]];
  console.log(`\n${name}: ${JSON.stringify(settings[0])} and ${JSON.stringify(settings[1])}`);
  ['first', ...questions].forEach((question, at) => {
    const [before, after] = [without, withIt].map((all) => median(all.map(({ ms }) => ms[at]!))) as [number, number];
    const differs = at > 0 && without[0]!.answers[at - 1] !== withIt[0]!.answers[at - 1] ? '  DIFFERENT ANSWERS' : '';
    console.log(
      `${before.toFixed(3).padStart(10)} ${after.toFixed(3).padStart(10)} ms  ${(after / before).toFixed(2).padStart(6)}  ` +
        `${question}${differs}`,
    );
  });
  const [before, after] = [without, withIt].map((all) => median(all.map(({ megabytes }) => megabytes))) as [number, number];
  console.log(
    `${before.toFixed(0).padStart(10)} ${after.toFixed(0).padStart(10)} MB  ${(after / before).toFixed(2).padStart(6)}  resident memory`,
  );
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
