/**
 * `npm run bench:two-hop`: a two-hop query through `db.query` against a loop written by hand, over 100,000 nodes and 2 million
 * relationships whose degrees follow a power law.
 *
 * Both run in this process, one after the other and again, over equal data: the engine over the namespace that the importer made, the
 * loop over plain typed arrays. Both keep the rule that a relationship is used once in a pattern. Answers must be equal. Printed: the
 * median of each and the ratio of the medians; `--runs <n>` (11), `--explain` prints the plan and the generated code.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, open } from '../src/index.ts';
import { type PowerLawGraph, powerLawGraph, writeCsv } from './power-law.ts';

interface Contest {
  readonly name: string;
  readonly query: string;
  /** Computes the answer of the query by hand, as the text of its rows. */
  readonly byHand: (csr: Csr) => string;
}

interface Csr {
  readonly ages: Int32Array;
  /** Node n's relationships are those from `offsets[n]` to `offsets[n + 1]`. */
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
}

const CONTESTS: readonly Contest[] = [
  {
    name: 'grouped by the node in the middle',
    query: `MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE a.age > 50 AND c.age < 60
      WITH b, count(*) AS paths RETURN b.id AS id, paths ORDER BY paths DESC, id LIMIT 10`,
    byHand: groupedByHand,
  },
  {
    name: 'summed over the end',
    query: `MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE a.age < c.age RETURN count(*) AS paths, sum(c.age) AS ages`,
    byHand: summedByHand,
  },
];

function groupedByHand({ ages, offsets, targets }: Csr): string {
  const paths = new Uint32Array(ages.length);
  for (let a = 0; a < ages.length; a++) {
    if (ages[a]! <= 50) continue;
    for (let first = offsets[a]!, firstEnd = offsets[a + 1]!; first < firstEnd; first++) {
      const b = targets[first]!;
      for (let second = offsets[b]!, secondEnd = offsets[b + 1]!; second < secondEnd; second++) {
        if (second !== first && ages[targets[second]!]! < 60) paths[b]!++;
      }
    }
  }
  const nodes = Array.from(paths.keys()).filter((node) => paths[node]! > 0);
  const best = nodes.sort((left, right) => paths[right]! - paths[left]! || left - right).slice(0, 10);
  return JSON.stringify(best.map((id) => ({ id, paths: paths[id] })));
}

function summedByHand({ ages, offsets, targets }: Csr): string {
  let paths = 0;
  let sum = 0;
  for (let a = 0; a < ages.length; a++) {
    const age = ages[a]!;
    for (let first = offsets[a]!, firstEnd = offsets[a + 1]!; first < firstEnd; first++) {
      const b = targets[first]!;
      for (let second = offsets[b]!, secondEnd = offsets[b + 1]!; second < secondEnd; second++) {
        const end = ages[targets[second]!]!;
        if (second === first || age >= end) continue;
        paths++;
        sum += end;
      }
    }
  }
  return JSON.stringify([{ paths, ages: sum }]);
}

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '11' }, explain: { type: 'boolean' } } });
await main(Number(options.runs));

async function main(runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-two-hop-'));
  try {
    const graph = powerLawGraph(100_000, 2_000_000);
    const db = await imported(graph, folder);
    const csr = csrOf(graph);
    console.log(`${graph.nodes} nodes, ${graph.sources.length} relationships, ${pathsOfTwo(csr)} paths of two`);
    for (const contest of CONTESTS) await compete(db, csr, contest, runs);
    await db.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function imported(graph: PowerLawGraph, folder: string): Promise<Database> {
  const store = join(folder, 'store');
  mkdirSync(store);
  const uri = `file://${store}?ns=bench`;
  const nodes = join(folder, 'nodes.csv');
  const relationships = join(folder, 'relationships.csv');
  await writeCsv(graph, nodes, relationships);
  const program = resolve(import.meta.dirname, '../bin/graphdb');
  execFileSync(program, ['import', '--store', uri, '--nodes', `Person=${nodes}`, '--relationships', `KNOWS=${relationships}`], {
    stdio: 'ignore',
  });
  return open(uri);
}

function csrOf({ nodes, sources, targets, ages }: PowerLawGraph): Csr {
  const offsets = new Uint32Array(nodes + 1);
  for (const source of sources) offsets[source + 1]!++;
  for (let node = 0; node < nodes; node++) offsets[node + 1]! += offsets[node]!;
  return { ages, offsets, targets };
}

function pathsOfTwo({ offsets, targets }: Csr): number {
  let paths = 0;
  for (const target of targets) paths += offsets[target + 1]! - offsets[target]!;
  return paths;
}

async function compete(db: Database, csr: Csr, { name, query, byHand }: Contest, runs: number): Promise<void> {
  if (options.explain) console.log(await db.explain(query, { verbose: true }));
  const expected = byHand(csr);
  const started = performance.now();
  const { rows } = await db.query(query);
  const firstMs = performance.now() - started;
  if (JSON.stringify(rows) !== expected) throw new Error(`${name}: the engine answers ${JSON.stringify(rows)}, the loop ${expected}`);
  const engineMs: number[] = [];
  const handMs: number[] = [];
  for (let run = 0; run < runs; run++) {
    engineMs.push(await timed(() => db.query(query)));
    handMs.push(await timed(() => byHand(csr)));
  }
  const [engine, hand] = [median(engineMs), median(handMs)];
  console.log(
    `${name}: db.query ${engine.toFixed(1)} ms (first ${firstMs.toFixed(1)}), by hand ${hand.toFixed(1)} ms, ratio ` +
      `${(engine / hand).toFixed(2)}`,
  );
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(numbers: number[]): number {
  return numbers.sort((left, right) => left - right)[numbers.length >> 1]!;
}
