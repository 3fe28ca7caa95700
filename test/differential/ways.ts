/** The ways of running one query that must give the same answer. */
import type { GraphDBError } from '../../src/base/index.ts';
import { formatStatement, parse } from '../../src/cypher/index.ts';
import type { Engine } from '../../src/engine/index.ts';
import type { Answer } from './compare.ts';
import { PARAMETERS } from './generate/parameters.ts';
import { hashOf, misled } from './misleading.ts';
import { FLAGS, openByPage, WORKERS } from './stores.ts';

export interface Way {
  readonly name: string;
  run(query: string, engine: Engine): Promise<Answer>;
}

/** Code for a snapshot, typed by its columns. */
const plain: Way = { name: 'plain', run: (query, engine) => engine.execute(query, PARAMETERS) };

/** The canonical text of the same tree. */
const formatted: Way = { name: 'formatted', run: (query, engine) => engine.execute(formatStatement(parse(query)), PARAMETERS) };

const streamed: Way = {
  name: 'streamed',
  async run(query, engine) {
    const stream = await engine.stream(query, PARAMETERS);
    const rows: unknown[][] = [];
    for await (const batch of stream.batches) rows.push(...batch);
    return { columns: stream.columns, rows };
  },
};

export const IN_WORKERS: Way = {
  name: 'in workers',
  async run(query, engine) {
    WORKERS.firstSliceMs = 0;
    try {
      return await engine.execute(query, PARAMETERS);
    } finally {
      WORKERS.firstSliceMs = Number.POSITIVE_INFINITY;
    }
  },
};

/** On a transaction's own view, in which nodes and relationships have come and gone and properties have changed and changed back. */
const inTransaction: Way = {
  name: 'in a write transaction',
  async run(query, engine) {
    const transaction = await engine.begin({ mode: 'write' });
    try {
      await transaction.execute('CREATE (:A {k: -1, i: 1, s: "x"})-[:R {k: -1}]->(:B:New {k: -1})', PARAMETERS);
      await transaction.execute('MATCH (n) WHERE n.k >= 0 SET n.i = n.i, n.fresh = 1', PARAMETERS);
      await transaction.execute('MATCH (n) REMOVE n.fresh', PARAMETERS);
      await transaction.execute('MATCH (n {k: -1}) DETACH DELETE n', PARAMETERS);
      return await transaction.execute(query, PARAMETERS);
    } finally {
      await transaction.rollback();
    }
  },
};

/** A write that never happens stands before RETURN, so that the code is that of a statement that writes. */
const generic: Way = {
  name: 'in a statement that writes',
  async run(query, engine) {
    const at = lastReturn(query);
    const writing = `${query.slice(0, at)} FOREACH (never IN CASE WHEN $never THEN [1] ELSE [] END | CREATE (:Never))${query.slice(at)}`;
    return engine.execute(writing, new Map([...PARAMETERS, ['never', false]]));
  },
};

/** GRAPHDB_FACTORIZE and GRAPHDB_WCOJ. */
const SWITCHES = [
  { factorize: false, wcoj: false },
  { factorize: true, wcoj: false },
  { factorize: true, wcoj: true },
] as const;

async function switched<T>(switches: (typeof SWITCHES)[number], run: () => Promise<T>): Promise<T> {
  Object.assign(FLAGS, switches);
  try {
    return await run();
  } finally {
    Object.assign(FLAGS, SWITCHES[0]);
  }
}

const factorized: Way = {
  name: 'factorized, with multiway joins',
  run: (query, engine) => switched(SWITCHES[2], () => engine.execute(query, PARAMETERS)),
};

/** Where the last RETURN outside of braces stands. */
function lastReturn(query: string): number {
  let last = -1;
  let depth = 0;
  for (let i = 0; i < query.length; i++) {
    if (query[i] === '{') depth++;
    if (query[i] === '}') depth--;
    if (depth === 0 && query.startsWith(' RETURN ', i)) last = i;
  }
  return last;
}

/** The clock is looked at between the operators. */
const profiled: Way = { name: 'profiled', run: (query, engine) => engine.execute(`PROFILE ${query}`, PARAMETERS) };

/** Longer than what is remembered with its plan. */
const LONG_COMMENT = ` // ${'long '.repeat(4000)}`;

/**
 * Planned for a graph of other sizes, unless the plan is known; and not remembered. With one setting of the switches or
 * another: what they do, the sizes decide too.
 */
const otherwisePlanned: Way = {
  name: 'planned for other sizes',
  run(query, engine) {
    const seed = hashOf(query);
    return switched(SWITCHES[seed % SWITCHES.length]!, () => misled(seed, () => engine.execute(query + LONG_COMMENT, PARAMETERS)));
  },
};

/** How many queries another engine answered without a table in memory. */
export let readsByPage = 0;

/** The number of these over pages for which there was hardly any room. */
export let tightReads = 0;

/** Asks a reader that has nothing in memory when it is asked. */
export const BY_PAGE: Way = { name: 'read by page', run: (query, engine) => readByPage(query, engine, false) };

/** Asks a reader with hardly any memory; statements that need whole tables are asked of one that has more. */
export const BY_FEW_PAGES: Way = {
  name: 'read by few pages',
  async run(query, engine) {
    try {
      return await readByPage(query, engine, true);
    } catch (error) {
      if ((error as Partial<GraphDBError>).code !== 'MEMORY_LIMIT') throw error;
      return readByPage(query, engine, false);
    }
  },
};

async function readByPage(query: string, engine: Engine, isTight: boolean): Promise<Answer> {
  const reader = await openByPage(engine, isTight);
  try {
    const answer = await reader.execute(query, PARAMETERS);
    readsByPage += reader.statistics().readsByPage;
    if (isTight) tightReads += reader.statistics().readsByPage;
    return answer;
  } finally {
    await reader.close();
  }
}

export const WAYS: readonly Way[] = [
  plain,
  streamed,
  IN_WORKERS,
  inTransaction,
  factorized,
  generic,
  formatted,
  profiled,
  otherwisePlanned,
];
