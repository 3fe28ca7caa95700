/**
 * `npm run new-users`: what five kinds of new users do, from an empty folder to an answered statement and a drawn graph,
 * with the time of each step: npm's package, a wheel of Python, the single executable in a bare root, the steps of the
 * Dockerfile by hand, and the unit of systemd by hand. Needs the package registries; the executable and the unit need
 * root. Steps "(by us)" make what a release has.
 *
 *   --only <name>   one of the five
 *   --json <file>   writes the times
 *
 * Exit status 1 when a step fails.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { executable, image } from './files.ts';
import { npmPackage, systemdUnit, wheel } from './packages.ts';
import { type Step, Steps } from './steps.ts';

const WALKS: Readonly<Record<string, (steps: Steps) => Promise<void>>> = {
  npm: npmPackage,
  wheel,
  executable,
  image,
  systemd: systemdUnit,
};

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, json: { type: 'string' } } });
const times: Record<string, readonly Step[]> = {};
for (const [name, walk] of Object.entries(WALKS)) {
  if (!name.includes(values.only)) continue;
  await using steps = new Steps();
  try {
    await walk(steps);
  } catch (error) {
    process.exitCode = 1;
    console.log(
      `${name}: FAILED behind "${steps.done.at(-1)?.name ?? 'nothing'}": ${error instanceof Error ? error.stack : String(error)}`,
    );
  }
  times[name] = steps.done;
  const told = steps.done.map((step) => `${step.name} ${step.seconds.toFixed(1)}`);
  const seconds = steps.done.filter((step) => !step.name.includes('(by us)')).reduce((sum, step) => sum + step.seconds, 0);
  console.log(`${name}: ${seconds.toFixed(1)} s (${told.join(', ')})`);
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(times, null, 2));
