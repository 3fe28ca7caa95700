/** APOC's procedures that merge nodes or relationships into one. */
import {
  argumentFault,
  aType,
  displayText,
  type HashKey,
  hashKey,
  isNumber,
  NodeValue,
  quoted,
  RelationshipValue,
  toNumber,
  typeFault,
  typeName,
  type Value,
} from '../../value/index.ts';
import { matchesRegularExpression } from '../functions/regular-expressions.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import type { Pieces } from './graph-shape.ts';
import { existing, properties, type Rows } from './writing-procedures.ts';

const MODES = ['overwrite', 'override', 'discard', 'combine'] as const;
type Mode = (typeof MODES)[number];

/** The configuration of a merge. */
interface Merge {
  readonly modeOf: (key: string, isOfRelationship: boolean) => Mode;
  readonly mergesRelationships: boolean;
  readonly producesSelfRelationships: boolean;
  readonly keepsExistingSelfRelationships: boolean;
  readonly singleElementAsList: boolean;
}

const OPTIONS = ['properties', 'mergeRels', 'produceSelfRel', 'preserveExistingSelfRels', 'singleElementAsArray'];
/** Bytes for a value that is collected for a combined property. */
const BYTES_PER_VALUE = 64;
/** The pattern for properties that match no other pattern. */
const ALL = '.*';

function readMerge(context: ProcedureContext, config: Value): Merge {
  const given = properties('the configuration', config);
  const unknown = [...given.keys()].find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined) throw argumentFault(`there is no option ${quoted(unknown)} of a merge: there are ${OPTIONS.join(', ')}`);
  const isOn = (key: string, standard: boolean): boolean => (given.has(key) ? isTrue(given.get(key)!) : standard);
  return {
    modeOf: modes(context, given.get('properties') ?? null),
    mergesRelationships: isOn('mergeRels', false),
    producesSelfRelationships: isOn('produceSelfRel', true),
    keepsExistingSelfRelationships: isOn('preserveExistingSelfRels', true),
    singleElementAsList: isOn('singleElementAsArray', false),
  };
}

const FALSE_WORDS = ['', 'false', 'no', '0'];

/** Converts an option to a Boolean: numbers other than 0, and words other than those for no, count as true. */
function isTrue(value: Value): boolean {
  if (typeof value === 'string') return !FALSE_WORDS.includes(value.toLowerCase());
  return isNumber(value) ? Math.trunc(toNumber(value)) !== 0 : value !== null && value !== false;
}

/** Reads a mode for all properties, or a map by pattern; default: overwrite for nodes, combine for relationships. */
function modes({ worked }: ProcedureContext, given: Value): Merge['modeOf'] {
  if (given === null) return (_, isOfRelationship) => (isOfRelationship ? 'combine' : 'overwrite');
  if (!(given instanceof Map)) {
    const all = mode(given);
    return () => all;
  }
  const byPattern = [...given].map(([pattern, value]) => ({ pattern, mode: mode(value) }));
  const others = byPattern.find(({ pattern }) => pattern === ALL)?.mode ?? 'overwrite';
  const work = { count: (steps: number): void => void worked(steps) };
  return (key) => byPattern.find(({ pattern }) => pattern !== ALL && matchesRegularExpression(work, key, pattern) === true)?.mode ?? others;
}

function mode(value: Value): Mode {
  const found = MODES.find((each) => each === value);
  if (found === undefined) throw argumentFault(`properties are merged by ${MODES.join(', ')}, not by ${displayText(value)}`);
  return found;
}

// ---------------------------------------------------------------- properties

type Properties = ReadonlyMap<string, Value>;

/** The values of one property of the target and of the entities merged into it. */
interface CombinedProperty {
  /** The values by their keys, each once. */
  readonly distinct: Map<HashKey, Value>;
  /** The value of the first entity that has the property. */
  readonly first: Value;
  count: number;
}

/**
 * Merges properties of several entities into one target. Combined values are collected and written once: rewriting a
 * growing list for each of thousands of entities would take quadratic time.
 */
class MergedProperties {
  readonly #context: ProcedureContext;
  readonly #target: NodeValue | RelationshipValue;
  readonly #merge: Merge;
  readonly #combined = new Map<string, CombinedProperty>();

  constructor(context: ProcedureContext, target: NodeValue | RelationshipValue, merge: Merge) {
    this.#context = context;
    this.#target = target;
    this.#merge = merge;
  }

