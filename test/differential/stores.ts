/**
 * The ways in which a store can have come to hold a graph: built at once, or with churn, so that rows have moved, ended
 * and come back; before and after a flush, after opening again, with indexes.
 */
import { type EngineFlags, engineFlags } from '../../src/base/index.ts';
import { type Engine, openEngine, ReadWorkers } from '../../src/engine/index.ts';
import type { Value, ValueMap } from '../../src/value/index.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { anyValue, type GraphSpec, LABELS, type NodeSpec } from './generate/graph.ts';
import { pointMap } from './generate/points.ts';

export interface Store {
  readonly uri: string;
  readonly engine: Engine;
}

let stores = 0;

export function freshUri(): string {
  return `memory://differential-${process.pid}-${++stores}`;
}

/** Reads run in them by the way that says so, and on this thread by all others. */
export const WORKERS = new ReadWorkers({ count: 2, firstSliceMs: Number.POSITIVE_INFINITY });

/** Switched by the ways that say so; engines look at it for each statement. */
export const FLAGS = { ...engineFlags({}) };

/** Made when a label's nodes have been scanned twice for a property, and soon dropped for others. */
const AUTOMATIC_INDEXES = { leastNodes: 2, rowCost: 2, mostOfOneValue: 1, bytes: 2_000 };

/** Rows after which operators write what they hold to temporary files; absent: as memory calls for. */
export const SPILLED: { spillAfterRows?: number } = {};

/** `sorted` false: relationships are in no CSR, and no node is read once for several rows. */
export async function open(uri: string, sorted = true): Promise<Engine> {
  const flags: EngineFlags = sorted ? FLAGS : Object.assign(Object.create(FLAGS) as typeof FLAGS, { adjacency: false, nodeCache: false });
  const engine = await openEngine(
    uri,
    { flushIntervalMs: 0 },
    { workers: WORKERS, flags, automaticIndexes: AUTOMATIC_INDEXES, artefactsFromRows: 0, ...SPILLED },
  );
  URIS.set(engine, uri);
  return engine;
}

const URIS = new WeakMap<Engine, string>();

/** Too little for the tables of most graphs, and for the pages of most statements. */
const TIGHT = { availableMemory: () => 700, pageBytes: 2_000 };

/**
 * Another engine over the same store, that reads every table by page as long as it can. `isTight`: it has hardly any
 * memory for tables and pages.
 */
export function openByPage(engine: Engine, isTight: boolean): Promise<Engine> {
  const parts = { flags: FLAGS, wholeTableRows: -1, planner: false, ...SPILLED };
  return openEngine(URIS.get(engine)!, { readOnly: true }, isTight ? { ...parts, ...TIGHT } : parts);
}

/** One for each kind of column and then some. */
export const INDEXES = [
  'CREATE INDEX FOR (n:A) ON (n.i)',
  'CREATE INDEX FOR (n:B) ON (n.s)',
  'CREATE INDEX FOR (n:A) ON (n.m)',
  'CREATE INDEX FOR (n:C) ON (n.k)',
  'CREATE INDEX FOR (n:B) ON (n.f)',
  'CREATE INDEX FOR (n:A) ON (n.big)',
  'CREATE INDEX FOR (n:A) ON (n.i, n.s)',
  'CREATE INDEX FOR ()-[r:R]-() ON (r.i)',
  'CREATE INDEX FOR ()-[r:S]-() ON (r.i)',
  'CREATE INDEX FOR ()-[r:R]-() ON (r.m)',
  'CREATE TEXT INDEX FOR ()-[r:T]-() ON (r.s)',
  'CREATE POINT INDEX FOR (n:A) ON (n.p)',
];

type Write = (query: string, params?: ReadonlyMap<string, Value>) => Promise<unknown>;

const labelText = (labels: readonly string[]): string => labels.map((label) => `:${label}`).join('');

function rowOf(entries: Record<string, Value>): ValueMap {
  return new Map(Object.entries(entries));
}

/** The properties that are parameters, and what the point among them is made of; null without one. */
function storable(properties: ValueMap): { plain: ValueMap; point: ValueMap | null } {
  const plain = new Map([...properties].filter(([, value]) => pointMap(value) === null));
  return { plain, point: plain.size === properties.size ? null : pointMap(properties.get('p')) };
}

/** Nothing where no node has a point. */
function pointOf(text: string, nodes: readonly Pick<NodeSpec, 'properties'>[]): string {
  return nodes.some(({ properties }) => storable(properties).point !== null) ? ` SET n.p = point(${text})` : '';
}

