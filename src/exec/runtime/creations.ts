/**
 * Creations whose parts are all known before the rows of their clause come: carried out from a table, in place of lines
 * of generated code for each part, which V8 would have to read.
 */
import type { RelationshipValue, Value } from '../../value/index.ts';
import { type KnownValue, valuesOf } from './known-values.ts';
import type { CreationForm, Writes } from './writes.ts';

/** A node or a relationship that each row creates. */
export interface CreationItem {
  /** Labels, or one type. */
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly values: readonly KnownValue[];
  /**
   * Places of the source and the target of a relationship: those of items, and behind all items those of nodes that the
   * row brings. null: a node
   */
  readonly ends: readonly [source: number, target: number] | null;
}

interface KnownItem {
  readonly form: CreationForm;
  readonly values: readonly Value[];
  readonly ends: readonly [source: number, target: number] | null;
}

/** The items with their values, once for each run of a statement. */
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

  /** @param brought nodes of the row that relationships begin or end at; -1: null */
  begin(brought: readonly number[]): CreatedItems {
    return new CreatedItems(this.writes, this.items, brought);
  }
}

/** The items of one row. */
export class CreatedItems {
  /** Ordinals of the nodes, by place; then those that the row brought. */
  readonly nodes: number[];
  /** Relationships, by place. */
  readonly relationships: RelationshipValue[] = [];
  private readonly writes: Writes;
  private readonly items: readonly KnownItem[];

  constructor(writes: Writes, items: readonly KnownItem[], brought: readonly number[]) {
    this.writes = writes;
    this.items = items;
    this.nodes = [...items.map(() => -1), ...brought];
  }

  /** Creates the items of some places, in their order. */
  create(from: number, to: number): void {
    const { items, nodes, writes } = this;
    for (let place = from; place < Math.min(to, items.length); place++) {
      const { form, values, ends } = items[place]!;
      if (ends === null) nodes[place] = writes.createNodeOf(form, values);
      else this.relationships[place] = writes.createRelationshipOf(form, nodes[ends[0]]!, nodes[ends[1]]!, values);
    }
  }
}
