/** A peer's end of the lines that `database.ts` describes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Edges } from '../rmat.ts';
import { EDGE_FILES } from './database.ts';

/** Runs a statement, which answers one row, and returns its values. */
export type Ask = (statement: string) => Promise<readonly unknown[]>;

/** Loads the graph by `load`, which is given a folder to write to, and answers statements until there are no more. */
export async function serve(load: (edges: Edges, folder: string) => Promise<Ask>): Promise<void> {
  const [graph, nodeCount, own] = process.argv.slice(2);
  const [sources, targets, weights] = EDGE_FILES.map((file) => new Uint8Array(readFileSync(join(graph!, file))).buffer);
  const edges: Edges = {
    nodeCount: Number(nodeCount),
    sources: new Uint32Array(sources!),
    targets: new Uint32Array(targets!),
    weights: new Float64Array(weights!),
  };
  const write = (reply: object): void => void process.stdout.write(`${JSON.stringify(reply)}\n`);
  let before = performance.now();
  const ask = await load(edges, own!);
  write({ ms: performance.now() - before, row: [] });
  for await (const line of createInterface({ input: process.stdin })) {
    const statement = JSON.parse(line) as string;
    try {
      before = performance.now();
      const values = await ask(statement);
      write({ ms: performance.now() - before, row: values.map(Number) });
    } catch (error) {
      write({ error: (error as Error).message });
    }
  }
  process.exit();
}
