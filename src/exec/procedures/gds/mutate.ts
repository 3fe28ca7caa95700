/** The mode `mutate`: stores results as properties or relationships of the projected graph. */
import type {
  Algorithm,
  GraphCatalog,
  NodeProperty,
  Outcome,
  Pieces,
  ProjectedGraph,
  RelationshipSet,
  Size,
  Topology,
  Work,
} from '../../../algorithms/index.ts';
import { buildRelationships, nodePropertyFor, relationshipBytes } from '../../../algorithms/index.ts';
import { argumentFault, quoted, type Value } from '../../../value/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { BYTES_PER_PAIR, pairsOfPaths, relationshipsIn } from './path-pairs.ts';

/** The result of an algorithm that is to be stored, with the call that it belongs to. */
export interface Stored {
  readonly context: ProcedureContext;
  readonly algorithm: Algorithm;
  readonly graph: ProjectedGraph;
  readonly topology: Topology;
  readonly outcome: Outcome;
  readonly values: Readonly<Record<string, unknown>>;
  readonly work: Work;
  /** The first argument of the call: the name of the graph, or the map that describes it. */
  readonly name: Value;
}

/** Checks that a part of a projected graph may be added under a name. @throws ARGUMENT_ERROR when the name is taken */
export function checkNewName(
  what: 'Node property' | 'Node label' | 'Relationship type',
  name: string,
  taken: ReadonlyMap<string, unknown>,
): void {
  if (taken.has(name)) throw argumentFault(`${what} ${quoted(name)} already exists in the in-memory graph.`);
}

/**
 * Adds relationships to a graph of the catalog. Nothing runs between its checks and the change.
 *
 * @throws ARGUMENT_ERROR when the type is taken or the graph was dropped meanwhile, MEMORY_LIMIT
 */
export function addRelationships(catalog: GraphCatalog, { name, graph, set }: AddedRelationships): void {
  const entry = catalog.getSame(name, graph);
  checkNewName('Relationship type', set.type, graph.relationships);
  catalog.checkBytes(set.csr.offsets.byteLength + set.csr.targets.byteLength + 8 * set.csr.targets.length * set.properties.size);
  graph.relationships.set(set.type, set);
  catalog.noteChange(entry);
}

interface AddedRelationships {
  readonly name: string;
  readonly graph: ProjectedGraph;
  readonly set: RelationshipSet;
}

/** Adds properties to a graph of the catalog. Nothing runs between its checks and the change. */
function addProperties({ context, graph, name }: Stored, added: readonly (readonly [string, NodeProperty])[]): void {
  const { catalog } = context;
  const entry = catalog.getSame(name as string, graph); // as: `mutate` is only given a name
  for (const [key] of added) checkNewName('Node property', key, graph.properties);
  catalog.checkBytes(added.reduce((sum, [, { values: own }]) => sum + own.byteLength, 0));
  for (const [key, property] of added) graph.properties.set(key, property);
  catalog.noteChange(entry);
}

/**
 * Returns the bytes that storing a result in the projected graph takes at most, beside the result.
 *
 * @param isPart whether some nodes of the graph may not be among those that the algorithm works on
 */
export function mutateBytes({ kind, columns, relationships }: Algorithm, size: Size, values: Stored['values'], isPart: boolean): number {
  const { nodeCount } = size;
  if (kind === 'nodes') return isPart ? 8 * (nodeCount + 1) * columns.length : 0;
  const count = relationships === undefined ? nodeCount : relationships(size, values);
  return (kind === 'paths' ? BYTES_PER_PAIR * count : 0) + relationshipBytes({ nodeCount, count, properties: 1 });
}

/** Stores a result in the projected graph. @returns the number of node properties, or of relationships, added */
export function* mutate(stored: Stored): Pieces<number> {
  const { context, graph, topology, outcome, values, work, name } = stored;
  if (outcome.kind === 'nodes') {
    let count = 0;
    const added: [string, NodeProperty][] = [];
    for (const [suffix, property] of Object.entries(outcome.properties)) {
      const key = `${suffix}${values['mutateProperty'] as string}`; // as: a mandatory field
      checkNewName('Node property', key, graph.properties);
      added.push([key, yield* nodePropertyFor(topology, property, work)]);
      count += topology.nodeCount;
    }
    addProperties(stored, added);
    return count;
  }
  const type = values['mutateRelationshipType'] as string; // as: a mandatory field
  checkNewName('Relationship type', type, graph.relationships);
  const pairs = outcome.kind === 'pairs' ? relationshipsIn(outcome) : yield* pairsOfPaths(outcome, work);
  const { weights } = pairs;
  const property = (values['mutateProperty'] as string | undefined) ?? 'totalCost'; // as: a field of pairs
  const members = (nodes: Uint32Array): Uint32Array => nodes.map((node) => topology.memberAt(node));
  if (work.worked(3 * weights.length)) yield null;
  const set = yield* buildRelationships(
    {
      type,
      orientation: 'NATURAL',
      aggregation: 'NONE',
      nodeCount: graph.nodeCount,
      count: weights.length,
      sources: members(pairs.sources),
      targets: members(pairs.targets),
      properties: outcome.kind === 'paths' && outcome.isStepwise ? [] : [{ name: property, aggregation: 'NONE', values: weights }],
    },
    work,
  );
  addRelationships(context.catalog, { name: name as string, graph, set }); // as: `mutate` is only given a name
  return weights.length;
}
