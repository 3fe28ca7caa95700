/** The mode `mutate`: stores results as properties or relationships of the projected graph. */
import type { Algorithm, NodeProperty, Outcome, Pieces, ProjectedGraph, Topology, Work } from '../../../algorithms/index.ts';
import { buildRelationships, nodePropertyFor } from '../../../algorithms/index.ts';
import { systemTimeMs } from '../../../base/index.ts';
import { argumentFault, quoted, type Value } from '../../../value/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { pairsOfPaths, relationshipsIn } from './path-pairs.ts';

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

/** Stores a result in the projected graph. @returns the number of node properties, or of relationships, added */
export function* mutate(stored: Stored): Pieces<number> {
  const { context, name } = stored;
  const count = yield* changed(stored);
  const entry = typeof name === 'string' ? context.catalog.find(name) : undefined;
  if (entry !== undefined) entry.modifiedMs = systemTimeMs();
  return count;
}

function* changed({ context, graph, topology, outcome, values, work }: Stored): Pieces<number> {
  if (outcome.kind === 'nodes') {
    let count = 0;
    const added: [string, NodeProperty][] = [];
    for (const [suffix, property] of Object.entries(outcome.properties)) {
      const key = `${suffix}${values['mutateProperty'] as string}`; // as: a mandatory field
      if (graph.properties.has(key)) throw argumentFault(`Node property ${quoted(key)} already exists in the in-memory graph.`);
      added.push([key, yield* nodePropertyFor(topology, property, work)]);
      count += topology.nodeCount;
    }
    context.catalog.checkBytes(added.reduce((sum, [, { values: own }]) => sum + own.byteLength, 0));
    for (const [key, property] of added) graph.properties.set(key, property);
    return count;
  }
  const type = values['mutateRelationshipType'] as string; // as: a mandatory field
  if (graph.relationships.has(type)) throw argumentFault(`Relationship type ${quoted(type)} already exists in the in-memory graph.`);
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
  context.catalog.checkBytes(set.csr.offsets.byteLength + set.csr.targets.byteLength + weights.byteLength);
  graph.relationships.set(type, set);
  return weights.length;
}
