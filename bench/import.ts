/**
 * `npm run bench:import`: loads 1 million nodes and 10 million relationships from CSV, beside DuckDB and Kùzu on the
 * same files (`npm run bench:peers` installs them), each in a new process, in turns. Printed: the median of the wall
 * time, of the processor time and of the peak memory. `--nodes <n>`, `--relationships <n>`, `--rounds <n>`,
 * `--only <text>`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTENDERS, type Files } from './import/contenders.ts';
import { powerLawGraph, writeCsv } from './power-law.ts';

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000000' },
    relationships: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'graphdb-import-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true });
}

async function main(): Promise<void> {
  const files = { nodes: join(folder, 'nodes.csv'), relationships: join(folder, 'relationships.csv') };
  await writeCsv(powerLawGraph(Number(options.nodes), Number(options.relationships)), files.nodes, files.relationships);
  const names = Object.keys(CONTENDERS).filter((name) => name.includes(options.only));
  const costs = new Map<string, Cost[]>(names.map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of names) {
      const cost = costOf(name, files);
      if (cost !== null) costs.get(name)!.push(cost);
    }
  }
  for (const [name, all] of costs) {
    if (all.length === 0) continue;
    const median = (of: (cost: Cost) => number): number => all.map(of).sort((a, b) => a - b)[all.length >> 1]!;
    const [seconds, cpuSeconds, peakBytes] = [
      median((cost) => cost.seconds),
      median((cost) => cost.cpuSeconds),
      median((cost) => cost.peakBytes),
    ];
    console.log(`${name}: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processors, ${Math.round(peakBytes / 1e6)} MB`);
  }
}

/** Null: it is not installed, or failed, which is said. */
function costOf(name: string, files: Omit<Files, 'folder'>): Cost | null {
  const target = mkdtempSync(join(folder, 'target-'));
  const child = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'import/child.ts'), name, JSON.stringify({ ...files, folder: target })],
    {
      encoding: 'utf8',
    },
  );
  rmSync(target, { recursive: true });
  if (child.status === 0) return JSON.parse(child.stdout.trim().split('\n').at(-1)!) as Cost;
  console.log(`${name}: failed: ${/\w*Error: .*/.exec(child.stderr)?.[0] ?? `status ${child.status}`}`);
  return null;
}
