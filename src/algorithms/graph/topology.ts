/**
 * The input of a kernel: the nodes and relationships that a configuration selects of a projected graph, as one CSR with
 * at most one weight for each entry. Where everything is selected nothing is copied.
 */
import { argumentFault, quoted } from '../../value/index.ts';
import { Arrays, overLists, overRange, type Phase, type Pieces, type Work } from '../work.ts';
import { buildCsr, type Csr, transposed } from './csr.ts';
import type { NodeProperty } from './node-property.ts';
import type { ProjectedGraph, RelationshipSet } from './projected-graph.ts';

/** The labels, types and weight that a configuration selects. */
export interface Selection {
  /** The labels of the nodes to select; `['*']`: all nodes. */
  readonly nodeLabels: readonly string[];
  readonly relationshipTypes: readonly string[];
  /** The property that weighs relationships; null: they have no weights. */
  readonly weightProperty: string | null;
}

/** The nodes and relationships of a projected graph that an algorithm works on. */
export class Topology {
  readonly graph: ProjectedGraph;
  readonly nodeCount: number;
  readonly csr: Csr;
  /** The weight of each entry of `csr`; null: every relationship weighs 1. */
  readonly weights: Float64Array | null;
  /** Whether every selected relationship is undirected. */
  readonly isUndirected: boolean;
  /** For each dense node of the topology its dense node in the projected graph; null: they are the same. */
  private readonly members: Uint32Array | null;
  private turned: { readonly csr: Csr; readonly weights: Float64Array | null } | null = null;

  constructor(
    graph: ProjectedGraph,
    parts: { members: Uint32Array | null; csr: Csr; weights: Float64Array | null; isUndirected: boolean },
  ) {
    this.graph = graph;
    this.csr = parts.csr;
    this.weights = parts.weights;
    this.isUndirected = parts.isUndirected;
    this.members = parts.members;
    this.nodeCount = parts.csr.offsets.length - 1;
  }

  get relationshipCount(): number {
    return this.csr.targets.length;
  }

  /** Returns the dense node of the projected graph for a node of the topology. */
  memberAt(node: number): number {
    return this.members === null ? node : this.members[node]!;
  }

  ordinalOf(node: number): number {
    return this.graph.ordinals[this.memberAt(node)]!;
  }

  /** Returns the dense node of an ordinal; -1: the node is not among the selected ones. */
  nodeOf(ordinal: number): number {
    const member = this.graph.nodeOf(ordinal);
    if (this.members === null || member < 0) return member;
    const node = lowerBound(this.members, member);
    return this.members[node] === member ? node : -1;
  }

  /** Returns a property of the nodes. @throws ARGUMENT_ERROR when the graph has none of that name */
  property(name: string): NodeProperty {
    const property = this.graph.properties.get(name);
    if (property === undefined) {
      const known = [...this.graph.properties.keys()].map(quoted).join(', ');
      throw argumentFault(`Node property ${quoted(name)} not found in the graph; it has ${known || 'no node properties'}`);
    }
    return property;
  }

  /** Returns the number of each node, NaN where it has none. @throws ARGUMENT_ERROR when there is no such property, or it holds lists */
  numbers(name: string): Float64Array | Float32Array {
    const { values, offsets } = this.property(name);
    if (offsets !== null) throw argumentFault(`Node property ${quoted(name)} holds lists, and numbers are asked for`);
    if (this.members === null) return values;
    const selected = new Float64Array(new SharedArrayBuffer(8 * this.members.length));
    for (const [node, member] of this.members.entries()) selected[node] = values[member]!;
    return selected;
  }

