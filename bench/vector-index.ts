/**
 * `npm run bench:vector-index`: the ten nearest of many vectors by a vector index in memory, its recall, its making,
 * and filters, beside usearch and hnswlib at the same recall, each in one thread.
 *
 *   --kinds <kind>,… (gaussians,texts,duplicates,graph)   --vectors <n> (100000)   --dimensions <n> (128)   --queries
 *     <n> (200)   --similarity <name> (cosine)
 *   --python <program> (python3): has numpy, scikit-learn, usearch and hnswlib   --no-peers   --data <folder> (keeps
 *     vectors; a temporary one)
 *
 * The vectors of `graph` are FastRP embeddings of a power-law graph. Those of the others are made by `vector-index/peers.py`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';
import { powerLawGraph } from './power-law.ts';
import { median } from './social/table.ts';

const { values: options } = parseArgs({
  options: {
    kinds: { type: 'string', default: 'gaussians,texts,duplicates,graph' },
    vectors: { type: 'string', default: '100000' },
    dimensions: { type: 'string', default: '128' },
    queries: { type: 'string', default: '200' },
    similarity: { type: 'string', default: 'cosine' },
    python: { type: 'string', default: 'python3' },
    'no-peers': { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});
const count = Number(options.vectors);
const dimensions = Number(options.dimensions);
const queryCount = Number(options.queries);
const K = 10;
const BATCH = 1_000;
const PEERS = join(import.meta.dirname, 'vector-index/peers.py');
const CALL = 'CALL db.index.vector.queryNodes("documents", $k, $q, $options) YIELD node, score RETURN node.i, score';

const folder = options.data ?? mkdtempSync(join(tmpdir(), 'graphdb-vectors-'));
mkdirSync(folder, { recursive: true });
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
try {
  console.log('| vectors | engine | build, s | recall@10 | p50, ms | of each hundredth, recall | p50, ms |\n|---|---|---|---|---|---|---|');
  for (const kind of options.kinds.split(',')) await measure(kind);
} finally {
  if (options.data === undefined) rmSync(folder, { recursive: true });
}

async function measure(kind: string): Promise<void> {
  const file = join(folder, `${kind}-${count}-${dimensions}.f32`);
  if (!existsSync(file)) await makeVectors(kind, file);
  const bytes = readFileSync(file);
  const data = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const vectorAt = (i: number): Float32Array => data.slice(i * dimensions, (i + 1) * dimensions);
  const queries = Array.from({ length: queryCount }, (_, i) => vectorAt(count + i));
  const own = await measureOwn(vectorAt, queries);
  const name = `${kind}, ${count.toLocaleString('en')} × ${dimensions}`;
  console.log(
    `| ${name} | graphdb | ${seconds(own.buildMs)} | ${own.recall.toFixed(3)} | ${own.p50.toFixed(2)} | ` +
      `${own.filteredRecall.toFixed(3)} | ${own.filtered.toFixed(2)} |`,
  );
  if (options['no-peers']) return;
  const asked = [PEERS, 'ask', file, String(count), String(dimensions), options.similarity, String(Math.max(own.recall, 0.95))];
  const peers = JSON.parse(execFileSync(options.python, asked, { encoding: 'utf8', maxBuffer: 1e8 })) as Record<
    string,
    Record<string, number>
  >;
  for (const [peer, row] of Object.entries(peers))
    console.log(
      `| | ${peer} | ${row['build']!.toFixed(1)} | ${row['recall']!.toFixed(3)} | ${row['p50']!.toFixed(2)} | ` +
        `${row['filtered_recall']!.toFixed(3)} | ${row['filtered']!.toFixed(2)} |`,
    );
}

async function makeVectors(kind: string, file: string): Promise<void> {
  if (kind !== 'graph') execFileSync(options.python, [PEERS, 'make', kind, String(count), String(dimensions), String(queryCount), file]);
  else await makeEmbeddings(file);
}

async function makeEmbeddings(file: string): Promise<void> {
  const nodes = count + queryCount;
  const engine = await openEngine('memory://bench-embeddings', { flushIntervalMs: 0 });
  await engine.execute('UNWIND range(0, $last) AS i CREATE (:N {i: i})', new Map([['last', nodes - 1]]));
  await engine.execute('CREATE INDEX FOR (n:N) ON (n.i)', new Map());
  const { sources, targets } = powerLawGraph(nodes, nodes * 5);
  for (let from = 0; from < sources.length; from += 50_000) {
    const rows = Array.from(sources.subarray(from, from + 50_000), (source, i) => [source, targets[from + i]!]);
    await engine.execute('UNWIND $rows AS row MATCH (a:N {i: row[0]}), (b:N {i: row[1]}) CREATE (a)-[:R]->(b)', new Map([['rows', rows]]));
  }
  const call = `CALL gds.fastRP.stream({nodeProjection: 'N', relationshipProjection: {R: {orientation: 'UNDIRECTED'}}},
   {embeddingDimension: ${dimensions}, iterationWeights: [0.0, 1.0, 1.0], randomSeed: 7})
    YIELD nodeId, embedding RETURN embedding`;
  const { batches } = await engine.stream(call, new Map());
  const all = new Float32Array(nodes * dimensions);
  let at = 0;
  for await (const batch of batches)
    for (const [embedding] of batch) all.set([...(embedding as Iterable<number>)].map(Number), at++ * dimensions);
  await engine.close();
  writeFileSync(file, all);
}

interface Measured {
  readonly buildMs: number;
  readonly recall: number;
  readonly p50: number;
  readonly filteredRecall: number;
  readonly filtered: number;
}

async function measureOwn(vectorAt: (i: number) => Float32Array, queries: readonly Float32Array[]): Promise<Measured> {
  const store = mkdtempSync(join(folder, 'store-'));
  const engine = await openEngine(`file://${store}?ns=bench`, { flushIntervalMs: 0 });
  try {
    for (let from = 0; from < count; from += BATCH) {
      const rows = Array.from(
        { length: Math.min(BATCH, count - from) },
        (_, i) =>
          new Map<string, Value>([
            ['i', from + i],
            ['h', (from + i) % 100],
            ['e', vectorAt(from + i)],
          ]),
      );
      await engine.execute('UNWIND $rows AS row CREATE (d:Document) SET d = row', new Map([['rows', rows]]));
    }
    await engine.compact();
    const start = performance.now();
    const similarity = `OPTIONS {indexConfig: {\`vector.similarity_function\`: '${options.similarity}'}}`;
    await engine.execute(`CREATE VECTOR INDEX documents FOR (d:Document) ON d.e WITH [d.h] ${similarity}`, new Map());
    await engine.compact();
    const buildMs = performance.now() - start;
    const plain = await ask(engine, queries, {});
    const filtered = await ask(engine, queries, { filter: [['h', '=', 3]] });
    return { buildMs, recall: plain.recall, p50: plain.p50, filteredRecall: filtered.recall, filtered: filtered.p50 };
  } finally {
    await engine.close();
    rmSync(store, { recursive: true });
  }
}

async function ask(
  engine: Engine,
  queries: readonly Float32Array[],
  given: Readonly<Record<string, Value>>,
): Promise<{ readonly recall: number; readonly p50: number }> {
  const scores = async (q: Float32Array, more: Readonly<Record<string, Value>>): Promise<number[]> => {
    const parameters = new Map<string, Value>([
      ['k', K],
      ['q', q],
      ['options', new Map(Object.entries({ ...given, ...more }))],
    ]);
    return (await engine.execute(CALL, parameters)).rows.map(([, score]) => Number(score));
  };
  for (const q of queries.slice(0, 50)) await scores(q, {});
  let hits = 0;
  const times: number[] = [];
  for (const q of queries) {
    const exact = await scores(q, { recall: 1 });
    const start = performance.now();
    const found = await scores(q, {});
    times.push(performance.now() - start);
    hits += found.filter((score) => score >= exact.at(-1)! - 1e-6).length / exact.length;
  }
  return { recall: hits / queries.length, p50: median(times)! }; // There are queries.
}
