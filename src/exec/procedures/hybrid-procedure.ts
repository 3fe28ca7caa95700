/** `search.hybrid`: ranks the nodes that a vector index and a full-text index find in one list. */
import type { IndexSubject } from '../../graph/index.ts';
import {
  argumentFault,
  aType,
  equals,
  isInteger,
  isNumber,
  lessThan,
  lessThanOrEqual,
  makeFloat,
  NodeValue,
  quoted,
  type Truth,
  toNumber,
  typeFault,
  type Value,
  type ValueMap,
} from '../../value/index.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { DEFAULT_RECALL, nearest } from '../search/nearest.ts';
import type { HitFilter } from '../search/searched-rows.ts';
import { searchTexts } from './fulltext-procedures.ts';
import { indexNamed, queryOf } from './vector-procedures.ts';

const DEFAULT_K = 10;
/** The constant of reciprocal rank fusion: the larger it is, the less the first ranks differ. */
const RANK_CONSTANT = 60;
/** The fewest hits requested from each index: more than wanted, because nodes that both indexes find rank first. */
const LEAST_HITS = 100;
const HITS_PER_WANTED = 4;

type Fusion = 'rrf' | 'linear';

interface Hybrid {
  readonly vector: { readonly index: string; readonly query: Value } | null;
  readonly text: { readonly index: string; readonly query: string } | null;
  readonly k: number;
  readonly filter: ValueMap;
  readonly fusion: Fusion;
  readonly weights: { readonly vector: number; readonly fulltext: number };
}

const NAMES: ReadonlySet<string> = new Set(['vectorIndex', 'vector', 'fulltextIndex', 'query', 'k', 'filter', 'fusion', 'weights']);

function readHybrid(given: Value): Hybrid {
  if (!(given instanceof Map)) throw typeFault(`search.hybrid takes a Map, not ${aType(given)}`);
  for (const name of given.keys()) {
    if (!NAMES.has(name)) throw argumentFault(`search.hybrid has no ${quoted(name)}; it has ${[...NAMES].join(', ')}`);
  }
  const of = (name: string): Value => given.get(name) ?? null;
  const text = (name: string): string | null => {
    const value = of(name);
    if (value !== null && typeof value !== 'string') throw argumentFault(`${name} is a String, not ${aType(value)}`);
    return value;
  };
  const [vectorIndex, fulltextIndex, query] = [text('vectorIndex'), text('fulltextIndex'), text('query')];
  if ((vectorIndex === null) !== (of('vector') === null)) throw argumentFault('vectorIndex and vector are given together');
  if ((fulltextIndex === null) !== (query === null)) throw argumentFault('fulltextIndex and query are given together');
  if (vectorIndex === null && fulltextIndex === null)
    throw argumentFault('search.hybrid takes vectorIndex and vector, fulltextIndex and query, or both');
  const k = of('k') ?? DEFAULT_K;
  if (!isInteger(k) || k < 1) throw argumentFault('k is an Integer from 1 on');
  const filter = of('filter') ?? new Map();
  if (!(filter instanceof Map)) throw argumentFault(`filter is a Map, not ${aType(filter)}`);
  const fusion = text('fusion') ?? 'rrf';
  if (fusion !== 'rrf' && fusion !== 'linear') throw argumentFault("fusion is 'rrf' or 'linear'");
  return {
    vector: vectorIndex === null ? null : { index: vectorIndex, query: of('vector') },
    text: fulltextIndex === null ? null : { index: fulltextIndex, query: query! },
    k: Number(k),
    filter,
    fusion,
    weights: readWeights(of('weights')),
  };
}

function readWeights(given: Value): Hybrid['weights'] {
  if (given === null) return { vector: 1, fulltext: 1 };
  if (Array.isArray(given) && given.length === 2)
    return readWeights(
      new Map([
        ['vector', given[0]!],
        ['fulltext', given[1]!],
      ]),
    );
  if (!(given instanceof Map)) throw argumentFault(`weights is a Map {vector: …, fulltext: …}, or a List of both, not ${aType(given)}`);
  const weight = (name: string): number => {
    const value = given.get(name) ?? 1;
    if (!isNumber(value) || !(toNumber(value) >= 0)) throw argumentFault(`the weight ${name} is a number from 0 on`);
    return toNumber(value);
  };
  for (const name of given.keys()) if (name !== 'vector' && name !== 'fulltext') throw argumentFault(`there is no weight ${quoted(name)}`);
  return { vector: weight('vector'), fulltext: weight('fulltext') };
}

