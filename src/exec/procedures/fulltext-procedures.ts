/** Procedures of full-text indexes, with the names and columns of Neo4j. */
import type { GraphView, IndexView, TextHit, TextLookup } from '../../graph/index.ts';
import { ANALYZER_NAMES, analyzerNamed } from '../../search/index.ts';
import {
  argumentFault,
  aType,
  isInteger,
  makeFloat,
  NodeValue,
  quoted,
  RelationshipValue,
  type Value,
  type ValueMap,
} from '../../value/index.ts';
import { wrongArgument } from '../functions/arguments.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';

type Entity = 'node' | 'relationship';

const NO_OPTIONS: ValueMap = new Map();
/** Hits that are charged to the statement's memory together. */
const CHARGED_TOGETHER = 256;
const FIELDS_OF_HIT = 3;

/** The options of a full-text search. */
export interface SearchOptions {
  readonly skip: number;
  readonly limit: number;
  readonly analyzer: string | null;
  /** Tells which nodes may be found; null accepts any. */
  readonly accepts: ((node: number) => boolean) | null;
}

/** Reads the options of a search. @throws ARGUMENT_ERROR if an option is unknown, or has an invalid value */
function searchOptions(
  { view }: ProcedureContext,
  { procedure, entity }: { readonly procedure: string; readonly entity: Entity },
  given: Value,
): SearchOptions {
  if (given === null) return { skip: 0, limit: Number.POSITIVE_INFINITY, analyzer: null, accepts: null };
  if (!(given instanceof Map)) throw wrongArgument(procedure, 'a Map of options', given);
  for (const name of given.keys()) {
    if (!['skip', 'limit', 'analyzer', 'labels'].includes(name))
      throw argumentFault(`${procedure} has no option ${quoted(name)}; it has skip, limit, analyzer and labels`);
  }
  const accepts = withLabels(view, given.get('labels') ?? []);
  if (accepts !== null && entity === 'relationship') throw argumentFault('labels are those of nodes');
  const analyzer = given.get('analyzer') ?? null;
  if (analyzer !== null && typeof analyzer !== 'string') throw argumentFault(`analyzer is the name of an analyzer, not ${aType(analyzer)}`);
  return {
    skip: count(given, 'skip') ?? 0,
    limit: count(given, 'limit') ?? Number.POSITIVE_INFINITY,
    analyzer,
    accepts,
  };
}

/** Returns a test for nodes that have all the labels; null without labels. Rejected nodes do not count towards the limit. */
function withLabels(view: GraphView, labels: Value): SearchOptions['accepts'] {
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === 'string')) throw argumentFault('labels is a List of Strings');
  if (labels.length === 0) return null;
  const wanted = labels.map((label) => view.labels.find(label));
  return (node) => {
    const found = view.nodeLabels(node);
    return wanted.every((label) => found.includes(label));
  };
}

function count(options: ValueMap, name: string): number | null {
  const value = options.get(name) ?? null;
  if (value === null) return null;
  if (!isInteger(value) || value < 0) throw argumentFault(`${name} is an Integer from 0 on`);
  return Number(value);
}

/** Returns a full-text index. @throws ARGUMENT_ERROR if there is none of that name, or if it is on the other kind of entity */
function findTextIndex({ indexes }: GraphView, name: string, entity: Entity): { readonly index: IndexView; readonly lookup: TextLookup } {
  const index = indexes.find(({ subject }) => subject.name === name);
  const lookup = index?.answers.match?.lookup;
  if (index === undefined || lookup === undefined) throw argumentFault(`There is no such fulltext schema index: ${name}`);
  if (index.subject.entity !== entity) throw argumentFault(`the full-text index ${name} is on ${index.subject.entity}s, not on ${entity}s`);
  return { index, lookup };
}

