/** Makes random writes, each both to a transaction and to the model. */
import { CypherDate, CypherFloat, type Value } from '../../value/index.ts';
import type { GraphTransaction } from '../view/view.ts';
import { type ModelGraph, type ModelNode, type ModelRelationship, withProperty } from './model-graph.ts';
import type { RandomSource } from './random-source.ts';

export const LABELS = ['A', 'B', 'C'];
const TYPES = ['KNOWS', 'LIKES'];
export const KEYS = ['p', 'q', 'r', '_s'];

export class RandomWriter {
  readonly #random: RandomSource;
  #nextId = 0;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  /** Creates or drops an index; changes nothing in the model. */
  changeSchema(transaction: GraphTransaction): void {
    const random = this.#random;
    const definition = random.chance(0.5)
      ? ({ entity: 'node', labelOrType: random.pick(LABELS), kind: 'range' } as const)
      : ({ entity: 'relationship', labelOrType: random.pick(TYPES), kind: 'range' } as const);
    const keys = random.chance(0.7) ? [random.pick(KEYS)] : ['p', 'q'];
    if (random.chance(0.7)) transaction.createIndex({ ...definition, keys, name: `index ${random.below(6)}` });
    else transaction.dropIndex(`index ${random.below(6)}`);
  }

  /** Makes one random write. */
  write(transaction: GraphTransaction, model: ModelGraph): void {
    const random = this.#random;
    const roll = random.next();
    if (model.nodes.size < 3 || roll < 0.25) this.createNode(transaction, model);
    else if (roll < 0.5) this.createRelationship(transaction, model);
    else if (roll < 0.7) this.#setNodeProperty(transaction, model);
    else if (roll < 0.8) this.#setRelationshipProperty(transaction, model);
    else if (roll < 0.9) this.#changeLabels(transaction, model);
    else if (roll < 0.95) this.#deleteRelationship(transaction, model);
    else this.#deleteNode(transaction, model);
    if (random.chance(0.3)) transaction.refresh();
  }

  value(): Value {
    const random = this.#random;
    switch (random.below(12)) {
      case 0:
        return random.below(2) === 1;
      case 1:
        return random.next();
      case 2:
        return new CypherFloat(random.below(5));
      case 3:
        return 2n ** 60n + BigInt(random.below(3));
      case 4:
        return 2 ** 40 + random.below(3);
      case 5:
        return new CypherDate(random.below(1000));
      case 6:
        return [random.below(5), `x${random.below(5)}`];
      case 7:
      case 8:
        return `text ${random.below(20)}`;
      default:
        return random.below(50) - 25;
    }
  }

  /** Returns random properties; most keys have values of one type only, so that columns have narrow kinds at first. */
  #properties(): Map<string, Value> {
    const properties = new Map<string, Value>();
    if (this.#random.chance(0.8)) properties.set('p', this.#random.below(100));
    if (this.#random.chance(0.8)) properties.set('q', `text ${this.#random.below(20)}`);
    if (this.#random.chance(0.3)) properties.set('r', this.value());
    return properties;
  }

  createNode(transaction: GraphTransaction, model: ModelGraph): void {
    const labels = LABELS.filter(() => this.#random.chance(0.4));
    const properties = this.#properties();
    const id = this.#random.chance(0.1) ? `id-${this.#nextId++}` : null;
    const keys = [...properties.keys()].map((key) => transaction.internKey(key));
    const ordinal = transaction.createNode(
      labels.map((label) => transaction.internLabel(label)),
      keys,
      [...properties.values()],
      id,
    );
    model.nodes.set(ordinal, { labels: new Set(labels), properties, id });
  }

  createRelationship(transaction: GraphTransaction, model: ModelGraph): void {
    const nodes = [...model.nodes.keys()];
    const [source, target, type] = [this.#random.pick(nodes), this.#random.pick(nodes), this.#random.pick(TYPES)];
    const properties = this.#properties();
    const keys = [...properties.keys()].map((key) => transaction.internKey(key));
    const typeId = transaction.internType(type);
    const row = transaction.createRelationship(typeId, source, target, keys, [...properties.values()]);
    model.relationships.set(transaction.view.relationshipOrdinal(typeId, row), { type, source, target, properties });
  }

  #setNodeProperty(transaction: GraphTransaction, model: ModelGraph): void {
    const [ordinal, node] = this.#random.pick([...model.nodes]) as [number, ModelNode];
    const key = this.#random.pick(KEYS);
    const value = this.#random.chance(0.2) ? null : this.value();
    transaction.setNodeProperty(ordinal, transaction.internKey(key), value);
    model.nodes.set(ordinal, { ...node, properties: withProperty(node.properties, key, value) });
  }

  #pickRelationship(
    transaction: GraphTransaction,
    model: ModelGraph,
  ): { ordinal: number; relationship: ModelRelationship; place: readonly [number, number] } | null {
    if (model.relationships.size === 0) return null;
    const [ordinal, relationship] = this.#random.pick([...model.relationships]);
    transaction.refresh();
    const place = transaction.view.findRelationshipById(`r${ordinal}`);
    if (place === null) throw new Error(`relationship ${ordinal} is not found`);
    return { ordinal, relationship, place };
  }

  #setRelationshipProperty(transaction: GraphTransaction, model: ModelGraph): void {
    const picked = this.#pickRelationship(transaction, model);
    if (picked === null) return;
    const key = this.#random.pick(KEYS);
    const value = this.#random.chance(0.2) ? null : this.value();
    transaction.setRelationshipProperty(...picked.place, transaction.internKey(key), value);
    const { relationship } = picked;
    model.relationships.set(picked.ordinal, { ...relationship, properties: withProperty(relationship.properties, key, value) });
  }

  #changeLabels(transaction: GraphTransaction, model: ModelGraph): void {
    const [ordinal, node] = this.#random.pick([...model.nodes]) as [number, ModelNode];
    const label = this.#random.pick(LABELS);
    const labels = new Set(node.labels);
    if (this.#random.chance(0.5)) {
      transaction.addLabels(ordinal, [transaction.internLabel(label)]);
      labels.add(label);
    } else {
      transaction.removeLabels(ordinal, [transaction.internLabel(label)]);
      labels.delete(label);
    }
    model.nodes.set(ordinal, { ...node, labels });
  }

  #deleteRelationship(transaction: GraphTransaction, model: ModelGraph): void {
    const picked = this.#pickRelationship(transaction, model);
    if (picked === null) return;
    transaction.deleteRelationship(...picked.place);
    model.relationships.delete(picked.ordinal);
  }

  #deleteNode(transaction: GraphTransaction, model: ModelGraph): void {
    const ordinal = this.#random.pick([...model.nodes.keys()]);
    transaction.refresh();
    for (const [relationship] of model.relationshipsOf(ordinal)) {
      transaction.deleteRelationship(...(transaction.view.findRelationshipById(`r${relationship}`) as [number, number]));
      model.relationships.delete(relationship);
    }
    transaction.deleteNode(ordinal);
    model.nodes.delete(ordinal);
  }
}
