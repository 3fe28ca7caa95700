/**
 * `npm run soak`: a server on a directory under a mixed load (soak.ts). `--minutes <n>` (10), `--clients <n>` (16), `--seed <n>`. It fails by a fault,
 * and by memory that grows: medians of the last quarter of the time more than a third above those of the second quarter.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Sample, soak } from './soak.ts';

const MOST_GROWTH = 4 / 3;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'graphdb-soak-'));
console.log(`seed ${values.seed}`);
const { requests, faults, samples } = await soak({
  store: `file://${folder}?ns=soak`,
  seconds: Number(values.minutes) * 60,
  clients: Number(values.clients),
  seed: Number(values.seed),
  log: console.log,
});
rmSync(folder, { recursive: true });
for (const [kind, count] of [...requests].sort()) console.log(`  ${kind.padEnd(20)} ${count}`);
for (const fault of faults) console.log(`FAULT ${fault}`);
const grown = (['rss', 'heap'] as const).filter((what) => {
  const [early, late] = [median(quarter(1), what), median(quarter(3), what)];
  console.log(`${what}: median ${early} MB in the second quarter of the time, ${late} MB in the last`);
  return late > early * MOST_GROWTH;
});
process.exitCode = faults.length === 0 && grown.length === 0 ? 0 : 1;

function quarter(index: number): readonly Sample[] {
  return samples.slice(Math.floor((samples.length * index) / 4), Math.floor((samples.length * (index + 1)) / 4));
}

function median(of: readonly Sample[], what: 'rss' | 'heap'): number {
  return of.map((sample) => sample[what]).sort((a, b) => a - b)[of.length >> 1] ?? Number.NaN;
}
