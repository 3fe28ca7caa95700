/**
 * Statistics with a cache for their answers: the search for an order asks the same few questions thousands of times,
 * and answering one may mean reading a sample.
 */
import type { GraphStatistics } from '../../graph/index.ts';
import type { AskedIndex } from '../plan.ts';

/** Caches statistics for the planning of one statement. `asked` collects the node indexes on single properties that are asked for. */
export function rememberStatistics(statistics: GraphStatistics, asked: Map<string, AskedIndex>): GraphStatistics {
  const relationships = new Map<string, number>();
  const distinct = new Map<string, number | null>();
  const labels = new Map<string, number>();
  const { nodeCount, relationshipCount, labelNames } = statistics;
  return {
    nodeCount,
    relationshipCount,
    labelNames,
    nodesWithLabel: (label) => remember(labels, label, () => statistics.nodesWithLabel(label)),
    relationshipsOfType: (type) => statistics.relationshipsOfType(type),
    relationships: (type, source, target) =>
      remember(relationships, JSON.stringify([type, source, target]), () => statistics.relationships(type, source, target)),
    distinctValues: (label, key) => remember(distinct, JSON.stringify([label, key]), () => statistics.distinctValues(label, key)),
    findIndex(wanted) {
      const { entity, labelOrType: label, keys, question } = wanted;
      const found = statistics.findIndex(wanted);
      const mayBeAutomatic = entity === 'node' && keys.length === 1 && question === 'equality';
      if (mayBeAutomatic) asked.set(JSON.stringify([label, keys[0]]), { label, key: keys[0]!, automatic: found?.automatic === true });
      return found;
    },
    distinctRelationshipValues: (type, key) => statistics.distinctRelationshipValues(type, key),
  };
}

function remember<T>(known: Map<string, T>, key: string, ask: () => T): T {
  const answer = known.get(key);
  if (answer !== undefined) return answer;
  const asked = ask();
  known.set(key, asked);
  return asked;
}
