/**
 * `npm run tenants -- [--requests 200000] [--seed 1] [--namespaces 20] [--callers 50]`: callers and namespaces at
 * random, until an answer has something that is not its caller's. `--planted`: it finds each of five leaks.
 */
import { parseArgs } from 'node:util';
import { runWithMistake } from '../support/planted.ts';
import { LEAKS } from './planted.ts';
import { runTenants } from './tenants.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    namespaces: { type: 'string', default: '20' },
    callers: { type: 'string', default: '50' },
    planted: { type: 'boolean', default: false },
  },
});

if (values.planted) await planted();
else await plain();

async function plain(): Promise<void> {
  const seed = Number(values.seed);
  const options = { seed, requests: Number(values.requests), namespaces: Number(values.namespaces), callers: Number(values.callers) };
  const { requests, kinds, leaks } = await runTenants({ ...options, log: (line) => console.log(line) });
  for (const [kind, { answered, refused }] of kinds) console.log(`${kind}: ${answered} answered, ${refused} refused`);
  for (const leak of leaks) console.log(leak);
  console.log(`${requests} requests, ${leaks.length} leaks (seed ${seed})`);
  process.exit(leaks.length === 0 ? 0 : 1);
}

async function planted(): Promise<void> {
  let missed = 0;
  for (const leak of LEAKS) {
    const { failed, output } = await runWithMistake(leak, 'tenants', ['--requests', '4000', '--seed', values.seed]);
    const isFound = failed && / leaks \(seed/.test(output);
    if (!isFound) missed++;
    console.log(`${isFound ? 'found' : 'MISSED'}: ${leak.name}${isFound ? '' : `\n${output.slice(-2_000)}`}`);
  }
  process.exit(missed === 0 ? 0 : 1);
}
