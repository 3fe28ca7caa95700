/** Random numbers that a seed repeats, and random statistics, which lead the planner to other plans. */
import type { GraphStatistics } from '../../graph/index.ts';

/** Returns a function that gives random numbers in [0, 1), by mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns figures over six orders of magnitude that contradict each other now and then, and an index on every second property. */
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
