/**
 * The buffers of typed arrays that a process holds, shared ones among them, by who holds them: out of a heap snapshot
 * of V8, which names the fields of objects, private ones too. What it takes itself is in none of the sums.
 */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';

/** Bytes by holder, as `Column.values`. */
export type BytesByHolder = ReadonlyMap<string, number>;

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

interface Holder {
  readonly node: number;
  readonly field: string;
}

const DATA = 'system / JSArrayBufferData';
const ARRAY = /(?:Array|ArrayBuffer|DataView|Buffer)$/;
/** A snapshot has no size of those that can grow, so they are noted when they are made: import this before they are. */
const growable: WeakRef<SharedArrayBuffer>[] = [];
globalThis.SharedArrayBuffer = new Proxy(SharedArrayBuffer, {
  construct(target, parameters: ConstructorParameters<typeof SharedArrayBuffer>, newTarget): SharedArrayBuffer {
    const buffer = Reflect.construct(target, parameters, newTarget) as SharedArrayBuffer;
    if (buffer.growable) growable.push(new WeakRef(buffer));
    return buffer;
  },
});

/** Edges that are no fields of a program's objects. */
const PLUMBING = new Set(['internal', 'hidden', 'shortcut', 'weak']);

export function arrayBufferBytes(): BytesByHolder {
  const file = writeHeapSnapshot(join(tmpdir(), `graphdb-memory-${process.pid}.heapsnapshot`));
  try {
    const bytes = bytesOf(JSON.parse(readFileSync(file, 'utf8')) as Snapshot);
    return new Map([...bytes, ['(buffers that grow)', growable.reduce((sum, buffer) => sum + (buffer.deref()?.byteLength ?? 0), 0)]]);
  } finally {
    rmSync(file);
  }
}

function bytesOf({ snapshot, nodes, edges, strings }: Snapshot): BytesByHolder {
  const { node_fields: nodeFields, edge_fields: edgeFields, edge_types: edgeTypes } = snapshot.meta;
  const [step, edgeStep] = [nodeFields.length, edgeFields.length];
  const field = (name: string): number => nodeFields.indexOf(name);
  const [name, size, edgeCount] = [field('name'), field('self_size'), field('edge_count')];
  const nameOf = (node: number): string => strings[nodes[node + name]!]!;
  const holders = new Map<number, Holder[]>();
  let edge = 0;
  for (let node = 0; node < nodes.length; node += step) {
    for (let left = nodes[node + edgeCount]!; left > 0; left--, edge += edgeStep) {
      const target = edges[edge + 2]!;
      const type = edgeTypes[0][edges[edge]!]!;
      if (nameOf(target) !== DATA && PLUMBING.has(type) && !ARRAY.test(nameOf(node))) continue;
      if (nameOf(target) !== DATA && !ARRAY.test(nameOf(target))) continue;
      const label = type === 'element' ? '[]' : strings[edges[edge + 1]!]!;
      holders.set(target, [...(holders.get(target) ?? []), { node, field: label }]);
    }
  }
  const bytes = new Map<string, number>();
  for (let node = 0; node < nodes.length; node += step) {
    if (nameOf(node) !== DATA || nodes[node + size] === 0) continue;
    const who = holderOf(node, holders, nameOf) ?? '(others)';
    bytes.set(who, (bytes.get(who) ?? 0) + nodes[node + size]!);
  }
  return bytes;
}

/** Through buffers and views of them to the first object that has one as a field. */
function holderOf(data: number, holders: ReadonlyMap<number, readonly Holder[]>, nameOf: (node: number) => string): string | null {
  const seen = new Set([data]);
  for (const node of seen) {
    for (const holder of holders.get(node) ?? []) {
      if (nameOf(holder.node) !== DATA && !ARRAY.test(nameOf(holder.node))) return `${nameOf(holder.node)}.${holder.field}`;
      seen.add(holder.node);
    }
  }
  return null;
}
