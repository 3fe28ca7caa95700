/**
 * Pairs of statements that must agree, over graphs too large for the oracle: other plans are chosen there, hash joins,
 * batches, early ends of LIMIT. Each law draws a statement and says what its partner's answer must be.
 */
import type { Engine } from '../../src/engine/index.ts';
import { seededRandom } from '../support/random.ts';
import type { Counts } from './counts.ts';
import { expression, predicate } from './generate/expressions.ts';
import { DRAWN, type Features } from './generate/features.ts';
import { randomGraph, TYPES } from './generate/graph.ts';
import { PARAMETERS } from './generate/parameters.ts';
import { chain } from './generate/patterns.ts';
import { type Scope, type Writer, writer } from './generate/scope.ts';
import { show } from './show.ts';
import { build, freshUri, INDEXES, open } from './stores.ts';

const MOST_NODES = 250;

/** Rows as texts, and a way to have them. */
type Rows = readonly string[];
type Asks = (query: string) => Promise<Rows>;

/** null: it holds. */
type Law = (asks: Asks, writer: Writer) => Promise<string | null>;

export async function pairCase(seed: number, counts: Counts, features: Features = DRAWN): Promise<string | null> {
  const random = seededRandom(seed);
  const engine = await open(freshUri());
  try {
    await build(randomGraph(random, { most: MOST_NODES, features }), (query, params = PARAMETERS) => engine.execute(query, params));
    if (random.chance(0.5)) for (const index of INDEXES) await engine.execute(index, PARAMETERS);
    counts.graphs++;
    for (const [name, law] of Object.entries(LAWS)) {
      const broken = await attempt(law, engine, writer(random, { features }), counts);
      if (broken !== null) return `${name}: ${broken}`;
    }
    return null;
  } finally {
    await engine.close();
  }
}

async function attempt(law: Law, engine: Engine, w: Writer, counts: Counts): Promise<string | null> {
  const asked: string[] = [];
  const asks: Asks = async (query) => {
    asked.push(query);
    counts.runs++;
    const { rows } = await engine.execute(query, PARAMETERS);
    if (rows.length > 0) counts.answered++;
    counts.rows += rows.length;
    return rows.map((row) => row.map((value) => show(value)).join(' | '));
  };
  try {
    counts.cases.pairs++;
    const broken = await law(asks, w);
    return broken === null ? null : `${broken}\n${asked.join('\n')}`;
  } catch (error) {
    return `${(error as Error).stack}\n${asked.join('\n')}`;
  }
}

interface Drawn {
  readonly match: string;
  readonly scope: Scope;
  readonly columns: string;
}

function draw(w: Writer, longest = 2): Drawn {
  const { text, scope } = chain(w.random.between(0, longest), w);
  const kinds = ['int', 'string', 'any', 'float', 'bool'] as const;
  const columns = Array.from({ length: w.random.between(1, 3) }, (_, i) => `${expression(w.random.pick(kinds), scope, 1, w)} AS c${i}`);
  const keys = scope.map(({ name }, i) => `${name}.k AS k${i}`);
  return { match: `MATCH ${text}`, scope, columns: [...keys, ...columns].join(', ') };
}

