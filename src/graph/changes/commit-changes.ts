/**
 * The net changes of a captured commit (decision 0039): each changed node and relationship once, with its states before
 * and after. Depends on nothing but the changes of the commit and the names of symbols.
 *
 * Order: created and changed nodes, then relationships, then deleted nodes; each group in the order of first change. So a
 * copy that applies the changes never meets a relationship without its ends. Entities that the commit created and deleted
 * again, and entities whose state did not change, are left out.
 */
import { GraphDBError } from '../../base/index.ts';
import type { Value, ValueMap } from '../../value/index.ts';
import type { Symbols } from '../data/symbols.ts';
import { computedNodeId, computedRelationshipId } from '../tables/node-ids.ts';
import type { NodeImage, RelationshipName } from '../transaction/change-log.ts';
import { type ChangeVisitor, type Properties, readChangesInSteps } from '../transaction/change-reader.ts';
import type { EntityChange, NodeChange, NodeEnd, NodeState, RelationshipChange } from './entity-change.ts';
import { isSameState } from './same-state.ts';

/** The names behind symbol ids. */
export interface SymbolNames {
  readonly labels: Pick<Symbols, 'name'>;
  readonly types: Pick<Symbols, 'name'>;
  readonly keys: Pick<Symbols, 'name'>;
}

/** A node by symbol ids, while the changes are read. */
interface TrackedNode {
  readonly id: string | null;
  readonly before: PlainNode | null;
  after: PlainNode | null;
}

interface PlainNode {
  labels: number[];
  readonly properties: Map<number, Value>;
}

interface TrackedRelationship {
  readonly name: RelationshipName;
  readonly before: ReadonlyMap<number, Value> | null;
  after: Map<number, Value> | null;
}

/** Reads the changes of a commit, and returns the net changes of its entities. */
export class CommitChanges {
  readonly #names: SymbolNames;
  readonly #tracker: Tracker;
  readonly #steps: Generator<number, void, void>;

  /** @param source names the commit in error messages */
  constructor(changes: Uint8Array, source: string, names: SymbolNames) {
    this.#names = names;
    this.#tracker = new Tracker(source);
    this.#steps = readChangesInSteps(changes, source, this.#tracker);
  }

  /**
   * Reads some of the changes. Returns how many records the next call reads, or null when all are read.
   * @throws CORRUPTION when the changes cannot be decoded or contradict each other
   */
  readSome(): number | null {
    const step = this.#steps.next();
    return step.done === true ? null : step.value;
  }

  /** The facts that the commit holds beside its changes; empty until these are read. */
  get facts(): ValueMap {
    return this.#tracker.facts;
  }

  /** Yields the net changes. Must not be called before `readSome` has returned null. */
  *entities(): Generator<EntityChange, void, void> {
    const { nodes, relationships } = this.#tracker;
    for (const [ordinal, node] of nodes) if (node.after !== null) yield* this.#node(ordinal, node);
    for (const relationship of relationships.values()) yield* this.#relationship(relationship);
    for (const [ordinal, node] of nodes) if (node.after === null) yield* this.#node(ordinal, node);
  }

