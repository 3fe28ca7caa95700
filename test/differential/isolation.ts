/**
 * One case: readers that have begun see the graph of that moment, however much is written, flushed, merged and indexed before they
 * end. A reader is a stream that has given some of its rows, or none yet, or a read transaction that asks the same again and again.
 */
import { GraphDBError } from '../../src/base/index.ts';
import type { Engine, EngineTransaction } from '../../src/engine/index.ts';
import { type Random, seededRandom } from '../support/random.ts';
import type { Counts } from './counts.ts';
import { DRAWN, type Features } from './generate/features.ts';
import { randomGraph } from './generate/graph.ts';
import { PARAMETERS } from './generate/parameters.ts';
import { chain } from './generate/patterns.ts';
import { returns } from './generate/query.ts';
import { type Writer, writer } from './generate/scope.ts';
import { randomUpdate } from './generate/update.ts';
import { show } from './show.ts';
import { build, freshUri, INDEXES, open } from './stores.ts';

const ROUNDS = 40;
const MOST_NODES = 30;
const MOST_RELATIONSHIPS = 60;
const MOST_READERS = 6;
/** Rows that are more than a batch, so that a stream stands in the midst of its result. */
const MANY_ROWS = 1100;
const MOST_REPETITIONS = 100;

interface Reader {
  readonly query: string;
  readonly since: number;
  /** All rows, sorted, from when it began. */
  readonly expected: readonly string[];
  /** One step further: null while it has not ended, then its rows. */
  step(): Promise<readonly string[] | null>;
  end(): Promise<void>;
}

export async function isolationCase(seed: number, counts: Counts, features: Features = DRAWN): Promise<string | null> {
  const random = seededRandom(seed);
  const engine = await open(freshUri());
  const trace: string[] = [];
  const readers: Reader[] = [];
  counts.graphs++;
  try {
    await build(randomGraph(random, { features }), (query, params = PARAMETERS) => engine.execute(query, params));
    for (let round = 0; round < ROUNDS; round++) {
      if (readers.length < MOST_READERS && random.chance(0.5))
        readers.push(await begin(engine, writer(random, { features }), trace.length));
      await change(engine, writer(random, { features }), trace);
      const broken = await advance(readers, random, counts);
      if (broken !== null) return `${broken}\n${trace.map((step, i) => `${i}: ${step}`).join('\n')}`;
    }
    return null;
  } finally {
    for (const reader of readers) await reader.end();
    await engine.close();
  }
}

async function begin(engine: Engine, w: Writer, since: number): Promise<Reader> {
  const { random } = w;
  const query = await longRead(engine, w);
  const expected = texts((await engine.execute(query, PARAMETERS)).rows);
  return random.chance(0.5)
    ? streaming(engine, query, expected, since)
    : repeating(await engine.begin({ mode: 'read' }), query, expected, since, random);
}

/** Without SKIP and LIMIT, which may pick other rows. */
function randomRead(w: Writer): string {
  const { text, scope } = chain(w.random.between(0, 2), w);
  const tail = returns(scope, w).replace(/ (SKIP|LIMIT) \d+/g, '');
  return `MATCH ${text} ${tail}`;
}

/** Repeated as often as makes its result a little longer than a batch, where it has rows and does not fold them. */
async function longRead(engine: Engine, w: Writer): Promise<string> {
  const query = randomRead(w);
  const { rows } = await engine.execute(query, PARAMETERS);
  if (rows.length === 0 || rows.length > MANY_ROWS) return query;
  return `UNWIND range(1, ${Math.min(MOST_REPETITIONS, Math.ceil(MANY_ROWS / rows.length))}) AS again ${query}`;
}

async function streaming(engine: Engine, query: string, expected: readonly string[], since: number): Promise<Reader> {
  const { batches } = await engine.stream(query, PARAMETERS);
  const iterator = batches[Symbol.asyncIterator]();
  const rows: string[] = [];
  return {
    query,
    since,
    expected,
    async step() {
      const { done, value } = await iterator.next();
      if (done === true) return rows.sort();
      rows.push(...texts(value));
      return null;
    },
    end: async () => void (await iterator.return?.(undefined)),
  };
}

function repeating(transaction: EngineTransaction, query: string, expected: readonly string[], since: number, random: Random): Reader {
  let left = random.between(1, 4);
  return {
    query,
    since,
    expected,
    async step() {
      if (--left > 0 && random.chance(0.5)) return null;
      return texts((await transaction.execute(query, PARAMETERS)).rows);
    },
    end: () => transaction.rollback(),
  };
}

async function advance(readers: Reader[], random: Random, counts: Counts): Promise<string | null> {
  for (const reader of [...readers]) {
    if (!random.chance(0.3)) continue;
    const rows = await reader.step();
    if (rows === null) continue;
    readers.splice(readers.indexOf(reader), 1);
    await reader.end();
    counts.cases.isolation++;
    counts.runs++;
    counts.rows += rows.length;
    if (rows.length > 0) counts.answered++;
    const at = rows.findIndex((row, i) => row !== reader.expected[i]);
    if (rows.length === reader.expected.length && at < 0) continue;
    return (
      `begun before step ${reader.since}: ${reader.query}\n${rows.length} rows, expected ${reader.expected.length}: ` +
      `${rows[at]}\nexpected ${reader.expected[at]}`
    );
  }
  return null;
}

async function change(engine: Engine, w: Writer, trace: string[]): Promise<void> {
  const { random } = w;
  const choice = random.between(1, 20);
  if (choice === 1) {
    trace.push('FLUSH');
    await engine.flush();
  } else if (choice === 2) {
    trace.push('COMPACT');
    await engine.compact();
  } else if (choice === 3) {
    trace.push('INDEX');
    await engine.execute(random.pick(INDEXES).replace('INDEX', 'INDEX IF NOT EXISTS'), PARAMETERS);
  } else {
    const update =
      choice === 4 || (await isLarge(engine))
        ? 'MATCH (n) DETACH DELETE n WITH count(*) AS gone CREATE (:A {k: 0, i: 1}), (:B {k: 1})-[:R {k: 2}]->(:C {k: 3, s: "a"})'
        : randomUpdate(w);
    trace.push(update);
    await attempt(engine, update, random.chance(0.2));
  }
}

/** Then it is made small again: readers of a large graph take long and show no more. */
async function isLarge(engine: Engine): Promise<boolean> {
  const query = `RETURN COUNT { (n) } > ${MOST_NODES} OR COUNT { ()-->() } > ${MOST_RELATIONSHIPS}`;
  return (await engine.execute(query, PARAMETERS)).rows[0]![0] === true;
}

/** Statements that refuse leave no trace either. */
async function attempt(engine: Engine, update: string, takeBack: boolean): Promise<void> {
  try {
    if (!takeBack) {
      await engine.execute(update, PARAMETERS);
      return;
    }
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute(update, PARAMETERS);
    await transaction.rollback();
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code === 'INTERNAL') throw error;
  }
}

function texts(rows: readonly (readonly unknown[])[]): string[] {
  return rows.map((row) => row.map((value) => looseText(value)).join(' | ')).sort();
}

/** A list may have been collected in another order. */
function looseText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((item) => show(item)).sort()}]` : show(value);
}