const COMPARISONS: { readonly [sign: string]: (value: Value, bound: Value) => Truth } = {
  '=': equals,
  '<': lessThan,
  '<=': lessThanOrEqual,
  '>': (value, bound) => lessThan(bound, value),
  '>=': (value, bound) => lessThanOrEqual(bound, value),
};

/** Reads a condition of the filter: a value that the property must equal, or comparisons such as `{`>=`: 1, `<`: 5}`. */
function conditionOf(key: string, wanted: Value): Pick<HitFilter, 'accepts' | 'tests'> {
  if (!(wanted instanceof Map)) return { accepts: (value) => equals(value, wanted) === true, tests: [{ test: '=', value: wanted }] };
  const tests = [...wanted].map(([sign, bound]) => {
    const compare = Object.hasOwn(COMPARISONS, sign) ? COMPARISONS[sign] : undefined;
    if (compare === undefined)
      throw argumentFault(`filter.${key} compares by ${Object.keys(COMPARISONS).join(', ')}, not by ${quoted(sign)}`);
    return { test: sign as '=', value: bound, holds: (value: Value) => compare(value, bound) === true }; // as: one of them
  });
  return { accepts: (value) => tests.every(({ holds }) => holds(value)), tests };
}

interface Found {
  readonly entity: number;
  readonly score: number;
}

/** Adds the hits of one index to the scores: by rank, or by score relative to the best hit. Hits must be in order. */
function fuse(scores: Map<number, number>, hits: readonly Found[], weight: number, fusion: Fusion): void {
  const best = hits[0]?.score ?? 0;
  for (const [rank, { entity, score }] of hits.entries()) {
    const part = fusion === 'rrf' ? 1 / (RANK_CONSTANT + rank + 1) : best > 0 ? score / best : 0;
    scores.set(entity, (scores.get(entity) ?? 0) + weight * part);
  }
}

function* rankedNodes(context: ProcedureContext, hybrid: Hybrid): Generator<null, Found[], void> {
  const { view } = context;
  const most = Math.max(LEAST_HITS, hybrid.k * HITS_PER_WANTED);
  const conditions = [...hybrid.filter].map(([key, wanted]) => ({ key: view.keys.find(key), ...conditionOf(key, wanted) }));
  const scores = new Map<number, number>();
  if (hybrid.vector !== null) {
    const subject: IndexSubject = indexNamed(context, hybrid.vector.index, 'node');
    const filters: readonly HitFilter[] = conditions;
    const query = queryOf(hybrid.vector.query, subject);
    const hits = yield* nearest(context, { subject, query, wanted: most, filters, labels: [], recall: DEFAULT_RECALL });
    context.charge(hits.length, 2);
    fuse(scores, hits, hybrid.weights.vector, hybrid.fusion);
  }
  if (hybrid.text !== null) {
    const accepts = (node: number): boolean => conditions.every(({ key, accepts: test }) => key >= 0 && test(view.nodeProperty(node, key)));
    const options = { skip: 0, limit: most, analyzer: null, accepts: conditions.length === 0 ? null : accepts };
    const hits = yield* searchTexts(context, { name: hybrid.text.index, query: hybrid.text.query, entity: 'node' }, options);
    context.charge(hits.length, 2);
    fuse(scores, hits, hybrid.weights.fulltext, hybrid.fusion);
  }
  if (context.worked(scores.size)) yield null;
  const ranked = [...scores].map(([entity, score]) => ({ entity, score }));
  return ranked.sort((a, b) => b.score - a.score || a.entity - b.entity).slice(0, hybrid.k);
}

/** The procedure `search.hybrid`. */
export const hybridProcedure: Procedure = {
  name: 'search.hybrid',
  inputs: [{ name: 'search', type: 'MAP' }],
  outputs: [
    { name: 'node', type: 'NODE' },
    { name: 'score', type: 'FLOAT' },
  ],
  mode: 'READ',
  searches: [
    { kind: 'vector', entity: 'node' },
    { kind: 'fulltext', entity: 'node' },
  ],
  filters: true,
  description:
    'The k best nodes by a vector index and a full-text index together: {vectorIndex, vector, fulltextIndex, query, k, filter, ' +
    'fusion, weights}.',
  *call(context, [search = null]) {
    for (const { entity, score } of yield* rankedNodes(context, readHybrid(search))) yield [new NodeValue(entity), makeFloat(score)];
  },
};
