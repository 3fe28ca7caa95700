/** Projection of rows: each row names a node, or two nodes and a relationship between them, with labels, a type and properties. */
import { argumentFault, isNumber, quoted, toNumber, typeFault, typeName, type Value } from '../../value/index.ts';
import { buildRelationships } from '../graph/build-relationships.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import { ProjectedGraph, type RelationshipSet } from '../graph/projected-graph.ts';
import type { Pieces, Work } from '../work.ts';
import { ALL } from './projection-request.ts';
import { PropertyBuilder } from './property-values.ts';

/** The labels of the node, as `properties` its properties; undefined: the row does not give them. */
export interface ProjectedEnd {
  readonly ordinal: number;
  /** False if the row gives a number instead of a node. */
  readonly isNode: boolean;
  readonly labels: readonly string[] | undefined;
  readonly properties: ReadonlyMap<string, Value> | undefined;
}

/** A row of a projection by query. */
export interface ProjectedRow {
  readonly source: ProjectedEnd;
  /** The end of the relationship; null: the row names a single node. */
  readonly target: ProjectedEnd | null;
  readonly type: string | undefined;
  readonly properties: ReadonlyMap<string, Value> | undefined;
}

interface Drafts {
  readonly sources: number[];
  readonly targets: number[];
  readonly properties: Map<string, number[]>;
}

const BYTES_PER_NODE = 64;

/** Builds a projected graph from rows. */
export class RowProjection {
  /** For each ordinal the number of the node, in the order in which rows first name them. */
  private readonly numbers = new Map<number, number>();
  private readonly labels = new Map<string, Set<number>>();
  private readonly properties = new Map<string, Map<number, Value>>();
  private readonly types = new Map<string, Drafts>();
  private readonly undirected: ReadonlySet<string>;
  private isOfDatabase = true;

  /** @param undirected types whose relationships lead both ways; `*` stands for all types */
  constructor(undirected: readonly string[]) {
    this.undirected = new Set(undirected);
  }

  /** Adds a row. @throws TYPE_ERROR when a property of the relationship is not a number */
  add({ source, target, type = ALL, properties }: ProjectedRow): void {
    const from = this.addNode(source);
    if (target === null) return;
    const to = this.addNode(target);
    let drafts = this.types.get(type);
    if (drafts === undefined) this.types.set(type, (drafts = { sources: [], targets: [], properties: new Map() }));
    for (const [name, value] of properties ?? []) {
      if (value !== null && !isNumber(value))
        throw typeFault(`the relationship property ${quoted(name)} must be a number, not ${typeName(value)}`);
      let values = drafts.properties.get(name);
      if (values === undefined) drafts.properties.set(name, (values = drafts.sources.map(() => Number.NaN)));
      values[drafts.sources.length] = value === null ? Number.NaN : toNumber(value);
    }
    for (const [name, values] of drafts.properties) if (properties?.has(name) !== true) values.push(Number.NaN);
    drafts.sources.push(from);
    drafts.targets.push(to);
  }

  private addNode({ ordinal, isNode, labels, properties }: ProjectedEnd): number {
    if (!isNode) this.isOfDatabase = false;
    let number = this.numbers.get(ordinal);
    if (number === undefined) this.numbers.set(ordinal, (number = this.numbers.size));
    for (const label of labels ?? []) {
      const nodes = this.labels.get(label);
      if (nodes === undefined) this.labels.set(label, new Set([number]));
      else nodes.add(number);
    }
    for (const [name, value] of properties ?? []) {
      const values = this.properties.get(name);
      if (values === undefined) this.properties.set(name, new Map([[number, value]]));
      else values.set(number, value);
    }
    return number;
  }

  *build(work: Work): Pieces<ProjectedGraph> {
    const count = this.numbers.size;
    work.charge(count * BYTES_PER_NODE);
    if (work.worked(count * 8)) yield null;
    const ordinals = Uint32Array.from(this.numbers.keys()).sort();
    const dense = new Uint32Array(count);
    for (const [node, ordinal] of ordinals.entries()) dense[this.numbers.get(ordinal)!] = node;
    const labels = new Map<string, Uint8Array>();
    for (const [label, nodes] of this.labels) {
      const bitmap = new Uint8Array(count);
      if (work.worked(nodes.size)) yield null;
      for (const number of nodes) bitmap[dense[number]!] = 1;
      labels.set(label, bitmap);
    }
    if (labels.size === 0) labels.set(ALL, new Uint8Array(count).fill(1));
    const properties = new Map<string, NodeProperty>();
    for (const [name, values] of this.properties) {
      const builder = new PropertyBuilder({ name, count, isStored: false }, work);
      for (const [number, value] of values) {
        if (work.worked(2)) yield null;
        builder.set(dense[number]!, value);
      }
      properties.set(name, yield* builder.build());
    }
    const relationships = new Map<string, RelationshipSet>();
    for (const [type, drafts] of this.types) {
      if (work.worked(2 * drafts.sources.length)) yield null;
      const draft = {
        type,
        orientation: this.undirected.has(type) || this.undirected.has('*') ? 'UNDIRECTED' : 'NATURAL',
        aggregation: 'NONE',
        nodeCount: count,
        count: drafts.sources.length,
        sources: Uint32Array.from(drafts.sources, (number) => dense[number]!),
        targets: Uint32Array.from(drafts.targets, (number) => dense[number]!),
        properties: [...drafts.properties].map(([name, values]) => ({
          name,
          aggregation: 'NONE' as const,
          values: Float64Array.from(values),
        })),
      } as const;
      relationships.set(type, yield* buildRelationships(draft, work));
    }
    if (relationships.size === 0 && count === 0) throw argumentFault('a graph is projected of at least one row with a node');
    return new ProjectedGraph({ isOfDatabase: this.isOfDatabase, ordinals, labels, properties, relationships });
  }
}
