/**
 * `npm run crash`: kills a server under write load again and again, then fills its disk, and audits what is left.
 *
 *   --store <uri>     a store of its own instead of a temporary folder; without full disks. `npm run test:stores -- s3
 *     --rounds 100` starts one for it
 *   --rounds <n>      rounds of killing (200)
 *   --disk-rounds <n> rounds of a full disk (20); needs the right to mount
 *   --clients <n>     writers at once (4)
 *   --seed <n>        the choices of a former run
 *
 * A fault leaves the store where the message says.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fullDiskRounds, mountSmallDisk } from './full-disk.ts';
import { killRounds } from './kill-rounds.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    rounds: { type: 'string', default: '200' },
    'disk-rounds': { type: 'string', default: '20' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const shared = { clients: Number(values.clients), seed: Number(values.seed), log: console.log };
console.log(`seed ${values.seed}`);
const killed = await kill(Number(values.rounds));
const filled = values.store !== undefined || (await fill(Number(values['disk-rounds'])));
process.exitCode = killed && filled ? 0 : 1;

async function kill(rounds: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-crash-'));
  const store = values.store ?? `file://${folder}?ns=crash`;
  const start = performance.now();
  const { faults, ...counts } = await killRounds({ ...shared, rounds, store });
  console.log(`kill -9: ${JSON.stringify(counts)} in ${((performance.now() - start) / 1000).toFixed(0)} s, ${faults.length} faults`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length === 0 || values.store !== undefined) rmSync(folder, { recursive: true });
  if (faults.length > 0) console.log(`the store is ${store}; again with: npm run crash -- --seed ${values.seed} --rounds ${rounds}`);
  return faults.length === 0;
}

async function fill(rounds: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-full-disk-'));
  const disk = mountSmallDisk(folder, 16);
  if ('reason' in disk) {
    console.log(`full disk: skipped: ${disk.reason}`);
    return true;
  }
  try {
    mkdirSync(join(folder, 'store'));
    const { faults, ...counts } = await fullDiskRounds({ ...shared, rounds, folder });
    console.log(`full disk: ${rounds} rounds, ${JSON.stringify(counts)}, ${faults.length} faults`);
    for (const fault of faults) console.log(`  ${fault}`);
    return faults.length === 0;
  } finally {
    disk.unmount();
    rmSync(folder, { recursive: true });
  }
}
