/**
 * `npm run paused`: rounds of pause and take-over with real processes (rounds.ts). `--rounds <n>` (200), `--seed <n>`,
 * `--store <uri>` (a new folder).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pauseRounds } from './rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    store: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'graphdb-paused-'));
console.log(`seed ${values.seed}`);
const { faults, ...counts } = await pauseRounds({
  store: values.store ?? `file://${folder}?ns=paused`,
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  log: console.log,
});
console.log(`${JSON.stringify(counts)}, ${faults.length} faults`);
for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`);
if (faults.length === 0) rmSync(folder, { recursive: true });
else console.log(`the store is in ${folder}`);
process.exitCode = faults.length === 0 ? 0 : 1;
