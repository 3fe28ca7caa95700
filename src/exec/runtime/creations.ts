/**
 * Creates nodes and relationships whose labels, types, keys and values are known before the first row of their clause
 * arrives. A table of items drives the creation, in place of generated code for each item, which V8 would have to
 * parse.
 */
import type { RelationshipValue, Value } from '../../value/index.ts';
import { type KnownValue, valuesOf } from './known-values.ts';
import type { CreationForm, Writes } from './writes.ts';

/** A node or a relationship that each row creates. */
export interface CreationItem {
  /** The labels of a node, or the single type of a relationship. */
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly values: readonly KnownValue[];
  /**
   * Indexes of the source and the target of a relationship: an index below the number of items names an item, a higher
   * one a node that the row brings. Null for a node.
   */
  readonly ends: readonly [source: number, target: number] | null;
}

interface KnownItem {
  readonly form: CreationForm;
  readonly values: readonly Value[];
  readonly ends: readonly [source: number, target: number] | null;
}

/** The items of a creating clause with their values, made once for each run of a statement. */
export class Creations {
  private readonly writes: Writes;
  private readonly items: readonly KnownItem[];

  constructor(writes: Writes, items: readonly CreationItem[], parameter: (name: string) => Value) {
    const forms = new Map<string, CreationForm>();
    const formOf = ({ names, keys, ends }: CreationItem): CreationForm => {
      const key = JSON.stringify([ends === null, names, keys]);
      let form = forms.get(key);
      if (form === undefined) {
        form = writes.creationForm(names, keys);
        forms.set(key, form);
      }
      return form;
    };
    this.writes = writes;
    this.items = items.map((item) => ({
      form: formOf(item),
      values: valuesOf(item.values, parameter),
      ends: item.ends,
    }));
  }

  /** @param brought ordinals of the nodes that the row brings as ends of relationships; -1 for null */
  begin(brought: readonly number[]): CreatedItems {
    return new CreatedItems(this.writes, this.items, brought);
  }
}

/** The items that one row creates. */
export class CreatedItems {
  /** Ordinals of the nodes by item index (-1 until the node is created), followed by the nodes that the row brought. */
  readonly nodes: number[];
  /** Created relationships, by item index. */
  readonly relationships: RelationshipValue[] = [];
  private readonly writes: Writes;
  private readonly items: readonly KnownItem[];

  constructor(writes: Writes, items: readonly KnownItem[], brought: readonly number[]) {
    this.writes = writes;
    this.items = items;
    this.nodes = [...items.map(() => -1), ...brought];
  }

  /** Creates the items with indexes from `from` to below `to`, in that order. */
  create(from: number, to: number): void {
    const { items, nodes, writes } = this;
    for (let place = from; place < Math.min(to, items.length); place++) {
      const { form, values, ends } = items[place]!;
      if (ends === null) nodes[place] = writes.createNodeOf(form, values);
      else this.relationships[place] = writes.createRelationshipOf(form, nodes[ends[0]]!, nodes[ends[1]]!, values);
    }
  }
}
