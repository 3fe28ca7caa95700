/** Randomness that a seed repeats, and statistics made of it: other figures, another plan. */
import type { GraphStatistics } from '../../graph/index.ts';

/** Numbers in [0, 1): mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Figures over six orders of magnitude that contradict each other now and then; an index on every second property. */
export function randomStatistics(random: () => number): GraphStatistics {
  const known = new Map<string, number>();
  const figure = (name: string): number => {
    if (!known.has(name)) known.set(name, Math.ceil(10 ** (random() * 6)));
    return known.get(name)!;
  };
  return {
    nodeCount: figure('nodes'),
    relationshipCount: figure('relationships'),
    labelNames: ['A', 'B', 'C'],
    nodesWithLabel: (label) => figure(`label ${label}`),
    relationshipsOfType: (type) => figure(`type ${type}`),
    relationships: (type, source, target) => figure(`ends ${type} ${source} ${target}`),
    distinctValues: (label, key) => figure(`distinct ${label} ${key}`),
    findIndex: ({ entity, labelOrType, keys, question }) =>
      entity === 'node' && figure(`index ${labelOrType} ${keys.join()}`) % 2 === 0
        ? { name: 'index', unique: false, automatic: false, isExact: question === 'equality' }
        : null,
    distinctRelationshipValues: (type, key) => figure(`distinct ${type} ${key}`),
  };
}
