/**
 * Random small graphs: several labels and label sets, self-loops, parallel relationships, properties that are missing,
 * of one type, or of mixed types (`m`, whose types depend on the label set or the relationship type, so that its
 * columns are typed in some tables and mixed in others).
 *
 * What a property holds, everywhere: `k` an Integer that no other entity of its kind has; `i` a small Integer; `big`
 * any Integer; `f` a Float; `s` a String; `b` a Boolean; `d` a Date; `l` a list of Integers; `v` a vector; `p` a point;
 * `m` anything.
 */
import { CypherDate, makeFloat, makeInteger, type Value, type ValueMap } from '../../../src/value/index.ts';
import type { Random } from '../../support/random.ts';
import { ModelGraph } from '../oracle/model.ts';
import { DRAWN, type Features } from './features.ts';
import { randomPoint } from './points.ts';

export const LABELS = ['A', 'B', 'C'] as const;
export const TYPES = ['R', 'S', 'T'] as const;
export const WORDS = ['', 'a', 'ab', 'abc', 'b', 'ba', 'Zoë', '😀', '😀a', 'ｚ', 'a b', '0', "it's"] as const;
export const FLOATS = [0, -0, 0.5, 1, 1.5, -2.25, 3, 10, 4096, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;
export const BIG_INTEGERS = [
  0n,
  1n,
  -1n,
  2n ** 31n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n),
  2n ** 63n - 1n,
  -(2n ** 63n),
] as const;

export interface NodeSpec {
  readonly labels: readonly string[];
  readonly properties: ValueMap;
}

export interface RelationshipSpec {
  readonly type: string;
  /** Places in the list of nodes. */
  readonly source: number;
  readonly target: number;
  readonly properties: ValueMap;
}

export interface GraphSpec {
  readonly nodes: readonly NodeSpec[];
  readonly relationships: readonly RelationshipSpec[];
}

type Maker = (random: Random) => Value;

export const MAKERS: Record<string, Maker> = {
  i: (random) => random.between(-3, 9),
  big: (random) => makeInteger(random.pick(BIG_INTEGERS)),
  f: (random) => makeFloat(random.pick(FLOATS)),
  s: (random) => random.pick(WORDS),
  b: (random) => random.chance(0.5),
  d: (random) => new CypherDate(random.between(19_000, 19_005)),
  l: (random) => Array.from({ length: random.between(0, 4) }, () => random.between(-2, 5)),
};

/** Sums of them are exact, and no two that are equal differ. */
const COMPONENTS = [0, 0.5, 1, 1.5, 2, 3, -1, -2.25, 10] as const;

export function randomVector(random: Random): Float32Array {
  return Float32Array.from({ length: random.between(0, 4) }, () => random.pick(COMPONENTS));
}

const MIXED_MAKERS = [MAKERS['i']!, MAKERS['big']!, MAKERS['f']!, MAKERS['s']!, MAKERS['b']!, MAKERS['d']!, MAKERS['l']!];

export function anyValue(random: Random): Value {
  return random.pick(MIXED_MAKERS)(random);
}

interface GraphOptions {
  /** Nodes. */
  readonly most?: number;
  readonly features?: Features;
}

export function randomGraph(random: Random, { most = 12, features = DRAWN }: GraphOptions = {}): GraphSpec {
  const makers: Record<string, Maker> = {
    ...MAKERS,
    ...(features.has('vectors') && { v: randomVector }),
    ...(features.has('points') && { p: randomPoint }),
  };
  const nodeCount = random.chance(0.05) ? random.between(0, 1) : random.between(2, most);
  const presence = new Map([...Object.keys(makers), 'm'].map((key) => [key, random.pick([0, 0.3, 0.7, 0.9, 1, 1])]));
  const mixedMakers = features.has('vectors') ? [...MIXED_MAKERS, randomVector] : MIXED_MAKERS;
  const mixed = new Map<string, Maker>();
  const mixedOf = (table: string): Maker => {
    if (!mixed.has(table)) mixed.set(table, random.chance(0.5) ? anyValue : random.pick(mixedMakers));
    return mixed.get(table)!;
  };
  const properties = (table: string, keys: readonly string[], k: number): ValueMap => {
    const map: ValueMap = new Map([['k', k]]);
    for (const key of keys) {
      if (random.chance(presence.get(key)!)) map.set(key, (makers[key] ?? mixedOf(table))(random));
    }
    return map;
  };
  const labelSets = Array.from({ length: random.between(1, 4) }, () => LABELS.filter(() => random.chance(0.45)));
  const nodes = Array.from({ length: nodeCount }, (_, k) => {
    const labels = random.pick(labelSets);
    return { labels, properties: properties(labels.join(), [...Object.keys(makers), 'm'], k) };
  });
  const types = TYPES.filter(() => random.chance(0.75));
  const relationshipCount =
    nodeCount === 0 || types.length === 0 ? 0 : random.between(0, most === 12 ? Math.min(24, nodeCount * 3) : nodeCount * 4);
  const relationships = Array.from({ length: relationshipCount }, (_, k) => {
    const type = random.pick(types);
    const source = random.between(0, nodeCount - 1);
    const target = random.chance(0.1) ? source : random.between(0, nodeCount - 1);
    return { type, source, target, properties: properties(type, ['i', 'f', 's', 'm'], k) };
  });
  return { nodes, relationships };
}

export function modelOf({ nodes, relationships }: GraphSpec): ModelGraph {
  const graph = new ModelGraph();
  const made = nodes.map(({ labels, properties }) => graph.addNode(labels, properties));
  for (const { type, source, target, properties } of relationships) {
    graph.addRelationship(type, { source: made[source]!.key, target: made[target]!.key }, properties);
  }
  return graph;
}
