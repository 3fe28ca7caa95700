/**
 * Updates existing nodes from rows: sets their properties and adds their labels, once all rows of the block are known
 * to be good. A field without a value leaves the property as it is.
 */

import { type FieldBlock, fieldText, reasonOf, type Selection } from '../../formats/index.ts';
import type { Value } from '../../value/index.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import { INTERNAL_ID, type NodeHeader, type PropertyColumn } from '../csv/header.ts';
import { type ParseValue, valueParser } from '../csv/parse-values.ts';
import type { IdResolver } from '../ids/id-index.ts';
import { NO_NODE } from '../ids/no-node.ts';
import { labelsOfField } from '../label-field.ts';
import type { BlockLoader } from '../load-block.ts';
import type { ExistingGraph } from './existing-graph.ts';

interface MergedProperty {
  readonly column: number;
  readonly key: string;
  readonly name: string;
  readonly parse: ParseValue;
}

interface Update {
  readonly node: number;
  readonly labels: readonly string[];
  readonly properties: readonly (readonly [string, Value])[];
}

/** The options of a merger of nodes. */
export interface NodeMergerOptions {
  readonly graph: ExistingGraph;
  readonly known: IdResolver;
  readonly header: NodeHeader;
  readonly arrayDelimiter: number;
  /** Labels that every row gets. */
  readonly labels: readonly string[];
  /** A bitmap of the nodes that rows of this id space have matched, shared by all inputs of the space. */
  readonly matched: Uint8Array;
}

/** Merges rows into existing nodes. */
export class NodeMerger {
  readonly #options: NodeMergerOptions;
  readonly #properties: readonly MergedProperty[];
  #nodes = new Uint32Array(0);

  constructor(options: NodeMergerOptions) {
    const { header, arrayDelimiter } = options;
    this.#options = options;
    this.#properties = header.properties
      .filter(({ key }) => key !== INTERNAL_ID)
      .map(({ column, key, type }) => ({ column, key, name: header.names[column]!, parse: propertyParser(type, arrayDelimiter) }));
  }

  /** Returns a loader that gives rows of new nodes to `inner`, and updates existing nodes from the other rows. */
  block(block: FieldBlock, inner: BlockLoader): BlockLoader {
    const marked: number[] = [];
    let updated: readonly { readonly row: number; readonly node: number }[] = [];
    return {
      load: (rows, bad) => {
        const { fresh, existing, nodes } = this.#split(block, rows, bad);
        updated = existing.map((row, i) => ({ row, node: nodes[i]! }));
        const updates = existing.map((row, i) => this.#updateOf(block, row, nodes[i]!, bad));
        // A row that is bad for another reason takes no node.
        if (bad.size === 0) for (const { row, node } of updated) this.#mark(block, row, node, marked, bad);
        inner.load(fresh, bad);
        if (bad.size > 0) return;
        for (const { node, labels, properties } of updates) this.#options.graph.updateNode(node, labels, properties);
      },
      undo: () => {
        const { matched } = this.#options;
        for (const node of marked.splice(0)) matched[node >>> 3]! &= ~(1 << (node & 7));
        inner.undo();
      },
      show: (watch, placeOf) => {
        for (const { row, node } of updated) watch.update(node, () => placeOf(row));
        inner.show(watch, placeOf);
      },
    };
  }

  #split(block: FieldBlock, rows: Selection, bad: BadRows): { fresh: Selection; existing: number[]; nodes: number[] } {
    if (this.#nodes.length < rows.length) this.#nodes = new Uint32Array(rows.length);
    const found = this.#nodes;
    this.#options.known.resolve(block, this.#options.header.id!.column, rows, found, bad);
    const existing: number[] = [];
    const nodes: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      if (found[i] === NO_NODE) continue;
      existing.push(rows[i]!);
      nodes.push(found[i]!);
    }
    return { fresh: rows.filter((_, i) => found[i] === NO_NODE), existing, nodes };
  }

  /** Marks the node of a row as matched. A row whose node another row has matched is bad. */
  #mark(block: FieldBlock, row: number, node: number, marked: number[], bad: BadRows): void {
    const { header, matched } = this.#options;
    const bit = 1 << (node & 7);
    if ((matched[node >>> 3]! & bit) !== 0) {
      bad.add(row, `the id ${JSON.stringify(fieldText(block, row, header.id!.column))} is taken by another row`);
      return;
    }
    matched[node >>> 3]! |= bit;
    marked.push(node);
  }

  #updateOf(block: FieldBlock, row: number, node: number, bad: BadRows): Update {
    const { header, labels, graph } = this.#options;
    const properties: (readonly [string, Value])[] = [];
    for (const { column, key, name, parse } of this.#properties) {
      try {
        const value = parse(block, row, column);
        if (value !== null) properties.push([key, value]);
      } catch (error) {
        bad.add(row, `column ${name}: ${reasonOf(error)}`);
      }
    }
    const internal = header.properties.find(({ key }) => key === INTERNAL_ID);
    const id = internal === undefined ? '' : fieldText(block, row, internal.column);
    if (id !== '' && graph.view.nodeId(node) !== id)
      bad.add(row, `the node has the _id ${JSON.stringify(graph.view.nodeId(node))}, which cannot become ${JSON.stringify(id)}`);
    return { node, labels: this.#labelsOf(block, row, labels), properties };
  }

  #labelsOf(block: FieldBlock, row: number, labels: readonly string[]): readonly string[] {
    const { header, arrayDelimiter } = this.#options;
    const { label } = header;
    if (label === null) return labels;
    return [...labels, ...labelsOfField(fieldText(block, row, label), arrayDelimiter)];
  }
}

/** Returns a parser of a property's values; for strings a quoted empty field is the empty text, as in a column of strings. */
function propertyParser(type: PropertyColumn['type'], arrayDelimiter: number): ParseValue {
  if (type.scalar !== 'string' || type.list) return valueParser(type, arrayDelimiter);
  return (block, row, column) => {
    const at = row * block.columns + column;
    return block.starts[at] === block.ends[at] ? null : fieldText(block, row, column);
  };
}
