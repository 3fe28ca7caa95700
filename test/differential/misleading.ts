/**
 * Figures about a graph that have nothing to do with it, for the planner of this process while a function runs: so that
 * plans are made which the sizes of small graphs never call for, indexes, joins and scans in other orders. Which
 * figures, the seed decides.
 */
import { SampledStatistics } from '../../src/graph/snapshot/statistics.ts';
import { seededRandom } from '../support/random.ts';

const FIGURES = ['nodesWithLabel', 'relationshipsOfType', 'relationships', 'distinctValues', 'distinctRelationshipValues'] as const;

export async function misled<T>(seed: number, run: () => Promise<T>): Promise<T> {
  const { prototype } = SampledStatistics;
  const honest = Object.getOwnPropertyDescriptors(prototype);
  for (const name of FIGURES) {
    Object.defineProperty(prototype, name, { ...honest[name], value: (...asked: unknown[]) => figure(seed, `${name} ${asked.join()}`) });
  }
  for (const name of ['nodeCount', 'relationshipCount'] as const) {
    Object.defineProperty(prototype, name, { ...honest[name], get: () => figure(seed, name) });
  }
  try {
    return await run();
  } finally {
    Object.defineProperties(prototype, honest);
  }
}

/** From 1 to a million, the same for the same question. */
function figure(seed: number, question: string): number {
  return 10 ** seededRandom(seed ^ hashOf(question)).between(0, 6);
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
