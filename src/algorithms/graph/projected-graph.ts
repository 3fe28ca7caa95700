/**
 * A projected graph: nodes of the database, or nodes that have numbers only, and relationships between them as CSRs, one
 * for each type. Nodes have dense numbers from 0, ascending with their ordinals. Everything lies in shared memory and never
 * changes once it is there; properties and types are added and removed as a whole.
 */
import type { Csr } from './csr.ts';
import { bytesOfProperty, type NodeProperty } from './node-property.ts';

/** A direction in which relationships are projected. */
export type Orientation = 'NATURAL' | 'REVERSE' | 'UNDIRECTED';

/** The relationships of one type in a projected graph. */
export interface RelationshipSet {
  readonly type: string;
  readonly orientation: Orientation;
  /** The relationships by source. An undirected one stands in the lists of both its nodes. */
  readonly csr: Csr;
  /** For each property, by name, the value of each entry of `csr`. */
  readonly properties: ReadonlyMap<string, Float64Array>;
}

/** The parts of which a projected graph is made. */
export interface GraphParts {
  /** Whether the nodes are known to be nodes of the database; otherwise nothing about them can be written to it. */
  readonly isOfDatabase: boolean;
  /** The ordinals of the nodes, ascending; where they are none of the database, numbers by which users know them. */
  readonly ordinals: Uint32Array;
  /** For each label, by name, 1 at each node that carries it. */
  readonly labels: ReadonlyMap<string, Uint8Array>;
  readonly properties: ReadonlyMap<string, NodeProperty>;
  readonly relationships: ReadonlyMap<string, RelationshipSet>;
}

/** A projected graph: read-only, but for properties and relationships that are added. */
export class ProjectedGraph {
  readonly isOfDatabase: boolean;
  readonly ordinals: Uint32Array;
  readonly labels: Map<string, Uint8Array>;
  readonly properties: Map<string, NodeProperty>;
  readonly relationships: Map<string, RelationshipSet>;

  constructor({ isOfDatabase, ordinals, labels, properties, relationships }: GraphParts) {
    this.isOfDatabase = isOfDatabase;
    this.ordinals = ordinals;
    this.labels = new Map(labels);
    this.properties = new Map(properties);
    this.relationships = new Map(relationships);
  }

  get nodeCount(): number {
    return this.ordinals.length;
  }

  /** The number of list entries: an undirected relationship counts twice. */
  get relationshipCount(): number {
    let count = 0;
    for (const { csr } of this.relationships.values()) count += csr.targets.length;
    return count;
  }

  /** Returns the dense node of an ordinal; -1: the node was not projected. */
  nodeOf(ordinal: number): number {
    const { ordinals } = this;
    let low = 0;
    let high = ordinals.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (ordinals[middle]! < ordinal) low = middle + 1;
      else if (ordinals[middle]! > ordinal) high = middle - 1;
      else return middle;
    }
    return -1;
  }

  /** The bytes of all arrays of the graph. */
  get bytes(): number {
    let bytes = this.ordinals.byteLength;
    for (const bitmap of this.labels.values()) bytes += bitmap.byteLength;
    for (const property of this.properties.values()) bytes += bytesOfProperty(property);
    for (const { csr, properties } of this.relationships.values()) {
      bytes += csr.offsets.byteLength + csr.targets.byteLength;
      for (const values of properties.values()) bytes += values.byteLength;
    }
    return bytes;
  }
}
