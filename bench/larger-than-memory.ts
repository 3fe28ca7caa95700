/**
 * `npm run bench:larger-than-memory`: questions to a server that may hold a part of what they touch, beside one that
 * may hold all of it: the same rows, the times, and the most resident memory.
 *
 *   --relationships <n> (10000000)   --text <length> of a text of each person (0)
 *   --memory <size> (100MiB)   --limit <size>, of the control group (a quarter more)   --beside <memory> of the other server (4GiB)
 *   --programs <folder>, where graphdb and graphdb-server are (bin of this checkout)
 *   --data <folder> keeps the graph (a temporary one)   --only <text>,… questions whose names have one of them
 *     --rounds <n> warm ones (3)   --budget <seconds> for one question (600)
 *
 * The graph: persons with a declared key, an age, and a text with --text; ten relationships with a year each, imported
 * into a folder of this machine. Each question is asked once of a server that has just been started for it, and then some times more. Both
 * servers are asked with the same numbers; a question with a number is asked with others each time.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { parseSizeBytes } from '../src/base/index.ts';
import { type ConfinedServer, startConfined } from './larger-than-memory/confined-server.ts';
import { powerLawGraph, writeCsv } from './power-law.ts';
import { median } from './social/table.ts';

const { values: options } = parseArgs({
  options: {
    relationships: { type: 'string', default: '10000000' },
    text: { type: 'string', default: '0' },
    memory: { type: 'string', default: '100MiB' },
    limit: { type: 'string' },
    beside: { type: 'string', default: '4GiB' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    budget: { type: 'string', default: '600' },
    programs: { type: 'string', default: join(import.meta.dirname, '../bin') },
  },
});
const RELATIONSHIPS_PER_NODE = 10;
const size = Number(options.relationships);
const nodes = size / RELATIONSHIPS_PER_NODE;
const PROGRAM = join(options.programs, 'graphdb');
const PROJECTED = "nodeProjection: 'Person', relationshipProjection: 'KNOWS'";
const QUESTIONS: Readonly<Record<string, string>> = {
  'point look-up by key': 'MATCH (p:Person {id: $id}) RETURN p.age',
  'one hop': 'MATCH (:Person {id: $id})-[:KNOWS]->(q) RETURN q.id, q.age ORDER BY q.id',
  'one hop against the direction': 'MATCH (:Person {id: $id})<-[r:KNOWS]-(q) RETURN q.id, r.since ORDER BY q.id, r.since',
  'two hops of one, grouped':
    'MATCH (:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(q) RETURN q.age AS age, count(*) AS n ORDER BY n DESC, age LIMIT 5',
  'within three hops': 'MATCH (:Person {id: $id})-[:KNOWS*1..3]->(q) RETURN count(DISTINCT q)',
  'count of nodes by a condition': 'MATCH (p:Person) WHERE p.age > $age RETURN count(*)',
  'nodes grouped': 'MATCH (p:Person) RETURN p.age AS age, count(*) AS n ORDER BY age',
  'the oldest': 'MATCH (p:Person) RETURN p.age, p.id ORDER BY p.age DESC, p.id LIMIT 10',
  'relationships by a condition': 'MATCH ()-[r:KNOWS]->() WHERE r.since = 2000 + $year RETURN count(*)',
  'relationships grouped': 'MATCH ()-[r:KNOWS]->() RETURN r.since AS year, count(*) AS n ORDER BY year',
  'ends grouped': 'MATCH (:Person)-[:KNOWS]->(q) RETURN q.age AS age, count(*) AS n ORDER BY age',
  'both ends grouped':
    'MATCH (p:Person)-[:KNOWS]->(q) WHERE p.age = $age RETURN q.age AS age, count(*) AS n, min(p.id) AS least ORDER BY age',
  'two hops grouped':
    'MATCH (a:Person)-[:KNOWS]->(b)-[:KNOWS]->(c) WHERE a.age = $age AND c.age = 33 RETURN b.age AS age, count(*) AS n ORDER BY age',
  'most known': 'MATCH (p:Person)<-[:KNOWS]-() RETURN p.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 10',
  'distinct ends': 'MATCH (p:Person)-[:KNOWS]->(q) WHERE p.age = $age RETURN count(DISTINCT q)',
  'a join by value': 'MATCH (p:Person), (q:Person) WHERE p.age = $age AND q.id = p.id + 1 RETURN q.age AS age, count(*) AS n ORDER BY age',
  'a sort of all relationships':
    'MATCH ()-[r:KNOWS]->(q) WITH r.since AS since, q.age AS age ORDER BY since DESC, age SKIP $last RETURN since, age',
  'a grouping of all by many keys':
    'MATCH (p:Person)-[r:KNOWS]->(q) WITH q, r.since AS since, count(*) AS n RETURN n, count(*) AS groups ORDER BY n',
  'algorithm: PageRank':
    `CALL gds.pageRank.stream({${PROJECTED}}) YIELD nodeId, score ` + 'RETURN nodeId, score ORDER BY score DESC, nodeId LIMIT 10',
  'algorithm: weakly connected components':
    `CALL gds.wcc.stream({${PROJECTED}}) YIELD nodeId, componentId RETURN componentId, count(*) AS nodes ` +
    'ORDER BY nodes DESC, componentId LIMIT 10',
  'algorithm: breadth-first search':
    `MATCH (p:Person {id: $id}) CALL gds.bfs.stream({${PROJECTED}}, {sourceNode: p}) YIELD nodeIds ` +
    'RETURN size(nodeIds) AS nodes, nodeIds[-10..] AS last',
};

type Params = Readonly<Record<string, number>>;

interface Asked {
  readonly rows: unknown;
  readonly ms: number;
}

const folder = options.data ?? mkdtempSync(join(tmpdir(), 'graphdb-large-'));
mkdirSync(folder, { recursive: true });
const GRAPH = `graph-${size}${options.text === '0' ? '' : `-${options.text}`}`;
const uri = `file://${join(folder, GRAPH)}?ns=large`;
try {
  await makeGraph();
  const limitBytes = options.limit === undefined ? Math.ceil(parseSizeBytes(options.memory) * 1.25) : parseSizeBytes(options.limit);
  console.log(
    `${size} relationships of ${nodes} nodes; ${options.memory} (control group ${Math.round(limitBytes / 2 ** 20)} MiB) beside ` +
      `${options.beside}\n`,
  );
  console.log(
    '| question | rows | first, ms | again, ms | first beside, ms | again beside, ms | factor | resident, MiB | beside, MiB ' +
      '|\n|---|---|---|---|---|---|---|---|---|',
  );
  for (const name of Object.keys(QUESTIONS))
    if (options.only.split(',').some((only) => name.includes(only))) await compare(name, limitBytes);
} finally {
  if (options.data === undefined) rmSync(folder, { recursive: true });
}

async function makeGraph(): Promise<void> {
  if (existsSync(join(folder, GRAPH))) return;
  const [nodesFile, relationshipsFile] = [join(folder, 'nodes.csv'), join(folder, 'relationships.csv')];
  await writeCsv(powerLawGraph(nodes, size), nodesFile, relationshipsFile, Number(options.text));
  const run = (...args: string[]): Buffer => execFileSync(PROGRAM, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('import', '--store', uri, '--nodes', `Person=${nodesFile}`, '--relationships', `KNOWS=${relationshipsFile}`);
  run('run', '--store', uri, 'CREATE CONSTRAINT person_id FOR (p:Person) REQUIRE p.id IS UNIQUE');
  run('compact', '--store', uri);
  rmSync(nodesFile);
  rmSync(relationshipsFile);
}

/** The numbers of a question, in a round. */
function paramsOf(round: number): Params {
  return { id: Math.floor(nodes * ((round + 1) / (Number(options.rounds) + 3))), age: 40 + round, year: 3 + round, last: size - 10 };
}

