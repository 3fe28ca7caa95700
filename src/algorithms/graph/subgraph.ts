/** Parts of projected graphs: some nodes, and some of the relationships between them. O(nodes + relationships). */
import { Arrays, overLists, overRange, type Phase, type Pieces, type Work } from '../work.ts';
import { type Aggregation, buildRelationships, type DraftProperty } from './build-relationships.ts';
import { sourcesOf } from './csr.ts';
import type { NodeProperty } from './node-property.ts';
import { ProjectedGraph, type RelationshipSet } from './projected-graph.ts';

/** The nodes and relationships that a filter keeps. */
export interface Kept {
  /** 1 for each node that stays. */
  readonly nodes: Uint8Array;
  /** For each type that stays, 1 at each entry that stays if both of its nodes do. A type that is not in the map is left out. */
  readonly relationships: ReadonlyMap<string, Uint8Array>;
}

const NOBODY = 0xffffffff;

/** Makes the projected graph of some of the nodes and relationships of another one. */
export function* subgraph(graph: ProjectedGraph, kept: Kept, work: Work): Pieces<ProjectedGraph> {
  const arrays = new Arrays(work);
  const { nodeCount } = graph;
  const numbers = arrays.uint32(nodeCount);
  if (work.worked(nodeCount >> 1)) yield null;
  let count = 0;
  for (let node = 0; node < nodeCount; node++) numbers[node] = kept.nodes[node] === 1 ? count++ : NOBODY;
  const members = arrays.uint32(count);
  for (let node = 0; node < nodeCount; node++) if (numbers[node] !== NOBODY) members[numbers[node]!] = node;
  const labels = new Map<string, Uint8Array>();
  for (const [label, bitmap] of graph.labels) {
    if (work.worked(count >> 1)) yield null;
    const selected = arrays.uint8(count);
    for (let node = 0; node < count; node++) selected[node] = bitmap[members[node]!]!;
    labels.set(label, selected);
  }
  const properties = new Map<string, NodeProperty>();
  for (const [name, property] of graph.properties) properties.set(name, yield* selectedValues(property, members, work));
  const relationships = new Map<string, RelationshipSet>();
  for (const [type, set] of graph.relationships) {
    const flags = kept.relationships.get(type);
    if (flags !== undefined) relationships.set(type, yield* selectedEntries(set, { flags, numbers, nodeCount: count }, work));
  }
  const ordinals = arrays.uint32(count);
  for (let node = 0; node < count; node++) ordinals[node] = graph.ordinals[members[node]!]!;
  return new ProjectedGraph({ isOfDatabase: graph.isOfDatabase, ordinals, labels, properties, relationships });
}

function* selectedValues(property: NodeProperty, members: Uint32Array, work: Work): Pieces<NodeProperty> {
  const arrays = new Arrays(work);
  const { values, offsets } = property;
  if (offsets === null) {
    const selected = arrays.float64(members.length);
    yield* overRange(work, members.length, gather, { from: values, members, into: selected });
    return { ...property, values: selected };
  }
  const starts = arrays.uint32(members.length + 1);
  if (work.worked(members.length)) yield null;
  for (const [node, member] of members.entries()) starts[node + 1] = starts[node]! + offsets[member + 1]! - offsets[member]!;
  const selected = arrays.float64(starts[members.length]!);
  if (work.worked(selected.length)) yield null;
  for (const [node, member] of members.entries()) selected.set(values.subarray(offsets[member]!, offsets[member + 1]!), starts[node]);
  return { ...property, values: selected, offsets: starts };
}

const gather: Phase<{ readonly from: ArrayLike<number>; readonly members: Uint32Array; readonly into: Float64Array }> = (
  { from, members, into },
  first,
  end,
) => {
  for (let i = first; i < end; i++) into[i] = from[members[i]!]!;
};

interface Selecting {
  readonly flags: Uint8Array;
  readonly numbers: Uint32Array;
  readonly nodeCount: number;
}

interface Picked extends Selecting {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  readonly sources: Uint32Array;
  readonly ends: Uint32Array;
  readonly entries: Uint32Array;
  readonly count: { value: number };
}

const pick: Phase<Picked> = ({ flags, numbers, offsets, targets, sources, ends, entries, count }, from, to) => {
  for (let node = from; node < to; node++) {
    const source = numbers[node]!;
    if (source === NOBODY) continue;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      const target = numbers[targets[i]!]!;
      if (flags[i] === 0 || target === NOBODY) continue;
      sources[count.value] = source;
      ends[count.value] = target;
      entries[count.value++] = i;
    }
  }
};

function* selectedEntries(set: RelationshipSet, selecting: Selecting, work: Work): Pieces<RelationshipSet> {
  const arrays = new Arrays(work);
  const room = set.csr.targets.length;
  const picked: Picked = {
    ...selecting,
    ...set.csr,
    sources: arrays.uint32(room),
    ends: arrays.uint32(room),
    entries: arrays.uint32(room),
    count: { value: 0 },
  };
  yield* overLists(work, set.csr.offsets, pick, picked);
  const count = picked.count.value;
  const properties = [];
  for (const [name, values] of set.properties) {
    const selected = arrays.float64(count);
    yield* overRange(work, count, gather, { from: values, members: picked.entries, into: selected });
    properties.push({ name, aggregation: 'NONE' as const, values: selected });
  }
  // Undirected relationships stand in both lists already.
  const built = yield* buildRelationships(
    {
      type: set.type,
      orientation: 'NATURAL',
      aggregation: 'NONE',
      nodeCount: selecting.nodeCount,
      count,
      sources: picked.sources,
      targets: picked.ends,
      properties,
    },
    work,
  );
  return { ...built, orientation: set.orientation };
}

/** Makes the relationships of a set undirected, under another type. Their properties are aggregated as they are. */
export function* undirected(set: RelationshipSet, type: string, aggregation: Aggregation, work: Work): Pieces<RelationshipSet> {
  const sources = yield* sourcesOf(set.csr, work);
  const properties: DraftProperty[] = [];
  for (const [name, values] of set.properties)
    properties.push({ name, aggregation, values: aggregation === 'COUNT' ? yield* presenceOf(values, work) : values });
  return yield* buildRelationships(
    {
      type,
      orientation: 'UNDIRECTED',
      aggregation,
      nodeCount: set.csr.offsets.length - 1,
      count: set.csr.targets.length,
      sources,
      targets: set.csr.targets,
      properties,
    },
    work,
  );
}

const markPresent: Phase<{ readonly values: Float64Array; readonly present: Float64Array }> = ({ values, present }, from, to) => {
  for (let i = from; i < to; i++) present[i] = Number.isNaN(values[i]) ? 0 : 1;
};

/** Returns 1 where there is a value, else 0. */
function* presenceOf(values: Float64Array, work: Work): Pieces<Float64Array> {
  const present = new Arrays(work).float64(values.length);
  yield* overRange(work, values.length, markPresent, { values, present });
  return present;
}