  /** Returns the relationships reversed, with their weights; the topology itself where all are undirected. */
  *inverse(work: Work): Pieces<{ readonly csr: Csr; readonly weights: Float64Array | null }> {
    if (this.isUndirected) return this;
    if (this.turned !== null) return this.turned;
    const { positions, ...csr } = yield* transposed(this.csr, work);
    const weights = this.weights === null ? null : yield* pick(this.weights, positions, work);
    work.release(positions.byteLength);
    this.turned = { csr, weights };
    return this.turned;
  }
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const pickPhase: Phase<{ readonly from: Float64Array; readonly positions: Uint32Array; readonly to: Float64Array }> = (
  state,
  first,
  end,
) => {
  const { from, positions, to } = state;
  for (let i = first; i < end; i++) to[i] = from[positions[i]!]!;
};

function* pick(from: Float64Array, positions: Uint32Array, work: Work): Pieces<Float64Array> {
  const to = new Arrays(work).float64(positions.length);
  yield* overRange(work, positions.length, pickPhase, { from, positions, to });
  return to;
}

/** Returns whether a selection of a graph with this many types is a copy of its parts. */
function isCopied({ nodeLabels, relationshipTypes }: Selection, types: number): boolean {
  return !nodeLabels.includes('*') || (relationshipTypes.includes('*') ? types : new Set(relationshipTypes).size) !== 1;
}

/** Returns the bytes that selecting takes at most: 0 where nothing is copied. @param types how many types the graph has */
export function selectionBytes(
  { nodeCount, relationshipCount }: { readonly nodeCount: number; readonly relationshipCount: number },
  selection: Selection,
  types: number,
): number {
  if (!isCopied(selection, types)) return 0;
  const weights = selection.weightProperty === null ? 0 : 8 * relationshipCount;
  const offsets = 4 * (nodeCount + 1);
  return (
    8 * nodeCount +
    8 * relationshipCount +
    weights +
    Math.max(3 * offsets + 8 * relationshipCount, offsets + 8 * relationshipCount + weights)
  );
}

/** Selects the topology of a configuration. @throws ARGUMENT_ERROR when a label, a type or the weight is not in the graph */
export function* select(graph: ProjectedGraph, selection: Selection, work: Work): Pieces<Topology> {
  const sets = selectedSets(graph, selection);
  const bitmaps = selectedLabels(graph, selection);
  const weightsOf = sets.map((set) => weightsIn(set, selection.weightProperty));
  const isUndirected = sets.length > 0 && sets.every(({ orientation }) => orientation === 'UNDIRECTED');
  const only = sets[0];
  if (bitmaps === null && sets.length === 1 && only !== undefined)
    return new Topology(graph, { members: null, csr: only.csr, weights: weightsOf[0]!, isUndirected });
  const members = bitmaps === null ? null : yield* membersOf(graph.nodeCount, bitmaps, work);
  return yield* merged(graph, { sets, weightsOf, members, isUndirected }, work);
}

function selectedSets(graph: ProjectedGraph, { relationshipTypes }: Selection): RelationshipSet[] {
  if (relationshipTypes.includes('*')) return [...graph.relationships.values()];
  return [...new Set(relationshipTypes)].map((type) => {
    const set = graph.relationships.get(type);
    if (set !== undefined) return set;
    const known = [...graph.relationships.keys()].map(quoted).join(', ');
    throw argumentFault(`Relationship type ${quoted(type)} not found in the graph; it has ${known || 'none'}`);
  });
}

function selectedLabels(graph: ProjectedGraph, { nodeLabels }: Selection): Uint8Array[] | null {
  if (nodeLabels.includes('*')) return null;
  return nodeLabels.map((label) => {
    const bitmap = graph.labels.get(label);
    if (bitmap !== undefined) return bitmap;
    const known = [...graph.labels.keys()].map(quoted).join(', ');
    throw argumentFault(`Node label ${quoted(label)} not found in the graph; it has ${known || 'none'}`);
  });
}

function weightsIn({ type, properties }: RelationshipSet, name: string | null): Float64Array | null {
  if (name === null) return null;
  const weights = properties.get(name);
  if (weights !== undefined) return weights;
  const known = [...properties.keys()].map(quoted).join(', ');
  throw argumentFault(
    `Relationship weight property ${quoted(name)} not found in relationship type ${quoted(type)}, which has ${known || 'no properties'}`,
  );
}

function* membersOf(nodeCount: number, bitmaps: readonly Uint8Array[], work: Work): Pieces<Uint32Array> {
  if (work.worked(nodeCount >> 2)) yield null;
  const members = new Arrays(work).uint32(nodeCount);
  let count = 0;
  for (let node = 0; node < nodeCount; node++) if (bitmaps.some((bitmap) => bitmap[node] === 1)) members[count++] = node;
  return members.subarray(0, count);
}

interface Merge {
  readonly sets: readonly RelationshipSet[];
  readonly weightsOf: readonly (Float64Array | null)[];
  readonly members: Uint32Array | null;
  readonly isUndirected: boolean;
}

interface Copying {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  /** For each dense node of the graph, 1 plus its number in the topology, or 0 where it is not selected; null: all are selected. */
  readonly numbers: Uint32Array | null;
  readonly out: { readonly sources: Uint32Array; readonly targets: Uint32Array; readonly weights: Float64Array | null };
  readonly count: { value: number };
}

const copyPairs: Phase<Copying> = ({ csr, weights, numbers, out, count }, from, to) => {
  let at = count.value;
  for (let node = from; node < to; node++) {
    const source = numbers === null ? node + 1 : numbers[node]!;
    if (source === 0) continue;
    const end = csr.offsets[node + 1]!;
    for (let i = csr.offsets[node]!; i < end; i++) {
      const target = numbers === null ? csr.targets[i]! + 1 : numbers[csr.targets[i]!]!;
      if (target === 0) continue;
      out.sources[at] = source - 1;
      out.targets[at] = target - 1;
      if (weights !== null && out.weights !== null) out.weights[at] = weights[i]!;
      at++;
    }
  }
  count.value = at;
};

function* merged(graph: ProjectedGraph, { sets, weightsOf, members, isUndirected }: Merge, work: Work): Pieces<Topology> {
  const arrays = new Arrays(work);
  let numbers: Uint32Array | null = null;
  if (members !== null) {
    if (work.worked(members.length)) yield null;
    numbers = arrays.uint32(graph.nodeCount);
    for (let i = 0; i < members.length; i++) numbers[members[i]!] = i + 1;
  }
  const most = sets.reduce((sum, { csr }) => sum + csr.targets.length, 0);
  const isWeighted = weightsOf.some((weights) => weights !== null);
  const out = { sources: arrays.uint32(most), targets: arrays.uint32(most), weights: isWeighted ? arrays.float64(most) : null };
  const count = { value: 0 };
  for (const [i, { csr }] of sets.entries())
    yield* overLists(work, csr.offsets, copyPairs, { csr, weights: weightsOf[i]!, numbers, out, count });
  const nodeCount = members === null ? graph.nodeCount : members.length;
  const built = yield* buildCsr({ nodeCount, count: count.value, sources: out.sources, targets: out.targets }, work);
  const weights = out.weights === null ? null : yield* pick(out.weights, built.positions, work);
  work.release(most * 8 + built.positions.byteLength + (out.weights?.byteLength ?? 0) + (numbers?.byteLength ?? 0));
  return new Topology(graph, { members, csr: { offsets: built.offsets, targets: built.targets }, weights, isUndirected });
}

/** Spreads a property of the topology's nodes over all nodes of the graph. Nodes that are not selected get no value. */
export function* nodePropertyFor(topology: Topology, property: NodeProperty, work: Work): Pieces<NodeProperty> {
  const { nodeCount } = topology.graph;
  if (topology.nodeCount === nodeCount) return property;
  const arrays = new Arrays(work);
  const { values, offsets } = property;
  if (work.worked(nodeCount + values.length)) yield null;
  if (offsets === null) {
    const spread = arrays.float64(nodeCount).fill(Number.NaN);
    for (let node = 0; node < topology.nodeCount; node++) spread[topology.memberAt(node)] = values[node]!;
    return { ...property, values: spread };
  }
  const spread = arrays.uint32(nodeCount + 1);
  for (let node = 0; node < topology.nodeCount; node++) spread[topology.memberAt(node) + 1] = offsets[node + 1]! - offsets[node]!;
  for (let node = 0; node < nodeCount; node++) spread[node + 1]! += spread[node]!;
  return { ...property, offsets: spread };
}