const LAWS: Record<string, Law> = {
  async 'p, NOT p and p IS NULL part the rows'(asks, w) {
    const { match, scope, columns } = draw(w);
    const p = predicate(scope, 2, w);
    const parts = [p, `NOT (${p})`, `(${p}) IS NULL`].map((test) => `${match} WHERE ${test} RETURN ${columns}`);
    const whole = await asks(`${match} RETURN ${columns}`);
    return (
      same(whole, [...(await asks(parts[0]!)), ...(await asks(parts[1]!)), ...(await asks(parts[2]!))]) ??
      same(whole, await asks(parts.join(' UNION ALL ')))
    );
  },

  async 'LIMIT answers some of the rows'(asks, w) {
    const { match, columns } = draw(w);
    const limit = w.random.pick([0, 1, 5, 100, 1000]);
    const whole = await asks(`${match} RETURN ${columns}`);
    const some = await asks(`${match} RETURN ${columns} LIMIT ${limit}`);
    return some.length === Math.min(limit, whole.length) ? contained(some, whole) : `${some.length} of ${whole.length} rows`;
  },

  async 'LIMIT behind ORDER BY answers the first rows'(asks, w) {
    const { match, scope } = draw(w);
    const key = expression(w.random.pick(['int', 'string', 'float', 'any'] as const), scope, 1, w);
    const ids = scope.map(({ name }) => `${name}.k`);
    const query =
      `${match} RETURN ${ids.map((id, i) => `${id} AS k${i}`).join(', ')} ORDER BY ` +
      `${key}${w.random.pick(['', ' DESC'])}, ${ids.join(', ')}`;
    const whole = await asks(query);
    const [skip, limit] = [w.random.pick([0, 1, 10]), w.random.pick([1, 10, 500])];
    return sameOrder(whole.slice(skip, skip + limit), await asks(`${query} SKIP ${skip} LIMIT ${limit}`));
  },

  async 'count(*) is the number of rows'(asks, w) {
    const { match, scope, columns } = draw(w, 3);
    const where = w.random.chance(0.5) ? ` WHERE ${predicate(scope, 1, w)}` : '';
    const whole = await asks(`${match}${where} RETURN ${columns}`);
    return same([String(whole.length)], await asks(`${match}${where} RETURN count(*) AS c`));
  },

  async 'groups count the rows'(asks, w) {
    const { match, scope } = draw(w);
    const key = expression(w.random.pick(['int', 'string', 'bool'] as const), scope, 1, w);
    const groups = await asks(`${match} RETURN ${key} AS g, count(*) AS c`);
    const total = await asks(`${match} WITH ${key} AS g, count(*) AS c RETURN coalesce(sum(c), 0) AS t, count(*) AS n`);
    const [count] = await asks(`${match} RETURN count(*) AS c`);
    return (
      same([`${count} | ${groups.length}`], total) ??
      same(
        groups.map((row) => row.slice(0, row.lastIndexOf(' | '))),
        await asks(`${match} RETURN DISTINCT ${key} AS g`),
      )
    );
  },

  async 'DISTINCT of DISTINCT is DISTINCT'(asks, w) {
    const { match, scope } = draw(w);
    const columns = [1, 2].map((i) => `${expression(w.random.pick(['int', 'string'] as const), scope, 1, w)} AS c${i}`).join(', ');
    const once = await asks(`${match} RETURN DISTINCT ${columns}`);
    const all = await asks(`${match} RETURN ${columns}`);
    return (
      same([...new Set(all)], once) ??
      same(once, await asks(`${match} WITH DISTINCT ${columns} RETURN DISTINCT c1, c2`)) ??
      same(once, await asks(`${match} WITH ${columns} RETURN c1, c2 UNION ${match} RETURN ${columns}`))
    );
  },

  async 'lengths add up'(asks, w) {
    const [types, arrow] = [w.random.pick(['', ':R', ':S|T']), w.random.pick(['->', '-'])];
    const walk = (length: string): string =>
      `MATCH (a:A)-[rs${types}*${length}]${arrow}(b) RETURN a.k AS x, [r IN rs | r.k] AS y, b.k AS z`;
    const apart = [...(await asks(walk('1'))), ...(await asks(walk('2')))];
    return same(apart, await asks(walk('1..2'))) ?? same(apart, await asks(`${walk('1')} UNION ALL ${walk('2')}`));
  },

  async 'two steps of variable length are two relationships'(asks, w) {
    const [t, arrow] = [w.random.pick(['', ':R', ':S|T']), w.random.pick(['->', '-'])];
    const tail = (list: string): string => `RETURN a.k AS x, ${list} AS y, b.k AS z`;
    const long = await asks(`MATCH (a)-[rs${t}*2]${arrow}(b:B) ${tail('[r IN rs | r.k]')}`);
    const short = await asks(`MATCH (a)-[r${t}]${arrow}()-[q${t}]${arrow}(b:B) ${tail('[r.k, q.k]')}`);
    const clauses = await asks(`MATCH (a)-[r${t}]${arrow}(m) MATCH (m)-[q${t}]${arrow}(b:B) WHERE r <> q ${tail('[r.k, q.k]')}`);
    return same(long, short) ?? same(short, clauses);
  },

  async 'a pattern reads the same from its end'(asks, w) {
    const [t, q] = [w.random.pick(TYPES), w.random.pick(TYPES)];
    const tail = 'RETURN a.k, r.k, b.k, s.k, c.k';
    const there = await asks(`MATCH (a:A)-[r:${t}]->(b)<-[s:${q}]-(c) ${tail}`);
    return (
      same(there, await asks(`MATCH (c)-[s:${q}]->(b)<-[r:${t}]-(a:A) ${tail}`)) ??
      same(there, await asks(`MATCH (b)<-[r:${t}]-(a:A), (b)<-[s:${q}]-(c) ${tail}`))
    );
  },

  async 'OPTIONAL MATCH keeps what MATCH has not'(asks, w) {
    const t = w.random.pick(TYPES);
    const where = predicate(
      [
        { name: 'a', kind: 'node' },
        { name: 'b', kind: 'node' },
      ],
      1,
      w,
    );
    const optional = await asks(`MATCH (a:A) OPTIONAL MATCH (a)-[:${t}]->(b) WHERE ${where} RETURN a.k AS x, b.k AS y`);
    const found = await asks(`MATCH (a:A)-[:${t}]->(b) WHERE ${where} RETURN a.k AS x, b.k AS y`);
    const missing = await asks(`MATCH (a:A) WHERE NOT EXISTS { MATCH (a)-[:${t}]->(b) WHERE ${where} } RETURN a.k AS x, null AS y`);
    return same(optional, [...found, ...missing]);
  },

  async 'EXISTS, COUNT, a comprehension and a join agree'(asks, w) {
    const inside: Scope = [
      { name: 'a', kind: 'node' },
      { name: 'r', kind: 'relationship' },
      { name: 'b', kind: 'node' },
    ];
    const pattern = `(a)-[r:${w.random.pick(TYPES)}]-(b${w.random.pick(['', ':B', ':!A'])})`;
    const where = predicate(inside, 1, w);
    const exists = await asks(`MATCH (a) WHERE EXISTS { MATCH ${pattern} WHERE ${where} } RETURN a.k AS x`);
    return (
      same(exists, await asks(`MATCH (a) WHERE COUNT { MATCH ${pattern} WHERE ${where} } > 0 RETURN a.k AS x`)) ??
      same(exists, await asks(`MATCH (a) WHERE size([${pattern} WHERE ${where} | 1]) >= 1 RETURN a.k AS x`)) ??
      same(exists, await asks(`MATCH ${pattern} WHERE ${where} WITH DISTINCT a RETURN a.k AS x`))
    );
  },

  async 'equal properties join, however they are written'(asks, w) {
    const [left, right] = [w.random.pick(['i', 's', 'm', 'f', 'big', 'd', 'l']), w.random.pick(['i', 's', 'm', 'f', 'big', 'd', 'l'])];
    const labels = w.random.pick(['A', 'B', 'C']);
    const where = await asks(`MATCH (a:A), (b:${labels}) WHERE a.${left} = b.${right} RETURN a.k AS x, b.k AS y`);
    return (
      same(where, await asks(`MATCH (a:A) MATCH (b:${labels} {${right}: a.${left}}) RETURN a.k AS x, b.k AS y`)) ??
      same(where, await asks(`MATCH (b:${labels}) WITH b MATCH (a:A) WHERE b.${right} IN [a.${left}] RETURN a.k AS x, b.k AS y`)) ??
      same(
        where,
        await asks(
          `MATCH (a:A) UNWIND [a] AS q MATCH (b:${labels}) WITH q, b WHERE NOT (q.${left} <> b.${right}) RETURN q.k AS x, b.k AS y`,
        ),
      )
    );
  },

  async 'a triangle is the same from all corners'(asks, w) {
    const [t, q, p] = [w.random.pick(['', ':R', ':S']), w.random.pick(['', ':R', ':S']), w.random.pick(['', ':R', ':T'])];
    const tail = 'RETURN a.k, b.k, c.k, r.k, s.k, t.k';
    const cycle = await asks(`MATCH (a)-[r${t}]->(b)-[s${q}]->(c)-[t${p}]->(a) ${tail}`);
    return (
      same(cycle, await asks(`MATCH (c)-[t${p}]->(a), (a)-[r${t}]->(b), (b)-[s${q}]->(c) ${tail}`)) ??
      same(
        cycle,
        await asks(`MATCH (a)-[r${t}]->(b) MATCH (b)-[s${q}]->(c) MATCH (c)-[t${p}]->(a) WHERE r <> s AND s <> t AND r <> t ${tail}`),
      )
    );
  },

  async 'LIMIT behind the LIMIT of another clause answers some of its rows'(asks, w) {
    const { match, scope } = draw(w);
    const keys = scope.map((_, i) => `k${i}`);
    const items = scope.map(({ name }, i) => `${name}.k AS k${i}`);
    const limit = w.random.pick([1, 3, 10]);
    const first =
      `${match} WITH ${w.random.pick(['', 'DISTINCT '])}${items.join(', ')} ORDER BY ${keys.join(', ')} LIMIT ` +
      `${w.random.pick([5, 20])}`;
    const whole = await asks(`${first} RETURN ${keys.join(', ')}`);
    const some = await asks(`${first} RETURN ${keys.join(', ')} LIMIT ${limit}`);
    return some.length === Math.min(limit, whole.length) ? contained(some, whole) : `${some.length} of ${whole.length} rows`;
  },
};

function same(left: Rows, right: Rows): string | null {
  if (left.length !== right.length) return `${left.length} and ${right.length} rows`;
  return sameOrder(left.toSorted(), right.toSorted());
}

function sameOrder(left: Rows, right: Rows): string | null {
  const at = left.findIndex((row, i) => row !== right[i]);
  if (at < 0) return left.length === right.length ? null : `${left.length} and ${right.length} rows`;
  return `${left[at]}\nand ${right[at]}`;
}

function contained(some: Rows, whole: Rows): string | null {
  const left = Map.groupBy(whole, (row) => row);
  for (const row of some) if (left.get(row)?.pop() === undefined) return `not among the rows: ${row}`;
  return null;
}