  *add(from: Properties): Pieces<void> {
    const { writes } = this.#context;
    for (const [key, value] of from) {
      if (this.#context.worked(1)) yield null;
      if (key === '_id') continue;
      const how = this.#merge.modeOf(key, this.#target instanceof RelationshipValue);
      if (how === 'combine') yield* this.#combine(key, value);
      else if (how !== 'discard' || this.#context.property(this.#target, key) === null) writes.setProperty(this.#target, key, value);
    }
  }

  /** Writes the combined properties. Call it once, after everything has been added. */
  *write(): Pieces<void> {
    for (const [key, { distinct, first, count }] of this.#combined) {
      if (this.#context.worked(distinct.size)) yield null;
      const value = count === 1 ? first : listOf([...distinct.values()], this.#merge);
      this.#context.writes.setProperty(this.#target, key, value);
    }
  }

  *#combine(key: string, value: Value): Pieces<void> {
    const known = this.#combined.get(key);
    if (known !== undefined) return yield* this.#gather(known, value);
    const now = this.#context.property(this.#target, key);
    const property: CombinedProperty = { distinct: new Map(), first: now ?? value, count: 0 };
    this.#combined.set(key, property);
    if (now !== null) yield* this.#gather(property, now);
    yield* this.#gather(property, value);
  }

  *#gather(property: CombinedProperty, value: Value): Pieces<void> {
    const values = Array.isArray(value) ? value : [value];
    this.#context.chargeBytes(BYTES_PER_VALUE * values.length);
    for (const each of values) {
      property.distinct.set(hashKey(each), each);
      if (this.#context.worked(1)) yield null;
    }
    property.count++;
  }
}

/** Returns distinct values as one property: a single value by itself, values of different types as texts. */
function listOf(distinct: Value[], { singleElementAsList }: Merge): Value {
  if (distinct.length === 1 && !singleElementAsList) return distinct[0]!;
  const isOfOneType = distinct.every((value) => typeName(value) === typeName(distinct[0]!));
  return isOfOneType ? distinct : distinct.map(displayText);
}

// ---------------------------------------------------------------- relationships

function relationshipAt({ view }: ProcedureContext, { type, row }: { readonly type: number; readonly row: number }): RelationshipValue {
  const table = view.relationshipTables[type]!;
  return new RelationshipValue(type, row, table.sources[row]!, table.targets[row]!);
}

const isSelfRelationship = ({ source, target }: RelationshipValue): boolean => source === target;

/** Returns the relationships of a node by type and, within a type, by age, the oldest first. */
function byAge(context: ProcedureContext, node: NodeValue): readonly { readonly type: number; readonly row: number }[] {
  return context.relationshipsOf(node).toSorted((a, b) => a.type - b.type || a.row - b.row);
}

/** Replaces the relationships of a node by equal ones of another node. */
function* moveRelationships(context: ProcedureContext, from: NodeValue, to: NodeValue, merge: Merge): Pieces<void> {
  const end = (ordinal: number): number => (ordinal === from.ordinal ? to.ordinal : ordinal);
  for (const found of byAge(context, from)) {
    if (context.worked(1)) yield null;
    const { view, writes } = context;
    const relationship = relationshipAt(context, found);
    const values = view.relationshipProperties(relationship.type, relationship.row);
    values.delete('_id');
    const type = view.types.name(relationship.type);
    yield* writes.delete(relationship, false);
    if (isSelfRelationship(relationship) && !merge.producesSelfRelationships) continue;
    writes.createRelationship(type, end(relationship.source), end(relationship.target), [...values.keys()], [...values.values()]);
  }
}

/** Merges relationships of a node that have equal types and ends into the oldest of them, except those in `kept`. */
function* mergeParallel(context: ProcedureContext, node: NodeValue, kept: ReadonlySet<string>, merge: Merge): Pieces<void> {
  const firsts = new Map<string, { readonly relationship: RelationshipValue; properties: MergedProperties | null }>();
  for (const each of byAge(context, node)) {
    if (context.worked(1)) yield null;
    if (kept.has(keyOf(each))) continue;
    const relationship = relationshipAt(context, each);
    const ends = `${each.type}:${relationship.source}:${relationship.target}`;
    const first = firsts.get(ends);
    if (first === undefined) {
      firsts.set(ends, { relationship, properties: null });
      continue;
    }
    first.properties ??= new MergedProperties(context, first.relationship, merge);
    yield* mergeInto(context, first.properties, relationship);
  }
  for (const { properties: merged } of firsts.values()) if (merged !== null) yield* merged.write();
}

function* mergeInto(context: ProcedureContext, merged: MergedProperties, other: RelationshipValue): Pieces<void> {
  const values = context.view.relationshipProperties(other.type, other.row);
  yield* context.writes.delete(other, false);
  yield* merged.add(values);
}

const keyOf = ({ type, row }: { readonly type: number; readonly row: number }): string => `${type}:${row}`;

function* mergeRelationships(context: ProcedureContext, [list, config]: readonly Value[]): Rows {
  const all = yield* distinctOf<RelationshipValue>(context, 'Relationship', list!, (value) => value instanceof RelationshipValue, keyOf);
  const merge = readMerge(context, config!);
  const [first, ...others] = all;
  if (first === undefined) return;
  const merged = new MergedProperties(context, first, merge);
  for (const other of others) {
    if (other.source !== first.source || other.target !== first.target)
      throw argumentFault('relationships that are merged have the same start node and the same end node');
    yield* mergeInto(context, merged, other);
  }
  yield* merged.write();
  yield [first];
}

// ---------------------------------------------------------------- nodes

function* mergeNodes(context: ProcedureContext, [list, config]: readonly Value[]): Rows {
  const all = yield* distinctOf(
    context,
    'Node',
    list!,
    (value) => value instanceof NodeValue,
    ({ ordinal }) => ordinal,
  );
  const merge = readMerge(context, config!);
  const [first, ...others] = all;
  if (first === undefined) return;
  const existing = context.relationshipsOf(first).filter((found) => isSelfRelationship(relationshipAt(context, found)));
  const kept = new Set(merge.keepsExistingSelfRelationships ? existing.map(keyOf) : []);
  const merged = new MergedProperties(context, first, merge);
  for (const other of others) {
    if (context.worked(1)) yield null;
    const { view, writes } = context;
    const labels = view.nodeLabels(other.ordinal).map((label) => view.labels.name(label));
    const values = view.nodeProperties(other.ordinal);
    yield* moveRelationships(context, other, first, merge);
    yield* writes.delete(other, false);
    writes.setLabels(first, labels);
    yield* merged.add(values);
  }
  if (merge.mergesRelationships && others.length > 0) yield* mergeParallel(context, first, kept, merge);
  yield* merged.write();
  yield [first];
}

/** Returns the entities of a list, each once. @throws TYPE_ERROR, ENTITY_NOT_FOUND if an element is no such entity, or deleted */
function* distinctOf<Entity extends NodeValue | RelationshipValue>(
  context: ProcedureContext,
  what: string,
  list: Value,
  isEntity: (value: Value) => value is Entity,
  identityOf: (entity: Entity) => number | string,
): Pieces<Entity[]> {
  if (list === null) return [];
  if (!Array.isArray(list)) throw typeFault(`expected a List of ${what}s, not ${aType(list)}`);
  const found = new Map<number | string, Entity>();
  for (const value of list) {
    if (context.worked(1)) yield null;
    if (!isEntity(value)) throw typeFault(`expected a ${what}, not ${aType(value)}`);
    const identity = identityOf(value);
    if (!found.has(identity)) found.set(identity, existing(context, value));
  }
  return [...found.values()];
}

const CONFIG = { name: 'config', type: 'MAP', default: new Map() } as const;

/** The procedures that merge nodes and relationships. */
export const refactoringProcedures: readonly Procedure[] = [
  {
    name: 'apoc.refactor.mergeNodes',
    inputs: [{ name: 'nodes', type: 'LIST<NODE>' }, CONFIG],
    outputs: [{ name: 'node', type: 'NODE' }],
    mode: 'WRITE',
    description: 'Merges nodes into the first one, which gets their labels, properties and relationships.',
    call: mergeNodes,
  },
  {
    name: 'apoc.refactor.mergeRelationships',
    inputs: [{ name: 'rels', type: 'LIST<RELATIONSHIP>' }, CONFIG],
    outputs: [{ name: 'rel', type: 'RELATIONSHIP' }],
    mode: 'WRITE',
    description: 'Merges relationships between the same nodes into the first one, which gets their properties.',
    call: mergeRelationships,
  },
];