  *#node(ordinal: number, { id, before, after }: TrackedNode): Generator<NodeChange, void, void> {
    if (before === null && after === null) return;
    const change = {
      entity: 'node',
      id: id ?? computedNodeId(ordinal),
      before: before === null ? null : this.#state(before),
      after: after === null ? null : this.#state(after),
    } as const;
    if (change.before !== null && change.after !== null && isSameState(change.before, change.after)) return;
    yield change;
  }

  *#relationship({ name, before, after }: TrackedRelationship): Generator<RelationshipChange, void, void> {
    if (before === null && after === null) return;
    const change = {
      entity: 'relationship',
      id: computedRelationshipId(name.ordinal),
      type: this.#names.types.name(name.type),
      start: this.#end(name.source),
      end: this.#end(name.target),
      before: before === null ? null : this.#properties(before),
      after: after === null ? null : this.#properties(after),
    } as const;
    const isSame =
      change.before !== null &&
      change.after !== null &&
      isSameState({ labels: [], properties: change.before }, { labels: [], properties: change.after });
    if (!isSame) yield change;
  }

  #end(ordinal: number): NodeEnd {
    const node = this.#tracker.nodes.get(ordinal) ?? this.#tracker.ends.get(ordinal);
    const state = node?.after ?? node?.before ?? { labels: [], properties: new Map<number, Value>() };
    return { id: node?.id ?? computedNodeId(ordinal), ...this.#state(state) };
  }

  #state({ labels, properties }: PlainNode): NodeState {
    return { labels: labels.map((label) => this.#names.labels.name(label)).sort(), properties: this.#properties(properties) };
  }

  #properties(properties: ReadonlyMap<number, Value>): ValueMap {
    return new Map(Array.from(properties, ([key, value]) => [this.#names.keys.name(key), value]));
  }
}

/** Applies the changes of a commit to the states of its entities. */
class Tracker implements ChangeVisitor {
  readonly nodes = new Map<number, TrackedNode>();
  readonly ends = new Map<number, TrackedNode>();
  readonly relationships = new Map<number, TrackedRelationship>();
  facts: ValueMap = new Map();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  define(): void {}
  createIndex(): void {}
  dropIndex(): void {}
  createConstraint(): void {}
  dropConstraint(): void {}

  commitFacts(facts: Value): void {
    if (facts instanceof Map) this.facts = facts;
  }

  nodeImage(image: NodeImage): void {
    this.nodes.set(image.ordinal, { id: image.id, before: plainNode(image), after: plainNode(image) });
  }

  endImage(image: NodeImage): void {
    this.ends.set(image.ordinal, { id: image.id, before: null, after: plainNode(image) });
  }

  relationshipImage(name: RelationshipName, properties: Properties): void {
    this.relationships.set(name.ordinal, { name, before: propertiesOf(properties), after: propertiesOf(properties) });
  }

  createNode(ordinal: number, labels: number[], properties: Properties, id: string | null): void {
    this.nodes.set(ordinal, { id, before: null, after: { labels, properties: propertiesOf(properties) } });
  }

  createRelationship(name: RelationshipName, properties: Properties): void {
    this.relationships.set(name.ordinal, { name, before: null, after: propertiesOf(properties) });
  }

  setNodeProperty(ordinal: number, key: number, value: Value): void {
    setProperty(this.#node(ordinal).properties, key, value);
  }

  setRelationshipProperty({ ordinal }: RelationshipName, key: number, value: Value): void {
    const properties = this.relationships.get(ordinal)?.after ?? this.#unknown(`relationship ${ordinal}`);
    setProperty(properties, key, value);
  }

  addLabels(ordinal: number, labels: number[]): void {
    const node = this.#node(ordinal);
    node.labels = [...node.labels, ...labels];
  }

  removeLabels(ordinal: number, labels: number[]): void {
    const node = this.#node(ordinal);
    node.labels = node.labels.filter((label) => !labels.includes(label));
  }

  deleteNode(ordinal: number): void {
    const node = this.nodes.get(ordinal) ?? this.#unknown(`node ${ordinal}`);
    node.after = null;
  }

  deleteRelationship({ ordinal }: RelationshipName): void {
    const relationship = this.relationships.get(ordinal) ?? this.#unknown(`relationship ${ordinal}`);
    relationship.after = null;
  }

  #node(ordinal: number): PlainNode {
    return this.nodes.get(ordinal)?.after ?? this.#unknown(`node ${ordinal}`);
  }

  #unknown(what: string): never {
    throw new GraphDBError('CORRUPTION', `${this.#source} is damaged: it changes ${what}, and does not say what that was before`);
  }
}

function plainNode({ labels, keys, values }: NodeImage): PlainNode {
  return { labels: [...labels], properties: propertiesOf({ keys, values }) };
}

function propertiesOf({ keys, values }: { readonly keys: readonly number[]; readonly values: readonly Value[] }): Map<number, Value> {
  return new Map(keys.map((key, index) => [key, values[index] ?? null]));
}

function setProperty(properties: Map<number, Value>, key: number, value: Value): void {
  if (value === null) properties.delete(key);
  else properties.set(key, value);
}
