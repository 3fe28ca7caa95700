/**
 * Clients that search vectors while others are changed. Each vector follows from its node and the number of its change,
 * and each row tells both: so a row whose score is not that of the vector it speaks of, or of a change that the search
 * must have seen, is found out.
 */
import assert from 'node:assert/strict';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { toNumber, type Value } from '../../src/value/index.ts';
import { seededRandom } from './random.ts';

export interface VectorUpdates {
  readonly uri: string;
  readonly vectors: number;
  readonly dimensions: number;
  readonly updates: number;
  /** The number of updates in one transaction. */
  readonly updatesTogether: number;
  readonly clients: number;
  readonly parts: EngineParts;
}

export interface VectorUpdatesOutcome {
  readonly searchesMs: readonly number[];
  readonly writesMs: readonly number[];
}

const K = 10;

function vectorOf(node: number, change: number, dimensions: number): Float32Array {
  const [centre, own] = [seededRandom(1 + ((node + change) % 50)), seededRandom(1_000 + node * 31 + change)];
  return Float32Array.from({ length: dimensions }, () => centre.between(-1000, 1000) + own.between(-400, 400));
}

function scoreOf(a: Float32Array, b: Float32Array): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    ofA += a[i]! * a[i]!;
    ofB += b[i]! * b[i]!;
  }
  return (1 + dot / Math.sqrt(ofA * ofB)) / 2;
}

const params = (values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> => new Map(Object.entries(values));

export async function searchWhileUpdating(options: VectorUpdates): Promise<VectorUpdatesOutcome> {
  const { uri, vectors, dimensions, parts } = options;
  const engine = await openEngine(uri, { flushBytes: 4 << 20 }, parts);
  try {
    await engine.execute('CREATE VECTOR INDEX nodes FOR (n:N) ON (n.e)', params({}));
    for (let from = 0; from < vectors; from += 1_000) {
      const rows = Array.from(
        { length: Math.min(1_000, vectors - from) },
        (_, i) =>
          new Map<string, Value>([
            ['i', from + i],
            ['change', 0],
            ['e', vectorOf(from + i, 0, dimensions)],
          ]),
      );
      await engine.execute('UNWIND $rows AS row CREATE (n:N) SET n = row', params({ rows }));
    }
    await engine.compact();
    return await race(engine, options);
  } finally {
    await engine.close();
  }
}

async function race(
  engine: Engine,
  { vectors, dimensions, updates, updatesTogether, clients }: VectorUpdates,
): Promise<VectorUpdatesOutcome> {
  /** For each node the change that is answered. */
  const changes = new Uint32Array(vectors);
  const searchesMs: number[] = [];
  const writesMs: number[] = [];
  let isOver = false;
  const write = async (): Promise<void> => {
    const random = seededRandom(77);
    try {
      for (let done = 0; done < updates; done += updatesTogether) {
        const nodes = new Set(Array.from({ length: updatesTogether }, () => random.between(0, vectors - 1)));
        const rows = [...nodes].map(
          (i) =>
            new Map<string, Value>([
              ['i', i],
              ['change', changes[i]! + 1],
              ['e', vectorOf(i, changes[i]! + 1, dimensions)],
            ]),
        );
        const start = performance.now();
        await engine.execute('UNWIND $rows AS row MATCH (n:N {i: row.i}) SET n = row', params({ rows }));
        writesMs.push(performance.now() - start);
        for (const i of nodes) changes[i]!++;
      }
    } finally {
      isOver = true;
    }
  };
  const search = async (client: number): Promise<void> => {
    const random = seededRandom(500 + client);
    do {
      const query = vectorOf(random.between(0, vectors - 1), random.between(0, 3), dimensions);
      const answered = changes.slice();
      const start = performance.now();
      const call = 'CALL db.index.vector.queryNodes("nodes", $k, $q) YIELD node, score RETURN node.i, node.change, score';
      const { rows } = await engine.execute(call, params({ k: K, q: query }));
      searchesMs.push(performance.now() - start);
      assert.equal(rows.length, K);
      assert.equal(new Set(rows.map(([i]) => i)).size, K, 'no node twice');
      for (const [i, change, score] of rows as [number, number, never][]) {
        assert.ok(change >= answered[i]!, `node ${i} is found as of change ${change}, and ${answered[i]} was answered`);
        const expected = scoreOf(query, vectorOf(i, change, dimensions));
        assert.ok(Math.abs(toNumber(score) - expected) < 1e-9, `node ${i} has the score of its change ${change}`);
      }
    } while (!isOver);
  };
  await Promise.all([write(), ...Array.from({ length: clients }, (_, client) => search(client))]);
  return { searchesMs, writesMs };
}
