/**
 * The mode `write`: stores results as properties or relationships of the database, in the same way as any write. If the
 * statement consists of the call alone, each batch is a transaction.
 */
import type { NodeOutcome, Pieces } from '../../../algorithms/index.ts';
import type { GraphView } from '../../../graph/index.ts';
import { makeFloat, NodeValue, type Value } from '../../../value/index.ts';
import { hasValue, propertyValue, widthOf } from '../../functions/libraries/projected-values.ts';
import { largeEnough } from './community-sizes.ts';
import type { Stored } from './mutate.ts';
import { relationshipsIn } from './path-pairs.ts';

/** Steps of a change, in addition to those that the change itself counts. */
const STEPS_PER_WRITE = 2;

/**
 * Writes a result to nodes that `openForWriting` has opened, skipping those deleted since the projection.
 *
 * @returns the number of node properties, or of relationships, written
 */
export function* write(stored: Stored): Pieces<number> {
  const { outcome } = stored;
  if (outcome.kind === 'nodes') return yield* writeNodes(stored, outcome);
  const { context, topology, values, work } = stored;
  const batch = new Batch(stored);
  const type = values['writeRelationshipType'] as string; // as: a mandatory field
  const write = (source: number, target: number, keys: readonly string[], properties: readonly Value[]): boolean => {
    const [from, to] = [topology.ordinalOf(source), topology.ordinalOf(target)];
    if (!batch.exists(from) || !batch.exists(to)) return false;
    context.writes.createRelationship(type, from, to, keys, properties);
    return true;
  };
  if (outcome.kind === 'pairs') {
    const keys = [values['writeProperty'] as string]; // as: a mandatory field
    const { sources, targets, weights } = relationshipsIn(outcome);
    for (let i = 0; i < weights.length; i++) {
      if (work.worked(STEPS_PER_WRITE)) yield null;
      if (write(sources[i]!, targets[i]!, keys, [makeFloat(weights[i]!)])) yield* batch.note();
    }
    return batch.written;
  }
  const { writeNodeIds, writeCosts } = values;
  const keys = ['totalCost', ...(writeNodeIds ? ['nodeIds'] : []), ...(writeCosts ? ['costs'] : [])];
  for (const path of outcome.paths()) {
    if (path === null || work.worked(STEPS_PER_WRITE + path.nodes.length)) yield null;
    if (path === null) continue;
    const properties: Value[] = [makeFloat(path.costs.at(-1) ?? 0)];
    if (writeNodeIds) properties.push(path.nodes.map((node) => topology.ordinalOf(node)));
    if (writeCosts) properties.push(path.costs.map(makeFloat));
    if (write(path.nodes[0]!, path.nodes.at(-1)!, keys, properties)) yield* batch.note();
  }
  return batch.written;
}

/**
 * Counts changes, and commits when a batch is full. Nodes are looked up in the view from the beginning of the batch,
 * which is correct because the statement deletes none.
 */
class Batch {
  written = 0;
  private readonly stored: Stored;
  private readonly size: number;
  private view: GraphView;

  constructor(stored: Stored) {
    this.stored = stored;
    this.view = stored.context.view;
    this.size = stored.values['writeBatchSize'] as number; // as: a field of the mode
  }

  exists(ordinal: number): boolean {
    return this.view.nodeExists(ordinal);
  }

  *note(): Pieces<void> {
    this.written++;
    if (this.written % this.size !== 0) return;
    yield* this.stored.context.commit();
    this.view = this.stored.context.view;
  }
}

function* writeNodes(stored: Stored, outcome: NodeOutcome): Pieces<number> {
  const { context, algorithm, topology, values, work } = stored;
  const isWritten = yield* largeEnough(context, algorithm, outcome, values);
  const batch = new Batch(stored);
  for (const [suffix, property] of Object.entries(outcome.properties)) {
    const key = `${suffix}${values['writeProperty'] as string}`; // as: a mandatory field
    for (let node = 0; node < topology.nodeCount; node++) {
      if (work.worked(STEPS_PER_WRITE + widthOf(property, node))) yield null;
      if (!isWritten(node) || !hasValue(property, node)) continue;
      const ordinal = topology.ordinalOf(node);
      if (!batch.exists(ordinal)) continue;
      context.writes.setProperty(new NodeValue(ordinal), key, propertyValue(property, node));
      yield* batch.note();
    }
  }
  return batch.written;
}
