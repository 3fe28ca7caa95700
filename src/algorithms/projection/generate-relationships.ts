/**
 * Generates random relationships: the same number for each node, a number around the average, or few for most nodes and
 * many for some. Targets are drawn by a seed. O(nodes + relationships).
 */
import { argumentFault, isNumber, quoted, toNumber, type Value, type ValueMap } from '../../value/index.ts';
import type { DraftProperty } from '../graph/build-relationships.ts';
import { SeededRandom } from '../random.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';

/** The configuration of a generated graph. */
export interface Generation {
  readonly nodeCount: number;
  readonly averageDegree: number;
  readonly distribution: 'UNIFORM' | 'RANDOM' | 'POWER_LAW';
  readonly seed: number | null;
  readonly allowSelfLoops: boolean;
  /** The property to generate: `{name, type: 'FIXED', value}` or `{name, type: 'RANDOM', min, max}`; empty: none. */
  readonly property: ValueMap;
}

/** Generated relationships as columns. */
export interface Generated {
  readonly count: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly properties: readonly DraftProperty[];
}

/** The exponent of power laws. */
const EXPONENT = 2;

function degreeOf({ averageDegree, distribution, nodeCount }: Generation, random: SeededRandom): number {
  if (distribution === 'UNIFORM') return averageDegree;
  if (distribution === 'RANDOM') return Math.max(0, Math.round(averageDegree + random.normal() * Math.sqrt(averageDegree)));
  return Math.min(nodeCount, Math.round((averageDegree / EXPONENT) * (1 - random.fraction()) ** (-1 / EXPONENT)));
}

/** Generates the relationships. @throws ARGUMENT_ERROR when the property is not described as it should be */
export function* generateRelationships(generation: Generation, work: Work): Pieces<Generated> {
  const { nodeCount, seed, allowSelfLoops, property } = generation;
  const random = new SeededRandom(seed);
  const draw = property.size === 0 ? null : valueOf(property, random);
  const arrays = new Arrays(work);
  const degrees = arrays.uint32(nodeCount);
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (work.worked(2)) yield null;
    degrees[node] = nodeCount === 1 && !allowSelfLoops ? 0 : degreeOf(generation, random);
    count += degrees[node]!;
  }
  const sources = arrays.uint32(count);
  const targets = arrays.uint32(count);
  const values = arrays.float64(draw === null ? 0 : count);
  for (let node = 0, at = 0; node < nodeCount; node++) {
    if (work.worked(1 + 2 * degrees[node]!)) yield null;
    for (let left = degrees[node]!; left > 0; left--, at++) {
      sources[at] = node;
      const drawn = random.below(allowSelfLoops ? nodeCount : nodeCount - 1);
      targets[at] = allowSelfLoops || drawn < node ? drawn : drawn + 1;
      if (draw !== null) values[at] = draw();
    }
  }
  const properties = draw === null ? [] : [{ name: String(property.get('name')), aggregation: 'NONE' as const, values }];
  return { count, sources, targets, properties };
}

function valueOf(property: ValueMap, random: SeededRandom): () => number {
  if (typeof property.get('name') !== 'string') throw argumentFault('`relationshipProperty` has a `name`');
  const type = String(property.get('type')).toUpperCase();
  if (type === 'FIXED') {
    const value = numberOf(property.get('value'), 'value');
    return () => value;
  }
  if (type !== 'RANDOM') throw argumentFault("the `type` of `relationshipProperty` is one of: ['FIXED', 'RANDOM']");
  const [min, max] = [numberOf(property.get('min') ?? 0, 'min'), numberOf(property.get('max') ?? 1, 'max')];
  return () => min + random.fraction() * (max - min);
}

function numberOf(value: Value | undefined, name: string): number {
  if (value !== undefined && value !== null && isNumber(value)) return toNumber(value);
  throw argumentFault(`${quoted(name)} of \`relationshipProperty\` is a number`);
}
