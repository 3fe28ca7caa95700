/**
 * `npm run two-servers`: two servers on one directory, clients that switch between them at random, and the fenced one started anew again
 * and again. `--rounds <n>` (40), `--clients <n>` (8), `--seed <n>`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { twoServersRounds } from './rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    clients: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'graphdb-two-servers-'));
console.log(`seed ${values.seed}`);
const { faults, ...counts } = await twoServersRounds({
  store: `file://${folder}?ns=shared`,
  rounds: Number(values.rounds),
  clients: Number(values.clients),
  seed: Number(values.seed),
  log: console.log,
});
console.log(`${JSON.stringify(counts)}, ${faults.length} faults`);
for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`);
if (faults.length === 0) rmSync(folder, { recursive: true });
else console.log(`the store is in ${folder}`);
process.exitCode = faults.length === 0 ? 0 : 1;
