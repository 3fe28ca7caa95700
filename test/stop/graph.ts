/**
 * The graph that shapes run over, and the files for LOAD CSV, made once in a folder:
 *
 * - `:F`: 60 nodes, each with a relationship `:F` to every later one: 2^58 paths from the first to the last.
 * - `:Q`: a clique of 40 nodes, relationships `:Q` both ways, with a uniqueness constraint on `i`.
 * - `:C`: a chain of 50,000 nodes.
 * - `:T`: 200,000 nodes `i`, `k` (i % 1000), `s` (a text of some 100 characters), `l` (10 Integers), `v` (a vector of
 *   16), `p` (a point), `m` (of mixed types), with indexes on `i`, `k`, `s` (text) and `p` (point); `:Hub` has a
 *   relationship `:H {i}` to each of them, indexed. A vector index `vectors` is over `v`.
 * - `:Long`: 40 nodes with a text of 100,000 characters and a list of 10,000 Integers.
 * - `:Text`: 10,000 nodes `i`, `s` (a text of some 150 characters, every hundredth one of 5,000), with full-text
 *   indexes `texts`, `addresses` (which tells addresses from words) and `keywords` (each text is one term).
 */
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { openEngine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';

const NONE: ReadonlyMap<string, Value> = new Map();
const NAMESPACE = 'stop';
const BATCH = 20_000;

const SCHEMA = [
  'CREATE INDEX FOR (n:T) ON (n.i)',
  'CREATE INDEX FOR (n:T) ON (n.k)',
  'CREATE TEXT INDEX FOR (n:T) ON (n.s)',
  'CREATE POINT INDEX FOR (n:T) ON (n.p)',
  'CREATE INDEX FOR ()-[r:H]-() ON (r.i)',
  'CREATE INDEX FOR (n:C) ON (n.i)',
  'CREATE CONSTRAINT q_i FOR (n:Q) REQUIRE n.i IS UNIQUE',
  'CREATE VECTOR INDEX vectors FOR (n:T) ON n.v WITH [n.k] OPTIONS {indexConfig: {`vector.dimensions`: 16}}',
  'CREATE FULLTEXT INDEX texts FOR (n:Text) ON EACH [n.s]',
  "CREATE FULLTEXT INDEX addresses FOR (n:Text) ON EACH [n.s, n.a] OPTIONS {indexConfig: {`fulltext.analyzer`: 'url_or_email'}}",
  "CREATE FULLTEXT INDEX keywords FOR (n:Text) ON EACH [n.s, n.b] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}}",
];

/** The storage URI of the graph below a folder. */
export function storeOf(folder: string): string {
  return `file://${join(folder, 'store')}?ns=${NAMESPACE}`;
}

/** Where LOAD CSV finds its files. */
export function csvFolderOf(folder: string): string {
  return join(folder, 'csv');
}

/** @param share of the nodes but `:F` and `:Q`, for tests; 1 for all */
export async function makeGraph(store: string, share: number): Promise<void> {
  const many = (count: number): number => Math.max(4, Math.round(count * share));
  const engine = await openEngine(store, { flushIntervalMs: 0 });
  try {
    const write = (statement: string): Promise<unknown> => engine.execute(statement, NONE);
    for (const command of SCHEMA) await write(command);
    const [dense, clique, chain, things, long, texts] = [60, 40, many(50_000), many(200_000), many(40), many(10_000)];
    await write(`UNWIND range(0, ${dense - 1}) AS i CREATE (:F {i: i})`);
    await write('MATCH (a:F), (b:F) WHERE a.i < b.i CREATE (a)-[:F {i: a.i}]->(b)');
    await write(`UNWIND range(0, ${clique - 1}) AS i CREATE (:Q {i: i})`);
    await write('MATCH (a:Q), (b:Q) WHERE a.i <> b.i CREATE (a)-[:Q {i: a.i}]->(b)');
    await inBatches(chain, (from, to) => write(`UNWIND range(${from}, ${to}) AS i CREATE (:C {i: i})`));
    await inBatches(chain - 1, (from, to) =>
      write(`UNWIND range(${from}, ${to}) AS i MATCH (a:C {i: i}), (b:C {i: i + 1}) CREATE (a)-[:C]->(b)`),
    );
    await write('CREATE (:Hub {i: 0})');
    await inBatches(things, (from, to) =>
      write(`MATCH (hub:Hub) UNWIND range(${from}, ${to}) AS i
CREATE (t:T {i: i, k: i % 1000, s: 'text ' + i + ' of a node, of some hundred characters, with words such as w' + (i % 977) +
' and w' + (i % 13),
  l: [x IN range(1, 10) | (x * i) % 100], v: [x IN range(1, 16) | toFloat((x * i) % 101)], p: point({x: i % 447, y: i / 447}),
  m: CASE i % 3 WHEN 0 THEN i WHEN 1 THEN toString(i) ELSE [i] END})
CREATE (hub)-[:H {i: i}]->(t)`),
    );
    for (let i = 0; i < long; i++) {
      const parameters = new Map<string, Value>([['s', `${i} `.repeat(many(100_000) / 2)]]);
      await engine.execute(`CREATE (:Long {i: ${i}, s: $s, l: range(1, ${many(10_000)})})`, parameters);
    }
    await inBatches(texts, (from, to) =>
      write(`UNWIND range(${from}, ${to}) AS i
CREATE (:Text {i: i, s: reduce(s = '', x IN range(1, CASE i % 100 WHEN 0 THEN 100 ELSE 3 END) |
  s + 'text ' + i + ' of words with w' + (i % 977) + ' and w' + (x * i % 13) + ', a@b' + i + '.org. ')})`),
    );
    await engine.compact();
  } finally {
    await engine.close();
  }
}

async function inBatches(count: number, write: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += BATCH) await write(from, Math.min(from + BATCH, count) - 1);
}

/** @param share of 30 MB, the size of each file */
export async function makeCsvFiles(folder: string, share: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const bytes = 30_000_000 * share;
  await repeated(join(folder, 'rows.csv'), 'a,b,c\n', '12345,some text,2.5\n', bytes);
  await repeated(join(folder, 'quoted.csv'), 'a,b\n', '"text ""in"" quotes","more"\n', bytes);
  await repeated(join(folder, 'long-line.csv'), 'a\n', 'a field of a line that does not end,', bytes);
  await repeated(join(folder, 'open-quote.csv'), 'a\n"', 'text in a quote that does not end\n', bytes);
  await repeated(join(folder, 'quotes.csv'), 'a\n"', '""', bytes);
  await writeFile(join(folder, 'digits.csv'), `a\n${`${'1'.repeat(100_000)}x\n`.repeat(50)}`);
  const columns = Array.from({ length: 20_000 }, (_, i) => `c${i}`).join(',');
  await repeated(join(folder, 'wide.csv'), `${columns}\n`, `${'1,'.repeat(19_999)}1\n`, bytes / 2);
}

async function repeated(path: string, start: string, part: string, bytes: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(start);
  const block = part.repeat(Math.ceil(1_000_000 / part.length));
  for (let written = 0; written < bytes; written += block.length) file.write(block);
  file.end();
  await finished(file);
}