/** Returns the best hits of an index, the best first; yields null where other statements should run. */
export function* searchTexts(
  context: ProcedureContext,
  { entity, name, query }: { readonly entity: Entity; readonly name: string; readonly query: string },
  { skip, limit, analyzer, accepts }: SearchOptions,
): Generator<null, readonly TextHit[], void> {
  const { view } = context;
  const { index, lookup } = findTextIndex(view, name, entity);
  if (context.worked(1 + query.length)) yield null;
  let [kept, taken] = [0, 0];
  /** Whether work that could not yield has used up the time slice. */
  let isTurnOver = false;
  const found = lookup.match({
    query,
    fields: index.subject.keys.map((key) => view.keys.name(key)),
    analyzer,
    most: skip + limit,
    accepts,
    onKept: () => {
      if (kept++ % CHARGED_TOGETHER === 0) context.charge(CHARGED_TOGETHER, FIELDS_OF_HIT);
    },
    onWork: (steps) => {
      if (context.worked(steps)) isTurnOver = true;
    },
    onTaken: (bytes) => {
      context.chargeBytes(bytes);
      taken += bytes;
    },
  });
  try {
    for (;;) {
      const step = found.next();
      if (step.done === true) return skip === 0 ? step.value : step.value.slice(skip);
      if (context.worked(step.value) || isTurnOver) yield null;
      isTurnOver = false;
    }
  } finally {
    context.chargeBytes(-taken);
  }
}

function entityOf({ view }: ProcedureContext, { entity, type }: TextHit): Value {
  if (type < 0) return new NodeValue(entity);
  const table = view.relationshipTables[type]!;
  return new RelationshipValue(type, entity, table.sourceOf(entity), table.targetOf(entity));
}

function queryProcedure(procedure: string, entity: Entity): Procedure {
  return {
    name: procedure,
    inputs: [
      { name: 'indexName', type: 'STRING' },
      { name: 'queryString', type: 'STRING' },
      { name: 'options', type: 'MAP', default: NO_OPTIONS },
    ],
    outputs: [
      { name: entity, type: entity.toUpperCase() },
      { name: 'score', type: 'FLOAT' },
    ],
    mode: 'READ',
    searches: [{ kind: 'fulltext', entity }],
    description:
      `${entity === 'node' ? 'Nodes' : 'Relationships'} whose texts match a query in Lucene's syntax, best first, ` +
      'with their BM25 scores. Options: skip, limit, analyzer, labels.',
    *call(context, [name = null, query = null, options = null]) {
      if (typeof name !== 'string') throw wrongArgument(procedure, 'the name of an index as a String', name);
      if (typeof query !== 'string') throw wrongArgument(procedure, 'a query as a String', query);
      const hits = yield* searchTexts(context, { entity, name, query }, searchOptions(context, { procedure, entity }, options));
      for (const hit of hits) {
        if (context.worked(1)) yield null;
        yield [entityOf(context, hit), makeFloat(hit.score)];
      }
    },
  };
}

/** The procedures of full-text indexes. */
export const fulltextProcedures: readonly Procedure[] = [
  queryProcedure('db.index.fulltext.queryNodes', 'node'),
  queryProcedure('db.index.fulltext.queryRelationships', 'relationship'),
  {
    name: 'db.index.fulltext.awaitEventuallyConsistentIndexRefresh',
    inputs: [],
    outputs: [],
    mode: 'READ',
    description: 'Waits until full-text indexes show what was written, which they always do.',
    call: () => [],
  },
  {
    name: 'db.index.fulltext.listAvailableAnalyzers',
    inputs: [],
    outputs: [
      { name: 'analyzer', type: 'STRING' },
      { name: 'description', type: 'STRING' },
      { name: 'stopwords', type: 'LIST<STRING>' },
    ],
    mode: 'READ',
    description: 'The analyzers that a full-text index can be created with.',
    call: () =>
      ANALYZER_NAMES.map((name): Value[] => {
        const { description, stopWords } = analyzerNamed(name);
        return [name, description, [...stopWords]];
      }),
  },
];
