/**
 * `npm run fuzz:http -- [--requests 100000] [--seed <n>]`: the HTTP surface under random requests; exits with 1 when
 * one was answered as none may be.
 */
import { parseArgs } from 'node:util';
import { fuzzHttp } from './fuzz.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const started = performance.now();
const { statuses, faults } = await fuzzHttp({ seed, requests: Number(values.requests) });
console.log(`${values.requests} requests in ${Math.round((performance.now() - started) / 1_000)} s, --seed ${seed}`);
for (const [status, count] of [...statuses].sort(([a], [b]) => a - b)) console.log(`  ${status === 0 ? 'broken off' : status}: ${count}`);
for (const fault of faults.slice(0, 20)) console.log(fault);
if (faults.length > 0) {
  console.log(`${faults.length} faults; again: npm run fuzz:http -- --requests ${values.requests} --seed ${seed}`);
  process.exitCode = 1;
}
