/**
 * `npm run soak`: a server on a directory under a mixed load (soak.ts). `--minutes <n>` (10), `--clients <n>` (16),
 * `--seed <n>`. It fails by a fault, and by memory that grows from the second quarter of the time to the last by more
 * than a third: the median of the resident memory, and the least heap that was seen, which is near to what a collection
 * leaves; between collections it says nothing.
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
const levels = [
  { what: 'resident memory, median', of: (part: readonly Sample[]) => median(part.map(({ rss }) => rss)) },
  { what: 'heap, least', of: (part: readonly Sample[]) => Math.min(...part.map(({ heap }) => heap)) },
];
const grown = levels.filter(({ what, of }) => {
  const [early, late] = [of(quarter(1)), of(quarter(3))];
  console.log(`${what}: ${early} MB in the second quarter of the time, ${late} MB in the last`);
  return late > early * MOST_GROWTH;
});
process.exitCode = faults.length === 0 && grown.length === 0 ? 0 : 1;

function quarter(index: number): readonly Sample[] {
  return samples.slice(Math.floor((samples.length * index) / 4), Math.floor((samples.length * (index + 1)) / 4));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
