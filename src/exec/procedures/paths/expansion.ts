/** Reads the arguments of `apoc.path.*`: the start nodes, and the configuration. */
import { argumentFault, aType, isInteger, NodeValue, typeFault, type Value } from '../../../value/index.ts';
import { LabelFilter } from './label-filter.ts';

const UNIQUENESS = ['RELATIONSHIP_PATH', 'NODE_PATH', 'NODE_GLOBAL', 'RELATIONSHIP_GLOBAL', 'NONE'] as const;

/** Which nodes or relationships paths may not visit twice: within one path, or in all paths together. */
export type Uniqueness = (typeof UNIQUENESS)[number];

/** The configuration of a path expansion. */
export interface Expansion {
  readonly starts: readonly number[];
  readonly relationshipFilter: string;
  readonly labels: LabelFilter;
  /** Whether start nodes are filtered by labels and lists of nodes as well. */
  readonly filterStart: boolean;
  /** Whether sequences begin at the start node; otherwise at the node after it, to which a relationship step of its own leads. */
  readonly sequenceAtStart: boolean;
  readonly minLevel: number;
  readonly maxLevel: number;
  readonly uniqueness: Uniqueness;
  readonly isBreadthFirst: boolean;
  readonly limit: number;
  /** Whether a row of null is returned if nothing is found. */
  readonly isOptional: boolean;
  readonly ends: ReadonlySet<number>;
  readonly terminators: ReadonlySet<number>;
  /** Ordinals of the nodes that paths may visit; null for all. */
  readonly allowed: ReadonlySet<number> | null;
  readonly denied: ReadonlySet<number>;
}

/** Reads the configuration of a path expansion. @throws TYPE_ERROR, ARGUMENT_ERROR if it is invalid */
export function expansionOf(start: Value, configuration: Value): Expansion {
  if (configuration !== null && !(configuration instanceof Map)) throw typeFault(`a configuration is a Map, not ${aType(configuration)}`);
  const given = new Configuration(configuration ?? new Map());
  const sequence = given.text('sequence');
  const sequenceAtStart = given.flag('beginSequenceAtStart', true);
  const [labels, relationships] =
    sequence === '' ? [given.text('labelFilter'), given.text('relationshipFilter')] : splitSequence(sequence, sequenceAtStart);
  const maxLevel = given.count('maxLevel', Number.POSITIVE_INFINITY);
  if (!sequenceAtStart && maxLevel > 1) checkRepeats(relationships);
  const allowed = given.nodes('allowlistNodes', 'whitelistNodes');
  return {
    starts: nodesOf('the nodes to begin at', start),
    relationshipFilter: relationships,
    labels: new LabelFilter(labels),
    filterStart: given.flag('filterStartNode', false),
    sequenceAtStart,
    minLevel: given.count('minLevel', 0),
    maxLevel,
    uniqueness: given.uniqueness(),
    isBreadthFirst: given.flag('bfs', true),
    limit: given.count('limit', Number.POSITIVE_INFINITY),
    isOptional: given.flag('optional', false),
    ends: new Set(given.nodes('endNodes')),
    terminators: new Set(given.nodes('terminatorNodes')),
    allowed: allowed.length === 0 ? null : new Set(allowed),
    denied: new Set(given.nodes('denylistNodes', 'blacklistNodes')),
  };
}

/** Splits a sequence in which labels and relationships alternate: labels come first if it begins at the start node. */
function splitSequence(sequence: string, atStart: boolean): [labels: string, relationships: string] {
  const steps = sequence.split(',').map((step) => step.trim());
  const [even, odd] = [steps.filter((_, i) => i % 2 === 0).join(','), steps.filter((_, i) => i % 2 === 1).join(',')];
  return atStart ? [even, odd] : [odd, even];
}

/** Checks that a step follows the one that leads to the start of a sequence. @throws ARGUMENT_ERROR if none does */
function checkRepeats(relationships: string): void {
  if (relationships.trim() === '' || relationships.includes(',')) return;
  throw argumentFault(
    'with beginSequenceAtStart: false, the first step of relationships is taken once, and only the first step is given: add the steps ' +
      'that repeat, or maxLevel: 1',
  );
}

function nodesOf(what: string, value: Value): number[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((each) => {
    if (each instanceof NodeValue) return each.ordinal;
    throw typeFault(`${what} are Nodes, not ${aType(each)}`);
  });
}

class Configuration {
  private readonly entries: ReadonlyMap<string, Value>;

  constructor(entries: ReadonlyMap<string, Value>) {
    this.entries = entries;
  }

  private get(key: string): Value {
    return this.entries.get(key) ?? null;
  }

  text(key: string): string {
    const value = this.get(key) ?? '';
    if (typeof value === 'string') return value;
    throw typeFault(`${key} is a String, not ${aType(value)}`);
  }

  flag(key: string, otherwise: boolean): boolean {
    const value = this.get(key) ?? otherwise;
    if (typeof value === 'boolean') return value;
    throw typeFault(`${key} is a Boolean, not ${aType(value)}`);
  }

  /** Returns a non-negative Integer; `otherwise` if it is missing or negative. */
  count(key: string, otherwise: number): number {
    const value = this.get(key);
    if (value === null) return otherwise;
    if (!isInteger(value)) throw typeFault(`${key} is an Integer, not ${aType(value)}`);
    return value < 0 ? otherwise : Number(value);
  }

  /** Returns the nodes of a list; those of the list by its older name if the list is missing or empty. */
  nodes(key: string, olderKey?: string): number[] {
    const nodes = nodesOf(key, this.get(key));
    return nodes.length > 0 || olderKey === undefined ? nodes : this.nodes(olderKey);
  }

  uniqueness(): Uniqueness {
    const wanted = this.text('uniqueness') || 'RELATIONSHIP_PATH';
    const known = UNIQUENESS.find((each) => each === wanted.toUpperCase());
    if (known === undefined) throw argumentFault(`uniqueness is one of ${UNIQUENESS.join(', ')}, not ${wanted}`);
    return known;
  }
}
