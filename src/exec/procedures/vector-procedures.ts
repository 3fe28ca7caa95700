/** `db.index.vector.*`: finds the nodes or relationships nearest to a vector through a vector index. */
import type { GraphView, IndexSubject } from '../../graph/index.ts';
import {
  argumentFault,
  aType,
  equals,
  greaterThan,
  greaterThanOrEqual,
  isInteger,
  isNumber,
  lessThan,
  lessThanOrEqual,
  makeFloat,
  NodeValue,
  quoted,
  RelationshipValue,
  toNumber,
  typeFault,
  type Value,
} from '../../value/index.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import type { Hit } from '../search/best-hits.ts';
import { DEFAULT_RECALL, nearest } from '../search/nearest.ts';
import { type HitFilter, measureOf, type Search, unfitness, vectorOf } from '../search/searched-rows.ts';
import type { Components } from '../vectors/kernel.ts';

type Entity = IndexSubject['entity'];
type Rows = Generator<readonly Value[] | null>;

/** Returns a vector index. @throws TYPE_ERROR if the name is no String, ARGUMENT_ERROR if there is no such index for the entity */
export function indexNamed({ view }: ProcedureContext, name: Value, entity: Entity): IndexSubject {
  if (typeof name !== 'string') throw typeFault(`an index is named by a String, not by ${aType(name)}`);
  const subject = view.indexes.find((index) => index.subject.name === name && index.subject.kind === 'vector')?.subject;
  if (subject === undefined) throw argumentFault(`There is no such vector schema index: ${name}`);
  if (subject.entity !== entity) throw argumentFault(`the vector index ${name} is on ${subject.entity}s; use ${PROCEDURE[subject.entity]}`);
  return subject;
}

const PROCEDURE: { readonly [of in Entity]: string } = {
  node: 'db.index.vector.queryNodes',
  relationship: 'db.index.vector.queryRelationships',
};

function countOf(value: Value): number {
  if (!isInteger(value)) throw typeFault(`the number of nearest neighbours is an Integer, not ${aType(value)}`);
  if (value < 1) throw argumentFault("'numberOfNearestNeighbours' must be positive");
  return Number(value);
}

/** Returns the vector of a query. @throws TYPE_ERROR if it is no vector, ARGUMENT_ERROR if it does not fit the index */
export function queryOf(value: Value, subject: IndexSubject): Components {
  const dimensions = subject.settings['vector.dimensions'];
  if (dimensions !== undefined && Array.isArray(value) && value.length !== dimensions) throw otherLength(value.length, dimensions);
  const query = vectorOf(value);
  if (query === null) throw typeFault(`a vector is searched by a Vector or a List of numbers, not by ${aType(value)}`);
  if (dimensions !== undefined && query.length !== dimensions) throw otherLength(query.length, dimensions);
  const reason = unfitness(query, measureOf(subject).kernel);
  if (reason !== null) throw argumentFault(reason);
  return query;
}

function otherLength(length: number, dimensions: unknown): Error {
  return argumentFault(`Index query vector has ${length} dimensions, but indexed vectors have ${dimensions}.`);
}

const NO_OPTIONS: Value = new Map();

/**
 * Reads the options of a search, such as `{filter: [['key', '=', value], …], labels: ['Label', …], recall: 0.95}`.
 * Entities that do not satisfy them are not counted among the hits.
 */
function optionsOf({ view }: ProcedureContext, options: Value, subject: IndexSubject): Pick<Search, 'filters' | 'labels' | 'recall'> {
  if (options === null) return { filters: [], labels: [], recall: DEFAULT_RECALL };
  if (!(options instanceof Map)) throw typeFault(`the options of a search are a Map, not ${aType(options)}`);
  const known = [...options.keys()].every((option) => OPTIONS.has(option));
  if (!known) throw argumentFault('a search takes the options filter, labels and recall');
  const filters = listOf('filter', options.get('filter') ?? []).map((filter) => filterOf(view, filter, subject));
  const labels = listOf('labels', options.get('labels') ?? []).map((label) => {
    if (typeof label !== 'string') throw typeFault(`a label is a String, not ${aType(label)}`);
    return view.labels.find(label);
  });
  return { filters, labels, recall: recallOf(options.get('recall') ?? DEFAULT_RECALL) };
}

const OPTIONS: ReadonlySet<string> = new Set(['filter', 'labels', 'recall']);

/** Returns the share of the nearest vectors to find. @throws ARGUMENT_ERROR unless it is above 0 and at most 1 */
export function recallOf(value: Value): number {
  const recall = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!(recall > 0 && recall <= 1)) throw argumentFault('recall is a number above 0, up to 1');
  return recall;
}

function listOf(option: string, value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw typeFault(`${option} is a List, not ${aType(value)}`);
}

const OPERATORS: Readonly<Record<string, (found: Value, given: Value) => boolean | null>> = {
  '=': equals,
  '<': lessThan,
  '<=': lessThanOrEqual,
  '>': greaterThan,
  '>=': greaterThanOrEqual,
};

function filterOf(view: GraphView, filter: Value, subject: IndexSubject): HitFilter {
  const [key, operator, given] = listOf('a filter', filter);
  const holds = typeof operator === 'string' && Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (typeof key !== 'string' || holds === undefined || given === undefined)
    throw argumentFault("a filter is a List of a property key, one of '=', '<', '<=', '>' and '>=', and a value");
  const id = view.keys.find(key);
  if (!subject.keys.slice(1).includes(id))
    throw argumentFault(
      `the vector index ${subject.name} does not filter by ${quoted(key)}: declare it with ON (n.vector) WITH [n.${key}]`,
    );
  const test = operator as '='; // as: one of them
  return { key: id, accepts: (found) => holds(found, given) === true, tests: [{ test, value: given }] };
}

function entityOf({ view }: ProcedureContext, entity: Entity, hit: Hit): Value {
  if (entity === 'node') return new NodeValue(hit.entity);
  const table = view.relationshipTables[hit.group]!;
  return new RelationshipValue(hit.group, hit.entity, table.sourceOf(hit.entity), table.targetOf(hit.entity));
}

const querying = (entity: Entity): Procedure['call'] =>
  function* (context, [name, count, vector, options]): Rows {
    const subject = indexNamed(context, name!, entity);
    const search = { subject, query: queryOf(vector!, subject), wanted: countOf(count!), ...optionsOf(context, options!, subject) };
    for (const hit of yield* nearest(context, search)) yield [entityOf(context, entity, hit), makeFloat(hit.score)];
  };

const queryProcedure = (entity: Entity): Procedure => ({
  name: PROCEDURE[entity],
  inputs: [
    { name: 'indexName', type: 'STRING' },
    { name: 'numberOfNearestNeighbours', type: 'INTEGER' },
    { name: 'query', type: 'ANY' },
    { name: 'options', type: 'MAP', default: NO_OPTIONS },
  ],
  outputs: [
    { name: entity, type: entity.toUpperCase() },
    { name: 'score', type: 'FLOAT' },
  ],
  mode: 'READ',
  searches: [{ kind: 'vector', entity }],
  ...(entity === 'node' && { readsByPage: true }),
  description: `The ${entity}s whose vectors are nearest to a vector, by a vector index, the nearest first.`,
  call: querying(entity),
});

/** The procedures of vector indexes. */
export const vectorProcedures: readonly Procedure[] = [queryProcedure('node'), queryProcedure('relationship')];
