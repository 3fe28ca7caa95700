/** Statistics of a social network that is stored nowhere. The golden plans and the tests of the planner are made with them. */
import type { GraphStatistics } from '../../graph/index.ts';

const LABELS: Readonly<Record<string, number>> = {
  Person: 10_000,
  Message: 150_000,
  Post: 50_000,
  Comment: 100_000,
  Forum: 1000,
  Tag: 2000,
  City: 200,
};

/** For each type: the number of relationships, the label of all sources, the label of all targets. */
const TYPES: Readonly<Record<string, readonly [number, string, string]>> = {
  KNOWS: [200_000, 'Person', 'Person'],
  HAS_CREATOR: [150_000, 'Message', 'Person'],
  LIKES: [300_000, 'Person', 'Message'],
  HAS_TAG: [200_000, 'Message', 'Tag'],
  REPLY_OF: [100_000, 'Comment', 'Message'],
  LIVES_IN: [10_000, 'Person', 'City'],
};

const DISTINCT: Readonly<Record<string, number>> = { name: 5000, age: 80, creationDate: 100_000, length: 500 };

/** Posts and comments are messages. */
const SHARE_OF_MESSAGES: Readonly<Record<string, number>> = { Message: 1, Post: 1 / 3, Comment: 2 / 3 };

function share(wanted: string | null, actual: string): number {
  if (wanted === null || wanted === actual) return 1;
  if (actual === 'Message') return SHARE_OF_MESSAGES[wanted] ?? 0;
  return actual === 'Comment' && wanted === 'Message' ? 1 : 0;
}

/** An index on nodes of the fake network. */
export interface FakeIndex {
  readonly label: string;
  readonly keys: readonly string[];
  readonly unique: boolean;
  readonly automatic?: boolean;
}

const INDEXES: readonly FakeIndex[] = [
  { label: 'Person', keys: ['id'], unique: true },
  { label: 'Message', keys: ['id'], unique: true },
  { label: 'Message', keys: ['creationDate'], unique: false },
  { label: 'Person', keys: ['firstName', 'lastName'], unique: false },
];

const RELATIONSHIP_INDEXES = [
  { type: 'KNOWS', keys: ['creationDate'], unique: false },
  { type: 'LIKES', keys: ['creationDate'], unique: false },
  { type: 'LIVES_IN', keys: ['id'], unique: true },
];

/** Returns the statistics of the fake network, with other indexes on nodes if any are given. */
export function fakeStatistics(indexes: readonly FakeIndex[] = INDEXES): GraphStatistics {
  const ofType = (type: string, source: string | null, target: string | null): number => {
    const known = TYPES[type];
    return known === undefined ? 0 : Math.round(known[0] * share(source, known[1]) * share(target, known[2]));
  };
  return {
    nodeCount: 163_200,
    relationshipCount: 960_000,
    labelNames: Object.keys(LABELS),
    nodesWithLabel: (label) => LABELS[label] ?? 0,
    relationshipsOfType: (type) => ofType(type, null, null),
    relationships: (type, source, target) =>
      (type === null ? Object.keys(TYPES) : [type]).reduce((sum, each) => sum + ofType(each, source, target), 0),
    distinctValues: (label, key) => (key === 'id' ? (label === null ? 163_200 : (LABELS[label] ?? 1)) : (DISTINCT[key] ?? null)),
    findIndex: ({ entity, labelOrType, keys, question }) => {
      const found =
        entity === 'node'
          ? indexes.find((index) => index.label === labelOrType && index.keys.join() === keys.join())
          : RELATIONSHIP_INDEXES.find((index) => index.type === labelOrType && index.keys.join() === keys.join());
      if (found === undefined) return null;
      const automatic = 'automatic' in found && found.automatic === true;
      const isExact = question === 'equality';
      return automatic && !isExact ? null : { name: `${labelOrType}_${keys.join('_')}`, unique: found.unique, automatic, isExact };
    },
    distinctRelationshipValues: (_type, key) => DISTINCT[key] ?? null,
  };
}