/** One statement per label set and per type. */
export async function build(spec: GraphSpec, write: Write): Promise<void> {
  for (const [labels, nodes] of Map.groupBy(spec.nodes, (node) => labelText(node.labels))) {
    const rows = nodes.map(({ properties }) => rowOf(storable(properties)));
    await write(`UNWIND $rows AS row CREATE (n${labels}) SET n = row.plain${pointOf('row.point', nodes)}`, new Map([['rows', rows]]));
  }
  for (const [type, relationships] of Map.groupBy(spec.relationships, (relationship) => relationship.type)) {
    const rows = relationships.map(({ source, target, properties }) => rowOf({ source, target, properties }));
    const query = `UNWIND $rows AS row MATCH (a {k: row.source}), (b {k: row.target}) CREATE (a)-[r:${type}]->(b) SET r = row.properties`;
    await write(query, new Map([['rows', rows]]));
  }
}

/** Builds the same graph in another order, in many statements, with parts made and deleted between. */
export async function buildWithChurn(spec: GraphSpec, engine: Engine, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const write: Write = (query, params = new Map()) => engine.execute(query, params);
  const perhapsFlush = async (): Promise<void> => {
    if (random.chance(0.15)) await engine.flush();
  };
  for (const { labels, properties } of shuffled(spec.nodes, random)) {
    await churnedNode(labels, properties, random, write);
    await perhapsFlush();
  }
  for (const relationship of shuffled(spec.relationships, random)) {
    await churnedRelationship(relationship, random, write);
    await perhapsFlush();
  }
  await write('MATCH (n) WHERE n.k < 0 DETACH DELETE n');
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  const mixed: T[] = [];
  while (rest.length > 0) mixed.push(...rest.splice(random.between(0, rest.length - 1), 1));
  return mixed;
}

async function churnedNode(labels: readonly string[], properties: ValueMap, random: Random, write: Write): Promise<void> {
  const k = properties.get('k')!;
  const { plain, point } = storable(properties);
  const setPoint = pointOf('$point', [{ properties }]);
  const params: ReadonlyMap<string, Value> = new Map<string, Value>([
    ['properties', plain],
    ['point', point],
    ['k', k],
    ['wrong', anyValue(random)],
  ]);
  if (random.chance(0.3)) await write(`CREATE (n${labelText(labels)} {k: -1, m: $wrong, i: 3})`, params);
  if (random.chance(0.5)) {
    await write(`CREATE (n${labelText(labels)}) SET n = $properties${setPoint}`, params);
  } else {
    const first = LABELS.filter(() => random.chance(0.4));
    await write(`CREATE (n${labelText(first)} {k: $k, i: 100, s: 'wrong', m: $wrong, extra: 1})`, params);
    for (const label of LABELS) {
      if (labels.includes(label) && !first.includes(label)) await write(`MATCH (n {k: $k}) SET n:${label}`, params);
      if (!labels.includes(label) && first.includes(label)) await write(`MATCH (n {k: $k}) REMOVE n:${label}`, params);
    }
    await write(`MATCH (n {k: $k}) SET n = $properties${setPoint}`, params);
  }
  if (random.chance(0.2)) await write('MATCH (n {k: $k}) SET n.m = $wrong SET n.m = $properties.m', params);
}

async function churnedRelationship(relationship: GraphSpec['relationships'][number], random: Random, write: Write): Promise<void> {
  const { type, source, target, properties } = relationship;
  const params: ReadonlyMap<string, Value> = new Map<string, Value>([
    ['source', source],
    ['target', target],
    ['properties', properties],
    ['k', properties.get('k')!],
    ['wrong', anyValue(random)],
  ]);
  const ends = 'MATCH (a {k: $source}), (b {k: $target})';
  if (random.chance(0.4)) await write(`${ends} CREATE (b)-[:${type} {k: -1, i: 1}]->(a)`, params);
  await write(`${ends} CREATE (a)-[r:${type} {i: 77, m: $wrong}]->(b) SET r = $properties`, params);
  if (random.chance(0.3)) await write(`MATCH (a {k: $source})-[r:${type} {k: $k}]->(b) SET r.m = $wrong SET r.m = $properties.m`, params);
  if (random.chance(0.5)) await write(`MATCH ()-[r:${type} {k: -1}]->() DELETE r`, params);
  await write(`MATCH ()-[r {k: -1}]->() DELETE r`, params);
}
