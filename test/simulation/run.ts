/**
 * `npm run sim`: seeded simulations of rival engines over one failing bucket (simulate.ts). `--seed <n>` repeats one;
 * `--seeds <n>` (100) runs so many, from `--from <n>` (1) on. `--planted` looks whether the simulation finds mistakes
 * made in the sources as they are loaded (planted.ts), `--only <text>` those with such a name. `--read-workers <n>`
 * runs all statements that read in so many threads. SIM_TRACE=1 shows every request and outcome. A violation ends the
 * run and tells how to see it again.
 */
import { parseArgs } from 'node:util';
import { ReadWorkers } from '../../src/engine/index.ts';
import { findPlanted } from './planted.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
    'read-workers': { type: 'string', default: '0' },
  },
});
if (values.planted) process.exit((await findPlanted(values.only)) ? 0 : 1);
const threads = Number(values['read-workers']);
const workers = threads === 0 ? null : new ReadWorkers({ count: threads, firstSliceMs: 0 });
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const startedAt = performance.now();
const totals = {
  operations: 0,
  answered: 0,
  observations: 0,
  requests: 0,
  faults: 0,
  crashes: 0,
  expired: 0,
  takenBack: 0,
  copies: 0,
  artefacts: 0,
  changes: 0,
  retracted: 0,
  children: 0,
  beside: 0,
  pauses: 0,
};
let longestMs = 0;

for (let seed = first; seed < first + count; seed++) {
  const before = performance.now();
  try {
    const { trace, ...report } = await simulate(seed, workers);
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += report[name];
    if (count === 1) console.log(`seed ${seed}: ${JSON.stringify(report)}, trace ${trace}`);
  } catch (error) {
    console.error(error);
    console.error(`\nseed ${seed} failed; see it again with\n  npm run sim -- --seed ${seed}`);
    process.exit(1);
  }
  longestMs = Math.max(longestMs, performance.now() - before);
  if ((seed - first + 1) % 100 === 0) console.log(`${seed - first + 1} seeds, ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}
const ms = (performance.now() - startedAt) / count;
const cpuMs = process.cpuUsage().user / 1_000 / count;
const times = `${ms.toFixed(0)} ms each (${cpuMs.toFixed(0)} of the processor's, at most ${longestMs.toFixed(0)})`;
console.log(`${count} seeds without a violation, ${times}: ${JSON.stringify(totals)}`);
await workers?.close();
