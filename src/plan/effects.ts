/**
 * Reads and changes of operators, coarse enough to be known before running and fine enough that `UNWIND … MERGE … SET`
 * over an index needs no barrier. A set of effects over-estimates: it may name more than is read and written, never
 * less.
 */
import { countWork } from '../base/index.ts';
import type { VariableType } from '../cypher/index.ts';

/** A set of names; `all` stands for every name. */
export type Names = ReadonlySet<string> | 'all';

/** The reads of an operator. */
export interface Reads {
  /** Labels whose nodes are scanned table by table; 'all': every node. */
  readonly scans: Names;
  /** Labels whose nodes are looked up in an index, which answers with a list that later changes leave alone. */
  readonly lookups: Names;
  /** Nodes are looked up by identifier. */
  readonly identifiers: boolean;
  readonly types: Names;
  /** Property keys of nodes and relationships. */
  readonly keys: Names;
  /** Labels are read of nodes that the rows already hold. */
  readonly labels: boolean;
}

/** The changes of an operator. */
export interface Writes {
  /** Labels of created nodes: a node with none counts as ''. */
  readonly createdLabels: Names;
  /** Nodes are created with an identifier of the user's. */
  readonly createdIdentifiers: boolean;
  readonly createdTypes: Names;
  /** Property keys set or removed. */
  readonly setKeys: Names;
  /** Some keys are set, or may be set, on nodes. */
  readonly setsNodes: boolean;
  readonly setsLabels: boolean;
  readonly deletes: boolean;
}

/** The effects of an operator. */
export interface Effects {
  readonly reads: Reads;
  readonly writes: Writes;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Reads of nothing. */
export const NO_READS: Reads = { scans: NO_NAMES, lookups: NO_NAMES, identifiers: false, types: NO_NAMES, keys: NO_NAMES, labels: false };

/** Changes of nothing. */
export const NO_WRITES: Writes = {
  createdLabels: NO_NAMES,
  createdIdentifiers: false,
  createdTypes: NO_NAMES,
  setKeys: NO_NAMES,
  setsNodes: false,
  setsLabels: false,
  deletes: false,
};

/** Effects of operators that neither read nor change the graph. */
export const NO_EFFECTS: Effects = { reads: NO_READS, writes: NO_WRITES };

/** The reads of an operator that may look at everything. */
export const READS_ALL: Reads = { scans: 'all', lookups: 'all', identifiers: true, types: 'all', keys: 'all', labels: true };

/** The writes of an operator that may create and set everything. */
export const WRITES_ALL: Writes = {
  createdLabels: 'all',
  createdIdentifiers: true,
  createdTypes: 'all',
  setKeys: 'all',
  setsNodes: true,
  setsLabels: true,
  deletes: true,
};

/** Unites two effects. */
export function unite(left: Effects, right: Effects): Effects {
  if (left === NO_EFFECTS) return right;
  if (right === NO_EFFECTS) return left;
  return { reads: uniteReads(left.reads, right.reads), writes: uniteWrites(left.writes, right.writes) };
}

/** Unites any number of effects, in pairs, so that many small sets are not copied into one that grows. */
export function uniteAll(effects: readonly Effects[]): Effects {
  if (effects.length <= 2) return effects.reduce(unite, NO_EFFECTS);
  const middle = effects.length >> 1;
  return unite(uniteAll(effects.slice(0, middle)), uniteAll(effects.slice(middle)));
}

/** Returns the effects of reads. */
export const reading = (reads: Partial<Reads>): Effects => ({ reads: { ...NO_READS, ...reads }, writes: NO_WRITES });

/** Returns the effects of changes. */
export const writing = (writes: Partial<Writes>): Effects => ({ reads: NO_READS, writes: { ...NO_WRITES, ...writes } });

function uniteReads(left: Reads, right: Reads): Reads {
  return {
    scans: uniteNames(left.scans, right.scans),
    lookups: uniteNames(left.lookups, right.lookups),
    identifiers: left.identifiers || right.identifiers,
    types: uniteNames(left.types, right.types),
    keys: uniteNames(left.keys, right.keys),
    labels: left.labels || right.labels,
  };
}

function uniteWrites(left: Writes, right: Writes): Writes {
  return {
    createdLabels: uniteNames(left.createdLabels, right.createdLabels),
    createdIdentifiers: left.createdIdentifiers || right.createdIdentifiers,
    createdTypes: uniteNames(left.createdTypes, right.createdTypes),
    setKeys: uniteNames(left.setKeys, right.setKeys),
    setsNodes: left.setsNodes || right.setsNodes,
    setsLabels: left.setsLabels || right.setsLabels,
    deletes: left.deletes || right.deletes,
  };
}

/** Unites two sets of names. */
export function uniteNames(left: Names, right: Names): Names {
  if (left === 'all' || right === 'all') return 'all';
  countWork(left.size + right.size);
  if (isWithin(right, left)) return left;
  return isWithin(left, right) ? right : new Set([...left, ...right]);
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  if (part.size > whole.size) return false;
  for (const name of part) if (!whole.has(name)) return false;
  return true;
}

const isNone = (names: Names): boolean => names !== 'all' && names.size === 0;

function overlap(left: Names, right: Names): boolean {
  if (isNone(left) || isNone(right)) return false;
  if (left === 'all' || right === 'all') return true;
  return [...left].some((name) => right.has(name));
}

/** Tells whether doing the writes between two reads, or before a read instead of after it, could change what is read. */
export function interferes(reads: Reads, writes: Writes): boolean {
  const readsNodes = !isNone(reads.scans) || !isNone(reads.lookups) || reads.identifiers;
  if (overlap(reads.scans, writes.createdLabels) || overlap(reads.lookups, writes.createdLabels)) return true;
  if (reads.identifiers && writes.createdIdentifiers) return true;
  if (overlap(reads.types, writes.createdTypes)) return true;
  if (overlap(reads.keys, writes.setKeys)) return true;
  // A changed node gets a new row, at the end of its table or in another one: a running scan could miss it or meet it twice.
  if (!isNone(reads.scans) && (writes.setsNodes || writes.setsLabels)) return true;
  if (writes.setsLabels && (readsNodes || reads.labels)) return true;
  return writes.deletes && (readsNodes || !isNone(reads.types) || !isNone(reads.keys) || reads.labels);
}

/**
 * Tells whether two updates, done row by row instead of one clause after the other, could have another result. Two that
 * set one key do even through one variable: several rows may hold its entity, and not every row need set the key twice.
 */
export function collide(earlier: Writes, later: Writes): boolean {
  if (later.deletes && changesAnything(earlier)) return true;
  if (earlier.deletes && changesAnything(later)) return true;
  if (earlier.setsLabels && later.setsLabels) return true;
  return overlap(earlier.setKeys, later.setKeys);
}

/** Tells whether the writes contain any change. */
export function changesAnything(writes: Writes): boolean {
  return !isNone(writes.createdLabels) || !isNone(writes.createdTypes) || !isNone(writes.setKeys) || writes.setsLabels || writes.deletes;
}

/** Values of these types are no entity and contain none. */
const SCALARS: ReadonlySet<VariableType> = new Set(['integer', 'float', 'string', 'boolean']);

/** Tells whether values of a type may be or hold entities. */
export const mayHoldEntities = (type: VariableType | undefined): boolean => type === undefined || !SCALARS.has(type);
