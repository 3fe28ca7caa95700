/**
 * `npm run fuzz:storage -- [--cases 20000] [--seed <n>] [--forged]`: examples of the format under random damage;
 * `--forged`: only with checksums that are right. Exits with 1 when damage gave a wrong answer, or an error other than
 * CORRUPTION that names the object.
 */
import { parseArgs } from 'node:util';
import { loadExamples } from './examples.ts';
import { fuzzCase } from './fuzz.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '20000' }, seed: { type: 'string' }, forged: { type: 'boolean' } },
});
const first = Number(values.seed ?? Date.now() % 1_000_000);
const examples = await loadExamples();
const counts = new Map<string, number>();
let faults = 0;
const startedAt = performance.now();
for (let seed = first; seed < first + Number(values.cases); seed++) {
  const forged = values.forged ?? seed % 4 === 0;
  const { example, damage, way, result, fault } = await fuzzCase(examples, seed, forged);
  const name = `${example}, ${forged ? 'forged' : 'damaged'}, ${way}: ${result}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (fault === null) continue;
  faults++;
  console.log(
    `${damage.how}; ${way}: ${fault}\nagain with: npm run fuzz:storage -- --seed ${seed} --cases 1${forged ? ' --forged' : ''}\n`,
  );
}
console.log(`${values.cases} cases from seed ${first} in ${Math.round((performance.now() - startedAt) / 1_000)} s, ${faults} faults`);
for (const [name, count] of [...counts].sort()) console.log(`  ${name}: ${count}`);
process.exitCode = faults === 0 ? 0 : 1;
