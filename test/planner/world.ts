/** Small random graphs in memory, and statements run on them with the plan of one's choice. */
import { analyze, parse } from '../../src/cypher/index.ts';
import { builtInProcedures, CompiledPlan, ProcedureRegistry, Runtime } from '../../src/exec/index.ts';
import { createGraphStore, type GraphStatistics, type GraphStore } from '../../src/graph/index.ts';
import { type Plan, planStatement } from '../../src/plan/index.ts';
import { randomStatistics, seededRandom } from '../../src/plan/testing/random.ts';
import { Node, Relationship } from '../../src/value/index.ts';

const INSTANT = { epochSeconds: 0, nanos: 0 } as never;
const procedures = new ProcedureRegistry(builtInProcedures);

/**
 * Labels A, B, C; types R, S; x and y on nodes (y on some), w on relationships, ids on both; self-loops and parallel
 * relationships among them.
 */
export function randomGraph(seed: number, nodes: number, relationships: number): GraphStore {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const store = createGraphStore();
  const transaction = store.begin();
  const key = (name: string): number => transaction.internKey(name);
  const shares = { A: 0.5, B: 0.4, C: 0.2 };
  const ordinals = Array.from({ length: nodes }, (_, id) => {
    const labels = Object.entries(shares).flatMap(([label, share]) => (random() < share ? [transaction.internLabel(label)] : []));
    const hasY = random() < 0.7;
    return transaction.createNode(
      labels,
      [key('id'), key('x'), ...(hasY ? [key('y')] : [])],
      [id, below(4), ...(hasY ? [below(3)] : [])],
      null,
    );
  });
  for (let id = 0; id < relationships; id++) {
    const type = transaction.internType(random() < 0.7 ? 'R' : 'S');
    transaction.createRelationship(type, ordinals[below(nodes)]!, ordinals[below(nodes)]!, [key('id'), key('w')], [id, below(3)]);
  }
  transaction.createIndex({ name: 'a_x', entity: 'node', labelOrType: 'A', keys: ['x'], kind: 'range' });
  transaction.createIndex({ name: 'r_w', entity: 'relationship', labelOrType: 'R', keys: ['w'], kind: 'range' });
  store.publish(transaction.commit());
  return store;
}

/** Figures that have nothing to do with the graph, so that every kind of plan is made; its real indexes, or none. */
export function misleadingStatistics(store: GraphStore, seed: number): GraphStatistics {
  const real = store.snapshot().statistics;
  const mayUseIndexes = seed % 2 !== 0;
  return {
    ...randomStatistics(seededRandom(seed)),
    findIndex: (wanted) => (mayUseIndexes ? real.findIndex(wanted) : null),
  };
}

export function planOf(query: string, statistics: GraphStatistics): Plan {
  return planStatement(analyze(parse(query), query), statistics);
}

/** The rows as texts; updates are committed. */
export function run(store: GraphStore, plan: Plan): string[] {
  const transaction = plan.writes ? store.begin() : null;
  const view = transaction?.view ?? store.snapshot();
  const runtime = new Runtime({
    view,
    transaction,
    parameters: new Map(),
    deadline: Number.POSITIVE_INFINITY,
    signal: null,
    memoryBytes: 2 ** 30,
    statementTime: INSTANT,
    transactionTime: INSTANT,
    procedures,
    databaseRole: 'writer',
    engine: 0,
    databases: null,
    transactions: [],
    terminations: [],
    settings: () => [],
  });
  const compiled = new CompiledPlan(plan).for(view, new Map(), Number.POSITIVE_INFINITY);
  const rows: string[] = [];
  for (const step of compiled.run(runtime, compiled.constants))
    if (Array.isArray(step)) rows.push(...step.map((row) => JSON.stringify(row, plain)));
  if (transaction !== null) store.publish(transaction.commit());
  return rows;
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Node || value instanceof Relationship) return `${value.constructor.name} ${value.ordinal}`;
  return value instanceof Map ? [...value] : value;
}

/** Everything in the graph, as text. */
export function contents(store: GraphStore): string {
  const dump = (query: string): string[] => run(store, planOf(query, store.snapshot().statistics)).sort();
  return [
    ...dump('MATCH (n) RETURN labels(n), n.id, n.x, n.y, n.k'),
    ...dump('MATCH (a)-[r]->(b) RETURN type(r), r.id, r.w, a.id, a.x, b.id, b.x, b.y'),
  ].join('\n');
}