async function compare(name: string, limitBytes: number): Promise<void> {
  const confined = await askAll(name, options.memory, limitBytes);
  const free = await askAll(name, options.beside, null);
  const isSame = confined.answers.every(({ rows }, i) => isDeepStrictEqual(rows, free.answers[i]!.rows));
  const first = (asked: typeof confined): string => asked.answers[0]!.ms.toPrecision(3);
  const again = ({ answers }: typeof confined): number => median(answers.slice(1).map(({ ms }) => ms)) ?? Number.NaN;
  const factor = again(confined) / again(free);
  const failed = confined.answers.find(({ rows }) => typeof rows === 'string')?.rows;
  const told = failed ?? (isSame ? 'same' : '**others**');
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
  const figures = [
    first(confined),
    again(confined).toPrecision(3),
    first(free),
    again(free).toPrecision(3),
    factor.toPrecision(2),
    mib(confined.peak),
    mib(free.peak),
  ];
  console.log(`| ${name} | ${told} | ${figures.join(' | ')} |`);
}

async function askAll(
  name: string,
  memory: string,
  limitBytes: number | null,
): Promise<{ readonly answers: Asked[]; readonly peak: number }> {
  const args = ['--listen', '127.0.0.1:0', '--store', uri, '--read-only', '--memory', memory, '--query-timeout', `${options.budget}s`];
  const server = await startConfined(join(options.programs, 'graphdb-server'), args, limitBytes);
  const answers: Asked[] = [];
  try {
    for (let round = 0; round <= Number(options.rounds); round++) {
      const asked = await ask(server, QUESTIONS[name]!, paramsOf(round));
      answers.push(asked);
      if (asked.ms > 30_000) break;
    }
    return { answers, peak: server.takePeak() };
  } finally {
    await server.stop();
  }
}

async function ask({ url }: ConfinedServer, query: string, params: Params): Promise<Asked> {
  const start = performance.now();
  try {
    const answer = await fetch(`${url}/v0/cypher`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, params }),
    });
    const body = (await answer.json()) as { rows?: unknown; error?: { code?: string; message?: string } };
    const rows = answer.ok ? body.rows : `${answer.status} ${JSON.stringify(body).slice(0, 300)}`;
    return { rows, ms: performance.now() - start };
  } catch (error) {
    return { rows: `no answer: ${String(error)} ${String((error as Error).cause)}`, ms: performance.now() - start };
  }
}
